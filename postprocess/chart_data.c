/* SPDX-License-Identifier: GPL-2.0-only */
/* The points of one chart, and the file gnuplot reads them from: up to two blocks a drive. */
#include <math.h>

#include "postprocess/chart_internal.h"

static double rate_of(const struct chart *chart, const struct point *point)
{
	return chart->ranking->by_bytes ? point->bytes_per_s : point->iops;
}

static double latency_of(const struct chart *chart, const struct step *step)
{
	return step_latency_us(step, chart->ranking->metric);
}

/* Figures of a failed point say nothing; those of an invalid one are shown, and marked. */
static bool has_place(const struct chart *chart, const struct step *step)
{
	return step->point.verdict != POINT_FAILED && rate_of(chart, &step->point) > 0 &&
	       latency_of(chart, step) > 0;
}

size_t chart_count_points(const struct chart *chart, const struct entry *entry, bool counting)
{
	size_t i, count = 0;

	for (i = 0; i < entry->step_count; i++)
		count += has_place(chart, &entry->steps[i]) &&
			 point_counts(&entry->steps[i].point) == counting;
	return count;
}

void chart_find_ranges(struct chart *chart)
{
	size_t i, j;

	chart->rate = chart->latency = (struct axis){.lowest = INFINITY};
	for (i = 0; i < chart->ranking->count; i++) {
		const struct entry *entry = &chart->ranking->entries[i];

		for (j = 0; j < entry->step_count; j++) {
			if (!has_place(chart, &entry->steps[j]))
				continue;
			axis_include(&chart->rate, rate_of(chart, &entry->steps[j].point));
			axis_include(&chart->latency, latency_of(chart, &entry->steps[j]));
		}
	}
	axis_include(&chart->latency, ONE_MS_US);
	axis_finish_rate(&chart->rate, chart->ranking->by_bytes);
	axis_finish_latency(&chart->latency);
}

size_t chart_block(const struct chart *chart, size_t entry, bool counting)
{
	size_t i, before = 0;

	for (i = 0; i < entry; i++)
		before += (chart_count_points(chart, &chart->ranking->entries[i], true) > 0) +
			  (chart_count_points(chart, &chart->ranking->entries[i], false) > 0);
	if (!counting)
		before += chart_count_points(chart, &chart->ranking->entries[entry], true) > 0;
	return before;
}

static void put_points(const struct chart *chart, const struct entry *entry, bool counting,
		       FILE *out)
{
	size_t i;

	if (!chart_count_points(chart, entry, counting))
		return; /* gnuplot does not count empty blocks */
	fprintf(out, "# %s: %s\n", entry->result->drive,
		counting ? "the curve, in offered order" : "points left out");
	for (i = 0; i < entry->step_count; i++) {
		const struct step *step = &entry->steps[i];

		if (has_place(chart, step) && point_counts(&step->point) == counting)
			fprintf(out, "%.10g %.10g # %s, %s\n",
				rate_of(chart, &step->point) / chart->rate.divisor,
				latency_of(chart, step) / chart->latency.divisor, step->point.name,
				point_verdict_word(step->point.verdict));
	}
	fputs("\n\n", out);
}

void chart_write_data(const void *of, FILE *out)
{
	const struct chart *chart = of;
	size_t i;

	fprintf(out, "# achieved rate (%s)   mean %s (%s)\n\n\n", chart->rate.unit,
		chart->ranking->metric == METRIC_LAT ? "lat" : "clat", chart->latency.unit);
	for (i = 0; i < chart->ranking->count; i++) {
		put_points(chart, &chart->ranking->entries[i], true, out);
		put_points(chart, &chart->ranking->entries[i], false, out);
	}
}
