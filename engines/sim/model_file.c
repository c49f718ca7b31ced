/* SPDX-License-Identifier: GPL-2.0-only */
/* Reads a model file: parameters, published points, events. */
#include <ini.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engines/sim/model_find.h"
#include "engines/sim/params.h"

#define SIM_MAX_PUBLISHED 64

/* What is being read; the section's name decides into which object a key goes. */
struct reading {
	struct sim_model *model;
	struct error *err;
	bool failed;
	char event_section[64]; /* the section of the last event */
};

static const struct sim_params defaults = {
	.block_bytes = 512,
	.stripe_pages = 1,
	.program_unit_pages = 16,
	.unmapped_ns = 8000,
	.buffer_pages = 512,
	.slc_full_until = 1000000,
	.slc_none_from = 1000000,
	.temperature_mc = 40000,
};

static void *current_event(struct reading *reading, const char *section, struct error *err)
{
	struct sim_params *params = &reading->model->params;

	if (!strcmp(reading->event_section, section))
		return &params->events[params->event_count - 1];
	if (params->event_count == SIM_MAX_EVENTS) {
		error_set(err, "more than %d events", SIM_MAX_EVENTS);
		return NULL;
	}
	snprintf(reading->event_section, sizeof(reading->event_section), "%s", section);
	return &params->events[params->event_count++];
}

/* The point of a section "published WORKLOAD", made when it is first named. */
static void *current_point(struct reading *reading, const char *section, struct error *err)
{
	const char *workload = section + strcspn(section, " ");
	struct sim_model *model = reading->model;
	struct sim_published *point;

	workload += strspn(workload, " ");
	point = model->published_count ? &model->published[model->published_count - 1] : NULL;
	if (point && !strcmp(point->workload, workload))
		return point;
	if (!*workload || strlen(workload) >= sizeof(point->workload) ||
	    model->published_count == SIM_MAX_PUBLISHED) {
		error_set(err, "[%s] must be [published WORKLOAD], at most %d of them", section,
			  SIM_MAX_PUBLISHED);
		return NULL;
	}
	point = &model->published[model->published_count++];
	memcpy(point->workload, workload, strlen(workload) + 1);
	point->iops_tolerance = 0.05;
	point->latency_tolerance = 0.10;
	return point;
}

/* inih calls this for each key; it goes on after a failure, so only the first is kept. */
static int read_key(void *user, const char *section, const char *name, const char *value)
{
	struct reading *reading = user;
	void *object = &reading->model->params;

	if (reading->failed)
		return 0;
	reading->failed = true;
	if (!strcmp(section, "event") || !strncmp(section, "event ", 6))
		object = current_event(reading, section, reading->err);
	else if (!strcmp(section, "published") || !strncmp(section, "published ", 10))
		object = current_point(reading, section, reading->err);
	if (!object || model_key_set(section, name, value, object, reading->err))
		return 0;
	reading->failed = false;
	return 1;
}

static int check_events(const struct sim_params *params, struct error *err)
{
	int64_t i;

	for (i = 0; i < params->event_count; i++)
		if (event_check(&params->events[i], err))
			return -1;
	return 0;
}

/* The model's word is its file's name without ".model". */
static int word_of_path(const char *path, char *word, size_t room, struct error *err)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
	const char *suffix = strstr(name, MODEL_SUFFIX);
	size_t length = suffix ? (size_t)(suffix - name) : strlen(name);

	if (length >= room)
		return error_set(err, "%s: the file's name is longer than %zu characters", path,
				 room - 1);
	memcpy(word, name, length);
	word[length] = '\0';
	return 0;
}

static int read_model(const char *path, struct sim_model *model, struct error *err)
{
	struct reading reading = {.model = model, .err = err};
	char *text;
	int line;

	model->params = defaults;
	if (word_of_path(path, model->params.word, sizeof(model->params.word), err) ||
	    file_read_text(path, &text, err))
		return -1;
	line = ini_parse_string(text, read_key, &reading);
	free(text);
	if (line < 0)
		return error_set(err, "no memory to read %s", path);
	if (line > 0 && !reading.failed)
		error_set(err, "neither a [section] nor a key = value line");
	if (line > 0)
		return error_prefix(err, "%s:%d", path, line);
	if (check_events(&model->params, err) || params_check(&model->params, err))
		return error_prefix(err, "%s", path);
	model->params.capacity_bytes &= -(int64_t)SIM_PAGE_BYTES;
	return 0;
}

int sim_model_load(const char *word_or_path, struct sim_model **model, struct error *err)
{
	char path[4096];

	if (model_find(word_or_path, path, sizeof(path), err))
		return -1;
	*model = calloc(1, sizeof(**model));
	if (*model)
		(*model)->published = calloc(SIM_MAX_PUBLISHED, sizeof(*(*model)->published));
	if (!*model || !(*model)->published) {
		sim_model_free(*model);
		return error_set(err, "no memory to read %s", path);
	}
	if (!read_model(path, *model, err))
		return 0;
	sim_model_free(*model);
	*model = NULL;
	return -1;
}

void sim_model_free(struct sim_model *model)
{
	if (!model)
		return;
	free(model->published);
	free(model);
}

size_t sim_model_published(const struct sim_model *model, const struct sim_published **points)
{
	*points = model->published;
	return model->published_count;
}

int sim_model_add_event(struct sim_model *model, const struct sim_event *event, struct error *err)
{
	if (event_check(event, err))
		return -1;
	if (model->params.event_count == SIM_MAX_EVENTS)
		return error_set(err, "a drive can have at most %d events", SIM_MAX_EVENTS);
	model->params.events[model->params.event_count++] = *event;
	return 0;
}

/* "key=value" into the event; the text is cut up. */
static int parse_event_key(char *text, struct sim_event *event, struct error *err)
{
	char *value = strchr(text, '=');

	if (!value)
		return error_set(err, "'%s' is not key=value", text);
	*value++ = '\0';
	return model_key_set("event", text, value, event, err);
}

int sim_event_parse(const char *text, struct sim_event *event, struct error *err)
{
	char copy[256], *save, *word;

	*event = (struct sim_event){0};
	if (snprintf(copy, sizeof(copy), "%s", text) >= (int)sizeof(copy))
		return error_set(err, "the event is longer than %zu characters", sizeof(copy) - 1);
	word = strtok_r(copy, ":", &save);
	if (!word)
		return error_set(err,
				 "event '%s' begins with no kind: give stall:... or throttle:...",
				 text);
	if (model_key_set("event", "kind", word, event, err))
		return error_prefix(err, "event '%s'", text);
	while ((word = strtok_r(NULL, ",", &save)))
		if (parse_event_key(word, event, err))
			return error_prefix(err, "event '%s'", text);
	if (event_check(event, err))
		return error_prefix(err, "event '%s'", text);
	return 0;
}

void sim_event_text(const struct sim_event *event, char *text, size_t room)
{
	FILE *out = fmemopen(text, room, "w");

	if (!out)
		return;
	fprintf(out, "%s:at_s=%.9g", event->kind == SIM_STALL ? "stall" : "throttle",
		(double)event->at_ns / 1e9);
	if (event->every_ns)
		fprintf(out, ",every_s=%.9g", (double)event->every_ns / 1e9);
	fprintf(out, ",duration_ms=%.9g", (double)event->duration_ns / 1e6);
	if (event->kind == SIM_THROTTLE)
		fprintf(out, ",factor=%.9g", event->factor);
	if (event->kind == SIM_THROTTLE && event->temperature_c)
		fprintf(out, ",temperature_c=%.9g", event->temperature_c);
	fclose(out);
}

void sim_model_info(const struct sim_model *model, unsigned scale, struct sim_info *info)
{
	const struct sim_params *params = &model->params;

	*info = (struct sim_info){
		.capacity_bytes = scaled_capacity_bytes(params, scale),
		.block_bytes = (unsigned)params->block_bytes,
		.scale = scale,
		.rated_endurance_bytes = (double)params->endurance_bytes,
	};
	memcpy(info->model, params->word, sizeof(info->model));
	memcpy(info->drive, params->drive, sizeof(info->drive));
	memcpy(info->events, params->events, sizeof(info->events));
	info->event_count = (unsigned)params->event_count;
}
