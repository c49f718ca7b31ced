/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * fio's logs of rates and latencies: "time in ms, value, direction, block size, ...". A line of an
 * averaged log holds a mean and no count: it counts as many I/Os as the iops log of the same job
 * and direction tells of the time between the line before and this one.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "postprocess/grow.h"
#include "postprocess/minutes_internal.h"

#define MOST_FIELDS 8
#define EPOCH_S	    1e8 /* later times count from 1970 (log_unix_epoch, log_alternate_epoch) */
#define GAP_STEPS   10	/* usual steps without a line: nothing was recorded, whatever the value */
#define GAP_S	    30.0
#define STEPS	    64
#define HELD_SHARE  0.95

/* One line of a log. */
struct log_row {
	double at_s, value, max; /* max: NAN unless log_window_value=both */
	int direction;
	bool single; /* one I/O: the log is not averaged */
};

/* I/Os of one direction, all those up to a time. */
struct track_row {
	double at_s, ios; /* a rate until the track is finished */
};

struct track {
	struct track_row *rows;
	size_t count, cursor;
};

/* One job while its logs are read. */
struct job_log {
	struct minute_sums *sums;
	struct track tracks[LOG_DIRECTIONS];
	double origin_s, usual_s; /* the time lines count from, and between two lines */
	double end_s;		  /* of what single I/Os tell */
	double before_s[LOG_DIRECTIONS];
	double unit_us; /* of a latency */
	bool has_rates, singles;
};

static const struct spread no_latency = {0};

/* ---- lines ----------------------------------------------------------------------------------- */

/* A priority may be hexadecimal; its value does not matter. */
static const char *take_number(const char *at, double *number)
{
	uint64_t value = 0;

	for (; *at >= '0' && *at <= '9'; at++)
		value = value * 10 + (uint64_t)(*at - '0');
	*number = (double)value;
	if (*at == ',')
		return at;
	return at + strspn(at, "xX.abcdefABCDEF0123456789");
}

size_t log_numbers(const char *line, double *numbers, size_t most)
{
	size_t count = 0;

	while (*line == ' ' || *line == '\t')
		line++;
	while (*line >= '0' && *line <= '9' && count < most) {
		line = take_number(line, &numbers[count++]);
		while (*line == ',' || *line == ' ' || *line == '\t' || *line == '\r')
			line++;
	}
	return count;
}

/* Where the third column is no direction, it is the maximum (log_window_value=both). */
static bool take_row(const char *line, struct log_row *row)
{
	double fields[MOST_FIELDS];
	size_t count = log_numbers(line, fields, MOST_FIELDS), shift;

	if (count < 4)
		return false;
	shift = count > 4 && fields[2] > 2 && fields[3] <= 2;
	*row = (struct log_row){.at_s = fields[0] / 1000,
				.value = fields[1],
				.max = shift ? fields[2] : NAN,
				.direction = (int)fields[2 + shift],
				.single = fields[3 + shift] > 0};
	return true;
}

typedef int take_log_row(struct job_log *job, const struct log_row *row);

/* Calls take for reads and writes; a time that goes back to 0 is the end of what can be trusted. */
static int read_rows(const char *path, struct job_log *job, take_log_row *take, struct error *err)
{
	struct pieces *pieces = pieces_open(path, err);
	struct log_row row = {.at_s = 0};
	double last_s = 0;
	int status = 0;
	char *line;

	if (!pieces)
		return -1;
	while (!status && (line = pieces_next(pieces, '\n'))) {
		if (!take_row(line, &row))
			continue;
		if (row.at_s == 0 && last_s > 1) {
			minute_sums_note(job->sums, "%s: lines without a time are left out", path);
			break;
		}
		last_s = row.at_s;
		if (row.direction < LOG_DIRECTIONS)
			status = take(job, &row);
	}
	if (status)
		error_set(err, "%s: not enough memory", path);
	return pieces_close(pieces, status ? NULL : err) || status ? -1 : 0;
}

/* ---- rates ----------------------------------------------------------------------------------- */

static int take_rate(struct job_log *job, const struct log_row *row)
{
	struct track *track = &job->tracks[row->direction];
	struct track_row *larger;

	if (row->single) {
		job->singles = true;
		job->end_s = fmax(job->end_s, row->at_s);
		minute_sums_add(job->sums, row->at_s, 0, 1, &no_latency);
		return 0;
	}
	larger = list_grow(track->rows, track->count, sizeof(*larger));
	if (!larger)
		return -1;
	track->rows = larger;
	larger[track->count++] = (struct track_row){row->at_s, row->value};
	return 0;
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* The median of the first steps: catching up after a stall makes some as short as 0. */
static double usual_step(const struct track *track)
{
	double steps[STEPS];
	size_t count = 0, i;

	for (i = 1; i < track->count && count < STEPS; i++)
		steps[count++] = track->rows[i].at_s - track->rows[i - 1].at_s;
	if (!count)
		return track->count ? track->rows[0].at_s : 0;
	qsort(steps, count, sizeof(*steps), by_value);
	return steps[count / 2];
}

static bool is_gap(const struct job_log *job, double step_s)
{
	return step_s > GAP_S && step_s > GAP_STEPS * job->usual_s;
}

/* Rates become numbers of I/Os up to a time; minutes get what belongs to them. */
static void finish_track(struct job_log *job, struct track *track)
{
	double before_s = 0, total = 0;
	size_t i;

	for (i = 0; i < track->count; i++) {
		struct track_row *row = &track->rows[i];
		double step_s, ios;

		row->at_s -= job->origin_s;
		step_s = fmax(row->at_s - before_s, 0);
		ios = row->ios * step_s;
		if (is_gap(job, step_s))
			step_s = job->usual_s;
		minute_sums_add(job->sums, row->at_s - step_s, step_s, ios, &no_latency);
		total += ios;
		row->ios = total;
		before_s = row->at_s;
	}
	minute_sums_end_job(job->sums);
}

static int read_rates(const char *path, struct job_log *job, struct error *err)
{
	const struct track *longer;
	int d;

	if (read_rows(path, job, take_rate, err))
		return -1;
	longer = &job->tracks[job->tracks[LOG_WRITE].count > job->tracks[LOG_READ].count];
	job->has_rates = longer->count > 0;
	if (!job->has_rates)
		return 0;
	job->usual_s = usual_step(longer);
	if (longer->rows[0].at_s > EPOCH_S)
		job->origin_s = longer->rows[0].at_s - job->usual_s;
	for (d = 0; d < LOG_DIRECTIONS; d++)
		finish_track(job, &job->tracks[d]);
	return 0;
}

/* ---- latencies ------------------------------------------------------------------------------- */

/* I/Os of a direction up to a time; times come in order. */
static double ios_until(struct track *track, double at_s)
{
	const struct track_row *rows = track->rows, *row, *before;
	struct track_row origin = {0, 0};

	while (track->cursor + 1 < track->count && rows[track->cursor].at_s < at_s)
		track->cursor++;
	row = &rows[track->cursor];
	before = track->cursor ? row - 1 : &origin;
	if (!(row->at_s > before->at_s))
		return row->ios;
	/* Beyond the last line of rates, for those of latencies go on, the rate stays what it was.
	 */
	return before->ios +
	       (row->ios - before->ios) * (at_s - before->at_s) / (row->at_s - before->at_s);
}

/* A line stands for at least one I/O. */
static double weight_of(struct job_log *job, int direction, double before_s, double at_s)
{
	struct track *track = &job->tracks[direction];
	double ios_before;

	if (!track->count)
		return job->has_rates ? 1 : fmax(at_s - before_s, 0.001);
	ios_before = ios_until(track, before_s);
	return fmax(ios_until(track, at_s) - ios_before, 1);
}

static void take_single(struct job_log *job, const struct log_row *row, double at_s)
{
	double us = row->value * job->unit_us;
	struct spread latency = {1, us, 0, us};
	bool gives_rate = !job->has_rates && !job->singles;

	minute_sums_add(job->sums, at_s, 0, gives_rate, &latency);
	if (gives_rate)
		job->end_s = fmax(job->end_s, at_s);
}

static int take_latency(struct job_log *job, const struct log_row *row)
{
	double *before_s = &job->before_s[row->direction], at_s, step_s;
	struct spread latency;

	if (job->origin_s == 0 && row->at_s > EPOCH_S)
		job->origin_s = row->at_s - 1;
	at_s = row->at_s - job->origin_s;
	if (row->single) {
		take_single(job, row, at_s);
		return 0;
	}
	latency = (struct spread){weight_of(job, row->direction, *before_s, at_s),
				  row->value * job->unit_us, NAN, row->max * job->unit_us};
	step_s = fmax(at_s - *before_s, 0);
	if (is_gap(job, step_s))
		step_s = job->usual_s;
	minute_sums_add(job->sums, at_s - step_s / 2, 0, 0, &latency);
	*before_s = at_s;
	return 0;
}

/* ---- a job ----------------------------------------------------------------------------------- */

/* Paths by type; NULL where there is no such log. */
struct job_paths {
	const char *paths[LOG_TYPES];
};

static int read_job_logs(const struct job_paths *job_paths, struct job_log *job, struct error *err)
{
	const char *const *paths = job_paths->paths, *histogram = paths[LOG_CLAT_HIST];
	const char *latency = paths[LOG_CLAT] ? paths[LOG_CLAT] : paths[LOG_LAT];

	job->unit_us = histogram && is_histogram_by_usec(histogram) ? 1 : 0.001;
	if (paths[LOG_IOPS] && read_rates(paths[LOG_IOPS], job, err))
		return -1;
	if (latency && read_rows(latency, job, take_latency, err))
		return -1;
	if (histogram &&
	    read_histogram_log(histogram, !job->has_rates && !(job->end_s > 0), job->sums, err))
		return -1;
	/* Single I/Os, from the beginning to the last of them. */
	if (job->end_s > 0)
		minute_sums_add(job->sums, 0, job->end_s, 0, &no_latency);
	minute_sums_end_job(job->sums);
	return 0;
}

static int read_job(const struct job_paths *paths, struct minute_sums *sums, struct error *err)
{
	struct job_log job = {.sums = sums};
	int status = read_job_logs(paths, &job, err), d;

	for (d = 0; d < LOG_DIRECTIONS; d++)
		free(job.tracks[d].rows);
	return status;
}

static bool is_same_job(const struct log_name *a, const struct log_name *b)
{
	return a->job == b->job && !strcmp(a->host, b->host);
}

static int read_jobs(const struct log_set *set, struct minute_sums *sums, struct error *err)
{
	size_t i = 0, from;

	while (i < set->count) {
		struct job_paths paths = {{NULL}};

		for (from = i; i < set->count && is_same_job(&set->list[i], &set->list[from]); i++)
			paths.paths[set->list[i].type] = set->list[i].path;
		if (read_job(&paths, sums, err))
			return -1;
	}
	return 0;
}

static bool has_type(const struct log_set *set, enum log_type type)
{
	size_t i;

	for (i = 0; i < set->count; i++)
		if (set->list[i].type == type)
			return true;
	return false;
}

/* What the logs cannot tell, and how the rest was found. */
static void note_what_is_missing(const struct log_set *set, struct minute_sums *sums)
{
	double ios = 0, held = 0;
	size_t i;

	for (i = 0; i < sums->count; i++) {
		ios += sums->list[i].latency.count;
		held += sums->list[i].histogram.count;
	}
	if (!has_type(set, LOG_IOPS) && !has_type(set, LOG_CLAT_HIST))
		minute_sums_note(sums, "without an iops log means are not weighted by I/Os");
	if (has_type(set, LOG_IOPS) && has_type(set, LOG_CLAT_HIST) && held < HELD_SHARE * ios)
		minute_sums_note(sums, "the histograms hold %.1f %% of the I/Os", 100 * held / ios);
	if (!has_type(set, LOG_CLAT) && has_type(set, LOG_LAT))
		minute_sums_note(sums, "latency is lat: there is no clat log");
}

int minutes_of_logs(const char *path, double minute_s, struct minutes *minutes, struct error *err)
{
	struct minute_sums sums = {.minute_s = minute_s};
	struct log_set set;
	int status = log_set_find(path, &set, err);

	if (!status)
		status = read_jobs(&set, &sums, err);
	if (!status)
		note_what_is_missing(&set, &sums);
	free(set.list);
	if (!status)
		return minute_sums_finish(&sums, path, minutes, err);
	free(sums.list);
	return -1;
}
