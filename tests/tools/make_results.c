/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Makes review folders out of nothing, with plausible curves, for tests and for timing the
 * post-processing: make_results FOLDER [DRIVES]. Every drive gets four rows of thirteen points,
 * with fio's JSON and the engine's statistics. The same call always gives the same files.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"

#define STEPS 13

struct row {
	const char *name, *rw;
	unsigned block, in_flight;
};

static const struct row rows[] = {{"4k-randread", "randread", 4096, 128},
				  {"4k-randwrite", "randwrite", 4096, 128},
				  {"64k-seqread", "read", 65536, 16},
				  {"64k-seqwrite", "write", 65536, 16}};

struct drive {
	const char *name;
	double peak_iops[4], base_us[4], collapse; /* share of the peak left beyond it */
};

static const struct drive drives[] = {
	{"Made-up QLC 2TB", {295132, 289000, 36684, 43538}, {62, 18, 95, 60}, 0.98},
	{"Made-up QLC 1TB", {205000, 210000, 20800, 27000}, {75, 20, 140, 90}, 0.95},
	{"Made-up Gen4 2TB", {310000, 270000, 61000, 52000}, {70, 19, 80, 55}, 0.62},
	{"Made-up Gen4 4TB", {280000, 320000, 60500, 57000}, {72, 17, 82, 52}, 0.90}};

/* One point's figures; times in us. */
struct figures {
	double nominal, iops, clat, late;
	bool saturated;
};

/* Latency rises like a queue's until all slots are taken; from there the rate decides (Little). */
static struct figures figure(const struct drive *drive, size_t row, unsigned percent)
{
	double peak = drive->peak_iops[row], limit = rows[row].in_flight;
	double load = percent / 100.0, queue;
	struct figures out = {.nominal = peak * load, .iops = peak * load};

	out.saturated = percent == 0 || percent >= 100;
	if (out.saturated) {
		out.iops = percent > 100 ? peak * drive->collapse : peak;
		out.clat = limit / out.iops * 1e6;
		out.late = percent > 100 ? out.clat * percent / 10 : out.clat / 20;
		return out;
	}
	queue = 0.08 * pow(load, 3) / (1.02 - load);
	out.clat = fmin(drive->base_us[row] * (1 + queue), limit / out.iops * 1e6);
	out.late = 1.2;
	return out;
}

static void put_latency(FILE *out, const char *key, double mean_us, double count, const char *end)
{
	static const double percents[] = {1, 50, 90, 99, 99.9, 99.99};
	static const double factors[] = {0.6, 0.93, 1.5, 2.4, 4.1, 6.3};
	size_t i;

	fprintf(out,
		"        \"%s\" : {\n          \"min\" : %.0f,\n          \"max\" : %.0f,\n"
		"          \"mean\" : %.6f,\n          \"stddev\" : %.6f,\n          \"N\" : "
		"%.0f,\n          \"percentile\" : {\n",
		key, mean_us * 300, mean_us * 9000, mean_us * 1000, mean_us * 420, count);
	for (i = 0; i < 6; i++)
		fprintf(out, "            \"%f\" : %.0f%s\n", percents[i],
			mean_us * 1000 * factors[i], i < 5 ? "," : "");
	fprintf(out, "          }\n        }%s\n", end);
}

static void put_direction(FILE *out, const char *word, unsigned block,
			  const struct figures *figures, bool used)
{
	double count = used ? round(figures->iops * 30) : 0;

	fprintf(out,
		"      \"%s\" : {\n        \"io_bytes\" : %.0f,\n        \"io_kbytes\" : %.0f,\n"
		"        \"bw_bytes\" : %.0f,\n        \"bw\" : %.0f,\n        \"iops\" : %.6f,\n"
		"        \"runtime\" : %d,\n        \"total_ios\" : %.0f",
		word, count * block, count * block / 1024, count * block / 30,
		count * block / 30 / 1024, count / 30, used ? 30000 : 0, count);
	if (!used) {
		fputs("\n      }", out);
		return;
	}
	fputs(",\n", out);
	put_latency(out, "slat_ns", figures->late, count, ",");
	put_latency(out, "clat_ns", figures->clat, count, ",");
	put_latency(out, "lat_ns", figures->clat + figures->late, count, "");
	fputs("      }", out);
}

static void write_fio(FILE *out, const struct row *row, const char *point,
		      const struct figures *figures)
{
	bool reads = strstr(row->rw, "read") != NULL;

	fprintf(out,
		"{\n  \"fio version\" : \"fio-3.33\",\n  \"jobs\" : [\n    {\n"
		"      \"jobname\" : \"%s\",\n      \"groupid\" : 0,\n      \"error\" : 0,\n"
		"      \"job options\" : {\n        \"rw\" : \"%s\",\n        \"bs\" : \"%u\",\n"
		"        \"iodepth\" : \"%u\",\n        \"ioengine\" : \"openloop\"\n      },\n",
		point, row->rw, row->block, row->in_flight);
	put_direction(out, "read", row->block, figures, reads);
	fputs(",\n", out);
	put_direction(out, "write", row->block, figures, !reads);
	fputs(",\n      \"job_runtime\" : 30000\n    }\n  ]\n}\n", out);
}

static void put_lateness(FILE *out, const char *key, double count, double us)
{
	fprintf(out,
		"  \"%s\": { \"count\": %.0f, \"mean_ns\": %.0f, \"p50_ns\": %.0f, "
		"\"p99_ns\": %.0f, \"p99_9_ns\": %.0f, \"max_ns\": %.0f },\n",
		key, count, us * 1000, us * 900, us * 4000, us * 9000, us * 20000);
}

static void write_stats(FILE *out, const struct row *row, const char *point, bool max,
			const struct figures *figures)
{
	double achieved = round(figures->iops * 30);
	double offered = max ? achieved : round(figures->nominal * 30);

	fprintf(out,
		"{ \"version\": 1, \"engine\": \"openloop\", \"drive\": \"sim\", "
		"\"simulated\": true,\n  \"job\": \"%s\", \"clone\": 1, \"clones\": 1, "
		"\"in_flight_limit\": %u,\n",
		point, row->in_flight);
	if (max)
		fputs("  \"nominal_iops\": null,", out);
	else
		fprintf(out, "  \"nominal_iops\": %.3f,", figures->nominal);
	fprintf(out,
		" \"window_s\": 30,\n  \"offered\": %.0f, \"offered_iops\": %.3f, "
		"\"achieved\": %.0f, \"achieved_iops\": %.3f,\n"
		"  \"unsent\": { \"count\": %.0f, \"oldest_age_ns\": 0 },\n",
		offered, offered / 30, achieved, achieved / 30, fmax(0, offered - achieved));
	put_lateness(out, "lateness_free_slot", figures->saturated ? 0 : achieved,
		     figures->saturated ? 0 : 1.2);
	put_lateness(out, "lateness_at_limit", figures->saturated && !max ? achieved * 0.9 : 0,
		     figures->late);
	fputs("  \"busy_share\": 0.31 }\n", out);
}

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

static void make_point(const char *folder, const struct drive *drive, size_t row, unsigned step,
		       FILE *index)
{
	struct figures figures = figure(drive, row, step * 10);
	char point[16], name[128];
	FILE *out;

	if (step)
		snprintf(point, sizeof(point), "%03u", step * 10);
	else
		strcpy(point, "max");
	snprintf(name, sizeof(name), "%s/%s.json", rows[row].name, point);
	out = create(folder, name);
	write_fio(out, &rows[row], point, &figures);
	fclose(out);
	snprintf(name, sizeof(name), "%s/%s.stats.json", rows[row].name, point);
	out = create(folder, name);
	write_stats(out, &rows[row], point, step == 0, &figures);
	fclose(out);
	fprintf(index,
		"%s\n      { \"point\": \"%s\", \"repeat\": 1, \"json\": \"%s/%s.json\", "
		"\"stats\": [\"%s/%s.stats.json\"], \"rested_min\": 0, \"failed\": null }",
		step ? "," : "", point, rows[row].name, point, rows[row].name, point);
}

static void make_row(const char *folder, const struct drive *drive, size_t row, FILE *index)
{
	struct error err;
	char path[1024];
	unsigned step;

	snprintf(path, sizeof(path), "%s/%s", folder, rows[row].name);
	if (folder_make(path, &err)) {
		fprintf(stderr, "%s\n", err.text);
		exit(1);
	}
	fprintf(index,
		"%s\n    { \"row\": \"%s\", \"in_flight\": %u, \"writes\": %s, \"points\": [",
		row ? "," : "", rows[row].name, rows[row].in_flight,
		strstr(rows[row].rw, "write") ? "true" : "false");
	for (step = 0; step < STEPS; step++)
		make_point(folder, drive, row, step, index);
	fputs(" ] }", index);
}

static void make_review(const char *folder, const struct drive *drive)
{
	struct error err;
	FILE *index;
	size_t row;

	if (folder_make(folder, &err)) {
		fprintf(stderr, "%s\n", err.text);
		exit(1);
	}
	index = create(folder, "review.json");
	fprintf(index,
		"{ \"version\": 1, \"name\": \"%s\", \"profile\": \"client-qlc\",\n"
		"  \"protocol\": \"client-qlc\", \"drive\": \"%s\", \"target\": \"made-up\",\n"
		"  \"target_kind\": \"simulated\", \"simulated\": true, \"scale\": 1,\n"
		"  \"quick\": false, \"stand_in\": false, \"region_bytes\": 20480000000,\n"
		"  \"region\": \"1 %% of the drive (20.48 GB)\", \"wait_s\": 30, \"measure_s\": "
		"30,\n  \"repeat\": 1, \"jobs\": 1, \"started\": \"2026-01-31T12:00:00Z\",\n"
		"  \"finished\": \"2026-01-31T13:00:00Z\", \"warnings\": [], \"rows\": [",
		drive->name, drive->name);
	for (row = 0; row < sizeof(rows) / sizeof(rows[0]); row++)
		make_row(folder, drive, row, index);
	fputs(" ] }\n", index);
	fclose(index);
}

int main(int argc, char **argv)
{
	size_t most = sizeof(drives) / sizeof(drives[0]), count = most, i;
	char folder[768];

	if (argc > 2)
		count = (size_t)atoi(argv[2]);
	if (argc < 2 || argc > 3 || !count || count > most) {
		fprintf(stderr, "usage: make_results FOLDER [DRIVES, 1 to %zu]\n", most);
		return 2;
	}
	for (i = 0; i < count; i++) {
		snprintf(folder, sizeof(folder), "%s/drive-%zu", argv[1], i + 1);
		make_review(folder, &drives[i]);
	}
	return 0;
}
