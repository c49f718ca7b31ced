/* SPDX-License-Identifier: GPL-2.0-only */
/* The link of a drive: lanes of PCIe and their speed, or the speed of SATA. */
#include <stdio.h>
#include <stdlib.h>

#include "device/telemetry_internal.h"

static struct telemetry_link link_of(const json_t *facts)
{
	struct telemetry_link link = {.words = ""};
	const json_t *sata = json_object_get(facts, "sata_link_speed");

	link_words(facts, "current", link.words, sizeof(link.words));
	if (link.words[0]) {
		link.speed = strtod(fact_words(facts, "current_link_speed"), NULL);
		link.width = strtod(fact_words(facts, "current_link_width"), NULL);
	} else if (sata && !fact_is_missing(sata)) {
		snprintf(link.words, sizeof(link.words), "%s", json_string_value(sata));
		link.speed = strtod(link.words, NULL);
		link.width = 1;
	}
	return link;
}

struct telemetry_link telemetry_link_now(const struct telemetry_source *source)
{
	struct telemetry_link link = {.words = ""};
	json_t *facts;

	if (!source->disk.folder[0])
		return link;
	facts = json_object();
	kernel_link_facts(source->question.sysfs, source->disk.folder,
			  source->disk.is_nvme ? source->disk.names.controllers[0] : "", facts);
	link = link_of(facts);
	json_decref(facts);
	return link;
}

bool telemetry_link_is_less(const struct telemetry_link *link, const struct telemetry_link *than)
{
	return link->words[0] && than->words[0] &&
	       (link->speed < than->speed || link->width < than->width);
}
