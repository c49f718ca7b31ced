/* SPDX-License-Identifier: GPL-2.0-only */
/* Ladders of drives side by side; rows of one step are the reads and writes of a main test. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "postprocess/enterprise_internal.h"
#include "postprocess/grow.h"

/* "4k-randwrite-steady" -> "4k"; "" for a row that does not begin with a block size. */
static void block_word(const char *row, char *text, size_t room)
{
	size_t digits = strspn(row, "0123456789");

	text[0] = '\0';
	if (digits && (row[digits] == 'k' || row[digits] == 'm') && row[digits + 1] == '-')
		snprintf(text, room, "%.*s", (int)digits + 1, row);
}

/* ---- which ranking --------------------------------------------------------------------------- */

static bool has_values(const double *values)
{
	return !isnan(values[MINUTE_IOPS]);
}

/* A row of one step that only reads, or only writes; one that failed says it by its name. */
static bool is_half(const struct curve *curve)
{
	const struct point *point = curve->count ? &curve->points[0] : NULL;
	bool reads, writes;

	if (curve->ladder_count != 1)
		return false;
	reads = point && has_values(point->measures[IO_READ]);
	writes = point && has_values(point->measures[IO_WRITE]);
	if (!reads && !writes) {
		reads = strstr(curve->row, "read") != NULL;
		writes = strstr(curve->row, "write") != NULL;
	}
	return reads != writes;
}

/* Halves share a ranking by block size and step, other rows by their names. */
static void ranking_key(const struct curve *curve, char *key, size_t room)
{
	char block[32];

	block_word(curve->row, block, sizeof(block));
	if (is_half(curve) && block[0])
		snprintf(key, room, "%s-main-test", block);
	else
		snprintf(key, room, "%s", curve->row);
}

static struct ladder_ranking *find_ranking(struct enterprise *enterprise, const char *key,
					   const char *protocol)
{
	struct ladder_ranking *larger;
	size_t i;

	for (i = 0; i < enterprise->ladder_count; i++)
		if (!strcmp(enterprise->ladders[i].row, key) &&
		    !strcmp(enterprise->ladders[i].protocol, protocol))
			return &enterprise->ladders[i];
	larger = list_grow(enterprise->ladders, enterprise->ladder_count, sizeof(*larger));
	if (!larger)
		return NULL;
	enterprise->ladders = larger;
	larger += enterprise->ladder_count++;
	*larger = (struct ladder_ranking){.count = 0};
	snprintf(larger->row, sizeof(larger->row), "%s", key);
	snprintf(larger->protocol, sizeof(larger->protocol), "%s", protocol);
	return larger;
}

/* ---- ladders and steps ----------------------------------------------------------------------- */

struct ladder *ladder_of(struct ladder_ranking *ranking, const struct result *result,
			 const char *row)
{
	struct ladder *larger;
	size_t i;

	for (i = 0; i < ranking->count; i++)
		if (ranking->ladders[i].result == result)
			return &ranking->ladders[i];
	larger = list_grow(ranking->ladders, ranking->count, sizeof(*larger));
	if (!larger)
		return NULL;
	ranking->ladders = larger;
	larger += ranking->count++;
	*larger = (struct ladder){.result = result};
	snprintf(larger->row, sizeof(larger->row), "%s", row);
	enterprise_mark(result, larger->marks, sizeof(larger->marks));
	return larger;
}

struct ladder_step *ladder_find_step(struct ladder *ladder, const char *name)
{
	size_t i;

	for (i = 0; i < ladder->count; i++)
		if (!strcmp(ladder->steps[i].name, name))
			return &ladder->steps[i];
	return NULL;
}

struct ladder_step *ladder_add_step(struct ladder *ladder, const char *name)
{
	struct ladder_step *larger = list_grow(ladder->steps, ladder->count, sizeof(*larger));
	int kind, measure;

	if (!larger)
		return NULL;
	ladder->steps = larger;
	larger += ladder->count++;
	*larger = (struct ladder_step){.place = 0};
	snprintf(larger->name, sizeof(larger->name), "%s", name);
	for (kind = 0; kind < IO_KINDS; kind++)
		for (measure = 0; measure < MINUTE_MEASURES; measure++)
			larger->values[kind][measure] = larger->left_out[kind][measure] = NAN;
	return larger;
}

static const struct point *find_point(const struct curve *curve, const char *name)
{
	const struct point *found = NULL;
	size_t i;

	for (i = 0; i < curve->count; i++)
		if (!strcmp(curve->points[i].name, name) &&
		    (!found || curve->points[i].repeat > found->repeat))
			found = &curve->points[i];
	return found;
}

/* What an older index does not hold, fio's output tells of both directions together. */
static void take_fio_values(const struct point *point, double (*values)[MINUTE_MEASURES])
{
	const struct latency *latency = point->lat.count ? &point->lat : &point->clat;
	double *both = values[IO_BOTH];

	both[MINUTE_IOPS] = point->iops;
	both[MINUTE_MEAN] = latency->mean_us;
	both[MINUTE_MAX] = latency->max_us;
	both[MINUTE_STDDEV] = latency->stddev_us;
	if (point->read_share == 1 || point->read_share == 0)
		memcpy(values[point->read_share == 1 ? IO_READ : IO_WRITE], both,
		       sizeof(values[0]));
}

static enum io_kind kind_of(const struct point *point)
{
	bool reads = has_values(point->measures[IO_READ]) || point->read_share == 1;
	bool writes = has_values(point->measures[IO_WRITE]) || point->read_share == 0;

	if (reads == writes)
		return IO_BOTH;
	return reads ? IO_READ : IO_WRITE;
}

/* Another row's half of the same step is kept. */
static void take_values(const struct point *point, double (*values)[MINUTE_MEASURES])
{
	int kind;

	for (kind = 0; kind < IO_KINDS; kind++)
		if (has_values(point->measures[kind]))
			memcpy(values[kind], point->measures[kind], sizeof(values[kind]));
	if (!has_values(values[IO_BOTH]))
		take_fio_values(point, values);
}

static void take_point(const struct point *point, struct ladder_step *step)
{
	if (!point || !point_counts(point))
		snprintf(step->why, sizeof(step->why), "%s",
			 !point		   ? "not taken yet"
			 : point->brief[0] ? point->brief
					   : point->reason);
	if (!point || point->verdict == POINT_FAILED)
		return;
	step->points[kind_of(point)] = point;
	take_values(point, point_counts(point) ? step->values : step->left_out);
}

int ladder_add(struct enterprise *enterprise, const struct result *result,
	       const struct curve *curve)
{
	struct ladder_ranking *ranking;
	struct ladder *ladder;
	char key[192];
	size_t i;

	ranking_key(curve, key, sizeof(key));
	ranking = find_ranking(enterprise, key, result->protocol);
	if (!ranking)
		return -1;
	ranking->is_main_test = is_half(curve);
	ladder = ladder_of(ranking, result, curve->row);
	for (i = 0; ladder && i < curve->ladder_count; i++) {
		struct ladder_step *step = ladder_find_step(ladder, curve->ladder[i]);

		step = step ? step : ladder_add_step(ladder, curve->ladder[i]);
		if (!step)
			return -1;
		take_point(find_point(curve, curve->ladder[i]), step);
	}
	return ladder ? 0 : -1;
}

/* ---- places, titles -------------------------------------------------------------------------- */

/* Of both directions, or of the only one there is. */
static double step_iops(const struct ladder_step *step)
{
	static const enum io_kind order[] = {IO_BOTH, IO_WRITE, IO_READ};
	size_t i;

	for (i = 0; i < COUNT(order); i++)
		if (!isnan(step->values[order[i]][MINUTE_IOPS]))
			return step->values[order[i]][MINUTE_IOPS];
	return NAN;
}

/* Of a main test the writes decide, where there are some; of a ladder its last step. */
static double order_of(const struct ladder_ranking *ranking, const struct ladder *ladder)
{
	double value = 0;

	if (!ladder->count)
		return 0;
	if (ranking->is_main_test)
		value = ladder->steps[0].values[IO_WRITE][MINUTE_IOPS];
	if (!(value > 0))
		value = step_iops(&ladder->steps[ladder->count - 1]);
	return value > 0 ? value : 0;
}

static int by_order(const void *a, const void *b, void *context)
{
	const struct ladder_ranking *ranking = context;
	double left = order_of(ranking, a), right = order_of(ranking, b);

	if (left != right)
		return left > right ? -1 : 1;
	return strcmp(((const struct ladder *)a)->result->drive,
		      ((const struct ladder *)b)->result->drive);
}

static void give_place(struct ladder_ranking *ranking, struct ladder_step *step)
{
	double own = round(step_iops(step));
	size_t i;

	if (!(own > 0))
		return;
	step->place = 1;
	for (i = 0; i < ranking->count; i++) {
		const struct ladder_step *other =
			ladder_find_step(&ranking->ladders[i], step->name);

		step->place += other && round(step_iops(other)) > own;
	}
}

/*
 * Block size and share of reads of what was done, "8K 70/30"; false when nothing was. Both are
 * those of all steps together, for a light one alone has too few I/Os to hold them.
 */
static bool mix_title(const struct ladder_ranking *ranking, char *text, size_t room)
{
	double reads = 0, all = 0, bytes = 0, percent;
	size_t i, j;

	for (i = 0; i < ranking->count; i++)
		for (j = 0; j < ranking->ladders[i].count; j++) {
			const struct point *point = ranking->ladders[i].steps[j].points[IO_BOTH];

			if (!point || !(point->read_share > 0 && point->read_share < 1) ||
			    !(point->iops > 0 && point->block_bytes >= 1024))
				continue;
			reads += point->read_share * point->iops;
			all += point->iops;
			bytes += point->block_bytes * point->iops;
		}
	if (!(all > 0))
		return false;
	percent = round(100 * reads / all);
	snprintf(text, room, "%.0fK %.0f/%.0f", bytes / all / 1024, percent, 100 - percent);
	return true;
}

/* A row of another shape as it is. */
static void load_title(const struct ladder_ranking *ranking, char *text, size_t room)
{
	char block[32];

	block_word(ranking->row, block, sizeof(block));
	if (ranking->is_main_test && block[0])
		snprintf(text, room, "%.*sK reads and writes", (int)strlen(block) - 1, block);
	else if (!mix_title(ranking, text, room))
		snprintf(text, room, "%s", ranking->row);
}

static void make_title(struct ladder_ranking *ranking)
{
	const struct ladder *first = &ranking->ladders[0];
	char load[200], steps[80] = "";

	load_title(ranking, load, sizeof(load));
	if (first->count == 1)
		snprintf(steps, sizeof(steps), ", %s", first->steps[0].name);
	else if (first->count)
		snprintf(steps, sizeof(steps), ", %s to %s", first->steps[0].name,
			 first->steps[first->count - 1].name);
	snprintf(ranking->title, sizeof(ranking->title), "%.120s%s", load, steps);
}

static int main_tests_first(const void *a, const void *b)
{
	const struct ladder_ranking *x = a, *y = b;

	if (x->is_main_test != y->is_main_test)
		return x->is_main_test ? -1 : 1;
	return strcmp(x->row, y->row);
}

void ladders_finish(struct enterprise *enterprise)
{
	size_t i, j, k;

	for (i = 0; i < enterprise->ladder_count; i++) {
		struct ladder_ranking *ranking = &enterprise->ladders[i];

		make_title(ranking);
		for (j = 0; j < ranking->count; j++)
			for (k = 0; k < ranking->ladders[j].count; k++)
				give_place(ranking, &ranking->ladders[j].steps[k]);
		qsort_r(ranking->ladders, ranking->count, sizeof(*ranking->ladders), by_order,
			ranking);
	}
	if (enterprise->ladder_count)
		qsort(enterprise->ladders, enterprise->ladder_count, sizeof(*enterprise->ladders),
		      main_tests_first);
}
