/* SPDX-License-Identifier: GPL-2.0-only */
/* Charts of preconditioning, main tests and ladders: what they share, and all of them. */
#include <stdio.h>

#include "postprocess/enterprise_plot.h"

const char *const measure_suffixes[MINUTE_MEASURES] = {"iops", "average", "maximum", "stddev"};

void precondition_chart_name(const struct precondition_ranking *ranking,
			     enum minute_measure measure, char *name, size_t room)
{
	char base[200];

	chart_base_name(ranking->row, ranking->protocol, base, sizeof(base));
	snprintf(name, room, "%s.%s-by-minute", base, measure_suffixes[measure]);
}

void ladder_chart_name(const struct ladder_ranking *ranking, enum minute_measure measure,
		       char *name, size_t room)
{
	char base[200];

	chart_base_name(ranking->row, ranking->protocol, base, sizeof(base));
	snprintf(name, room, "%s.%s", base, measure_suffixes[measure]);
}

void steady_chart_name(const struct precondition_ranking *ranking, size_t run, char *name,
		       size_t room)
{
	char base[200];

	chart_base_name(ranking->row, ranking->protocol, base, sizeof(base));
	snprintf(name, room, "%s.steady-%zu", base, run + 1);
}

void measure_label(enum minute_measure measure, const struct axis *axis, char *text, size_t room)
{
	static const char *const titles[MINUTE_MEASURES] = {
		"Reads and writes", "Average latency", "Maximum latency", "Standard deviation"};

	snprintf(text, room, "%s (%s%s)", titles[measure], axis->unit,
		 axis->logarithmic ? ", logarithmic" : "");
}

void value_axis_finish(enum minute_measure measure, struct axis *axis)
{
	if (measure == MINUTE_IOPS)
		axis_finish_rate(axis, false);
	else
		axis_finish_latency(axis);
}

void drive_legend(const struct result *result, const char *more, char *text, size_t room)
{
	snprintf(text, room, "%s%s%s", result->drive,
		 result->kind == RESULT_PUBLISHED ? ", published"
		 : result->simulated		  ? ", simulated"
						  : "",
		 more);
}

int easel_finish(struct easel *easel, struct plot *plot, struct error *err)
{
	int status = 0;

	if (plot_has_points(plot) || plot->is_short) {
		status = plot_draw(plot, easel->terminals, easel->folder, err);
		easel->drawn++;
	}
	plot_free(plot);
	return status;
}

/* ---- all ------------------------------------------------------------------------------------- */

static int draw_all(struct easel *easel, const struct enterprise *enterprise, struct error *err)
{
	enum minute_measure measure;
	size_t i;

	for (i = 0; i < enterprise->precondition_count; i++)
		if (draw_precondition(easel, &enterprise->preconditions[i], err))
			return -1;
	for (i = 0; i < enterprise->ladder_count; i++)
		for (measure = MINUTE_IOPS; measure < MINUTE_MEASURES; measure++) {
			const struct ladder_ranking *ranking = &enterprise->ladders[i];

			if (ranking->is_main_test ? draw_main_test(easel, ranking, measure, err)
						  : draw_ladder(easel, ranking, measure, err))
				return -1;
		}
	return 0;
}

int enterprise_charts_make(const struct enterprise *enterprise, const struct palette *palette,
			   const char *folder, struct error *err)
{
	struct terminals terminals;
	struct easel easel = {.palette = palette, .terminals = &terminals, .folder = folder};
	int loads;

	if (enterprise_is_empty(enterprise))
		return 0;
	if (terminals_probe(&terminals, err) || folder_make(folder, err))
		return -1;
	if (draw_all(&easel, enterprise, err))
		return -1;
	loads = loads_charts_make(enterprise->loads, enterprise->load_count, &terminals, folder,
				  err);
	return loads < 0 ? -1 : easel.drawn + loads;
}
