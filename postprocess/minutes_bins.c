/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * fio's histogram logs: "time, direction, block size, bin, bin ...", one line a direction and
 * interval. Bins have fio's shape, 64 to a factor of two and exact below 128, which is that of
 * base/histogram.h, in ns from fio 3 on; log_hist_coarseness=C joins 2^C neighbours.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/histogram.h"
#include "postprocess/minutes_internal.h"

#define BINS_NS	     1856u /* of fio 3 */
#define BINS_US	     1216u /* of fio 2 */
#define BEFORE_BINS  3
#define COARSEST     6
#define MOST_COLUMNS (BEFORE_BINS + BINS_NS + 1)
#define MOST_IN_LINE 1e12 /* I/Os of an interval: more are garbage of memory */

/* How a log's bins are told apart. */
struct bins {
	size_t count;
	unsigned coarseness;
	double unit_us; /* of a bin's value */
};

/* By the number of columns alone: 1216 and 1856 have no multiple in common. */
static bool bins_of(size_t columns, struct bins *bins)
{
	unsigned c;

	for (c = 0; c <= COARSEST; c++) {
		*bins = (struct bins){columns - BEFORE_BINS, c, 0.001};
		if (columns == BEFORE_BINS + (BINS_NS >> c))
			return true;
		bins->unit_us = 1;
		if (columns == BEFORE_BINS + (BINS_US >> c))
			return true;
	}
	bins->unit_us = NAN;
	return false;
}

static double lower_edge(unsigned index)
{
	return index ? (double)histogram_upper_ns(index - 1) + 1 : 0;
}

/* The middle of a bin, and its end, in us. */
static void bin_place(const struct bins *bins, size_t i, double *middle_us, double *end_us)
{
	unsigned first = (unsigned)i << bins->coarseness;
	double end = (double)histogram_upper_ns(first + (1u << bins->coarseness) - 1);

	*middle_us = (lower_edge(first) + end) / 2 * bins->unit_us;
	*end_us = end * bins->unit_us;
}

/* Two passes: the mean, then the deviations from it. */
static void spread_of_bins(const struct bins *bins, const double *counts, struct spread *spread)
{
	double middle, end, sum = 0;
	size_t i;

	*spread = (struct spread){0};
	for (i = 0; i < bins->count; i++) {
		if (!(counts[i] > 0))
			continue;
		bin_place(bins, i, &middle, &end);
		spread->count += counts[i];
		sum += counts[i] * middle;
		spread->max_us = end;
	}
	if (!(spread->count > 0))
		return;
	spread->mean_us = sum / spread->count;
	for (i = 0; i < bins->count; i++) {
		if (!(counts[i] > 0))
			continue;
		bin_place(bins, i, &middle, &end);
		spread->m2_us2 +=
			counts[i] * (middle - spread->mean_us) * (middle - spread->mean_us);
	}
}

/* A log while it is read. */
struct histogram_log {
	struct minute_sums *sums;
	double reached_s[LOG_DIRECTIONS]; /* the time of the last line */
	size_t lines;
};

static void take_line(const double *numbers, const struct bins *bins, bool gives_rate,
		      struct histogram_log *log)
{
	static const struct spread none = {0};
	double at_s = numbers[0] / 1000, direction = numbers[1], before_s, covered_s;
	struct spread spread;

	if (direction >= LOG_DIRECTIONS)
		return;
	spread_of_bins(bins, numbers + BEFORE_BINS, &spread);
	before_s = log->reached_s[(int)direction];
	/* Both directions cover the same time: it counts once. */
	covered_s = fmax(at_s - fmax(log->reached_s[LOG_READ], log->reached_s[LOG_WRITE]), 0);
	log->reached_s[(int)direction] = at_s;
	minute_sums_add_bins(log->sums, (before_s + at_s) / 2, &spread);
	if (!gives_rate)
		return;
	minute_sums_add(log->sums, at_s - covered_s, covered_s, 0, &none);
	minute_sums_add(log->sums, (before_s + at_s) / 2, 0, spread.count, &none);
}

static int bad_columns(const char *path, size_t columns, struct error *err)
{
	return error_set(err,
			 "%s: %zu columns are no histogram of fio: 3 and 1,856 of fio 3, or 1,216 "
			 "of fio 2, divided by 2, 4 ... 64",
			 path, columns);
}

static bool is_garbage(const double *numbers, size_t columns)
{
	double sum = 0;
	size_t i;

	for (i = BEFORE_BINS; i < columns; i++)
		sum += numbers[i];
	return !(sum < MOST_IN_LINE);
}

/* How a line is taken: whole, cut off (the last one of a run that was killed), or damaged. */
static int take_columns(const char *path, const double *numbers, size_t columns, bool gives_rate,
			struct histogram_log *log, struct error *err)
{
	struct bins bins;

	if (!bins_of(columns, &bins)) {
		if (!log->lines)
			return bad_columns(path, columns, err);
		minute_sums_note(log->sums, "%s ends too early", path);
		return 0;
	}
	if (is_garbage(numbers, columns))
		return error_set(err, "%s is damaged: more than 10^12 I/Os in one line", path);
	take_line(numbers, &bins, gives_rate, log);
	log->lines++;
	return 0;
}

static int read_lines(struct pieces *pieces, const char *path, bool gives_rate,
		      struct histogram_log *log, struct error *err)
{
	double *numbers = calloc(MOST_COLUMNS, sizeof(*numbers));
	int status = numbers ? 0 : error_set(err, "%s: not enough memory", path);
	size_t columns;
	char *line;

	while (!status && (line = pieces_next(pieces, '\n'))) {
		columns = log_numbers(line, numbers, MOST_COLUMNS);
		if (columns)
			status = take_columns(path, numbers, columns, gives_rate, log, err);
	}
	free(numbers);
	return status;
}

int read_histogram_log(const char *path, bool gives_rate, struct minute_sums *sums,
		       struct error *err)
{
	struct histogram_log log = {.sums = sums};
	struct pieces *pieces = pieces_open(path, err);
	int status;

	if (!pieces)
		return -1;
	status = read_lines(pieces, path, gives_rate, &log, err);
	return pieces_close(pieces, status ? NULL : err) || status ? -1 : 0;
}

bool is_histogram_by_usec(const char *path)
{
	struct pieces *pieces = pieces_open(path, NULL);
	double numbers[MOST_COLUMNS];
	struct bins bins = {.unit_us = 0};
	char *line = pieces ? pieces_next(pieces, '\n') : NULL;

	if (line)
		bins_of(log_numbers(line, numbers, MOST_COLUMNS), &bins);
	if (pieces)
		pieces_close(pieces, NULL);
	return bins.unit_us == 1;
}
