/* SPDX-License-Identifier: GPL-2.0-only */
/* One number of desktops: did the promise hold? */
#include <jansson.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/histogram.h"
#include "base/number.h"
#include "postprocess/capacity.h"
#include "postprocess/point.h"

#define NAME_START "desktops-"

const char *trial_word(enum trial_outcome outcome)
{
	static const char *const words[] = {"holds", "fails", "spoilt"};

	return words[outcome];
}

void trial_name(unsigned desktops, char *name, size_t room)
{
	snprintf(name, room, NAME_START "%04u", desktops);
}

unsigned trial_desktops(const char *name)
{
	size_t length = strlen(NAME_START);
	unsigned long number;
	char *end;

	if (strncmp(name, NAME_START, length))
		return 0;
	number = strtoul(name + length, &end, 10);
	return *end || number > 100000000 ? 0 : (unsigned)number;
}

/* ---- response times ---------------------------------------------------------------------------
 */

/* Of all jobs of a point. */
struct responses {
	struct histogram histogram;
	double sum_us;
};

static int add_file(const char *path, struct responses *responses, struct error *err)
{
	json_error_t fault;
	json_t *file = json_load_file(path, 0, &fault), *interval;
	size_t i;

	if (!file)
		return error_set(err, "%s cannot be read: %s", path, fault.text);
	json_array_foreach(json_object_get(file, "intervals"), i, interval)
	{
		double mean_ns = json_number_value(json_object_get(interval, "mean_ns"));
		double count = json_number_value(json_object_get(interval, "count"));

		responses->sum_us += mean_ns * count / 1000;
		stats_add_interval(interval, &responses->histogram);
	}
	json_decref(file);
	return 0;
}

/* What `percent` of all I/Os do not exceed; INFINITY when it lies among those that never left. */
static double percentile_us(const struct responses *responses, double percent, double unsent)
{
	double count = (double)responses->histogram.count;
	double share = percent / 100 * (count + unsent) / count;

	return share > 1 ? INFINITY
			 : (double)histogram_percentile_ns(&responses->histogram, share) / 1000;
}

/* ---- the judgement ----------------------------------------------------------------------------
 */

static void set_outcome(struct trial *trial, enum trial_outcome outcome, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

static void set_outcome(struct trial *trial, enum trial_outcome outcome, const char *format, ...)
{
	va_list args;

	trial->outcome = outcome;
	va_start(args, format);
	vsnprintf(trial->reason, sizeof(trial->reason), format, args);
	va_end(args);
}

/* The first term that does not hold; NULL when all do. */
static const struct sla_term *broken_term(const struct sla *sla, const struct trial *trial)
{
	unsigned i;

	for (i = 0; i < sla->count; i++)
		if (!(trial->latency_us[i] <= sla->terms[i].limit_us))
			return &sla->terms[i];
	return NULL;
}

static void measure(const struct responses *responses, double unsent, const struct sla *sla,
		    struct trial *trial)
{
	unsigned i;

	for (i = 0; i < sla->count; i++)
		trial->latency_us[i] =
			sla->terms[i].percent > 0
				? percentile_us(responses, sla->terms[i].percent, unsent)
				: responses->sum_us / (double)responses->histogram.count;
}

static void compare(const struct sla *sla, struct trial *trial)
{
	const struct sla_term *term = broken_term(sla, trial);
	char name[32], took[NUMBER_ROOM], limit[NUMBER_ROOM];

	trial->outcome = TRIAL_HOLDS;
	if (!term)
		return;
	set_outcome(trial, TRIAL_FAILS, "%s is %s, promised %s", sla_name(term, name, sizeof(name)),
		    isinf(trial->latency_us[term - sla->terms])
			    ? "not reached by the end"
			    : time_text(trial->latency_us[term - sla->terms], took),
		    time_text(term->limit_us, limit));
}

/*
 * A machine that was late only lengthens response times, which count from the due moment: a promise
 * that holds in spite of it holds. One that does not says nothing of the drive.
 */
static void excuse(const struct point *point, bool held_back, struct trial *trial)
{
	if (trial->outcome == TRIAL_HOLDS && point->by_machine && !held_back)
		snprintf(trial->reason, sizeof(trial->reason), "in spite of the machine: %.280s",
			 point->reason);
	else
		set_outcome(trial, TRIAL_SPOILT, "%s", point->reason);
}

static void judge(const struct point *point, const struct point_stats *stats,
		  const struct responses *responses, const struct sla *sla, struct trial *trial)
{
	bool held_back = point_stats_held_back(stats);

	if (!responses->histogram.count) {
		set_outcome(trial, TRIAL_SPOILT, "no response time was measured");
		return;
	}
	measure(responses, stats->unsent, sla, trial);
	compare(sla, trial);
	if (point->verdict == POINT_INVALID)
		excuse(point, held_back, trial);
	else if (trial->outcome == TRIAL_HOLDS && held_back)
		set_outcome(trial, TRIAL_FAILS, "the in-flight limit held it back: %s",
			    point->reason);
}

void trial_judge(const struct point *point, const char *const *stats_paths, size_t stats_count,
		 const struct sla *sla, struct trial *trial)
{
	struct responses responses = {.sum_us = 0};
	struct point_stats stats;
	struct error err;
	size_t i;

	for (i = 0; i < SLA_MOST_TERMS; i++)
		trial->latency_us[i] = NAN;
	trial->reason[0] = '\0';
	trial->iops = point->iops;
	if (point->verdict == POINT_FAILED) {
		set_outcome(trial, TRIAL_SPOILT, "%s", point->reason);
		return;
	}
	if (point_stats_read(stats_paths, stats_count, &stats, &err)) {
		set_outcome(trial, TRIAL_SPOILT, "%.300s", err.text);
		return;
	}
	for (i = 0; i < stats_count; i++)
		if (add_file(stats_paths[i], &responses, &err)) {
			set_outcome(trial, TRIAL_SPOILT, "%.300s", err.text);
			return;
		}
	judge(point, &stats, &responses, sla, trial);
}

char *trial_latencies(const struct trial *trial, const struct sla *sla, char *text, size_t room)
{
	char name[32], latency[NUMBER_ROOM];
	size_t used = 0;
	unsigned i;

	text[0] = '\0';
	for (i = 0; i < sla->count && used < room; i++)
		used += (size_t)snprintf(text + used, room - used, "%s%s %s", i ? ", " : "",
					 sla_name(&sla->terms[i], name, sizeof(name)),
					 isinf(trial->latency_us[i])
						 ? "not reached"
						 : time_text(trial->latency_us[i], latency));
	return text;
}
