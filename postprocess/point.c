/* SPDX-License-Identifier: GPL-2.0-only */
/* One point: fio's jobs taken together, and the verdict by the rules of docs/results.md. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cpu_limit.h"
#include "base/number.h"
#include "postprocess/point.h"

#define LATE_AT_LIMIT_SHARE   0.05
#define UNSENT_SHARE	      0.005
#define FREE_SLOT_P99_US      100.0
#define FREE_SLOT_CLAT_SHARE  0.10
#define BANDWIDTH_DISAGREES   0.02
#define RUNTIME_SHARE_ALLOWED 0.95

static const struct latency no_latency = {0, NAN, NAN, NAN, NAN, NAN, NAN, false};

const char *point_verdict_word(enum point_verdict verdict)
{
	static const char *const words[] = {"valid", "saturated", "invalid", "failed"};

	return words[verdict];
}

bool point_counts(const struct point *point)
{
	return point->verdict == POINT_VALID || point->verdict == POINT_SATURATED;
}

bool point_is_max(const struct point *point)
{
	return !strcmp(point->name, "max");
}

void point_clear(struct point *point, const char *name)
{
	size_t i;

	*point = (struct point){.repeat = 1,
				.nominal_iops = NAN,
				.offered_iops = NAN,
				.iops = NAN,
				.bytes_per_s = NAN,
				.block_bytes = NAN,
				.read_share = NAN,
				.runtime_s = NAN,
				.temperature_mean_c = NAN,
				.temperature_max_c = NAN,
				.write_amplification = NAN,
				.clat = no_latency,
				.slat = no_latency,
				.lat = no_latency};
	snprintf(point->name, sizeof(point->name), "%s", name);
	for (i = 0; i < IO_KINDS * MINUTE_MEASURES; i++)
		point->measures[i / MINUTE_MEASURES][i % MINUTE_MEASURES] = NAN;
}

static bool set_verdict(struct point *point, enum point_verdict verdict, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* The first reason found stays; true when it is this one. */
static bool set_verdict(struct point *point, enum point_verdict verdict, const char *format, ...)
{
	va_list args;

	if (point->verdict >= verdict)
		return false;
	point->verdict = verdict;
	va_start(args, format);
	vsnprintf(point->reason, sizeof(point->reason), format, args);
	va_end(args);
	return true;
}

/* What the machine did, not the drive. */
static void blame_machine(struct point *point, const char *what, const char *figure)
{
	point->by_machine = true;
	snprintf(point->brief, sizeof(point->brief), "%.10s %.18s", what, figure);
}

void point_fail(struct point *point, const char *format, ...)
{
	va_list args;

	point->verdict = POINT_FAILED;
	va_start(args, format);
	vsnprintf(point->reason, sizeof(point->reason), format, args);
	va_end(args);
}

static void warn(struct point *point, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Adds to what a reader of the figures should know. */
static void warn(struct point *point, const char *format, ...)
{
	size_t used = strlen(point->warning);
	va_list args;

	if (used && used + 2 < sizeof(point->warning)) {
		strcpy(point->warning + used, "; ");
		used += 2;
	}
	va_start(args, format);
	vsnprintf(point->warning + used, sizeof(point->warning) - used, format, args);
	va_end(args);
}

/* Sums while the jobs of a point are gone through. */
struct gathered {
	double iops, bytes_per_s;
	uint64_t ios, bytes, read_ios, mixed_ios;
	double runtime_ms;
	struct fio_latency clat, slat, lat;
};

static int gather_row(struct gathered *sum, const struct fio_row *row, enum fio_direction direction)
{
	if (!isnan(row->iops))
		sum->iops += row->iops;
	if (!isnan(row->bytes_per_s))
		sum->bytes_per_s += row->bytes_per_s;
	sum->ios += row->ios;
	sum->bytes += row->bytes;
	if (direction == FIO_READ)
		sum->read_ios += row->ios;
	if (direction == FIO_MIXED)
		sum->mixed_ios += row->ios;
	sum->runtime_ms = fmax(sum->runtime_ms, row->runtime_ms);
	if (fio_latency_add(&sum->clat, &row->clat) || fio_latency_add(&sum->slat, &row->slat))
		return -1;
	return fio_latency_add(&sum->lat, &row->lat);
}

static int gather(struct gathered *sum, const struct fio_job *const *jobs, size_t count)
{
	enum fio_direction direction;
	size_t i;

	for (i = 0; i < count; i++)
		for (direction = FIO_READ; direction < FIO_DIRECTIONS; direction++)
			if (fio_row_counts(jobs[i], direction) &&
			    gather_row(sum, &jobs[i]->rows[direction], direction))
				return -1;
	return 0;
}

static void take_latency(struct latency *latency, struct fio_latency *sum)
{
	fio_latency_finish(sum);
	*latency = sum->summary.count ? sum->summary : no_latency;
	fio_latency_free(sum);
}

static void take_figures(struct point *point, struct gathered *sum)
{
	point->iops = sum->iops;
	point->bytes_per_s = sum->bytes_per_s;
	point->runtime_s = sum->runtime_ms / 1000;
	if (sum->ios) {
		point->block_bytes = (double)sum->bytes / (double)sum->ios;
		if (!sum->mixed_ios)
			point->read_share = (double)sum->read_ios / (double)sum->ios;
	}
	take_latency(&point->clat, &sum->clat);
	take_latency(&point->slat, &sum->slat);
	take_latency(&point->lat, &sum->lat);
}

static bool agrees(double iops, double block, double bytes_per_s)
{
	return fabs(iops * block - bytes_per_s) <= BANDWIDTH_DISAGREES * iops * block;
}

/* fio's own figures should agree with each other: rate x block size = bandwidth. */
static void check_bandwidth(const struct fio_output *output, const struct fio_job *job,
			    const struct fio_row *row, struct point *point)
{
	double told = row->bytes_per_s, block = (double)row->bytes / (double)row->ios;
	char iops[NUMBER_ROOM], size[NUMBER_ROOM], rate[NUMBER_ROOM];

	if (!row->ios || !row->bytes || !(row->iops > 0) || isnan(told))
		return;
	if (agrees(row->iops, block, told) ||
	    agrees(row->iops, fio_size(fio_option(output, job, "bs")), told))
		return;
	warn(point, "%s: %s IOPS of %s B are not %s B/s, as the file states; edited?", job->name,
	     number_count(row->iops, iops), number_count(block, size), number_count(told, rate));
}

static void check_counts(const struct fio_job *job, const struct fio_row *row, struct point *point)
{
	uint64_t measured = row->clat.summary.count;

	if (measured && row->ios > measured)
		warn(point, "%s: latency stands for %lu of %lu I/Os", job->name,
		     (unsigned long)measured, (unsigned long)row->ios);
}

static void check_jobs(const struct fio_output *output, const struct fio_job *const *jobs,
		       size_t count, struct point *point)
{
	enum fio_direction direction;
	size_t i;

	for (i = 0; i < count; i++) {
		if (jobs[i]->steady == FIO_STEADY_NO)
			warn(point, "%s: no steady state was reached", jobs[i]->name);
		for (direction = FIO_READ; direction < FIO_DIRECTIONS; direction++)
			if (fio_row_counts(jobs[i], direction)) {
				const struct fio_row *row = &jobs[i]->rows[direction];

				check_bandwidth(output, jobs[i], row, point);
				check_counts(jobs[i], row, point);
			}
	}
}

static void judge_failed(const struct fio_output *output, const struct fio_job *const *jobs,
			 size_t count, struct point *point)
{
	char line[160];
	size_t i;

	fio_diagnostic(output, line, sizeof(line));
	for (i = 0; i < count; i++)
		if (jobs[i]->error)
			set_verdict(point, POINT_FAILED, "%s (%d)%s%s", strerror(jobs[i]->error),
				    jobs[i]->error, line[0] ? ": " : "", line);
	if (output->diagnostics && strstr(output->diagnostics, "got signal="))
		set_verdict(point, POINT_FAILED, "a worker of fio was killed: %s", line);
	if (!(point->iops > 0))
		set_verdict(point, POINT_FAILED, "no I/O was performed");
}

/* A time-based run that is much shorter than it was asked to be was stopped by somebody. */
static bool ended_early(const struct fio_output *output, const struct fio_job *job,
			const struct point *point, double *asked_s)
{
	*asked_s = fio_seconds(fio_option(output, job, "runtime"));
	return job->steady != FIO_STEADY_YES && fio_option(output, job, "time_based") &&
	       *asked_s > 0 && point->runtime_s < RUNTIME_SHARE_ALLOWED * *asked_s;
}

static void judge_incomplete(const struct fio_output *output, const struct fio_job *job,
			     struct point *point)
{
	double asked_s;

	if (output->stopped || ended_early(output, job, point, &asked_s))
		set_verdict(point, POINT_INVALID,
			    "incomplete: fio was stopped after %.1f s, before the end",
			    point->runtime_s);
	if (output->cut)
		set_verdict(point, POINT_INVALID,
			    "incomplete: the file is cut off, an earlier snapshot is shown");
	if (point->clat.mean_us > 1 && point->clat.p50_us == 0 && point->clat.p99_us == 0)
		set_verdict(point, POINT_INVALID, "fio printed percentiles of 0");
}

static void judge_cpu(const struct point_stats *stats, struct point *point)
{
	char text[CPU_LIMIT_ROOM], share[NUMBER_ROOM];
	bool was_busy = cpu_was_busy(stats->busy_share);

	if (!cpu_was_limit(stats->busy_share, stats->cpu_wait_share))
		return;
	cpu_limit_text(stats->busy_share, stats->cpu_wait_share, text);
	if (set_verdict(point, POINT_INVALID, "%s", text))
		blame_machine(point, was_busy ? "CPU" : "CPU wait",
			      number_percent(was_busy ? stats->busy_share : stats->cpu_wait_share,
					     share));
}

static void judge_lateness(const struct point_stats *stats, struct point *point)
{
	double allowed_us = FREE_SLOT_P99_US;
	char found[NUMBER_ROOM], allowed[NUMBER_ROOM];

	if (point->clat.mean_us * FREE_SLOT_CLAT_SHARE > allowed_us)
		allowed_us = point->clat.mean_us * FREE_SLOT_CLAT_SHARE;
	if (stats->free_slot_p99_us > allowed_us &&
	    set_verdict(point, POINT_INVALID,
			"I/Os left late although a slot was free: p99 %s, allowed %s",
			number_us(stats->free_slot_p99_us, found), number_us(allowed_us, allowed)))
		blame_machine(point, "late p99", found);
}

/* The engine's own verdict on a replay: it knows what the trace asked for. */
static void judge_replay(const struct point_stats *stats, struct point *point)
{
	if (stats->replay_fault[0] &&
	    set_verdict(point, POINT_INVALID, "the replay is invalid: %s", stats->replay_fault))
		blame_machine(point, "replay", "invalid");
}

static bool many_late_at_limit(const struct point_stats *stats)
{
	double sent = stats->offered - stats->unsent;

	return stats->late_at_limit > LATE_AT_LIMIT_SHARE * sent && sent > 0;
}

static bool many_unsent(const struct point_stats *stats)
{
	return stats->unsent > UNSENT_SHARE * stats->offered;
}

bool point_stats_held_back(const struct point_stats *stats)
{
	return many_late_at_limit(stats) || many_unsent(stats);
}

static void judge_saturated(const struct point_stats *stats, struct point *point)
{
	double sent = stats->offered - stats->unsent;

	if (many_late_at_limit(stats))
		set_verdict(point, POINT_SATURATED,
			    "%.1f %% of the I/Os left late at the in-flight limit",
			    100 * fmin(1, stats->late_at_limit / sent));
	if (many_unsent(stats))
		set_verdict(point, POINT_SATURATED, "%.1f %% of the offered I/Os stayed unsent",
			    100 * stats->unsent / stats->offered);
}

/*
 * Without statistics only the achieved rate can tell. Arrivals at random miss the nominal rate by
 * some 1 / sqrt(N), so four times that is allowed.
 */
static void judge_by_rate(struct point *point)
{
	double n = point->nominal_iops * point->runtime_s;

	if (n > 0 && point->iops < point->nominal_iops * (1 - UNSENT_SHARE - 4 / sqrt(n)))
		set_verdict(point, POINT_SATURATED, "%.1f %% of the rate asked for was reached",
			    100 * point->iops / point->nominal_iops);
}

/* Which engine did the I/O, where fio says it. */
static void take_engine(const struct fio_output *output, const struct fio_job *job,
			struct point *point)
{
	const char *engine = fio_option(output, job, "ioengine");
	const char *drive = fio_option(output, job, "drive");
	bool simdrive = engine && strstr(engine, "simdrive.so");

	point->probes_cache |= engine && strstr(engine, "qlc_writer.so");
	point->own_engine =
		simdrive || point->probes_cache ||
		(engine && (strstr(engine, "openloop.so") || strstr(engine, "vdi_replay.so")));
	point->simulated |= simdrive || (drive && !strcmp(drive, "sim"));
}

static void take_stats(const struct point_stats *stats, struct point *point)
{
	point->has_stats = true;
	point->simulated |= stats->simulated;
	point->synthetic = stats->synthetic;
	point->probes_cache = stats->probes_cache;
	point->offered_iops = stats->offered_iops;
	if (!point_is_max(point) && stats->nominal_iops > 0)
		point->nominal_iops = stats->nominal_iops;
}

void point_from_jobs(const struct fio_output *output, const struct fio_job *const *jobs,
		     size_t count, const struct point_stats *stats, struct point *point)
{
	struct gathered sum = {0};

	if (gather(&sum, jobs, count)) {
		point_fail(point, "not enough memory to take its jobs together");
		return;
	}
	take_figures(point, &sum);
	check_jobs(output, jobs, count, point);
	if (stats)
		take_stats(stats, point);
	judge_failed(output, jobs, count, point);
	if (count) {
		take_engine(output, jobs[0], point);
		judge_incomplete(output, jobs[0], point);
	}
	if (stats) {
		judge_cpu(stats, point);
		judge_replay(stats, point);
		judge_lateness(stats, point);
	}
	if (point_is_max(point))
		set_verdict(point, POINT_SATURATED, "the max run: as fast as the limit allows");
	else if (stats)
		judge_saturated(stats, point);
	else
		judge_by_rate(point);
}

static void read_jobs(const struct fio_output *output, const struct point_stats *stats,
		      struct point *point)
{
	const struct fio_job **jobs = calloc(output->job_count + 1, sizeof(const struct fio_job *));
	size_t i;

	if (!jobs) {
		point_fail(point, "not enough memory to read it");
		return;
	}
	for (i = 0; i < output->job_count; i++)
		jobs[i] = &output->jobs[i];
	point_from_jobs(output, jobs, output->job_count, stats, point);
	free(jobs);
}

void point_read(const char *json_path, const char *const *stats_paths, size_t stats_count,
		const char *name, double nominal_iops, struct point *point)
{
	struct point_stats stats;
	struct fio_output output;
	struct error err, stats_err = {.text = ""};
	bool has_stats = false;

	point_clear(point, name);
	if (!point_is_max(point))
		point->nominal_iops = nominal_iops;
	if (fio_output_read(json_path, &output, &err)) {
		point_fail(point, "%s", err.text);
		return;
	}
	if (stats_count)
		has_stats = !point_stats_read(stats_paths, stats_count, &stats, &stats_err);
	if (stats_count && !has_stats)
		warn(point, "judged by fio's output alone: %s", stats_err.text);
	if (has_stats)
		snprintf(point->stats_path, sizeof(point->stats_path), "%s", stats_paths[0]);
	read_jobs(&output, has_stats ? &stats : NULL, point);
	fio_output_free(&output);
}
