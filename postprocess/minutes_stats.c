/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The intervals of the engines' statistics, one object after the other: those of a day fill more
 * memory than a drive's day is worth. The figures of an interval stand before the first object in
 * it (reads and writes apart), so what is read of it ends at the first closing brace.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "postprocess/json_reader.h"
#include "postprocess/minutes_internal.h"

/* One interval; of its histogram nothing is needed. */
struct interval {
	double start_s, length_s;
	struct spread latency;
};

/* Bins are pairs, so the list of them ends with the object's last bracket. */
static void skip_histogram(struct json_reader *reader)
{
	const char *last = memrchr(reader->data + reader->at, ']', reader->bytes - reader->at);

	if (last)
		reader->at = (size_t)(last + 1 - reader->data);
	else
		reader_skip(reader);
}

static double number(struct json_reader *reader)
{
	return reader_number(reader).value;
}

static void take_member(struct json_reader *reader, struct json_span key, struct interval *interval)
{
	if (span_is(key, "start_ns"))
		interval->start_s = number(reader) / 1e9;
	else if (span_is(key, "length_ns"))
		interval->length_s = number(reader) / 1e9;
	else if (span_is(key, "count"))
		interval->latency.count = number(reader);
	else if (span_is(key, "mean_ns"))
		interval->latency.mean_us = number(reader) / 1e3;
	else if (span_is(key, "m2_ns2"))
		interval->latency.m2_us2 = number(reader) / 1e6;
	else if (span_is(key, "max_ns"))
		interval->latency.max_us = number(reader) / 1e3;
	else if (span_is(key, "histogram"))
		skip_histogram(reader);
	else
		reader_skip(reader);
}

/* The text of an object but for its closing brace: that its end is missing is no fault. */
static bool parse_interval(const char *text, struct interval *interval)
{
	struct json_reader reader;
	struct json_span key;
	size_t bytes = strlen(text);

	*interval = (struct interval){NAN, NAN, {NAN, NAN, NAN, NAN}};
	reader_open(&reader, text, bytes, 0);
	if (!reader_enter(&reader, '{'))
		return false;
	while (reader_member(&reader, &key))
		take_member(&reader, key, interval);
	return (!reader.fault || reader.at >= bytes) && interval->start_s >= 0 &&
	       interval->latency.count >= 0;
}

/* Old statistics have no length: a second. No I/O has no latency. */
static void take_interval(const struct interval *interval, struct minute_sums *sums)
{
	struct spread latency = interval->latency;
	double length_s = interval->length_s > 0 ? interval->length_s : 1;

	if (!(latency.count > 0) || isnan(latency.mean_us))
		latency = (struct spread){0};
	minute_sums_add(sums, interval->start_s, length_s, interval->latency.count, &latency);
}

/* What stands behind `"intervals": [`; NULL when the piece has no such words. */
static char *find_intervals(char *piece)
{
	static const char key[] = "\"intervals\"";
	char *at;

	for (at = strstr(piece, key); at; at = strstr(at, key)) {
		at += strlen(key);
		at += strspn(at, " \t\r\n");
		if (*at != ':')
			continue;
		at += 1 + strspn(at + 1, " \t\r\n");
		if (*at == '[')
			return at + 1;
	}
	return NULL;
}

/* An engine that was killed leaves the intervals alone, in STATS_FILE.part. */
static char *find_bare_intervals(char *piece)
{
	char *brace = piece + strspn(piece, " \t\r\n");

	return strncmp(brace, "{\"start_ns\"", 11) ? NULL : brace;
}

enum place { BEFORE, INSIDE, AFTER };

/* One piece, which ended at a brace or at the end of the file. */
static enum place take_piece(char *piece, enum place place, bool first, struct minute_sums *sums)
{
	struct interval interval;
	char *brace, *at = piece;

	if (place == BEFORE) {
		at = find_intervals(piece);
		if (!at && first)
			at = find_bare_intervals(piece);
		if (!at)
			return BEFORE;
	}
	brace = at + strcspn(at, "{]");
	if (*brace != '{')
		return *brace ? AFTER : INSIDE;
	if (parse_interval(brace, &interval))
		take_interval(&interval, sums);
	return INSIDE;
}

static int read_file(const char *path, struct minute_sums *sums, struct error *err)
{
	struct pieces *pieces = pieces_open(path, err);
	enum place place = BEFORE;
	bool first = true;
	char *piece;

	if (!pieces)
		return -1;
	while (place != AFTER && (piece = pieces_next(pieces, '}'))) {
		place = take_piece(piece, place, first, sums);
		first = false;
	}
	if (pieces_close(pieces, err) && place == BEFORE)
		return -1;
	if (place == BEFORE)
		return error_set(
			err, "%s is no statistics file of an engine, or holds no intervals", path);
	if (place == INSIDE)
		minute_sums_note(sums, "%s ends too early", path);
	minute_sums_end_job(sums);
	return 0;
}

int minutes_of_statistics(const char *const *paths, size_t count, double minute_s,
			  struct minutes *minutes, struct error *err)
{
	struct minute_sums sums = {.minute_s = minute_s};
	size_t i;

	for (i = 0; i < count; i++)
		if (read_file(paths[i], &sums, err)) {
			free(sums.list);
			return -1;
		}
	return minute_sums_finish(&sums, count ? paths[0] : "no file", minutes, err);
}
