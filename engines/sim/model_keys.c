/* SPDX-License-Identifier: GPL-2.0-only */
/* The keys of a model file: their sections, units and limits. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "engines/sim/params.h"

enum key_kind { KEY_INTEGER, KEY_REAL, KEY_COUNT, KEY_BOOL, KEY_PLACEMENT, KEY_EVENT, KEY_TEXT };

struct model_key {
	const char *section, *name;
	size_t offset; /* of the field in its object, see model_key_set() */
	enum key_kind kind;
	double factor;	    /* value * factor is stored */
	double least, most; /* of the value as written; of a text, its length */
};

#define US     1e3
#define MS     1e6
#define S      1e9
#define GB     1e9
#define TB     1e12
#define MIB    256.0 /* pages */
#define MBPS   1e3   /* kB/s */
#define SHARE  1e4   /* a percentage in millionths */
#define CHANCE 4294967296.0
#define MILLI  1e3

#define PARAM(section, key, field, factor, least, most)                                            \
	{                                                                                          \
		section, key, offsetof(struct sim_params, field), KEY_INTEGER, factor, least, most \
	}
#define WORD(section, key, field, kind)                                                            \
	{                                                                                          \
		section, key, offsetof(struct sim_params, field), kind, 1, 0, 1                    \
	}
#define EVENT(key, field, kind, factor, least, most)                                               \
	{                                                                                          \
		"event", key, offsetof(struct sim_event, field), kind, factor, least, most         \
	}
#define POINT(key, field, kind, factor, least, most)                                               \
	{                                                                                          \
		"published", key, offsetof(struct sim_published, field), kind, factor, least, most \
	}
#define TEXT(section, key, type, field)                                                            \
	{                                                                                          \
		section, key, offsetof(type, field), KEY_TEXT, 1, 1,                               \
			sizeof(((type *)0)->field) - 1                                             \
	}

static const struct model_key keys[] = {
	TEXT("drive", "name", struct sim_params, drive),
	PARAM("drive", "capacity_gb", capacity_bytes, GB, 0.25, 100000),
	PARAM("drive", "block_bytes", block_bytes, 1, 512, 4096),
	PARAM("drive", "endurance_tbw", endurance_bytes, TB, 1, 1000000),
	WORD("drive", "ideal", ideal, KEY_BOOL),

	PARAM("controller", "read_op_us", read_op_ns, US, 0, 1000),
	PARAM("controller", "write_op_us", write_op_ns, US, 0, 1000),
	PARAM("controller", "hiccup_chance", hiccup_chance, CHANCE, 0, 0.5),
	PARAM("controller", "hiccup_us", hiccup_ns, US, 0, 1e6),

	PARAM("link", "read_page_us", link_read_page_ns, US, 0, 1000),
	PARAM("link", "write_page_us", link_write_page_ns, US, 0, 1000),
	PARAM("link", "read_setup_us", link_read_setup_ns, US, 0, 1000),
	PARAM("link", "write_setup_us", link_write_setup_ns, US, 0, 1000),
	PARAM("link", "read_jump_page_us", link_read_jump_page_ns, US, 0, 1000),

	PARAM("dies", "count", dies, 1, 1, SIM_MAX_DIES),
	PARAM("dies", "stripe_pages", stripe_pages, 1, 1, 1024),
	WORD("dies", "placement", placement, KEY_PLACEMENT),
	PARAM("dies", "read_us", die_read_ns, US, 0, 10000),
	PARAM("dies", "slc_read_us", die_slc_read_ns, US, 0, 10000),
	PARAM("dies", "transfer_us", die_transfer_ns, US, 0, 10000),
	PARAM("dies", "program_unit_pages", program_unit_pages, 1, 1, 1024),
	PARAM("dies", "program_us", program_ns, US, 0, 100000),
	PARAM("dies", "suspend_slice_us", suspend_slice_ns, US, 0, 100000),

	PARAM("latency", "read_us", read_ns, US, 0, 1e6),
	PARAM("latency", "write_us", write_ns, US, 0, 1e6),
	PARAM("latency", "read_page_us", read_page_ns, US, 0, 1e6),
	PARAM("latency", "write_page_us", write_page_ns, US, 0, 1e6),
	PARAM("latency", "unmapped_us", unmapped_ns, US, 0, 1e6),
	PARAM("latency", "read_tail_chance", read_tail_chance, CHANCE, 0, 0.5),
	PARAM("latency", "read_tail_min_us", read_tail_min_ns, US, 0, 4e6),
	PARAM("latency", "read_tail_max_us", read_tail_max_ns, US, 0, 4e6),
	PARAM("latency", "read_tail_shape", read_tail_shape, MILLI, 0.1, 10),
	PARAM("latency", "write_tail_chance", write_tail_chance, CHANCE, 0, 0.5),
	PARAM("latency", "write_tail_min_us", write_tail_min_ns, US, 0, 4e6),
	PARAM("latency", "write_tail_max_us", write_tail_max_ns, US, 0, 4e6),
	PARAM("latency", "write_tail_shape", write_tail_shape, MILLI, 0.1, 10),

	PARAM("buffer", "size_mib", buffer_pages, MIB, 0.25, 65536),
	PARAM("buffer", "random_mbps", random_kbps, MBPS, 1, 1e6),
	PARAM("buffer", "sequential_mbps", sequential_kbps, MBPS, 1, 1e6),
	WORD("buffer", "power_protected", power_protected, KEY_BOOL),

	PARAM("slc", "static_gb", slc_static_bytes, GB, 0, 100000),
	PARAM("slc", "dynamic_gb", slc_dynamic_bytes, GB, 0, 100000),
	PARAM("slc", "full_until_percent", slc_full_until, SHARE, 0, 100),
	PARAM("slc", "none_from_percent", slc_none_from, SHARE, 0, 100),
	PARAM("slc", "after_mbps", slc_after_kbps, MBPS, 1, 1e6),
	PARAM("slc", "fold_mbps", slc_fold_kbps, MBPS, 1, 1e6),
	PARAM("slc", "idle_s", slc_idle_ns, S, 0, 1e6),

	PARAM("gc", "spare_percent", spare_share, SHARE, 0, 100),
	PARAM("gc", "reclaim_below_percent", reclaim_below, SHARE, 0, 100),

	PARAM("temperature", "normal_c", temperature_mc, MILLI, -40, 125),

	EVENT("kind", kind, KEY_EVENT, 1, 0, 1),
	EVENT("at_s", at_ns, KEY_INTEGER, S, 0, 1e9),
	EVENT("every_s", every_ns, KEY_INTEGER, S, 0, 1e9),
	EVENT("duration_ms", duration_ns, KEY_INTEGER, MS, 0.001, 1e9),
	EVENT("factor", factor, KEY_REAL, 1, 1, 1000),
	EVENT("temperature_c", temperature_c, KEY_REAL, 1, -40, 150),

	TEXT("published", "protocol", struct sim_published, protocol),
	POINT("in_flight", in_flight, KEY_COUNT, 1, 1, 65535),
	POINT("iops", iops, KEY_REAL, 1, 1, 1e9),
	POINT("latency_us", latency_us, KEY_REAL, 1, 0.001, 1e9),
	POINT("bandwidth_mbps", bandwidth_mbps, KEY_REAL, 1, 0.001, 1e9),
	POINT("iops_tolerance_percent", iops_tolerance, KEY_REAL, 0.01, 0, 100),
	POINT("latency_tolerance_percent", latency_tolerance, KEY_REAL, 0.01, 0, 100),
};

static const char *const yes_no[] = {"no", "yes"};
static const char *const placements[] = {"hash", "stripe"};
static const char *const event_kinds[] = {"stall", "throttle"};

/* The section's family: "event heat" belongs to the table's "event". */
static bool same_section(const struct model_key *key, const char *section)
{
	size_t length = strcspn(section, " ");

	return strlen(key->section) == length && !strncmp(key->section, section, length);
}

static int unknown_key(const char *section, const char *name, struct error *err)
{
	const char *words[COUNT(keys)];
	size_t i, count = 0;

	for (i = 0; i < COUNT(keys); i++)
		if (same_section(&keys[i], section))
			words[count++] = keys[i].name;
	if (count) {
		error_unknown(err, "key", name, words, count);
		return error_prefix(err, "[%s]", section);
	}
	for (i = 0; i < COUNT(keys); i++)
		if (!i || strcmp(keys[i].section, keys[i - 1].section) != 0)
			words[count++] = keys[i].section;
	return error_unknown(err, "section", section, words, count);
}

static int set_word(const struct model_key *key, const char *value, int *index, struct error *err)
{
	const char *const *words = key->kind == KEY_BOOL	? yes_no
				   : key->kind == KEY_PLACEMENT ? placements
								: event_kinds;

	for (*index = 0; *index < 2; ++*index)
		if (!strcmp(words[*index], value))
			return 0;
	return error_set(err, "%s is '%s', but it must be '%s' or '%s'", key->name, value, words[0],
			 words[1]);
}

static int parse_number(const struct model_key *key, const char *value, double *number,
			struct error *err)
{
	char *end;

	errno = 0;
	*number = strtod(value, &end);
	if (end == value || *end || errno || !isfinite(*number))
		return error_set(err, "%s is '%s', which is not a number", key->name, value);
	if (*number < key->least || *number > key->most)
		return error_set(err, "%s is %s, but it must lie between %g and %g", key->name,
				 value, key->least, key->most);
	return 0;
}

static int set_text(const struct model_key *key, const char *value, char *field, struct error *err)
{
	if (!*value || strlen(value) > (size_t)key->most)
		return error_set(err, "%s must have 1 to %.0f characters", key->name, key->most);
	memcpy(field, value, strlen(value) + 1);
	return 0;
}

static int set_choice(const struct model_key *key, const char *value, void *field,
		      struct error *err)
{
	int index;

	if (set_word(key, value, &index, err))
		return -1;
	if (key->kind == KEY_EVENT)
		*(enum sim_event_kind *)field = index ? SIM_THROTTLE : SIM_STALL;
	else
		*(int64_t *)field = index;
	return 0;
}

static int set_number(const struct model_key *key, const char *value, void *field,
		      struct error *err)
{
	double number;

	if (parse_number(key, value, &number, err))
		return -1;
	if (key->kind == KEY_INTEGER)
		*(int64_t *)field = llround(number * key->factor);
	else if (key->kind == KEY_COUNT)
		*(unsigned *)field = (unsigned)number;
	else
		*(double *)field = number * key->factor;
	return 0;
}

static int set_value(const struct model_key *key, const char *value, void *object,
		     struct error *err)
{
	void *field = (char *)object + key->offset;

	switch (key->kind) {
	case KEY_TEXT:
		return set_text(key, value, field, err);
	case KEY_BOOL:
	case KEY_PLACEMENT:
	case KEY_EVENT:
		return set_choice(key, value, field, err);
	case KEY_INTEGER:
	case KEY_REAL:
	case KEY_COUNT:
		break;
	}
	return set_number(key, value, field, err);
}

int model_key_set(const char *section, const char *name, const char *value, void *object,
		  struct error *err)
{
	size_t i;

	for (i = 0; i < COUNT(keys); i++)
		if (same_section(&keys[i], section) && !strcmp(keys[i].name, name))
			return set_value(&keys[i], value, object, err);
	return unknown_key(section, name, err);
}

int event_check(const struct sim_event *event, struct error *err)
{
	if (!event->duration_ns)
		return error_set(err, "an event needs duration_ms");
	if (event->every_ns && event->every_ns <= event->duration_ns)
		return error_set(err, "every_s of an event must be longer than its duration_ms");
	if (event->kind == SIM_THROTTLE && event->factor <= 1)
		return error_set(err, "a throttle event needs a factor above 1");
	return 0;
}

static int check_slc(const struct sim_params *params, struct error *err)
{
	if (!params->slc_static_bytes && !params->slc_dynamic_bytes)
		return 0;
	if (!params->slc_after_kbps || !params->slc_fold_kbps)
		return error_set(err, "[slc] needs after_mbps and fold_mbps");
	if (params->slc_full_until > params->slc_none_from)
		return error_set(err, "[slc] full_until_percent is above none_from_percent");
	if (params->slc_static_bytes + params->slc_dynamic_bytes > params->capacity_bytes)
		return error_set(err, "[slc] is larger than capacity_gb");
	return 0;
}

static int check_tail(const char *which, int64_t chance, int64_t least, int64_t most, int64_t shape,
		      struct error *err)
{
	if (chance && (least <= 0 || most < least || !shape))
		return error_set(err,
				 "[latency] %s_tail_chance needs %s_tail_min_us above 0, "
				 "%s_tail_max_us not below it, and %s_tail_shape",
				 which, which, which, which);
	return 0;
}

static int check_tails(const struct sim_params *p, struct error *err)
{
	if (check_tail("read", p->read_tail_chance, p->read_tail_min_ns, p->read_tail_max_ns,
		       p->read_tail_shape, err))
		return -1;
	return check_tail("write", p->write_tail_chance, p->write_tail_min_ns, p->write_tail_max_ns,
			  p->write_tail_shape, err);
}

static bool power_of_two(int64_t number)
{
	return number > 0 && !(number & (number - 1));
}

int params_check(const struct sim_params *params, struct error *err)
{
	if (!params->drive[0] || !params->capacity_bytes)
		return error_set(err, "[drive] needs name and capacity_gb");
	if (!power_of_two(params->block_bytes))
		return error_set(err, "[drive] block_bytes must be 512, 1024, 2048 or 4096");
	if (params->ideal)
		return 0;
	if (!params->dies || !params->random_kbps || !params->sequential_kbps)
		return error_set(err,
				 "needed: [dies] count, [buffer] random_mbps, sequential_mbps");
	if (!power_of_two(params->stripe_pages))
		return error_set(err, "[dies] stripe_pages must be a power of two");
	if (params->hiccup_ns * params->hiccup_chance / 4294967296 >
	    (params->read_op_ns < params->write_op_ns ? params->read_op_ns : params->write_op_ns))
		return error_set(err,
				 "[controller] hiccups take longer than the controller's time");
	return check_slc(params, err) || check_tails(params, err) ? -1 : 0;
}
