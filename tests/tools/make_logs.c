/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Makes the logs of a long run out of nothing, for tests and for timing their reading:
 *	make_logs fio BASE JOBS SECONDS		four of fio's logs a job, and a histogram a minute
 *	make_logs stats BASE JOBS SECONDS	statistics of an engine, one file a job
 * The same call always gives the same files: a burst, a fall, spikes every 17 minutes.
 */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/histogram.h"
#include "base/random.h"

#define BINS	  1856 /* of fio 3 */
#define BURST_S	  1200
#define SPIKE_S	  1020
#define BURST_US  640.0
#define STEADY_US 1480.0

/* What one job does in a second: the mean latency, and the rate that 16 in flight make of it. */
struct second {
	double mean_us, iops;
};

static struct second second_at(unsigned at_s, uint64_t *random)
{
	double level_us = at_s < BURST_S ? BURST_US : STEADY_US, mean_us;

	if (at_s % SPIKE_S < 20 && at_s >= SPIKE_S)
		level_us *= 3;
	mean_us = level_us * (0.97 + 0.06 * random_share(random_next(random)));
	return (struct second){mean_us, 16e6 / mean_us};
}

static FILE *create(const char *base, const char *ending, unsigned job, const char *tail)
{
	char path[1024];
	FILE *out;

	snprintf(path, sizeof(path), "%s%s.%u%s", base, ending, job, tail);
	out = fopen(path, "w");
	if (!out) {
		perror(path);
		exit(1);
	}
	return out;
}

static void put_bins(FILE *out, unsigned at_s, const double *counts)
{
	unsigned i;

	fprintf(out, "%u, 1, 4096", at_s * 1000);
	for (i = 0; i < BINS; i++)
		fprintf(out, ", %.0f", counts[i]);
	fputc('\n', out);
}

/* Every I/O takes half of the mean or half more. */
static void add_bins(double *counts, const struct second *second)
{
	double each = round(second->iops / 2);

	counts[histogram_bucket((uint64_t)(second->mean_us * 500))] += each;
	counts[histogram_bucket((uint64_t)(second->mean_us * 1500))] += each;
}

enum { IOPS, BW, CLAT, SLAT, LOGS };

static void make_fio(const char *base, unsigned job, unsigned seconds)
{
	static const char *const endings[LOGS] = {"_iops", "_bw", "_clat", "_slat"};
	FILE *logs[LOGS], *histogram = create(base, "_clat_hist", job, ".log");
	uint64_t random = job;
	double counts[BINS] = {0};
	unsigned at_s, i;

	for (i = 0; i < LOGS; i++)
		logs[i] = create(base, endings[i], job, ".log");
	for (at_s = 1; at_s <= seconds; at_s++) {
		struct second second = second_at(at_s - 1, &random);
		double values[LOGS] = {second.iops, second.iops * 4, second.mean_us * 1000, 3000};

		for (i = 0; i < LOGS; i++)
			fprintf(logs[i], "%u, %.0f, 1, 0, 0\n", at_s * 1000, values[i]);
		add_bins(counts, &second);
		if (at_s % 60)
			continue;
		put_bins(histogram, at_s, counts);
		memset(counts, 0, sizeof(counts));
	}
	for (i = 0; i < LOGS; i++)
		fclose(logs[i]);
	fclose(histogram);
}

static void put_interval(FILE *out, unsigned at_s, const struct second *second)
{
	double count = round(second->iops), mean_ns = second->mean_us * 1000;
	unsigned i;

	fprintf(out,
		"%s\n{\"start_ns\":%u000000000,\"length_ns\":1000000000,\"count\":%.0f,"
		"\"mean_ns\":%.1f,\"m2_ns2\":%.6e,\"max_ns\":%.0f,\"histogram\":[",
		at_s ? "," : "", at_s, count, mean_ns, count * mean_ns * mean_ns / 4, mean_ns * 9);
	for (i = 0; i < 32; i++)
		fprintf(out, "%s[%.0f,%.0f]", i ? "," : "", mean_ns * (0.2 + i / 20.0), count / 32);
	fprintf(out,
		"],\"read\":{\"count\":0,\"bytes\":0,\"mean_ns\":0.000,\"m2_ns2\":0.0e+00,"
		"\"max_ns\":0},\"write\":{\"count\":%.0f,\"bytes\":%.0f,\"mean_ns\":%.3f,"
		"\"m2_ns2\":%.9e,\"max_ns\":%.0f}}",
		count, count * 4096, mean_ns, count * mean_ns * mean_ns / 4, mean_ns * 9);
}

static void make_stats(const char *base, unsigned job, unsigned jobs, unsigned seconds)
{
	FILE *out = create(base, ".stats", job, ".json");
	uint64_t random = job;
	unsigned at_s;

	fprintf(out,
		"{\n  \"version\": 1,\n  \"engine\": \"openloop\",\n  \"clone\": %u,\n"
		"  \"clones\": %u,\n  \"window_s\": %u.0,\n  \"response\": { \"count\": 1 },\n  "
		"\"intervals\": [",
		job, jobs, seconds);
	for (at_s = 0; at_s < seconds; at_s++) {
		struct second second = second_at(at_s, &random);

		put_interval(out, at_s, &second);
	}
	fputs("\n  ]\n}\n", out);
	fclose(out);
}

int main(int argc, char **argv)
{
	unsigned jobs = argc == 5 ? (unsigned)atoi(argv[3]) : 0, job;
	unsigned seconds = argc == 5 ? (unsigned)atoi(argv[4]) : 0;
	bool stats = argc == 5 && !strcmp(argv[1], "stats");

	if (!jobs || !seconds || (!stats && strcmp(argv[1], "fio"))) {
		fputs("usage: make_logs fio|stats BASE JOBS SECONDS\n", stderr);
		return 2;
	}
	for (job = 1; job <= jobs; job++)
		if (stats)
			make_stats(argv[2], job, jobs, seconds);
		else
			make_fio(argv[2], job, seconds);
	return 0;
}
