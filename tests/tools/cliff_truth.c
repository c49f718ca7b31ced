/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * cliff_truth [DRIVES [NONE]]: how often the cliff finder is right, on DRIVES (200) of each kind,
 * drawn at random, whose cliffs are known, and on NONE (1,000) without one. Prints a table.
 * "< 1.5": missed falls of so small a ratio; "misnamed": the verdict is another than the truth.
 */
#include <stdio.h>
#include <stdlib.h>

#include "tests/tools/drawn_drive.h"

struct score {
	unsigned drives;
	unsigned near;		       /* the larger of 2 % and 5 windows from the truth */
	unsigned inside;	       /* the truth lies in the confidence interval */
	unsigned missed, missed_small; /* ratios of 1.5 and more, and below */
	unsigned wrong_shape;
};

static const char *const kind_names[] = {"one cliff", "no cliff", "a step up first", "two cliffs",
					 "periodic recovery"};

static double allowed_bytes(const struct drawn_drive *drive)
{
	double window = drive->cliff_bytes / drive->before_windows;

	return fmax(0.02 * drive->cliff_bytes, 5.0 * window);
}

/* The change that lies nearest to the truth. */
static const struct cliff_change *nearest_change(const struct cliff_finder *finder, double bytes)
{
	const struct cliff_change *nearest = NULL;
	size_t count, i;
	const struct cliff_change *changes = cliff_changes(finder, &count);

	for (i = 0; i < count; i++) {
		if (changes[i].after > changes[i].before)
			continue;
		if (!nearest || fabs((double)changes[i].at.bytes - bytes) <
					fabs((double)nearest->at.bytes - bytes))
			nearest = &changes[i];
	}
	return nearest;
}

static void score_cliff(const struct drawn_drive *drive, const struct cliff_finder *finder,
			struct score *score)
{
	const struct cliff_change *change = nearest_change(finder, drive->cliff_bytes);

	if (!change) {
		score->missed += drive->ratio >= 1.5;
		score->missed_small += drive->ratio < 1.5;
		return;
	}
	score->near += fabs((double)change->at.bytes - drive->cliff_bytes) <= allowed_bytes(drive);
	score->inside += (double)change->earliest.bytes <= drive->cliff_bytes &&
			 (double)change->latest.bytes >= drive->cliff_bytes;
}

static enum cliff_shape true_shape(const struct drawn_drive *drive)
{
	switch (drive->kind) {
	case DRAWN_NONE:
		return CLIFF_NONE;
	case DRAWN_PERIODIC:
		return CLIFF_PERIODIC;
	default:
		return CLIFF_FOUND;
	}
}

static void try_drive(enum drawn_kind kind, uint64_t seed, struct score *score)
{
	struct cliff_finder *finder = cliff_finder_new();
	struct cliff_verdict verdict;
	struct cliff_window window;
	struct drawn_drive drive;

	drawn_begin(&drive, kind, seed);
	while (drawn_next(&drive, &window))
		cliff_finder_add(finder, &window);
	score->drives++;
	cliff_judge(finder, &verdict);
	score->wrong_shape += verdict.shape != true_shape(&drive);
	if (kind != DRAWN_NONE)
		score_cliff(&drive, finder, score);
	cliff_finder_free(finder);
}

static void print_score(const char *name, const struct score *score)
{
	double percent = 100.0 / score->drives;

	printf("%-18s %7u %8.1f %8.1f %8u %8u %8u\n", name, score->drives, score->near * percent,
	       score->inside * percent, score->missed, score->missed_small, score->wrong_shape);
}

int main(int argc, char **argv)
{
	unsigned drives = argc > 1 ? (unsigned)atoi(argv[1]) : 200;
	unsigned none = argc > 2 ? (unsigned)atoi(argv[2]) : 1000, kind, i;

	if (!drives || !none)
		return fprintf(stderr, "usage: cliff_truth [DRIVES [NONE]]\n"), EXIT_USAGE;
	printf("%-18s %7s %8s %8s %8s %8s %8s\n", "drives with", "drawn", "near, %", "in CI, %",
	       "missed", "< 1.5", "misnamed");
	for (kind = DRAWN_CLIFF; kind <= DRAWN_PERIODIC; kind++) {
		struct score score = {0};

		for (i = 0; i < (kind == DRAWN_NONE ? none : drives); i++)
			try_drive(kind, 10000ULL * kind + i, &score);
		print_score(kind_names[kind], &score);
	}
	return EXIT_FINE;
}
