/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * calibrate [-v] [MODEL...]: published against simulated, point by point, then the drives' order on
 * each row that replays a trace; 1 when a point or an order is out.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "review/calibrate.h"

#define HEADING "%-15s %-20s %-11s %6s %12s %12s %7s %6s\n"

#define MOST_MODELS 32

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
	printf("%-15s %-20s %-11s %6u %12s %12s %+6.1f%% %5.0f%%  %-4s %s\n",
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

/* ---- the order of the drives --------------------------------------------------------------- */

struct calibrations {
	struct calibration *of[MOST_MODELS];
	size_t count;
};

static int more_published(const void *a, const void *b)
{
	const struct calibration_row *const *left = a, *const *right = b;

	return (*left)->published.iops < (*right)->published.iops ? 1 : -1;
}

static const struct calibration_row *find_row(const struct calibration *calibration,
					      const char *workload)
{
	unsigned i;

	for (i = 0; i < calibration->row_count; i++)
		if (!strcmp(calibration->rows[i].published.workload, workload))
			return &calibration->rows[i];
	return NULL;
}

/* Of the drives that have the row, by published rate. */
static size_t rows_of(const struct calibrations *all, const char *workload,
		      const struct calibration_row *rows[MOST_MODELS])
{
	size_t count = 0, i;

	for (i = 0; i < all->count; i++) {
		rows[count] = find_row(all->of[i], workload);
		count += rows[count] != NULL;
	}
	qsort(rows, count, sizeof(rows[0]), more_published);
	return count;
}

/* "vdi-fc-boot  160,678 > 138,821 > ... published, 169,697 > 136,086 > ... simulated" */
static bool print_order(const struct calibrations *all, const char *workload)
{
	const struct calibration_row *rows[MOST_MODELS];
	size_t count = rows_of(all, workload, rows), i;
	char text[32];
	bool same = calibration_same_order(rows, count);

	printf("%-20s", workload);
	for (i = 0; i < count; i++)
		printf("%s%s", i ? " > " : " ",
		       in_thousands(rows[i]->published.iops, text, sizeof(text)));
	printf(" published;");
	for (i = 0; i < count; i++)
		printf("%s%s", i ? ", " : " ", in_thousands(rows[i]->iops, text, sizeof(text)));
	printf(" simulated  %s\n", same ? "ok" : "OUT");
	return same;
}

/* Of rows that replay a trace: the others belong to protocols that do not compare. */
static int print_orders(const struct calibrations *all)
{
	static const char *const workloads[] = {
		"vdi-fc-boot", "vdi-fc-initial-login", "vdi-fc-monday-login",
		"vdi-lc-boot", "vdi-lc-initial-login", "vdi-lc-monday-login",
	};
	const struct calibration_row *rows[MOST_MODELS];
	int result = 0;
	size_t i;

	for (i = 0; i < COUNT(workloads); i++)
		if (rows_of(all, workloads[i], rows) > 1 && !print_order(all, workloads[i]))
			result = 1;
	return result;
}

/* -------------------------------------------------------------------------------------------- */

/* 0 all within tolerance, 1 one is out, 2 it could not be run. */
static int calibrate(const char *word, bool curves, struct calibrations *all)
{
	struct calibration *calibration = calloc(1, sizeof(*calibration));
	struct error err;

	if (!calibration || all->count == MOST_MODELS) {
		free(calibration);
		return 2;
	}
	all->of[all->count++] = calibration;
	if (calibrate_model(word, calibration, &err)) {
		fprintf(stderr, "calibrate: %s\n", err.text);
		return 2;
	}
	print_calibration(calibration, curves);
	return calibration->ok ? 0 : 1;
}

static int worse(int a, int b)
{
	return a > b ? a : b;
}

static int calibrate_all(bool curves, struct calibrations *all)
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
		result = worse(result, calibrate(words[i], curves, all));
		free(words[i]);
	}
	free(words);
	return result;
}

int main(int argc, char **argv)
{
	bool curves = argc > 1 && !strcmp(argv[1], "-v");
	int first = curves ? 2 : 1, result = 0, i;
	struct calibrations all = {.count = 0};

	printf(HEADING, "model", "row", "protocol", "flight", "published", "simulated", "off",
	       "within");
	if (first == argc)
		result = calibrate_all(curves, &all);
	for (i = first; i < argc; i++)
		result = worse(result, calibrate(argv[i], curves, &all));
	result = worse(result, print_orders(&all));
	while (all.count)
		free(all.of[--all.count]);
	return result;
}
