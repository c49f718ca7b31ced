/* SPDX-License-Identifier: GPL-2.0-only */
/* The drive while fio loads it: STEM.telemetry.json beside the step's other files. */
#include <stdlib.h>
#include <string.h>

#include "device/telemetry.h"
#include "review/review.h"

void watch_begin(struct run *run)
{
	json_decref(run->watched);
	run->watched = NULL;
	if (!run->telemetry)
		run->telemetry = telemetry_open(run->target.path);
	if (run->telemetry)
		telemetry_begin(run->telemetry, monotonic_ns());
}

void watch_tick(void *user)
{
	struct run *run = user;

	progress_tick(&run->progress);
	if (run->telemetry)
		telemetry_tick(run->telemetry, monotonic_ns());
}

/* That it cannot be written is no reason to lose the point; the index then names no file. */
static bool write_record(const struct run *run, const char *name, const json_t *record)
{
	char path[PATH_MAX], *text = json_dumps(record, JSON_INDENT(1) | JSON_REAL_PRECISION(9));
	bool written;

	path_format(path, "%s/%s", run->folder, name);
	written = text && !file_write_atomic(path, text, strlen(text), NULL);
	free(text);
	return written;
}

void watch_end(struct run *run, const char *row, const char *stem)
{
	char name[PATH_MAX];
	json_t *record;

	if (!run->telemetry)
		return;
	record = telemetry_end(run->telemetry, monotonic_ns());
	run->watched = telemetry_summary(record);
	path_format(name, "%s/%s.telemetry.json", row, stem);
	json_object_set_new(run->watched, "file",
			    write_record(run, name, record) ? json_string(name) : json_null());
	json_decref(record);
}

const char *watch_spoils(const json_t *watched)
{
	const json_t *mark;
	size_t i;

	json_array_foreach(json_object_get(watched, "marks"), i, mark)
	{
		if (json_is_true(json_object_get(mark, "spoils")))
			return json_string_value(json_object_get(mark, "text"));
	}
	return NULL;
}

void watch_explain(const struct run *run, struct error *err)
{
	const char *text = watch_spoils(run->watched);

	if (text)
		text_append(err->text, sizeof(err->text), "; %s", text);
}

void watch_close(struct run *run)
{
	telemetry_close(run->telemetry);
	json_decref(run->watched);
	run->telemetry = NULL;
	run->watched = NULL;
}
