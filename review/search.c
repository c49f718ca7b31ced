/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The search of a row: asks the folder, as the tables do, what the points so far say, and measures
 * the number of desktops that comes next. So it goes on where it was cut.
 */
#include <string.h>

#include "base/number.h"
#include "postprocess/capacity.h"
#include "review/review.h"

/* What the folder says of one row. */
struct look {
	struct result *result;
	struct capacity_ranking *list;
	size_t count;
	const struct capacity *capacity;
};

static void look_end(struct look *look)
{
	capacities_free(look->list, look->count);
	result_free(look->result);
}

static int look_begin(const struct run *run, const char *row, struct look *look, struct error *err)
{
	memset(look, 0, sizeof(*look));
	if (result_load(run->folder, &look->result, err))
		return -1;
	if (!capacities_make(&look->result, 1, row, &look->list, &look->count, err) &&
	    look->count == 1) {
		look->capacity = look->list->entries;
		return 0;
	}
	if (!look->list)
		error_set(err, "%s has no row %s", run->folder, row);
	look_end(look);
	return -1;
}

bool search_is_done(const struct run *run, const struct plan_row *row)
{
	struct look look;
	bool done;

	if (look_begin(run, row->row->name, &look, NULL))
		return false;
	done = look.capacity->finding.end != SEARCH_GOES_ON;
	look_end(&look);
	return done;
}

/* ---- one number of desktops -------------------------------------------------------------------
 */

static const struct trial *find_trial(const struct capacity *capacity, const char *name,
				      unsigned repeat)
{
	size_t i;

	for (i = 0; i < capacity->count; i++)
		if (capacity->trials[i].desktops == trial_desktops(name) &&
		    capacity->trials[i].repeat == repeat)
			return &capacity->trials[i];
	return NULL;
}

static int say_trial(struct run *run, const struct job_point *point, struct error *err)
{
	char text[512], latencies[256], iops[NUMBER_ROOM];
	const struct trial *trial;
	struct look look;

	if (look_begin(run, point->row, &look, err))
		return -1;
	trial = find_trial(look.capacity, point->point, point->repeat);
	if (trial) {
		snprintf(text, sizeof(text), SEARCH_COLUMNS, number_count(trial->iops, iops),
			 trial_latencies(trial, &look.capacity->sla, latencies, sizeof(latencies)),
			 trial_word(trial->outcome));
		progress_end_step(&run->progress, text);
		if (trial->outcome == TRIAL_SPOILT)
			fprintf(run->progress.out, "  spoilt: %s\n", trial->reason);
	}
	look_end(&look);
	return 0;
}

static enum run_end run_number(struct run *run, const struct plan_row *row,
			       const struct job_file *job, const struct finding *finding,
			       struct error *err)
{
	struct job_point point = {.section = SEARCH_SECTION};
	struct point result;
	char name[32];
	enum run_end end;

	point_defaults(run, &point);
	trial_name(finding->next * row->row->desktops, name, sizeof(name));
	point.row = row->row->name;
	point.point = name;
	point.repeat = finding->repeat;
	point.jobs = 1;
	point.clones = finding->next;
	point.stagger_s = run->plan.stagger_s;
	point.in_flight = row->in_flight;
	point.wait_s = row->wait_s;
	point.measure_s = row->measure_s;
	end = measure_point(run, job, &point, &result, err);
	if (end == RUN_FINE && say_trial(run, &point, err))
		end = RUN_FAILED;
	return end == RUN_FINE ? rest(run, point.row, "cool", run->plan.cooldown_s) : end;
}

/* ---- the whole row ----------------------------------------------------------------------------
 */

static void say_answer(struct run *run, const struct capacity *capacity)
{
	char row[192], text[2048];

	row_title(capacity->row, row, sizeof(row));
	capacity_sentence(capacity, text, sizeof(text));
	fprintf(run->progress.out, "%s: %s\n", row, text);
	fflush(run->progress.out);
}

enum run_end run_search(struct run *run, const struct plan_row *row, const struct job_file *job,
			struct error *err)
{
	enum run_end end = RUN_FINE;
	struct look look;

	while (end == RUN_FINE) {
		struct finding finding;

		if (look_begin(run, row->row->name, &look, err))
			return RUN_FAILED;
		finding = look.capacity->finding;
		if (finding.end != SEARCH_GOES_ON)
			say_answer(run, look.capacity);
		look_end(&look);
		if (finding.end != SEARCH_GOES_ON)
			break;
		end = run_number(run, row, job, &finding, err);
	}
	return end;
}
