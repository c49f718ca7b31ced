/* SPDX-License-Identifier: GPL-2.0-only */
/* The generator: a workload read from its file, and one desktop that acts by it. */
#ifndef SSDREVIEW_TRACE_GEN_INTERNAL_H
#define SSDREVIEW_TRACE_GEN_INTERNAL_H

#include "engines/trace/trace.h"

#define WORKLOAD_SIZES 16

/* Sizes of I/Os and how often each comes. */
struct size_mix {
	unsigned count;
	uint64_t bytes[WORKLOAD_SIZES];
	double percent[WORKLOAD_SIZES];
};

struct range {
	double low, high; /* both 0: nothing is promised */
};

enum storm { STORM_UNIFORM, STORM_EXPONENTIAL, STORM_BELL };

/* A workload of one desktop; the keys of its file have these names. */
struct workload {
	char name[64];
	char title[128], calibrated[192];
	double duration_s, ios; /* of a desktop alone */
	double gap_cv2;		/* squared coefficient of variation of the time between two I/Os */
	double flush_every;	/* so many writes; 0: never */
	double misaligned_percent;
	double read_percent; /* of reads and writes, by count */
	struct size_mix read_sizes, write_sizes;
	double read_sequential_percent; /* of reads of new data */
	double reread_percent;		/* reads of what was read lately */
	double common_percent;		/* reads that every desktop does alike */
	double delta_read_percent;	/* linked clones: reads of what the clone wrote */
	double write_sequential_percent;
	double rewrite_percent; /* block writes to blocks written before */
	double hot_percent;	/* block writes to the hottest hundredth of the blocks */
	double rewrite_lag_s;	/* mean time after which other rewrites come */
	double image_size, delta_size;
	enum storm storm;
	double stagger_s;
	struct range expect_ios, expect_read_percent, expect_read_size, expect_write_size,
		expect_rewrite_percent, expect_hot_percent, expect_interval_s;
};

/* Reads a workload for full or linked clones, by word or by path. */
int workload_load(const char *word_or_path, bool linked, struct workload *workload,
		  struct error *err);
double size_mix_mean(const struct size_mix *mix);

/* ---- one desktop (desktop.c) --------------------------------------------------------------- */

struct desktop; /* opaque: its place in every sequence */

/* Where a desktop's I/O goes: numbers of streams. */
struct desktop_streams {
	uint16_t image; /* read; written too when it is a full clone */
	uint16_t writes;
};

int desktop_begin(const struct workload *workload, bool linked, uint64_t seed,
		  struct desktop_streams streams, struct desktop **desktop);
void desktop_free(struct desktop *desktop);
/* Appends all of its I/O, beginning at start_ns. */
int desktop_run(struct desktop *desktop, uint64_t start_ns, struct trace_writer *writer,
		struct error *err);

#endif
