/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Makes reviews of enterprise drives out of nothing, for tests of their tables and charts:
 *	make_enterprise FOLDER [DRIVES] [MINUTES]
 * Every drive gets two rows of rounds, a main test in two rows and a ladder, as docs/results.md has
 * them. The same call always gives the same files. The third drive never becomes steady and has a
 * gap; a step of the fourth failed; the machine was the limit in a round and a step of the fifth.
 */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "base/random.h"

#define ROUND_MIN 10 /* minutes of a round */
#define MOST	  5
#define DEPTHS	  4
#define BINS	  40 /* of a statistics file */

struct drive {
	const char *name;
	double burst_iops, steady_iops, read_iops; /* of 4K */
	unsigned burst_min;
	double noise;
};

static const struct drive drives[MOST] = {{"Made-up P3700 2TB", 400000, 170000, 457000, 22, 0.02},
					  {"Made-up P4510 8TB", 430000, 140000, 641000, 61, 0.03},
					  {"Made-up PCIe 3.2TB", 300000, 90000, 717000, 35, 0.04},
					  {"Made-up SATA 960GB", 92000, 46000, 97000, 9, 0.01},
					  {"Made-up SAS 1.6TB", 180000, 120000, 190000, 28, 0.05}};

static const unsigned depths[DEPTHS] = {2, 4, 8, 16};

/* A load of rounds or of a ladder. */
struct load {
	const char *row, *load;
	unsigned block, read_percent;
};

/* Four measures of a direction, in IOPS and us. */
struct measure {
	double iops, mean_us, stddev_us, max_us, seconds;
};

static FILE *create(const char *folder, const char *name)
{
	char path[1024];
	FILE *out;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	out = fopen(path, "w");
	if (!out) {
		perror(path);
		exit(1);
	}
	return out;
}

static void make_folder(const char *folder, const char *name)
{
	char path[1024];
	struct error err;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	if (folder_make(path, &err)) {
		fprintf(stderr, "%s\n", err.text);
		exit(1);
	}
}

static void put_measure(const char *key, const struct measure *measure, unsigned block,
			double share, FILE *out)
{
	double iops = measure->iops * share;

	if (!(share > 0)) {
		fprintf(out, "\"%s\": null", key);
		return;
	}
	fprintf(out,
		"\"%s\": { \"count\": %.0f, \"bytes\": %.0f, \"iops\": %.3f, \"bytes_per_s\": "
		"%.1f, \"mean_ns\": %.1f, \"stddev_ns\": %.1f, \"max_ns\": %.0f }",
		key, iops * measure->seconds, iops * measure->seconds * block, iops, iops * block,
		measure->mean_us * 1000, measure->stddev_us * 1000, measure->max_us * 1000);
}

static void put_measures(const struct measure *measure, const struct load *load, FILE *out)
{
	double reads = load->read_percent / 100.0;

	put_measure("read", measure, load->block, reads, out);
	fputs(", ", out);
	put_measure("write", measure, load->block, 1 - reads, out);
	fputs(", ", out);
	put_measure("both", measure, load->block, 1, out);
}

/* ---- rounds ---------------------------------------------------------------------------------- */

/* The rate of a minute: the burst, a fall of some minutes, the level; the third drive swings. */
static double rate_at(const struct drive *drive, unsigned minute, uint64_t *random)
{
	double since = (double)minute - drive->burst_min;
	double share = since < 0 ? 1 : exp(-since / 2);
	double rate = drive->steady_iops + (drive->burst_iops - drive->steady_iops) * share;

	if (drive == &drives[2])
		rate *= 1 + 0.25 * sin(minute / 15.0);
	return rate * (1 - drive->noise + 2 * drive->noise * random_share(random_next(random)));
}

static struct measure minute_of(const struct drive *drive, const struct load *load, unsigned minute,
				uint64_t *random)
{
	struct measure out = {.iops = rate_at(drive, minute, random), .seconds = 60};

	if (load->read_percent)
		out.iops *= 1.05;
	out.mean_us = 256e6 / out.iops;
	out.stddev_us = out.mean_us * (0.8 + 0.2 * random_share(random_next(random)));
	out.max_us = out.mean_us * (14 + 4 * random_share(random_next(random)));
	if (minute % 37 == 20 && drive != &drives[0]) {
		out.max_us *= 4;
		out.stddev_us *= 2;
	}
	return out;
}

struct fit {
	double mean, range_share, slope, excursion_share, first, last;
	bool steady;
};

static struct fit fit_of(const double *values)
{
	double sum = 0, moment = 0, low = values[0], high = values[0];
	struct fit fit;
	int i;

	for (i = 0; i < 5; i++) {
		sum += values[i];
		moment += (i - 2) * values[i];
		low = fmin(low, values[i]);
		high = fmax(high, values[i]);
	}
	fit = (struct fit){.mean = sum / 5, .slope = moment / 10};
	fit.range_share = (high - low) / fit.mean;
	fit.excursion_share = fabs(4 * fit.slope) / fit.mean;
	fit.first = fit.mean - 2 * fit.slope;
	fit.last = fit.mean + 2 * fit.slope;
	fit.steady = fit.range_share <= 0.2 && fit.excursion_share <= 0.1;
	return fit;
}

static void put_steady(const double *values, unsigned rounds, double fills, FILE *out)
{
	struct fit fit = fit_of(values + rounds - 5);
	unsigned i;

	fprintf(out,
		"\"steady\": { \"steady\": %s, \"ended_by\": \"%s\", \"rounds_taken\": %u, "
		"\"fills\": %.2f, \"seconds\": %u,\n  \"track\": [ { \"load\": \"load\", "
		"\"measure\": \"iops\", \"steady\": %s, \"rounds\": [",
		fit.steady ? "true" : "false", fit.steady ? "steady" : "rounds", rounds, fills,
		rounds * ROUND_MIN * 60, fit.steady ? "true" : "false");
	for (i = rounds - 4; i <= rounds; i++)
		fprintf(out, "%s%u", i > rounds - 4 ? ", " : "", i);
	fputs("], \"values\": [", out);
	for (i = rounds - 5; i < rounds; i++)
		fprintf(out, "%s%.1f", i > rounds - 5 ? ", " : "", values[i]);
	fprintf(out,
		"], \"mean\": %.1f, \"range_share\": %.4f, \"slope_per_round\": %.2f,\n"
		"  \"excursion_share\": %.4f, \"fit\": [%.1f, %.1f] } ],\n  \"text\": \"%s: over "
		"rounds %u to %u the range is %.1f %% of the mean and the slope %.1f %%.\" } }\n",
		fit.mean, fit.range_share, fit.slope, fit.excursion_share, fit.first, fit.last,
		fit.steady ? "Steady" : "Not steady", rounds - 4, rounds, 100 * fit.range_share,
		100 * fit.excursion_share);
}

static void put_rounds_head(const struct drive *drive, const struct load *load, FILE *out)
{
	fprintf(out,
		"{ \"version\": 1, \"row\": \"%s\", \"simulated\": true, \"scale\": 1,\n"
		"\"capacity_bytes\": %.0f, \"threads\": 16, \"queue\": 16, \"fio_jobs\": 16,\n"
		"\"loads\": [ { \"load\": \"%s\", \"block_bytes\": %u, \"read_percent\": %u, "
		"\"random\": true } ],\n\"load_s\": 600, \"sample_s\": 60,\n\"rule\": { \"until\": "
		"\"steady\", \"window\": 5, \"range\": 0.2, \"slope\": 0.1, \"at_least_fills\": 2, "
		"\"at_most_rounds\": 25,\n  \"track\": [ { \"load\": \"%s\", \"measure\": \"iops\" "
		"} ] },\n",
		load->row, drive->burst_iops * 4096 * 60 * drive->burst_min, load->load,
		load->block, load->read_percent, load->load);
}

static void make_rounds(const char *folder, const struct drive *drive, const struct load *load,
			unsigned minutes)
{
	double capacity = drive->burst_iops * 4096 * 60 * drive->burst_min, written = 0;
	double writes = (100 - load->read_percent) / 100.0 * load->block;
	double values[1000] = {0};
	unsigned rounds = minutes / ROUND_MIN, minute, i;
	char name[256];
	uint64_t random = load->block;
	FILE *out;

	make_folder(folder, load->row);
	snprintf(name, sizeof(name), "%s/rounds.json", load->row);
	out = create(folder, name);
	put_rounds_head(drive, load, out);
	fputs("\"samples\": [", out);
	for (minute = 0; minute < rounds * ROUND_MIN; minute++) {
		struct measure measure = minute_of(drive, load, minute, &random);

		written += measure.iops * 60 * writes;
		values[minute / ROUND_MIN] += measure.iops / ROUND_MIN;
		fprintf(out,
			"%s\n  { \"round\": %u, \"load\": \"%s\", \"start_s\": %u, \"seconds\": "
			"60, \"fills\": %.4f, ",
			minute ? "," : "", minute / ROUND_MIN + 1, load->load, minute * 60,
			written / capacity);
		put_measures(&measure, load, out);
		fputs(" }", out);
	}
	fputs("],\n\"rounds\": [", out);
	for (i = 0; i < rounds; i++)
		fprintf(out,
			"%s\n  { \"round\": %u, \"start_s\": %u, \"seconds\": 600, \"fills\": "
			"%.4f, \"values\": [%.1f], \"usable\": true, \"loads\": [ { \"machine\": "
			"%s } ] }",
			i ? "," : "", i + 1, i * ROUND_MIN * 60,
			written / capacity * (i + 1) / rounds, values[i],
			drive == &drives[4] && i == 2 ? "\"the CPU was the limit\"" : "null");
	fprintf(out, "],\n\"gaps\": [%s],\n",
		drive == &drives[2] ? "{ \"after_round\": 6, \"at_s\": 3600, \"seconds\": 4512, "
				      "\"why\": \"suspended\", \"text\": \"A gap.\" }"
				    : "");
	put_steady(values, rounds, written / capacity, out);
	fclose(out);
}

/* ---- ladders --------------------------------------------------------------------------------- */

/* Fewer in flight: less work at less latency, as far as the drive has places for it. */
static struct measure step_of(const struct drive *drive, const struct load *load, unsigned threads,
			      unsigned queue)
{
	double share = load->read_percent / 100.0, in_flight = threads * queue;
	double peak = 1 / (share / drive->read_iops + (1 - share) / drive->steady_iops);
	double alone_us = 90 * share + 22 * (1 - share);
	struct measure out = {.seconds = 60};

	peak *= load->block > 4096 ? 0.7 : 1;
	out.iops = 1 / (1 / peak + alone_us / in_flight / 1e6);
	out.mean_us = in_flight / out.iops * 1e6;
	out.stddev_us = out.mean_us * (0.3 + 0.6 * (1 - share));
	out.max_us = out.mean_us * 15 + 2000;
	return out;
}

static void put_fio_row(const char *word, const struct measure *measure, unsigned block,
			double share, FILE *out)
{
	double iops = measure->iops * share;

	fprintf(out,
		"\"%s\": { \"io_bytes\": %.0f, \"io_kbytes\": %.0f, \"bw_bytes\": %.0f, \"iops\": "
		"%f, \"runtime\": 60000, \"total_ios\": %.0f, \"clat_ns\": { \"min\": 1, \"max\": "
		"%.0f, \"mean\": %f, \"stddev\": %f, \"N\": %.0f } }",
		word, iops * 60 * block, iops * 60 * block / 1024, iops * block, iops, iops * 60,
		measure->max_us * 1000, measure->mean_us * 1000, measure->stddev_us * 1000,
		iops * 60);
}

/* Latencies as a long tail behind the mean. */
static void put_stats(const struct measure *measure, const char *job, double cpu_wait, FILE *out)
{
	double count = measure->iops * 60;
	unsigned i;

	fprintf(out,
		"{ \"version\": 1, \"engine\": \"openloop\", \"drive\": \"sim\", \"simulated\": "
		"true, \"job\": \"%s\", \"clone\": 1, \"clones\": 1, \"nominal_iops\": null, "
		"\"window_s\": 60, \"offered\": %.0f, \"offered_iops\": %f, \"achieved\": %.0f, "
		"\"achieved_iops\": "
		"%f, \"unsent\": { \"count\": 0 }, \"lateness_free_slot\": { \"count\": 0, "
		"\"p99_ns\": 0 }, \"lateness_at_limit\": { \"count\": 0 }, \"busy_share\": 0.2, "
		"\"cpu_wait_share\": %.2f,\n"
		"\"intervals\": [ { \"start_ns\": 0, \"length_ns\": 60000000000, \"count\": %.0f, "
		"\"mean_ns\": %f, \"m2_ns2\": %e, \"max_ns\": %.0f, \"histogram\": [",
		job, count, measure->iops, count, measure->iops, cpu_wait, count,
		measure->mean_us * 1000, count * pow(measure->stddev_us * 1000, 2),
		measure->max_us * 1000);
	for (i = 0; i < BINS; i++) {
		double at = measure->mean_us * 700 *
			    pow(measure->max_us / measure->mean_us / 0.7, i / (BINS - 1.0));

		fprintf(out, "%s[%.0f,%.0f]", i ? "," : "", at, ceil(count * 0.3 * pow(0.7, i)));
	}
	fputs("] } ] }\n", out);
}

static void make_step(const char *folder, const struct drive *drive, const struct load *load,
		      const char *file, const struct measure *measure)
{
	double reads = load->read_percent / 100.0;
	char name[256];
	FILE *out;

	snprintf(name, sizeof(name), "%s/%s.json", load->row, file);
	out = create(folder, name);
	fprintf(out,
		"{ \"fio version\": \"fio-3.33\", \"jobs\": [ { \"jobname\": \"%s\", \"error\": 0, "
		"\"job options\": { \"ioengine\": \"external:build/openloop.so\", \"bs\": \"%u\" "
		"}, ",
		file, load->block);
	put_fio_row("read", measure, load->block, reads, out);
	fputs(", ", out);
	put_fio_row("write", measure, load->block, 1 - reads, out);
	fputs(", \"job_runtime\": 60000 } ] }\n", out);
	fclose(out);
	snprintf(name, sizeof(name), "%s/%s.stats.json", load->row, file);
	out = create(folder, name);
	put_stats(measure, file, drive == &drives[4] && !strcmp(file, "8t-8q") ? 0.5 : 0, out);
	fclose(out);
}

static void put_point(const char *folder, const struct drive *drive, const struct load *load,
		      unsigned threads, unsigned queue, FILE *index)
{
	struct measure measure = step_of(drive, load, threads, queue);
	bool failed = drive == &drives[3] && threads == 4 && queue == 8;
	char file[32];

	snprintf(file, sizeof(file), "%ut-%uq", threads, queue);
	make_step(folder, drive, load, file, &measure);
	fprintf(index,
		"\n   { \"point\": \"%uT/%uQ\", \"repeat\": 1, \"threads\": %u, \"queue\": %u, "
		"\"json\": \"%s/%s.json\", \"stats\": [\"%s/%s.stats.json\"], \"rested_min\": 0, "
		"\"pause_s\": 0.6, ",
		threads, queue, threads, queue, load->row, file, load->row, file);
	if (failed) {
		fputs("\"measures\": null, \"failed\": \"fio ended with code 1\" }", index);
		return;
	}
	fputs("\"failed\": null, \"measures\": { \"seconds\": 60, ", index);
	put_measures(&measure, load, index);
	fputs(" } }", index);
}

static void make_ladder(const char *folder, const struct drive *drive, const struct load *load,
			unsigned first, const char *after, FILE *index)
{
	unsigned i, j;

	make_folder(folder, load->row);
	fprintf(index,
		",\n { \"row\": \"%s\", \"in_flight\": 256, \"writes\": true, \"stand_in\": false, "
		"\"steps\": \"ladder\", \"after\": \"%s\", \"wait_s\": 5, \"measure_s\": 60, "
		"\"ladder\": [",
		load->row, after);
	for (i = first; i < DEPTHS; i++)
		for (j = first; j < DEPTHS; j++)
			fprintf(index, "%s\"%uT/%uQ\"", i > first || j > first ? ", " : "",
				depths[i], depths[j]);
	fputs("], \"points\": [", index);
	for (i = first; i < DEPTHS; i++)
		for (j = first; j < DEPTHS; j++) {
			if (i > first || j > first)
				fputc(',', index);
			put_point(folder, drive, load, depths[i], depths[j], index);
		}
	fputs(" ] }", index);
}

static void make_review(const char *folder, const struct drive *drive, unsigned minutes)
{
	static const struct load rounds[] = {{"4k-randwrite-precondition", "4k-randwrite", 4096, 0},
					     {"8k-mixed-precondition", "8k-mixed", 8192, 70}};
	static const struct load steady[] = {{"4k-randread-steady", "4k-randread", 4096, 100},
					     {"4k-randwrite-steady", "4k-randwrite", 4096, 0},
					     {"8k-mixed-ladder", "8k-mixed", 8192, 70}};
	FILE *index;
	size_t i;

	make_folder(folder, ".");
	index = create(folder, "review.json");
	fprintf(index,
		"{ \"version\": 1, \"name\": \"%s\", \"profile\": \"enterprise\", \"protocol\": "
		"\"enterprise\", \"drive\": \"%s\", \"target\": \"made-up\", \"target_kind\": "
		"\"simulated\", \"simulated\": true, \"scale\": 1, \"quick\": false, \"stand_in\": "
		"false, \"region\": \"100 %% of the drive\", \"wait_s\": 5, \"measure_s\": 60, "
		"\"repeat\": 1, \"jobs\": 1, \"started\": \"2026-01-31T12:00:00Z\", \"finished\": "
		"\"2026-02-01T12:00:00Z\", \"warnings\": [], \"rows\": [",
		drive->name, drive->name);
	for (i = 0; i < COUNT(rounds); i++) {
		make_rounds(folder, drive, &rounds[i], minutes);
		fprintf(index,
			"%s\n { \"row\": \"%s\", \"in_flight\": 256, \"writes\": true, \"steps\": "
			"\"rounds\", \"threads\": 16, \"queue\": 16, \"rounds\": "
			"\"%s/rounds.json\", "
			"\"points\": [ { \"point\": \"rounds\", \"repeat\": 1, \"json\": null, "
			"\"stats\": [], \"failed\": null } ] }",
			i ? "," : "", rounds[i].row, rounds[i].row);
	}
	for (i = 0; i < COUNT(steady); i++)
		make_ladder(folder, drive, &steady[i], steady[i].block > 4096 ? 0 : DEPTHS - 1,
			    rounds[steady[i].block > 4096].row, index);
	fputs(" ] }\n", index);
	fclose(index);
}

int main(int argc, char **argv)
{
	unsigned count = argc > 2 ? (unsigned)atoi(argv[2]) : MOST, i;
	unsigned minutes = argc > 3 ? (unsigned)atoi(argv[3]) : 140;
	char folder[768];

	if (argc < 2 || !count || count > MOST || minutes < 5 * ROUND_MIN || minutes > 9990) {
		fputs("usage: make_enterprise FOLDER [DRIVES, 1 to 5] [MINUTES, 50 to 9990]\n",
		      stderr);
		return 2;
	}
	for (i = 0; i < count; i++) {
		snprintf(folder, sizeof(folder), "%s/drive-%u", argv[1], i + 1);
		make_review(folder, &drives[i], minutes);
	}
	return 0;
}
