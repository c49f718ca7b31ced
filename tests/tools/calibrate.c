/* SPDX-License-Identifier: GPL-2.0-only */
/* calibrate [-v] [MODEL...]: published against simulated, point by point; 1 when one is out. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "review/calibrate.h"

#define HEADING "%-18s %-17s %-11s %6s %12s %12s %7s %6s\n"

static const char *in_thousands(double number, char *text, size_t room)
{
	char plain[32];
	size_t length = (size_t)snprintf(plain, sizeof(plain), "%.0f", number), i, used = 0;

	for (i = 0; i < length && used + 2 < room; i++) {
		if (i && (length - i) % 3 == 0)
			text[used++] = ',';
		text[used++] = plain[i];
	}
	text[used] = '\0';
	return text;
}

static void print_figure(const struct calibration *calibration, const struct calibration_row *row,
			 const char *unit, double published, double simulated, double off,
			 double tolerance)
{
	char a[32], b[32];

	if (!(published > 0))
		return;
	printf("%-18s %-17s %-11s %6u %12s %12s %+6.1f%% %5.0f%%  %-4s %s\n",
	       calibration->info.model, row->published.workload, row->published.protocol,
	       row->in_flight, in_thousands(published, a, sizeof(a)),
	       in_thousands(simulated, b, sizeof(b)), 100 * off, 100 * tolerance, unit,
	       off <= tolerance && -off <= tolerance ? "ok" : "OUT");
}

static void print_curve(const struct calibration_row *row)
{
	unsigned i;

	for (i = 0; i < row->point_count; i++) {
		char offered[32], achieved[32];
		const struct calibration_point *point = &row->points[i];

		printf("    %3u %%  offered %9s  achieved %9s IOPS  %8.1f us\n", point->percent,
		       in_thousands(point->offered_iops, offered, sizeof(offered)),
		       in_thousands(point->iops, achieved, sizeof(achieved)), point->latency_us);
	}
}

static void print_calibration(const struct calibration *calibration, bool curves)
{
	unsigned i;

	for (i = 0; i < calibration->row_count; i++) {
		const struct calibration_row *row = &calibration->rows[i];
		const struct sim_published *published = &row->published;

		print_figure(calibration, row, "IOPS", published->iops, row->iops, row->iops_off,
			     published->iops_tolerance);
		print_figure(calibration, row, "us", published->latency_us, row->latency_us,
			     row->latency_off, published->latency_tolerance);
		print_figure(calibration, row, "MB/s", published->bandwidth_mbps,
			     row->bandwidth_mbps, row->bandwidth_off, published->iops_tolerance);
		if (curves)
			print_curve(row);
	}
}

/* 0 all within tolerance, 1 one is out, 2 it could not be run. */
static int calibrate(const char *word, bool curves)
{
	struct calibration *calibration = calloc(1, sizeof(*calibration));
	struct error err;
	int result = 2;

	if (!calibration)
		return 2;
	if (calibrate_model(word, calibration, &err)) {
		fprintf(stderr, "calibrate: %s\n", err.text);
	} else {
		print_calibration(calibration, curves);
		result = calibration->ok ? 0 : 1;
	}
	free(calibration);
	return result;
}

static int worse(int a, int b)
{
	return a > b ? a : b;
}

static int calibrate_all(bool curves)
{
	int result = 0;
	char **words;
	struct error err;
	size_t count, i;

	if (sim_model_list(&words, &count, &err)) {
		fprintf(stderr, "calibrate: %s\n", err.text);
		return 2;
	}
	for (i = 0; i < count; i++) {
		result = worse(result, calibrate(words[i], curves));
		free(words[i]);
	}
	free(words);
	return result;
}

int main(int argc, char **argv)
{
	bool curves = argc > 1 && !strcmp(argv[1], "-v");
	int first = curves ? 2 : 1, result = 0, i;

	printf(HEADING, "model", "row", "protocol", "flight", "published", "simulated", "off",
	       "within");
	if (first == argc)
		return calibrate_all(curves);
	for (i = first; i < argc; i++)
		result = worse(result, calibrate(argv[i], curves));
	return result;
}
