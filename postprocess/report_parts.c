/* SPDX-License-Identifier: GPL-2.0-only */
/* Parts of the page: the summary, the list of all points, how to read it. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "postprocess/report.h"

static void put_cell(const char *heading, const char *text, bool number, FILE *out)
{
	fprintf(out, "<td%s data-l=\"%s\">", html_class(text, number), heading);
	html_text(text, out);
	fputs("</td>", out);
}

/* ---- summary: drives by rows, places in the cells, a table for every protocol -----------------
 */

static void summary_cell(const struct ranking *ranking, const struct result *result, FILE *out)
{
	const struct entry *entry = ranking_find(ranking, result);
	char title[192], rate[2 * NUMBER_ROOM], text[192] = "-";
	char place[NUMBER_ROOM] = "";
	bool first = entry && entry->place == 1;

	row_title(ranking->row, title, sizeof(title));
	if (entry && entry->peak) {
		if (entry->place)
			snprintf(place, sizeof(place), "%u. ", entry->place);
		snprintf(text, sizeof(text), "%s%s %s%s", place,
			 entry_rate_text(ranking, entry, rate, sizeof(rate)), ranking_unit(ranking),
			 entry_is_stand_in(entry) ? ", stand-in" : "");
	}
	fprintf(out, "<td%s data-l=\"", html_class(text, true));
	html_text(title, out);
	fprintf(out, "\">%s", first ? "<strong>" : "");
	html_text(text, out);
	fprintf(out, "%s</td>", first ? "</strong>" : "");
}

static bool is_of(const struct ranking *ranking, const char *protocol)
{
	return !strcmp(ranking->protocol, protocol);
}

static bool takes_part(const struct report *report, const struct result *result,
		       const char *protocol)
{
	size_t i;

	for (i = 0; i < report->ranking_count; i++)
		if (is_of(&report->rankings[i], protocol) &&
		    ranking_find(&report->rankings[i], result))
			return true;
	return false;
}

static void summary_head(const struct report *report, const char *protocol, FILE *out)
{
	char title[192];
	size_t i;

	fputs("<div class=\"scroll\"><table class=\"cards\"><thead><tr><th>", out);
	html_text(protocol[0] ? protocol : "own job file", out);
	fputs("</th>", out);
	for (i = 0; i < report->ranking_count; i++) {
		if (!is_of(&report->rankings[i], protocol))
			continue;
		row_title(report->rankings[i].row, title, sizeof(title));
		fputs("<th class=\"n\">", out);
		html_text(title, out);
		fputs("</th>", out);
	}
	fputs("</tr></thead><tbody>\n", out);
}

static void summary_drive(const struct palette *palette, const struct result *result, FILE *out)
{
	size_t index;

	palette_colour(palette, result->drive, &index);
	fprintf(out,
		"<tr><td data-l=\"Drive\"><span><span class=\"swatch\" "
		"style=\"background:var(--c%zu)\"></span>",
		index % PALETTE_COLOURS);
	html_text(result->drive, out);
	if (result->kind == RESULT_PUBLISHED)
		fputs(" <span class=\"soft\">published</span>", out);
	else if (result->simulated)
		fputs(" <span class=\"soft\">simulated</span>", out);
	fputs("</span></td>", out);
}

static void summary_table(const struct report *report, const struct palette *palette,
			  const char *protocol, FILE *out)
{
	size_t i, j;

	summary_head(report, protocol, out);
	for (i = 0; i < report->result_count; i++) {
		if (!takes_part(report, report->results[i], protocol))
			continue;
		summary_drive(palette, report->results[i], out);
		for (j = 0; j < report->ranking_count; j++)
			if (is_of(&report->rankings[j], protocol))
				summary_cell(&report->rankings[j], report->results[i], out);
		fputs("</tr>\n", out);
	}
	fputs("</tbody></table></div>\n", out);
}

void report_summary(const struct report *report, FILE *out)
{
	struct palette palette;
	size_t i, j;

	if (palette_make(report->rankings, report->ranking_count, report->results,
			 report->result_count, &palette))
		return;
	for (i = 0; i < report->ranking_count; i++) {
		const char *protocol = report->rankings[i].protocol;

		for (j = 0; j < i && !is_of(&report->rankings[j], protocol); j++)
			;
		if (j == i)
			summary_table(report, &palette, protocol, out);
	}
	palette_free(&palette);
}

/* ---- all points of a row ----------------------------------------------------------------------
 */

/* "010", or "010, repeat 2" where there is more than one. */
static void point_label(const struct curve *curve, const struct point *point, char *text,
			size_t room)
{
	if (curve_repeats(curve) > 1)
		snprintf(text, room, "%s, repeat %u", point->name, point->repeat);
	else
		snprintf(text, room, "%s", point->name[0] ? point->name : "-");
}

static void point_row(const struct entry *entry, const struct point *point, FILE *out)
{
	char text[NUMBER_ROOM], verdict[400], label[64];

	fputs("<tr>", out);
	put_cell("Drive", entry->result->drive, false, out);
	point_label(entry->curve, point, label, sizeof(label));
	put_cell("Point", label, false, out);
	put_cell("Asked IOPS",
		 isnan(point->nominal_iops) ? "-" : number_count(point->nominal_iops, text), true,
		 out);
	put_cell("Achieved IOPS", number_count(point->iops, text), true, out);
	put_cell("MB/s", number_count(point->bytes_per_s / 1e6, text), true, out);
	put_cell("clat", number_us(point->clat.mean_us, text), true, out);
	put_cell("clat p99", number_us(point->clat.p99_us, text), true, out);
	put_cell("clat max", number_us(point->clat.max_us, text), true, out);
	put_cell("lat", number_us(point->lat.mean_us, text), true, out);
	snprintf(verdict, sizeof(verdict), "%s%s%s", point_verdict_word(point->verdict),
		 point->reason[0] ? ": " : "", point->reason);
	put_cell("Verdict", verdict, false, out);
	fputs("</tr>\n", out);
}

void report_points(const struct ranking *ranking, FILE *out)
{
	size_t i, j;

	fputs("<details><summary>All points</summary><div class=\"scroll\">"
	      "<table class=\"cards points\"><thead><tr><th>Drive</th><th>Point</th>"
	      "<th class=\"n\">Asked IOPS</th><th class=\"n\">Achieved IOPS</th>"
	      "<th class=\"n\">MB/s</th><th class=\"n\">clat</th><th class=\"n\">clat p99</th>"
	      "<th class=\"n\">clat max</th><th class=\"n\">lat</th><th>Verdict</th>"
	      "</tr></thead><tbody>\n",
	      out);
	for (i = 0; i < ranking->count; i++) {
		const struct curve *curve = ranking->entries[i].curve;

		if (ranking->entries[i].result->kind == RESULT_PUBLISHED)
			continue;
		for (j = 0; curve && j < curve->count; j++)
			point_row(&ranking->entries[i], &curve->points[j], out);
	}
	fputs("</tbody></table></div></details>\n", out);
}

/* ---- how to read it ---------------------------------------------------------------------------
 */

static const char *const reading[] = {
	"A curve is measured from left to right: 10, 20 ... 120 % of what a run as fast as the "
	"drive takes I/Os (max) reached. I/Os leave when they are due, whatever earlier ones do. "
	"Points are joined in the order of the offered rate, so a curve turns back where a drive "
	"does less when more is asked of it.",
	"The peak is the point with the highest achieved rate; its mean latency and p99 stand "
	"beside it. Most drives are saturated there: all I/Os allowed in flight are in flight.",
	"clat is the drive's own time, from issue to completion. lat counts from the moment an "
	"I/O was due; at saturated points it grows with the length of the run and is no property "
	"of the drive.",
	"A drive whose higher points had to be left out has no known peak: it stands there with "
	"\"at least\" what its points show, and is not ranked.",
	"Invalid points (the CPU was the limit, or I/Os left late although a slot was free) are "
	"marked with a cross in the charts and never ranked. Failed points are listed with their "
	"reasons.",
	"MB and GB are decimal, KiB and MiB are 1,024-based."};

static const char *const ours[] = {
	"Ours, not the published reviews': the time a point waits and measures; the numbers in "
	"flight of write rows, which follow from the published rates and latencies; p99; a peak "
	"as known when no point that was left out reached 2 % more; falls "
	"below 1 % shown as \"none\"; \"level with\" for differences below 1 %.",
	"Rows of different protocols (another part of the drive, other numbers in flight) are "
	"ranked apart. Published figures are single points from the reviews' texts; simulated "
	"drives are models made to meet such figures and say nothing about a drive you hold in "
	"your hand."};

void report_reading(const struct report *report, FILE *out)
{
	size_t i;

	(void)report;
	fputs("<h2 id=\"reading\">How to read this</h2>\n<ul class=\"says\">\n", out);
	for (i = 0; i < COUNT(reading); i++) {
		fputs("<li>", out);
		html_text(reading[i], out);
		fputs("</li>\n", out);
	}
	for (i = 0; i < COUNT(ours); i++) {
		fputs("<li>", out);
		html_text(ours[i], out);
		fputs("</li>\n", out);
	}
	fputs("</ul>\n", out);
}
