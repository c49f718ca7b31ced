/* SPDX-License-Identifier: GPL-2.0-only */
/* What a user who is not root does not see. */
#include "device/drive.h"
#include "device/facts.h"

/* A part of the facts, and how it is called where it is missing. */
struct part {
	const char *key, *words;
};

static const struct part nvme_parts[] = {
	{"formats", "LBA formats"},
	{"smart", "SMART with temperature, endurance and spare"},
	{"endurance_group", "the endurance group"},
	{"ocp", "the OCP log"},
	{"errors", "the error log"},
	{"self_tests", "self-tests"},
	{"data_placement", "data placement"},
};

static const struct part feature_parts[] = {
	{"volatile_write_cache", "features"},
	{"host_memory_buffer", "the host memory buffer"},
	{"autonomous_power_states", "power saving"},
};

static void append_parts(const json_t *facts, const struct part *parts, size_t count, char *text,
			 size_t room)
{
	size_t i;

	for (i = 0; i < count; i++)
		if (fact_needs_root(json_object_get(facts, parts[i].key)))
			text_append(text, room, "%s%s", text[0] ? ", " : "", parts[i].words);
}

void drive_left_to_root(const json_t *facts, char *text, size_t room)
{
	const json_t *nvme = json_object_get(facts, "nvme");

	text[0] = '\0';
	if (fact_needs_root(nvme))
		text_append(text, room,
			    "LBA formats, SMART, temperature limits, error and self-test logs, "
			    "features, optional commands");
	append_parts(nvme, nvme_parts, COUNT(nvme_parts), text, room);
	append_parts(json_object_get(nvme, "features"), feature_parts, COUNT(feature_parts), text,
		     room);
	if (fact_needs_root(json_object_get(facts, "holds")))
		text_append(text, room, "%swhat it holds", text[0] ? ", " : "");
}
