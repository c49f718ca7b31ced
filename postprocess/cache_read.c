/* SPDX-License-Identifier: GPL-2.0-only */
/* The "qlc" part of a statistics file. A file that is cut short gives what it holds. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "postprocess/cache.h"
#include "postprocess/grow.h"
#include "postprocess/json_reader.h"

#define MOST_COLUMNS 32

/* ---- numbers by their keys ------------------------------------------------------------------- */

struct number_key {
	const char *key;
	size_t offset; /* of a double */
	double factor; /* from the file's unit */
	bool grows;    /* bytes and times: larger on a drive of full size */
};

static double *number_at(void *object, const struct number_key *key)
{
	return (double *)((char *)object + key->offset);
}

static void forget_numbers(const struct number_key *keys, size_t count, void *object)
{
	size_t i;

	for (i = 0; i < count; i++)
		*number_at(object, &keys[i]) = NAN;
}

static bool take_number(struct json_reader *reader, struct json_span key,
			const struct number_key *keys, size_t count, void *object)
{
	size_t i;

	for (i = 0; i < count; i++)
		if (span_is(key, keys[i].key)) {
			*number_at(object, &keys[i]) = reader_number(reader).value * keys[i].factor;
			return true;
		}
	return false;
}

#define KEY(key, type, member, factor)                                                             \
	{                                                                                          \
		key, offsetof(struct type, member), factor, false                                  \
	}
#define SIZED(key, type, member)                                                                   \
	{                                                                                          \
		key, offsetof(struct type, member), 1, true                                        \
	}

static const struct number_key window_keys[] = {
	SIZED("start_s", cache_window, start_s),
	SIZED("seconds", cache_window, seconds),
	SIZED("bytes", cache_window, bytes),
	KEY("p99_ns", cache_window, p99_us, 1e-3),
	KEY("reads", cache_window, reads, 1),
	KEY("read_p99_ns", cache_window, read_p99_us, 1e-3),
};

static const struct number_key change_keys[] = {
	SIZED("at_bytes", cache_change, at_bytes),
	SIZED("at_s", cache_change, at_s),
	KEY("before_mbps", cache_change, before, 1e6),
	KEY("after_mbps", cache_change, after, 1e6),
};

static const struct number_key level_keys[] = {
	SIZED("from_bytes", cache_level, from_bytes), SIZED("bytes", cache_level, bytes),
	SIZED("from_s", cache_level, from_s),	      SIZED("seconds", cache_level, seconds),
	KEY("mbps", cache_level, speed, 1e6),
};

static const struct number_key step_keys[] = {
	SIZED("bytes", cache_step, bytes),
	SIZED("idle_s", cache_step, idle_s),
	SIZED("fast_bytes", cache_step, fast_bytes),
	KEY("level_percent", cache_step, level_percent, 1),
	KEY("hot_share", cache_step, hot_share, 1),
	KEY("first_window", cache_step, first_window, 1),
	KEY("end_window", cache_step, end_window, 1),
};

static const struct number_key regain_keys[] = {
	SIZED("idle_s", cache_regain, idle_s),
	SIZED("regained_bytes", cache_regain, bytes),
};

static const struct number_key engine_keys[] = {
	KEY("busy_share", cache_run, busy_share, 1),
	KEY("cpu_wait_share", cache_run, cpu_wait_share, 1),
};

static const struct number_key run_keys[] = {
	SIZED("cache_bytes", cache_run, cache_bytes),
	KEY("fast_mbps", cache_run, fast, 1e6),
	KEY("slow_mbps", cache_run, slow, 1e6),
	KEY("sustained_mbps", cache_run, sustained, 1e6),
	SIZED("half_time_s", cache_run, half_time_s),
};

/* ---- lists of objects ------------------------------------------------------------------------ */

/* An object of numbers alone. */
static void read_numbers(struct json_reader *reader, const struct number_key *keys, size_t count,
			 void *object)
{
	struct json_span key;

	forget_numbers(keys, count, object);
	if (!reader_enter(reader, '{'))
		return;
	while (reader_member(reader, &key))
		if (!take_number(reader, key, keys, count, object))
			reader_skip(reader);
}

/* A new cleared element; NULL, and the reader is at its end, when memory is short. */
static void *append(struct json_reader *reader, void *list_pointer, size_t *count, size_t size)
{
	void **list = list_pointer, *larger = list_grow(*list, *count, size);

	if (!larger) {
		reader->fault = "not enough memory";
		return NULL;
	}
	*list = larger;
	return memset((char *)larger + (*count)++ * size, 0, size);
}

static void read_list(struct json_reader *reader, const struct number_key *keys, size_t key_count,
		      void *list_pointer, size_t *count, size_t size)
{
	void *element;

	if (!reader_enter(reader, '['))
		return;
	while (reader_element(reader)) {
		element = append(reader, list_pointer, count, size);
		if (element)
			read_numbers(reader, keys, key_count, element);
	}
}

#define READ_LIST(reader, keys, list, count)                                                       \
	read_list(reader, keys, COUNT(keys), &(list), &(count), sizeof(*(list)))

static bool read_true(struct json_reader *reader)
{
	bool is_true = reader_peek(reader) == 't';

	reader_skip(reader);
	return is_true;
}

/* ---- steps and windows ----------------------------------------------------------------------- */

static void read_step(struct json_reader *reader, struct cache_step *step)
{
	struct json_span key;

	forget_numbers(step_keys, COUNT(step_keys), step);
	if (!reader_enter(reader, '{'))
		return;
	while (reader_member(reader, &key)) {
		if (take_number(reader, key, step_keys, COUNT(step_keys), step))
			continue;
		if (span_is(key, "step"))
			span_text(reader_string(reader), step->what, sizeof(step->what));
		else if (span_is(key, "shape"))
			span_text(reader_string(reader), step->shape, sizeof(step->shape));
		else if (span_is(key, "cliff_met"))
			step->cliff_met = read_true(reader);
		else if (span_is(key, "changes"))
			READ_LIST(reader, change_keys, step->changes, step->change_count);
		else if (span_is(key, "levels"))
			READ_LIST(reader, level_keys, step->levels, step->level_count);
		else
			reader_skip(reader);
	}
}

static void read_steps(struct json_reader *reader, struct cache_run *run)
{
	struct cache_step *step;

	if (!reader_enter(reader, '['))
		return;
	while (reader_element(reader)) {
		step = append(reader, &run->steps, &run->step_count, sizeof(*step));
		if (step)
			read_step(reader, step);
	}
}

/* Which number of a window stands in which column; NULL: none that is wanted. */
struct columns {
	const struct number_key *keys[MOST_COLUMNS];
	size_t count;
};

static void read_columns(struct json_reader *reader, struct columns *columns)
{
	struct json_span name;
	size_t i;

	if (!reader_enter(reader, '['))
		return;
	while (reader_element(reader)) {
		name = reader_string(reader);
		if (columns->count == MOST_COLUMNS)
			continue;
		for (i = 0; i < COUNT(window_keys); i++)
			if (span_is(name, window_keys[i].key))
				columns->keys[columns->count] = &window_keys[i];
		columns->count++;
	}
}

static void read_window(struct json_reader *reader, const struct columns *columns,
			struct cache_window *window)
{
	size_t column = 0;

	forget_numbers(window_keys, COUNT(window_keys), window);
	if (!reader_enter(reader, '['))
		return;
	for (; reader_element(reader); column++) {
		const struct number_key *key =
			column < columns->count ? columns->keys[column] : NULL;

		if (key)
			*number_at(window, key) = reader_number(reader).value * key->factor;
		else
			reader_skip(reader);
	}
}

static void read_windows(struct json_reader *reader, const struct columns *columns,
			 struct cache_run *run)
{
	struct cache_window *window;

	if (!reader_enter(reader, '['))
		return;
	while (reader_element(reader)) {
		window = append(reader, &run->windows, &run->window_count, sizeof(*window));
		if (window)
			read_window(reader, columns, window);
	}
	/* The last one may have been cut in the middle. */
	if (reader->fault && run->window_count)
		run->window_count--;
}

/* ---- a run ----------------------------------------------------------------------------------- */

static void read_qlc(struct json_reader *reader, struct cache_run *run)
{
	struct columns columns = {.count = 0};
	struct json_span key;

	if (!reader_enter(reader, '{'))
		return;
	run->is_cache = true;
	while (reader_member(reader, &key)) {
		if (take_number(reader, key, run_keys, COUNT(run_keys), run))
			continue;
		if (span_is(key, "mode"))
			span_text(reader_string(reader), run->mode, sizeof(run->mode));
		else if (span_is(key, "partial"))
			run->partial = read_true(reader);
		else if (span_is(key, "steps"))
			read_steps(reader, run);
		else if (span_is(key, "recovery"))
			READ_LIST(reader, regain_keys, run->regains, run->regain_count);
		else if (span_is(key, "window_columns"))
			read_columns(reader, &columns);
		else if (span_is(key, "windows"))
			read_windows(reader, &columns, run);
		else
			reader_skip(reader);
	}
}

static void read_sim(struct json_reader *reader, struct cache_run *run)
{
	struct json_span key;
	double scale;

	if (!reader_enter(reader, '{'))
		return;
	while (reader_member(reader, &key)) {
		if (span_is(key, "scale")) {
			scale = reader_number(reader).value;
			run->scale = scale >= 1 ? scale : 1;
		} else if (span_is(key, "drive")) {
			span_text(reader_string(reader), run->drive, sizeof(run->drive));
		} else {
			reader_skip(reader);
		}
	}
}

static void read_run(struct json_reader *reader, struct cache_run *run)
{
	struct json_span key;

	if (!reader_enter(reader, '{'))
		return;
	while (reader_member(reader, &key)) {
		if (take_number(reader, key, engine_keys, COUNT(engine_keys), run))
			continue;
		if (span_is(key, "simulated"))
			run->simulated = read_true(reader);
		else if (span_is(key, "sim"))
			read_sim(reader, run);
		else if (span_is(key, "qlc"))
			read_qlc(reader, run);
		else
			reader_skip(reader);
	}
}

/* ---- to full size ---------------------------------------------------------------------------- */

static void multiply(double scale, const struct number_key *keys, size_t count, void *object)
{
	size_t i;

	for (i = 0; i < count; i++)
		if (keys[i].grows)
			*number_at(object, &keys[i]) *= scale;
}

#define MULTIPLY(scale, keys, list, count)                                                         \
	for (size_t at_ = 0; at_ < (count); at_++)                                                 \
	multiply(scale, keys, COUNT(keys), &(list)[at_])

static void enlarge(struct cache_run *run)
{
	size_t i;

	if (run->scale == 1)
		return;
	multiply(run->scale, run_keys, COUNT(run_keys), run);
	MULTIPLY(run->scale, window_keys, run->windows, run->window_count);
	MULTIPLY(run->scale, regain_keys, run->regains, run->regain_count);
	MULTIPLY(run->scale, step_keys, run->steps, run->step_count);
	for (i = 0; i < run->step_count; i++) {
		struct cache_step *step = &run->steps[i];

		MULTIPLY(run->scale, change_keys, step->changes, step->change_count);
		MULTIPLY(run->scale, level_keys, step->levels, step->level_count);
	}
}

static void note_fault(const struct json_reader *reader, struct cache_run *run)
{
	if (!reader->fault)
		return;
	run->partial = true;
	snprintf(run->fault, sizeof(run->fault), "damaged at byte %zu: %s", reader->at,
		 reader->fault);
}

bool cache_run_read(const char *path, struct cache_run *run)
{
	struct json_reader reader;
	char *data;
	size_t bytes;

	*run = (struct cache_run){.scale = 1};
	forget_numbers(run_keys, COUNT(run_keys), run);
	forget_numbers(engine_keys, COUNT(engine_keys), run);
	snprintf(run->path, sizeof(run->path), "%s", path);
	if (file_read(path, &data, &bytes, NULL))
		return false;
	reader_open(&reader, data, bytes, 0);
	read_run(&reader, run);
	note_fault(&reader, run);
	free(data);
	enlarge(run);
	if (!run->is_cache)
		cache_run_free(run);
	return run->is_cache;
}

bool is_cache_statistics(const char *path)
{
	struct cache_run run;
	bool is_cache = cache_run_read(path, &run);

	if (is_cache)
		cache_run_free(&run);
	return is_cache;
}
