/* SPDX-License-Identifier: GPL-2.0-only */
/* The difference of two readings. A counter that fell is none: the drive was reset, or wrapped. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "device/telemetry_internal.h"

#define DATA_UNIT_BYTES	 512000.0
#define GROUP_UNIT_BYTES 1e9
/* Units that must be written before their rounding is below some 4 % of a write amplification. */
#define UNITS_TO_TELL 50
/* A counter wraps from the last eighth of its range into the first. */
#define WRAP_SHARE 0.125

const json_t *telemetry_fact(const json_t *reading, const char *part, const char *key)
{
	const json_t *nvme = json_object_get(reading, "nvme");
	const json_t *facts = part ? json_object_get(nvme, part) : reading;

	if (!part) /* without a disk nothing is known of it */
		return json_object_get(reading, json_object_get(reading, key) ? key : "disk");
	if (json_is_string(nvme))
		return nvme;
	return json_is_string(facts) ? facts : json_object_get(facts, key);
}

/* What counts, by its name in the change, where it stands in a reading, and in which steps. */
struct counter {
	const char *name, *part, *key;
	double unit;
};

#define SMART(key, unit)                                                                           \
	{                                                                                          \
		key, "smart", key, unit                                                            \
	}

static const struct counter counters[] = {
	SMART("host_read_bytes", DATA_UNIT_BYTES),
	SMART("host_written_bytes", DATA_UNIT_BYTES),
	SMART("host_reads", 1),
	SMART("host_writes", 1),
	SMART("busy_min", 1),
	SMART("power_cycles", 1),
	SMART("power_on_h", 1),
	SMART("unsafe_shutdowns", 1),
	SMART("media_errors", 1),
	SMART("logged_errors", 1),
	SMART("warning_temperature_min", 1),
	SMART("critical_temperature_min", 1),
	SMART("light_throttle_count", 1),
	SMART("light_throttle_s", 1),
	SMART("heavy_throttle_count", 1),
	SMART("heavy_throttle_s", 1),
	{"ocp_media_written_bytes", "ocp", "media_written_bytes", 1},
	{"ocp_throttle_events", "ocp", "throttle_events", 1},
	{"ocp_uncorrectable_reads", "ocp", "uncorrectable_reads", 1},
	{"ocp_pcie_corrected_errors", "ocp", "pcie_corrected_errors", 1},
	{"group_host_written_bytes", "endurance_group", "host_written_bytes", GROUP_UNIT_BYTES},
	{"group_media_written_bytes", "endurance_group", "media_written_bytes", GROUP_UNIT_BYTES},
	{"kernel_read_bytes", NULL, "kernel_read_bytes", 512},
	{"kernel_written_bytes", NULL, "kernel_written_bytes", 512},
	{"kernel_errors", NULL, "kernel_errors", 1},
};

/* Of a counter of 8, 32, 64 or 128 bits that began again from 0; NAN when it did not. */
static double wrapped(double before, double after, double unit)
{
	static const int bits[] = {8, 32, 64, 128};
	size_t i;

	for (i = 0; i < COUNT(bits); i++) {
		double range = ldexp(unit, bits[i]);

		if (before < range && before >= range * (1 - WRAP_SHARE) &&
		    after < range * WRAP_SHARE)
			return after + range - before;
	}
	return NAN;
}

/* Why it is missing, without "n/a ()". */
static void reason_of(const json_t *fact, char *reason, size_t room)
{
	const char *text = json_string_value(fact);
	size_t length = text ? strlen(text) : 0;

	if (fact_is_missing(fact) && length > 6)
		snprintf(reason, room, "%.*s", (int)(length - 6), text + 5);
	else
		snprintf(reason, room, "not read");
}

static void add_change(const struct counter *counter, const json_t *before, const json_t *after,
		       json_t *change)
{
	const json_t *was = telemetry_fact(before, counter->part, counter->key);
	const json_t *is = telemetry_fact(after, counter->part, counter->key);
	double value = NAN;
	char reason[256];

	if (!json_is_number(was) || !json_is_number(is)) {
		reason_of(json_is_number(was) ? is : was, reason, sizeof(reason));
		fact_missing(change, counter->name, reason);
		return;
	}
	value = json_number_value(is) - json_number_value(was);
	if (value < 0)
		value = wrapped(json_number_value(was), json_number_value(is), counter->unit);
	fact_number(change, counter->name, value, "the counter fell");
}

/* ---- write amplification -------------------------------------------------------------------- */

/* What was written to the flash and by the host, from logs that count both alike. */
struct written {
	const char *source;
	double media, host, unit;
};

static struct written written_of(const json_t *change)
{
	struct written ocp = {"ocp", fact_value(change, "ocp_media_written_bytes"),
			      fact_value(change, "host_written_bytes"), DATA_UNIT_BYTES};
	struct written group = {"endurance_group", fact_value(change, "group_media_written_bytes"),
				fact_value(change, "group_host_written_bytes"), GROUP_UNIT_BYTES};

	return isnan(ocp.media) || (isnan(ocp.host) && group.host > 0) ? group : ocp;
}

static void amplification(const struct written *written, json_t *change)
{
	char reason[128], bytes[NUMBER_ROOM], least[NUMBER_ROOM];
	double value = NAN;

	if (isnan(written->media))
		snprintf(reason, sizeof(reason), "no log tells what was written to the flash");
	else if (isnan(written->host))
		snprintf(reason, sizeof(reason), "it is not known what the host wrote");
	else if (!(written->host > 0))
		snprintf(reason, sizeof(reason), "nothing was written");
	else if (written->host < UNITS_TO_TELL * written->unit)
		snprintf(reason, sizeof(reason), "%s were written, %s tell",
			 number_bytes(written->host, bytes),
			 number_bytes(UNITS_TO_TELL * written->unit, least));
	else
		value = written->media / written->host;
	fact_number(change, "write_amplification", value, reason);
	if (!isnan(value))
		fact_text(change, "write_amplification_source", written->source, "");
}

/* ---- simulated ------------------------------------------------------------------------------ */

/* Made within the point, it had written nothing before. Its amplification is that of the end. */
static void add_simulated(const json_t *before, const json_t *after, json_t *change)
{
	const json_t *facts = json_object_get(after, "simulated");
	double was = fact_value(json_object_get(before, "simulated"), "host_written_bytes");
	double written = fact_value(facts, "host_written_bytes") - (isnan(was) ? 0 : was);

	fact_number(change, "host_written_bytes", written, "its state cannot be read");
	fact_number(change, "write_amplification",
		    written > 0 ? fact_value(facts, "write_amplification") : NAN,
		    "nothing was written");
	if (written > 0)
		fact_text(change, "write_amplification_source", "simulated", "");
}

json_t *telemetry_change(const json_t *before, const json_t *after)
{
	json_t *change = json_object();
	struct written written;
	size_t i;

	for (i = 0; i < COUNT(counters); i++)
		add_change(&counters[i], before, after, change);
	if (json_object_get(after, "simulated")) {
		add_simulated(before, after, change);
		return change;
	}
	written = written_of(change);
	amplification(&written, change);
	return change;
}
