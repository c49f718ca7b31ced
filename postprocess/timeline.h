/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A run over its time: rate, response time and lateness by interval, from the engines' statistics
 * (docs/results.md), and the charts of them, one set a row with all drives in it.
 */
#ifndef SSDREVIEW_TIMELINE_H
#define SSDREVIEW_TIMELINE_H

#include "postprocess/chart.h"

/* One interval. What no I/O tells of is NAN. */
struct moment {
	double start_s, length_s;
	double iops;			  /* completed in it */
	double mean_us, p99_us;		  /* response time of these: completion minus due */
	double late_mean_us, late_p99_us; /* of those that left in it; of several clones the largest
					     p99 */
	double temperature_c;		  /* of the drive */
};

struct timeline {
	char drive[128]; /* as in the palette */
	char label[256]; /* "Intel 670p 2TB, simulated, stand-in, at 100 %" */
	char row[192]; /* what the statistics say was run: "vdi-fc-boot" of a replay, or the job */
	bool simulated, replays, synthetic, has_lateness, has_temperature;
	bool invalid; /* the engine calls the replay of one of its clones INVALID */
	struct moment *moments;
	size_t count;
};

/*
 * Reads a statistics file and those of the other clones beside it ("max.stats.1.json", which a path
 * with the number 1 begins), taken together. 0 and a timeline for timeline_free(), or -1 with err.
 */
int timeline_read(const char *path, struct timeline *timeline, struct error *err);
/* The drive's temperature in each moment, from the record of telemetry beside the statistics. */
void timeline_take_heat(const char *stats_path, struct timeline *timeline);
void timeline_free(struct timeline *timeline);

/* Whether a file is one that timeline_read() takes, by its content. */
bool is_statistics(const char *path);

/* The runs of one row. */
struct over_time {
	char row[192], protocol[64];
	bool replays; /* at least one of them */
	struct timeline *lines;
	size_t count;
};

/*
 * What the entries of a ranking did at their peak, or where no point counts, at their fastest one;
 * entries without statistics are left out. 0, or -1 with err.
 */
int over_time_of(const struct ranking *ranking, struct over_time *over_time, struct error *err);
void over_time_free(struct over_time *over_time);

/*
 * The point of an entry that is shown over time: its peak, or where no point counts, the fastest
 * one. NULL for none.
 */
const struct point *shown_point(const struct entry *entry);
/* "Intel 670p 2TB, simulated, stand-in, at 100 %" */
void shown_label(const struct entry *entry, const struct point *point, char *text, size_t room);

/* The paths of a point's statistics, from that of its first clone; how many there are. */
size_t clone_paths(const char *first, char (*paths)[512], size_t most);

/* Adds a run that is no entry of a ranking; the timeline is the over_time's from then on. */
int over_time_add(struct over_time *over_time, const struct timeline *timeline);

enum over_time_chart {
	OVER_TIME_IOPS,
	OVER_TIME_LATENCY,
	OVER_TIME_LATENESS,
	OVER_TIME_TEMPERATURE, /* only where one of the runs knows it */
	OVER_TIME_CHARTS
};

/* How many charts there are of it. */
size_t over_time_charts(const struct over_time *over_time);

/* Names of the charts' files, without ending; "" for one that there is none of. */
struct over_time_names {
	char names[OVER_TIME_CHARTS][256];
};

/* Writes and draws the charts in the folder, which must be there. names may be NULL. */
int over_time_draw(const struct over_time *over_time, const struct palette *palette,
		   const struct terminals *terminals, const char *folder,
		   struct over_time_names *names, struct error *err);

#endif
