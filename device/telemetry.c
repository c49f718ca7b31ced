/* SPDX-License-Identifier: GPL-2.0-only */
/* A drive watched while it is measured. */
#include "device/telemetry.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "device/telemetry_internal.h"
#include "engines/sim/sim.h"

#define RECORD_VERSION 1
/* Half an hour of seconds; longer points have longer samples, so that a day's file stays small. */
#define MAX_SAMPLES 1800
#define MAX_LINKS   64
#define SMART_EVERY                                                                                \
	(10 * NS_PER_SEC) /* for want of a sensor: a command that the drive must answer */
#define SAMPLE_EVERY NS_PER_SEC

/* What was seen in `seconds` from start_s on. */
struct sample {
	double start_s, seconds;
	double sum_c, max_c;
	unsigned count;
};

/* The link from at_s on. */
struct link_change {
	double at_s;
	struct telemetry_link link;
};

struct telemetry {
	struct telemetry_source source;
	char path[PATH_MAX];
	struct heat heat;
	struct telemetry_link best; /* since it was opened */
	/* Of the point. */
	json_t *before;
	uint64_t began_ns, sampled_ns, asked_ns;
	struct telemetry_seen seen;
	struct sample samples[MAX_SAMPLES];
	size_t sample_count;
	double sample_s; /* how long each is */
	struct link_change links[MAX_LINKS];
	size_t link_count;
};

/* ---- open ----------------------------------------------------------------------------------- */

/* Of NVMe the kernel takes 273.15 from whole kelvins, all others 273: hence the rounding. */
static void find(struct telemetry *telemetry)
{
	struct telemetry_source *source = &telemetry->source;

	telemetry->heat = (struct heat){.fd = -1, .limit_c = NAN};
	if (source->is_simulated)
		return;
	disk_find(source->question.sysfs, source->question.kind, source->question.number,
		  &source->disk);
	heat_open(&telemetry->heat, source->question.sysfs, disk_number(&source->disk));
	if (!(telemetry->heat.limit_c > 0))
		telemetry->heat.limit_c = NAN;
	if (source->disk.is_nvme)
		telemetry->heat.limit_c = round(telemetry->heat.limit_c);
}

struct telemetry *telemetry_open_as(const struct drive_question *question)
{
	struct telemetry *telemetry = calloc(1, sizeof(*telemetry));

	if (!telemetry)
		return NULL;
	telemetry->source.question = *question;
	find(telemetry);
	return telemetry;
}

struct telemetry *telemetry_open(const char *path)
{
	struct telemetry *telemetry = calloc(1, sizeof(*telemetry));
	struct error none; /* of what is no drive there is nothing to tell */

	if (!telemetry)
		return NULL;
	snprintf(telemetry->path, sizeof(telemetry->path), "%s", path);
	telemetry->source.is_simulated = sim_is_state_file(path);
	drive_look_at(telemetry->path, &telemetry->source.question, &none);
	telemetry->source.question.path = telemetry->path;
	telemetry->source.question.sysfs = "/sys";
	find(telemetry);
	return telemetry;
}

void telemetry_close(struct telemetry *telemetry)
{
	if (!telemetry)
		return;
	heat_close(&telemetry->heat);
	json_decref(telemetry->before);
	free(telemetry);
}

/* ---- samples -------------------------------------------------------------------------------- */

/* Two samples become one, each twice as long. */
static void halve(struct telemetry *telemetry)
{
	struct sample *samples = telemetry->samples;
	size_t i, count = telemetry->sample_count / 2;

	for (i = 0; i < count; i++) {
		struct sample sum = samples[2 * i];

		sum.seconds += samples[2 * i + 1].seconds;
		sum.sum_c += samples[2 * i + 1].sum_c;
		sum.count += samples[2 * i + 1].count;
		sum.max_c = fmax(sum.max_c, samples[2 * i + 1].max_c);
		samples[i] = sum;
	}
	telemetry->sample_count = count;
	telemetry->sample_s *= 2;
}

static void add_temperature(struct telemetry *telemetry, double at_s, double degrees)
{
	struct sample *last;
	double start_s = floor(at_s / telemetry->sample_s) * telemetry->sample_s;

	last = telemetry->sample_count ? &telemetry->samples[telemetry->sample_count - 1] : NULL;
	if (!last || last->start_s < start_s) {
		if (telemetry->sample_count == MAX_SAMPLES) {
			halve(telemetry);
			start_s = floor(at_s / telemetry->sample_s) * telemetry->sample_s;
		}
		last = &telemetry->samples[telemetry->sample_count++];
		*last = (struct sample){
			.start_s = start_s, .seconds = telemetry->sample_s, .max_c = degrees};
	}
	last->sum_c += degrees;
	last->count++;
	last->max_c = fmax(last->max_c, degrees);
	telemetry->seen.hottest_c = fmax(telemetry->seen.hottest_c, degrees);
}

static double sensor_c(const struct telemetry *telemetry)
{
	double degrees;
	bool is_hot;

	heat_read(&telemetry->heat, &degrees, &is_hot);
	return telemetry->source.disk.is_nvme ? round(degrees) : degrees;
}

static void sample_temperature(struct telemetry *telemetry, uint64_t now_ns)
{
	double degrees = NAN;

	if (telemetry->heat.fd >= 0) {
		degrees = sensor_c(telemetry);
	} else if (json_is_object(json_object_get(telemetry->before, "nvme")) &&
		   now_ns - telemetry->asked_ns >= SMART_EVERY) {
		telemetry->asked_ns = now_ns;
		degrees = telemetry_smart_c(&telemetry->source);
	}
	if (!isnan(degrees))
		add_temperature(telemetry, (double)(now_ns - telemetry->began_ns) / 1e9, degrees);
}

static void add_link(struct telemetry *telemetry, double at_s, const struct telemetry_link *link)
{
	const struct link_change *last =
		telemetry->link_count ? &telemetry->links[telemetry->link_count - 1] : NULL;

	if (!link->words[0])
		return;
	if ((!last || strcmp(last->link.words, link->words)) && telemetry->link_count < MAX_LINKS)
		telemetry->links[telemetry->link_count++] = (struct link_change){at_s, *link};
	if (!telemetry->best.words[0] || telemetry_link_is_less(&telemetry->best, link))
		telemetry->best = *link;
	if (!telemetry->seen.lowest.words[0] ||
	    telemetry_link_is_less(link, &telemetry->seen.lowest))
		telemetry->seen.lowest = *link;
}

/* A drive at work is "live" (NVMe) or "running" (SCSI). */
static bool is_at_work(struct telemetry *telemetry)
{
	struct telemetry_seen *seen = &telemetry->seen;
	char state[32];

	telemetry_state(&telemetry->source, state, sizeof(state));
	if (!state[0] || !strcmp(state, "live") || !strcmp(state, "running"))
		return true;
	if (!seen->state[0])
		snprintf(seen->state, sizeof(seen->state), "%s", state);
	return false;
}

/* A drive that is being reset is left alone: an answer may take a minute. */
static void look(struct telemetry *telemetry, uint64_t now_ns)
{
	const struct telemetry_source *source = &telemetry->source;
	struct telemetry_link link;

	if (!source->disk.folder[0])
		return;
	telemetry->seen.is_gone |= access(source->disk.folder, F_OK) != 0;
	if (telemetry->seen.is_gone || !is_at_work(telemetry))
		return;
	link = telemetry_link_now(source);
	add_link(telemetry, (double)(now_ns - telemetry->began_ns) / 1e9, &link);
	sample_temperature(telemetry, now_ns);
}

void telemetry_begin(struct telemetry *telemetry, uint64_t now_ns)
{
	json_decref(telemetry->before);
	telemetry->before = telemetry_reading(&telemetry->source, false);
	telemetry->began_ns = telemetry->sampled_ns = now_ns;
	telemetry->asked_ns = now_ns - SMART_EVERY;
	telemetry->seen =
		(struct telemetry_seen){.hottest_c = NAN, .limit_c = telemetry->heat.limit_c};
	telemetry->sample_count = telemetry->link_count = 0;
	telemetry->sample_s = 1;
	look(telemetry, now_ns);
}

void telemetry_tick(struct telemetry *telemetry, uint64_t now_ns)
{
	if (now_ns - telemetry->sampled_ns < SAMPLE_EVERY)
		return;
	telemetry->sampled_ns = now_ns;
	look(telemetry, now_ns);
}

/* ---- the record ----------------------------------------------------------------------------- */

static json_t *link_facts(const struct telemetry *telemetry)
{
	json_t *changes = json_array();
	size_t i;

	if (!telemetry->link_count) {
		json_decref(changes);
		return json_string(telemetry->source.is_simulated
					   ? "n/a (simulated)"
					   : "n/a (no link of its own in sysfs)");
	}
	for (i = 0; i < telemetry->link_count; i++)
		json_array_append_new(changes,
				      json_pack("{s:f, s:s}", "at_s", telemetry->links[i].at_s,
						"link", telemetry->links[i].link.words));
	return json_pack("{s:s, s:s, s:o}", "best", telemetry->best.words, "lowest",
			 telemetry->seen.lowest.words, "changes", changes);
}

static json_t *samples_json(const struct telemetry *telemetry)
{
	json_t *list = json_array();
	size_t i;

	for (i = 0; i < telemetry->sample_count; i++) {
		const struct sample *sample = &telemetry->samples[i];

		json_array_append_new(list,
				      json_pack("[f, f, f]", sample->start_s,
						sample->sum_c / sample->count, sample->max_c));
	}
	return list;
}

static json_t *temperature_facts(const struct telemetry *telemetry)
{
	double sum_c = 0, count = 0;
	json_t *facts = json_object();
	size_t i;

	for (i = 0; i < telemetry->sample_count; i++) {
		sum_c += telemetry->samples[i].sum_c;
		count += telemetry->samples[i].count;
	}
	fact_text(facts, "source", telemetry->heat.fd >= 0 ? "sensor" : "smart", "");
	fact_number(facts, "mean_c", sum_c / count, "");
	fact_number(facts, "max_c", telemetry->seen.hottest_c, "");
	fact_number(facts, "warning_c", telemetry->seen.limit_c, "not in sysfs");
	fact_number(facts, "sample_s", telemetry->sample_s, "");
	json_object_set_new(facts, "sample_columns",
			    json_pack("[s, s, s]", "start_s", "mean_c", "max_c"));
	json_object_set_new(facts, "samples", samples_json(telemetry));
	return facts;
}

/* A simulated drive tells its temperature before and after alone. */
static json_t *temperature_json(const struct telemetry *telemetry, const json_t *after)
{
	const json_t *simulated = json_object_get(after, "simulated");

	if (telemetry->sample_count)
		return temperature_facts(telemetry);
	if (simulated)
		return json_string("n/a (a simulated drive tells it before and after alone)");
	return json_string(telemetry->source.disk.folder[0] ? "n/a (no sensor in sysfs)"
							    : "n/a (no disk of its own behind it)");
}

json_t *telemetry_end(struct telemetry *telemetry, uint64_t now_ns)
{
	json_t *record = json_object(), *after, *change;

	look(telemetry, now_ns);
	after = telemetry_reading(&telemetry->source, true);
	change = telemetry_change(telemetry->before, after);
	if (fact_value(change, "logged_errors") > 0)
		telemetry_add_errors(&telemetry->source, after);
	telemetry->seen.best = telemetry->best;
	fact_number(record, "version", RECORD_VERSION, "");
	fact_number(record, "seconds", (double)(now_ns - telemetry->began_ns) / 1e9, "");
	json_object_set_new(record, "marks",
			    telemetry_marks(telemetry->before, after, change, &telemetry->seen));
	json_object_set_new(record, "change", change);
	json_object_set_new(record, "link", link_facts(telemetry));
	json_object_set_new(record, "before", telemetry->before);
	json_object_set_new(record, "after", after);
	json_object_set_new(record, "temperature", temperature_json(telemetry, after));
	telemetry->before = NULL;
	return record;
}

json_t *telemetry_summary(const json_t *record)
{
	const json_t *temperature = json_object_get(record, "temperature");
	const json_t *change = json_object_get(record, "change");
	json_t *summary = json_object();
	const char *key;
	size_t i;
	static const char *const degrees[] = {"mean_c", "max_c"};
	static const char *const changes[] = {"host_written_bytes", "write_amplification"};

	for (i = 0; i < COUNT(degrees); i++)
		json_object_set(summary, degrees[i],
				json_is_object(temperature)
					? json_object_get(temperature, degrees[i])
					: (json_t *)temperature);
	for (i = 0; i < COUNT(changes); i++) {
		key = changes[i];
		json_object_set(summary, key, json_object_get(change, key));
	}
	json_object_set(summary, "marks", json_object_get(record, "marks"));
	return summary;
}
