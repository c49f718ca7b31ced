/* SPDX-License-Identifier: GPL-2.0-only */
/* What stands below the tables: points that do not count, with reasons, and warnings. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "postprocess/enterprise.h"
#include "postprocess/table.h"

/* A remark about a drive; "" is about all of them. */
static void remark(const char *drive, const char *text, enum table_format format, FILE *out)
{
	const char *colon = drive[0] ? ": " : "";

	if (format == FORMAT_MD) {
		fputs("- ", out);
		md_text(drive, out);
		fputs(colon, out);
		md_text(text, out);
		fputc('\n', out);
	} else if (format == FORMAT_HTML) {
		fputs("<li>", out);
		html_text(drive, out);
		fputs(colon, out);
		html_text(text, out);
		fputs("</li>\n", out);
	} else {
		fprintf(out, "%s%s%s\n", drive, colon, text);
	}
}

/* Points that do not count for the same reason, but for its numbers. */
static bool is_alike(const struct point *point, const struct point *other)
{
	const char *end = strrchr(point->reason, ':');
	size_t length = end ? (size_t)(end - point->reason) : strlen(point->reason);

	return point->verdict == other->verdict && !strncmp(point->reason, other->reason, length);
}

/* " 110", or "; repeat 2: 110" where a repeat begins; the number of bytes. */
static size_t put_name(const struct point *point, unsigned *repeat, char *text, size_t room)
{
	int used = 0;

	if (point->repeat != *repeat)
		used = snprintf(text, room, "%s repeat %u:", *repeat ? ";" : "", point->repeat);
	*repeat = point->repeat;
	if (used < (int)room)
		used += snprintf(text + used, room - (size_t)used, " %s", point->name);
	return used < (int)room ? (size_t)used : room - 1;
}

typedef bool alike_points(const struct point *point, const struct point *other);

/* " 110 120": the first point and those after it that are like it; their number. */
static size_t name_alike(const struct curve *curve, size_t first, alike_points *is_like,
			 char *names, size_t room)
{
	unsigned repeat = curve_repeats(curve) > 1 ? 0 : 1;
	size_t i, used = 0, alike = 0;

	names[0] = '\0';
	for (i = first; i < curve->count; i++)
		if (is_like(&curve->points[first], &curve->points[i])) {
			used += put_name(&curve->points[i], &repeat, names + used, room - used);
			alike++;
		}
	return alike;
}

/* "4k-randread, points 110 120 are invalid: REASON OF THE FIRST (the others likewise)" */
static void point_remark(const struct curve *curve, size_t first, char *text, size_t room)
{
	const struct point *point = &curve->points[first];
	char names[320];
	size_t alike = name_alike(curve, first, is_alike, names, sizeof(names));

	snprintf(text, room, "%s%s%s %s %s: %s%s", curve->row,
		 !point->name[0] ? ""
		 : alike > 1	 ? ", points"
				 : ", point",
		 point->name[0] ? names : "", alike > 1 ? "are" : "is",
		 point_verdict_word(point->verdict), point->reason,
		 alike > 1 ? " (the others likewise)" : "");
}

static bool was_remarked(const struct curve *curve, size_t at)
{
	size_t i;

	for (i = 0; i < at; i++)
		if (!point_counts(&curve->points[i]) &&
		    is_alike(&curve->points[i], &curve->points[at]))
			return true;
	return false;
}

static void point_remarks(const struct result *result, const struct curve *curve,
			  enum table_format format, FILE *out)
{
	char text[1024];
	size_t i;

	for (i = 0; i < curve->count; i++) {
		if (point_counts(&curve->points[i]) || was_remarked(curve, i))
			continue;
		point_remark(curve, i, text, sizeof(text));
		remark(result->drive, text, format, out);
	}
}

/* ---- what the drive did meanwhile ----------------------------------------------------------- */

/* What is not said already, as the reason why a point is left out. */
static bool did_something(const struct point *point)
{
	return point->marks[0] && strcmp(point->drive_did, point->reason) != 0;
}

static bool did_alike(const struct point *point, const struct point *other)
{
	return did_something(other) && !strcmp(point->marks, other->marks);
}

/* "4k-randwrite, points 050 060: the drive throttled 2 times, for 12 s (the others likewise)" */
static void drive_remark(const struct curve *curve, size_t first, char *text, size_t room)
{
	const struct point *point = &curve->points[first];
	char names[320];
	size_t alike = name_alike(curve, first, did_alike, names, sizeof(names));

	snprintf(text, room, "%s, point%s%s: %s%s", curve->row, alike > 1 ? "s" : "", names,
		 point->drive_did, alike > 1 ? " (the others likewise)" : "");
}

static void drive_remarks(const struct result *result, const struct curve *curve,
			  enum table_format format, FILE *out)
{
	char text[1024];
	size_t i, before;

	for (i = 0; i < curve->count; i++) {
		const struct point *point = &curve->points[i];

		for (before = 0; before < i && !did_alike(point, &curve->points[before]); before++)
			;
		if (!did_something(point) || before < i)
			continue;
		drive_remark(curve, i, text, sizeof(text));
		remark(result->drive, text, format, out);
	}
}

/* From the least to the most of the points that know it. */
struct range {
	double least, most;
};

static void include(struct range *range, double value)
{
	range->least = fmin(range->least, value);
	range->most = fmax(range->most, value);
}

/* "41 to 44", or "41" */
static void append_range(const struct range *range, int digits, char *text, size_t room)
{
	char least[32], most[32];

	snprintf(least, sizeof(least), "%.*f", digits, range->least);
	snprintf(most, sizeof(most), "%.*f", digits, range->most);
	text_append(text, room, "%s%s%s", least, strcmp(least, most) ? " to " : "",
		    strcmp(least, most) ? most : "");
}

/* "4k-randwrite: 41 to 44 C on average, at most 47 C; write amplification 1.20 to 1.52" */
static void temperature_remark(const struct result *result, const struct curve *curve,
			       enum table_format format, FILE *out)
{
	struct range mean = {NAN, NAN}, most = {NAN, NAN}, written = {NAN, NAN};
	char text[512];
	size_t i;

	for (i = 0; i < curve->count; i++) {
		include(&mean, curve->points[i].temperature_mean_c);
		include(&most, curve->points[i].temperature_max_c);
		include(&written, curve->points[i].write_amplification);
	}
	if (isnan(most.most) && isnan(written.most))
		return;
	snprintf(text, sizeof(text), "%s: ", curve->row);
	if (!isnan(most.most)) {
		append_range(&mean, 0, text, sizeof(text));
		text_append(text, sizeof(text), " C on average, at most %.0f C%s", most.most,
			    isnan(written.most) ? "" : "; ");
	}
	if (!isnan(written.most)) {
		text_append(text, sizeof(text), "write amplification ");
		append_range(&written, 2, text, sizeof(text));
	}
	remark(result->drive, text, format, out);
}

/*
 * A machine that was at work on something else spoils points one after another: with more than a
 * quarter of them gone (our own choice) that comes before all details.
 */
static void busy_remark(struct result *const *results, size_t count, enum table_format format,
			FILE *out)
{
	char busy[NUMBER_ROOM], total[NUMBER_ROOM], text[256];
	size_t i, j, k, left_out = 0, points = 0;

	for (i = 0; i < count; i++)
		for (j = 0; j < results[i]->count; j++) {
			const struct curve *curve = &results[i]->curves[j];

			/* Runs on the cache are marked, and not left out. */
			for (k = 0; !curve_probes_cache(curve) && k < curve->count; k++, points++)
				left_out += curve->points[k].by_machine;
			rounds_count_by_machine(curve, &left_out, &points);
		}
	if (left_out * 4 <= points)
		return;
	snprintf(
		text, sizeof(text),
		"%s of %s points and rounds were left out because the machine was busy: close "
		"other programs and run again.",
		number_whole((double)left_out, busy), number_whole((double)points, total));
	remark("", text, format, out);
}

void remarks_write(struct result *const *results, size_t count, enum table_format format, FILE *out)
{
	size_t i, j;

	busy_remark(results, count, format, out);
	for (i = 0; i < count; i++) {
		for (j = 0; j < results[i]->count; j++) {
			const struct curve *curve = &results[i]->curves[j];

			point_remarks(results[i], curve, format, out);
			drive_remarks(results[i], curve, format, out);
			temperature_remark(results[i], curve, format, out);
		}
		for (j = 0; j < results[i]->warning_count; j++)
			remark(results[i]->drive, results[i]->warnings[j], format, out);
	}
}
