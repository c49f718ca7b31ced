/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The intervals of the engines' statistics, one object after the other: those of a day fill more
 * memory than a drive's day is worth. The figures of an interval stand before the first object in
 * it (reads and writes apart), so what is read of it ends at the first closing brace.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "postprocess/json_reader.h"
#include "postprocess/minutes_internal.h"
#include "postprocess/result.h"
#include "postprocess/timeline.h"

#define LONG_RUN_S  1800.0
#define HEAD_PIECES 200 /* closing braces before the intervals, at most */

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

static bool is_complete(const struct interval *interval)
{
	return !isnan(interval->start_s + interval->length_s + interval->latency.count +
		      interval->latency.mean_us + interval->latency.m2_us2 +
		      interval->latency.max_us);
}

/*
 * The text of an object but for its closing brace: that its end is missing is no fault, nor is what
 * stands behind the last figure.
 */
static bool parse_interval(const char *text, struct interval *interval)
{
	struct json_reader reader;
	struct json_span key;
	size_t bytes = strlen(text);

	*interval = (struct interval){NAN, NAN, {NAN, NAN, NAN, NAN}};
	reader_open(&reader, text, bytes, 0);
	if (!reader_enter(&reader, '{'))
		return false;
	while (!is_complete(interval) && reader_member(&reader, &key))
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

/* Whether a colon stands before the brace: an object in an interval, not an interval. */
static bool is_member(const char *from, const char *brace)
{
	while (brace > from && strchr(" \t\r\n", brace[-1]))
		brace--;
	return brace > from && brace[-1] == ':';
}

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
	if (!is_member(at, brace) && parse_interval(brace, &interval))
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

/* ---- a run as a whole ------------------------------------------------------------------------ */

/* A number of the head by its key; NAN where it is none. */
static double head_number(const char *piece, const char *key)
{
	const char *at = strstr(piece, key);

	if (!at)
		return NAN;
	at += strlen(key);
	at += strspn(at, " \t:");
	return *at >= '0' && *at <= '9' ? strtod(at, NULL) : NAN;
}

static void take_head(const char *piece, struct statistics_head *head)
{
	const char *simulated = strstr(piece, "\"simulated\"");
	double window_s = head_number(piece, "\"window_s\"");
	double scale = head_number(piece, "\"scale\"");

	if (window_s > 0)
		head->window_s = window_s;
	if (scale >= 1)
		head->scale = scale;
	if (simulated && simulated[11 + strspn(simulated + 11, " \t:")] == 't')
		head->simulated = true;
}

bool statistics_head_read(const char *path, struct statistics_head *head)
{
	struct pieces *pieces = pieces_open(path, NULL);
	unsigned most = HEAD_PIECES;
	bool found = false;
	char *piece, *intervals;

	*head = (struct statistics_head){.window_s = NAN, .scale = 1};
	while (pieces && !found && most-- && (piece = pieces_next(pieces, '}'))) {
		intervals = find_intervals(piece);
		found = intervals != NULL;
		if (intervals)
			*intervals = '\0';
		take_head(piece, head);
	}
	if (pieces)
		pieces_close(pieces, NULL);
	return found && head->window_s > 0;
}

static bool is_packed(const char *path)
{
	size_t bytes = strlen(path);

	return bytes > 3 && !strcmp(path + bytes - 3, ".gz");
}

bool is_by_minutes(const char *path, char *base, size_t room)
{
	struct statistics_head head;
	char *ending;

	if (is_fio_log(path, base, room))
		return true;
	if (!statistics_head_read(path, &head) ||
	    (head.window_s * head.scale < LONG_RUN_S && !is_packed(path)))
		return false;
	snprintf(base, room, "%s", path);
	ending = strstr(base, ".stats.");
	if (ending)
		ending[6] = '\0';
	return true;
}

static void to_drive_time(struct minutes *minutes, double scale)
{
	size_t i;

	minutes->minute_s *= scale;
	for (i = 0; i < minutes->count; i++) {
		minutes->list[i].start_s *= scale;
		minutes->list[i].length_s *= scale;
	}
}

int minutes_of_run(const char *path, struct minutes *minutes, struct error *err)
{
	char(*paths)[512] = calloc(MAX_STATS_FILES, sizeof(*paths));
	const char *list[MAX_STATS_FILES];
	struct statistics_head head;
	size_t count = paths ? clone_paths(path, paths, MAX_STATS_FILES) : 0, i;
	int status = paths ? 0 : error_set(err, "%s: not enough memory", path);

	for (i = 0; i < count; i++)
		list[i] = paths[i];
	statistics_head_read(path, &head);
	if (!status)
		status = minutes_of_statistics(list, count, 60 / head.scale, minutes, err);
	if (!status)
		to_drive_time(minutes, head.scale);
	free(paths);
	return status;
}
