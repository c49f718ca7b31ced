/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The SLC cache of drives, from the "qlc" part of statistics files (docs/results.md): how large it
 * is, how fast inside and past it, how soon it comes back. What fio itself says of such runs is not
 * used, for they idle in between.
 *
 * A simulated drive may be smaller than the real one by its scale; then bytes and times are
 * multiplied by it while they are read, so that drives of all scales stand side by side.
 */
#ifndef SSDREVIEW_CACHE_H
#define SSDREVIEW_CACHE_H

#include "postprocess/chart.h"
#include "postprocess/table.h"

#define CACHE_ROW "slc-cache" /* what --row calls it */

/* ---- cache_read.c, cache_run.c: one run ------------------------------------------------------ */

/* Speeds are bytes/s; what is not known is NAN. */
struct cache_window {
	double start_s, seconds, bytes, p99_us, reads, read_p99_us;
};

struct cache_change {
	double at_bytes, at_s, before, after;
};

struct cache_level {
	double from_bytes, bytes, from_s, seconds, speed;
};

struct cache_step {
	char what[16];	/* "probe", "sustain", "fill" ... */
	char shape[16]; /* of a probe: "cliff", "none", "periodic", "episode"; else "" */
	double bytes, idle_s, fast_bytes, level_percent, hot_share;
	double first_window, end_window;
	bool cliff_met;
	struct cache_change *changes;
	struct cache_level *levels;
	size_t change_count, level_count;
};

struct cache_regain {
	double idle_s, bytes;
};

struct cache_run {
	char path[512], mode[16];
	char drive[128]; /* of a simulated one: its name; else "" */
	char fault[128]; /* where the file is damaged; "": it is whole */
	bool is_cache;	 /* there is a "qlc" part */
	bool partial;	 /* ended before it was through, or damaged */
	bool simulated;
	double busy_share, cpu_wait_share;
	double scale, cache_bytes, fast, slow, sustained, half_time_s;
	struct cache_step *steps;
	struct cache_regain *regains;
	struct cache_window *windows;
	size_t step_count, regain_count, window_count;
};

/* False when the file is no statistics file of such a run; run is for cache_run_free() if true. */
bool cache_run_read(const char *path, struct cache_run *run);
void cache_run_free(struct cache_run *run);

/* Whether a file is one that cache_run_read() takes, by its content. */
bool is_cache_statistics(const char *path);

bool cache_run_has_reads(const struct cache_run *run);
/* The CPU was the limit of it, not the drive. */
bool cache_run_is_by_machine(const struct cache_run *run);
/* The first probe of a run; NULL when it has none. */
const struct cache_step *cache_run_probe(const struct cache_run *run);
/* The windows of a step, which may have been lost with the rest of a damaged file. */
size_t cache_step_windows(const struct cache_run *run, const struct cache_step *step,
			  const struct cache_window **windows);

/* ---- cache_find.c, cache_load.c: all runs of a drive -----------------------------------------
 */

enum cache_figure {
	CACHE_BYTES,
	CACHE_INSIDE, /* speed, bytes/s */
	CACHE_AFTER,
	CACHE_RATIO,
	CACHE_HALF_TIME, /* s of idling that bring half of the cache back */
	CACHE_BURSTS,	 /* bytes/s, idle times counted in, that stay inside */
	CACHE_PAST,	 /* bytes/s that a drive sustains past the cliff */
	CACHE_READ_COST, /* p99 of reads past the cliff / inside the cache */
	CACHE_FIGURES
};

struct cache {
	const struct result *result;
	struct cache_run *runs;
	size_t count;
	const struct cache_run *probe; /* the run that cache and speeds are from; NULL: none */
	double figures[CACHE_FIGURES];
	char why[CACHE_FIGURES][96];	/* a figure is NAN */
	bool by_machine[CACHE_FIGURES]; /* the CPU was the limit of the run that it is from */
	double at_least;		/* bytes written without a cliff; NAN: a cliff was met */
	unsigned place;			/* by size; 0: not ranked; ties share one */
	char marks[256];		/* "simulated, scale 500, partial: recover" */
};

struct cache_list {
	struct cache *caches; /* by place */
	size_t count;
};

/* The results must outlive the list. 0, or -1 with err. */
int caches_make(struct result *const *results, size_t count, struct cache_list *list,
		struct error *err);
void caches_free(struct cache_list *list);

/* Figures, their reasons and marks from the runs. */
void cache_find(struct cache *cache);

/* Sorts the list; NAN when it is empty. */
double cache_median(double *list, size_t count);

/* ---- cache_words.c, cache_table.c -------------------------------------------------------------
 */

const char *cache_title(void);
const char *cache_note(void);
/* "2,856 MB/s", "5 min 11 s", "at least 20.0 GB", "n/a" */
char *cache_figure_text(const struct cache *cache, enum cache_figure figure, char *text,
			size_t room);
/* "Intel 670p 2TB: the cache of 280 GB takes 2,856 MB/s, what follows 450 MB/s ..." */
void cache_sentence(const struct cache *cache, char *text, size_t room);

int cache_table_make(const struct cache_list *list, struct table *table);
/* term, md and html; -1: memory is short. Nothing when there are no caches. */
int cache_tables_write(const struct cache_list *list, enum table_format format, FILE *out);
/* Each drive in words; html: as a list of the page. */
void cache_sentences_write(const struct cache_list *list, enum table_format format, FILE *out);
/* A record a drive; 0, or -1 when memory is short. */
int cache_records(const struct cache_list *list, struct records *records);

/* ---- cache_chart.c, cache_report.c ------------------------------------------------------------
 */

enum cache_chart {
	CACHE_SPEED_OVER_BYTES,
	CACHE_SPEED_OVER_TIME,
	CACHE_RECOVERY,
	CACHE_BY_FILL,
	CACHE_LATENCY,
	CACHE_CHARTS
};

/* Of its files, without ending. */
const char *cache_chart_name(enum cache_chart chart);

/*
 * Draws what the runs tell of; drawn (may be NULL) says which charts these are. Their number, or -1
 * with err.
 */
int cache_charts_make(const struct cache_list *list, const struct palette *palette,
		      const char *folder, bool *drawn, struct error *err);

#endif
