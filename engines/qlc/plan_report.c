/* SPDX-License-Identifier: GPL-2.0-only */
/* What a plan found, as JSON. */
#include <math.h>
#include <stdlib.h>

#include "engines/qlc/plan_internal.h"

static json_t *number_or_null(double value)
{
	return isfinite(value) ? json_real(value) : json_null();
}

static json_t *known_or_null(double value)
{
	return value > 0.0 ? json_real(value) : json_null();
}

static double mbps(double bytes_per_s)
{
	return bytes_per_s / 1e6;
}

static double seconds(uint64_t ns)
{
	return (double)ns / 1e9;
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* ---- levels: the windows between two changes ---- */

struct level {
	size_t count;
	double *speeds, *read_p99; /* sorted */
	size_t read_count;
	uint64_t bytes, ns;
};

static int collect_level(const struct qlc_plan *plan, size_t first, size_t end, struct level *level)
{
	size_t i;

	*level = (struct level){0};
	level->speeds = calloc(end - first + 1, sizeof(double));
	level->read_p99 = calloc(end - first + 1, sizeof(double));
	if (!level->speeds || !level->read_p99)
		return -1;
	for (i = first; i < end; i++) {
		const struct qlc_window *window = &plan->meter.windows[i];

		level->bytes += window->bytes;
		level->ns += window->duration_ns;
		level->speeds[level->count++] = window_speed(window);
		if (window->reads)
			level->read_p99[level->read_count++] = (double)window->read_p99_ns;
	}
	qsort(level->speeds, level->count, sizeof(double), by_value);
	qsort(level->read_p99, level->read_count, sizeof(double), by_value);
	return 0;
}

static double quantile(const double *sorted, size_t count, double share)
{
	return count ? sorted[(size_t)(share * (double)(count - 1) + 0.5)] : NAN;
}

static double level_speed(const struct level *level)
{
	return level->ns ? (double)level->bytes * 1e9 / (double)level->ns : NAN;
}

static json_t *level_json(const struct qlc_plan *plan, size_t first, size_t end,
			  uint64_t from_bytes, double from_s)
{
	struct level level;
	json_t *made = NULL;

	if (!collect_level(plan, first, end, &level))
		made = json_pack(
			"{s:I, s:I, s:f, s:f, s:o, s:o, s:o, s:o, s:o}", "from_bytes",
			(json_int_t)from_bytes, "bytes", (json_int_t)level.bytes, "from_s", from_s,
			"seconds", seconds(level.ns), "mbps",
			number_or_null(mbps(level_speed(&level))), "median_mbps",
			number_or_null(mbps(quantile(level.speeds, level.count, 0.5))), "p10_mbps",
			number_or_null(mbps(quantile(level.speeds, level.count, 0.1))), "p90_mbps",
			number_or_null(mbps(quantile(level.speeds, level.count, 0.9))),
			"read_p99_ns",
			number_or_null(quantile(level.read_p99, level.read_count, 0.5)));
	free(level.speeds);
	free(level.read_p99);
	return made ? made : json_null();
}

/* The first window of the step that begins at or after so many bytes of it. */
static size_t window_at(const struct qlc_plan *plan, const struct step *step, uint64_t bytes)
{
	uint64_t seen = 0;
	size_t i;

	for (i = step->first_window; i < step->end_window && seen < bytes; i++)
		seen += plan->meter.windows[i].bytes;
	return i;
}

static json_t *levels_json(const struct qlc_plan *plan, const struct step *step)
{
	json_t *levels = json_array();
	size_t first = step->first_window, i;
	uint64_t from_bytes = 0;
	double from_s = 0.0;

	for (i = 0; i <= step->change_count; i++) {
		size_t end = i < step->change_count
				     ? window_at(plan, step, step->changes[i].at.bytes)
				     : step->end_window;

		json_array_append_new(levels, level_json(plan, first, end, from_bytes, from_s));
		if (i < step->change_count) {
			from_bytes = step->changes[i].at.bytes;
			from_s = seconds(step->changes[i].at.ns);
		}
		first = end;
	}
	return levels;
}

static json_t *changes_json(const struct step *step)
{
	json_t *changes = json_array();
	size_t i;

	for (i = 0; i < step->change_count; i++) {
		const struct cliff_change *change = &step->changes[i];

		json_array_append_new(
			changes,
			json_pack("{s:I, s:f, s:I, s:I, s:f, s:f}", "at_bytes",
				  (json_int_t)change->at.bytes, "at_s", seconds(change->at.ns),
				  "earliest_bytes", (json_int_t)change->earliest.bytes,
				  "latest_bytes", (json_int_t)change->latest.bytes, "before_mbps",
				  mbps(change->before), "after_mbps", mbps(change->after)));
	}
	return changes;
}

/* ---- steps ---- */

static const char *shape_name(enum cliff_shape shape)
{
	static const char *const names[] = {
		[CLIFF_NONE] = "none",
		[CLIFF_FOUND] = "cliff",
		[CLIFF_PERIODIC] = "periodic",
		[CLIFF_EPISODE] = "episode",
	};

	return names[shape];
}

static void add_probe(const struct qlc_plan *plan, const struct step *step, json_t *object)
{
	const struct cliff_verdict *verdict = &step->verdict;

	json_object_set_new(object, "shape", json_string(shape_name(verdict->shape)));
	json_object_set_new(object, "pending", json_boolean(verdict->is_pending));
	json_object_set_new(object, "hot_share", json_real(verdict->hot_share));
	json_object_set_new(object, "changes", changes_json(step));
	json_object_set_new(object, "levels", levels_json(plan, step));
	if (verdict->shape != CLIFF_PERIODIC)
		return;
	json_object_set_new(object, "period_bytes", json_real(verdict->period_bytes));
	json_object_set_new(object, "period_s", json_real(verdict->period_s));
	json_object_set_new(object, "low_share", json_real(verdict->low_share));
}

static json_t *step_json(const struct qlc_plan *plan, const struct step *step)
{
	double lasted_s = seconds(step->end_ns - step->start_ns);
	json_t *object = json_pack("{s:s, s:f, s:f, s:I, s:o, s:I, s:I}", "step", step->what,
				   "start_s", seconds(step->start_ns - plan->origin_ns), "seconds",
				   lasted_s, "bytes", (json_int_t)step->written, "mbps",
				   step->kind == STEP_WRITE && lasted_s > 0.0
					   ? json_real(mbps((double)step->written / lasted_s))
					   : json_null(),
				   "first_window", (json_int_t)step->first_window, "end_window",
				   (json_int_t)step->end_window);

	if (step->kind != STEP_WRITE)
		return object;
	json_object_set_new(object, "idle_s", json_real(step->idle_s));
	json_object_set_new(object, "cliff_met", json_boolean(step->cliff_met));
	json_object_set_new(object, "fast_bytes", json_integer((json_int_t)step->fast_bytes));
	if (plan->options.mode == QLC_FILL_LEVELS)
		json_object_set_new(object, "level_percent", json_integer(step->level_percent));
	if (step->goal == GOAL_CLIFF)
		add_probe(plan, step, object);
	return object;
}

static json_t *steps_json(const struct qlc_plan *plan)
{
	json_t *steps = json_array();
	size_t i;

	for (i = 0; i < plan->step_count; i++)
		json_array_append_new(steps, step_json(plan, &plan->steps[i]));
	return steps;
}

/* One row a window; the names of its columns stand beside it. */
static json_t *windows_json(const struct qlc_plan *plan)
{
	json_t *windows = json_array();
	size_t i;

	for (i = 0; i < plan->meter.count; i++) {
		const struct qlc_window *w = &plan->meter.windows[i];

		json_array_append_new(
			windows,
			json_pack("[f, f, I, f, I, I, I, f, I, o, b]", seconds(w->start_ns),
				  seconds(w->duration_ns), (json_int_t)w->bytes, w->mean_ns,
				  (json_int_t)w->p99_ns, (json_int_t)w->max_ns,
				  (json_int_t)w->reads, w->read_mean_ns, (json_int_t)w->read_p99_ns,
				  number_or_null(w->heat.temperature_c), w->heat.is_hot));
	}
	return windows;
}

static json_t *columns_json(void)
{
	return json_pack("[s, s, s, s, s, s, s, s, s, s, s]", "start_s", "seconds", "bytes",
			 "mean_ns", "p99_ns", "max_ns", "reads", "read_mean_ns", "read_p99_ns",
			 "temperature_c", "hot");
}

/* ---- what came out ---- */

/*
 * Mean speed, idling included, of the bursts that were written in a row after the same idle time
 * without the cache running out.
 */
static double sustained_burst_speed(const struct qlc_plan *plan)
{
	uint64_t bytes = 0, ns = 0;
	size_t i = plan->step_count;

	while (i-- > 1) {
		const struct step *burst = &plan->steps[i];

		if (burst->kind != STEP_WRITE || burst->is_cut)
			continue;
		if (burst->goal != GOAL_BYTES || burst->cliff_met ||
		    burst->idle_s != plan->mode.held_s)
			break;
		bytes += burst->written;
		ns += burst->end_ns - plan->steps[i - 1].start_ns;
	}
	return ns ? (double)bytes * 1e9 / (double)ns : 0.0;
}

double plan_sustained_speed(const struct qlc_plan *plan)
{
	const struct step *last = plan_last(plan);

	if (plan->options.mode == QLC_BURST)
		return sustained_burst_speed(plan);
	if (plan->options.mode != QLC_SUSTAIN || plan->step_count < 2 ||
	    last->end_ns == last->start_ns)
		return 0.0;
	return (double)last->written * 1e9 / (double)(last->end_ns - last->start_ns);
}

/* Was step i written to its end, after that idle time? */
static bool is_recovery(const struct qlc_plan *plan, size_t i, double idle_s)
{
	const struct step *step = &plan->steps[i];

	return i && plan->steps[i - 1].kind == STEP_IDLE && step->goal == GOAL_KNOWN_CLIFF &&
	       !step->is_cut && step->idle_s == idle_s;
}

static double median_regained(const struct qlc_plan *plan, double idle_s, unsigned *count)
{
	double *bytes = calloc(plan->step_count + 1, sizeof(*bytes)), median = 0.0;
	size_t i;

	*count = 0;
	for (i = 0; bytes && i < plan->step_count; i++)
		if (is_recovery(plan, i, idle_s))
			bytes[(*count)++] = (double)plan->steps[i].fast_bytes;
	if (*count) {
		qsort(bytes, *count, sizeof(*bytes), by_value);
		median = quantile(bytes, *count, 0.5);
	}
	free(bytes);
	return median;
}

static json_t *recovery_json(const struct qlc_plan *plan)
{
	json_t *recovery = json_array();
	unsigned i, count;

	for (i = 0; i < plan->options.idle_count; i++) {
		double idle_s = plan->options.idle_s[i];
		double bytes = median_regained(plan, idle_s, &count);

		if (count)
			json_array_append_new(recovery,
					      json_pack("{s:f, s:I, s:i}", "idle_s", idle_s,
							"regained_bytes", (json_int_t)bytes,
							"times", count));
	}
	return recovery;
}

/*
 * The idle time that brings half of the cache back, between the idle times tried (in a straight
 * line); 0 when none of them did.
 */
double plan_half_time_s(const struct qlc_plan *plan)
{
	double before_s = 0.0, before = 0.0, half = (double)plan->cache_bytes / 2.0, best = 0.0;
	unsigned i, count;

	for (i = 0; i < plan->options.idle_count; i++) {
		double idle_s = plan->options.idle_s[i];
		double bytes = median_regained(plan, idle_s, &count);

		if (!count)
			continue;
		if (bytes >= half && !best)
			best = before_s + (idle_s - before_s) * (half - before) / (bytes - before);
		before_s = idle_s;
		before = bytes;
	}
	return best;
}

static void add_mode(const struct qlc_plan *plan, json_t *report)
{
	if (plan->options.mode == QLC_RECOVER) {
		json_object_set_new(report, "recovery", recovery_json(plan));
		json_object_set_new(report, "half_time_s", known_or_null(plan_half_time_s(plan)));
	}
	if (plan->options.mode == QLC_BURST) {
		json_object_set_new(report, "idle_s", known_or_null(plan->mode.held_s));
		json_object_set_new(report, "held", json_integer(plan->mode.held));
	}
}

json_t *qlc_plan_report(struct qlc_plan *plan, uint64_t now_ns)
{
	bool is_partial = plan_stop(plan, now_ns);
	char verdict[QLC_VERDICT_ROOM];
	json_t *report = json_pack(
		"{s:s, s:b, s:s, s:I, s:i, s:o, s:o, s:o, s:o, s:o}", "mode",
		qlc_mode_name(plan->options.mode), "partial", is_partial, "pattern",
		plan->options.is_random ? "random" : "sequential", "region_bytes",
		(json_int_t)plan->options.region_bytes, "block_bytes", plan->options.block_bytes,
		"cache_bytes",
		plan->cache_bytes ? json_integer((json_int_t)plan->cache_bytes) : json_null(),
		"fast_mbps", known_or_null(mbps(plan->fast)), "slow_mbps",
		known_or_null(mbps(plan->slow)), "sustained_mbps",
		known_or_null(mbps(plan_sustained_speed(plan))), "steps", steps_json(plan));

	if (!report)
		return NULL;
	json_object_set_new(report, "failed_ios", json_integer((json_int_t)plan->failed));
	plan_verdict(plan, is_partial, verdict, sizeof(verdict));
	json_object_set_new(report, "verdict", json_string(verdict));
	add_mode(plan, report);
	json_object_set_new(report, "window_columns", columns_json());
	json_object_set_new(report, "windows", windows_json(plan));
	return report;
}
