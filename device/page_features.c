/* SPDX-License-Identifier: GPL-2.0-only */
/* What an NVMe drive has switched on, and which commands it takes, in words. */
#include <math.h>
#include <string.h>

#include "base/number.h"
#include "device/drive.h"
#include "device/page_internal.h"

#define NUMBER_TEXT 128
#define MIB	    (1024.0 * 1024.0)

static void print_write_cache(const json_t *features, FILE *out)
{
	const char *words = fact_words(features, "volatile_write_cache");
	char text[ENTRY_BYTES];

	snprintf(text, sizeof(text), "volatile, %s", words);
	if (!strcmp(words, "none"))
		snprintf(text, sizeof(text), "none that loses data without power");
	page_entry("Write cache", json_object_get(features, "volatile_write_cache"), text, out);
}

static void print_host_memory(const json_t *features, FILE *out)
{
	const json_t *memory = json_object_get(features, "host_memory_buffer");
	double given = fact_value(memory, "bytes"), wanted = fact_value(memory, "preferred_bytes");
	char text[ENTRY_BYTES], number[2][NUMBER_ROOM];

	if (json_is_string(memory)) {
		page_line("Host memory", json_string_value(memory), out);
		return;
	}
	snprintf(text, sizeof(text), "%s MiB given of %s MiB wanted",
		 number_count(given / MIB, number[0]), number_count(wanted / MIB, number[1]));
	if (isnan(given))
		snprintf(text, sizeof(text), "off; %s MiB wanted",
			 number_count(wanted / MIB, number[1]));
	page_entry("Host memory", json_object_get(memory, "state"), text, out);
}

static void print_power_saving(const json_t *features, FILE *out)
{
	const json_t *apst = json_object_get(features, "autonomous_power_states"), *step;
	const json_t *steps = json_object_get(apst, "transitions"), *last = NULL;
	char text[ENTRY_BYTES], number[NUMBER_ROOM];
	size_t i;

	if (json_is_string(apst)) {
		page_line("Power saving", json_string_value(apst), out);
		return;
	}
	snprintf(text, sizeof(text), "%s (APST)", fact_words(apst, "state"));
	/* Most states have the same step as the one before. */
	json_array_foreach(steps, i, step)
	{
		if (!last || fact_value(last, "to_state") != fact_value(step, "to_state"))
			text_append(text, sizeof(text), "%s state %.0f after %s ms idle",
				    last ? "," : ":", fact_value(step, "to_state"),
				    number_whole(fact_value(step, "idle_ms"), number));
		last = step;
	}
	page_line("Power saving", text, out);
}

static void append_state(const json_t *state, double now, char *text, size_t room)
{
	char number[NUMBER_ROOM];
	double most = fact_value(state, "most_w"), out_us = fact_value(state, "exit_us");

	text_append(text, room, "%s%.0f: ", text[0] ? ", " : "", fact_value(state, "state"));
	if (isnan(most))
		text_append(text, room, "%s", fact_words(state, "most_w"));
	else
		text_append(text, room, most < 0.1 ? "%.3f W" : "%.2f W", most);
	if (!json_is_true(json_object_get(state, "works"))) {
		text_append(text, room, " idle");
		if (!isnan(out_us))
			text_append(text, room, ", %s to leave", number_us(out_us, number));
	}
	if (fact_value(state, "state") == now)
		text_append(text, room, " (now)");
}

static void print_power_states(const json_t *nvme, FILE *out)
{
	const json_t *states = json_object_get(nvme, "power_states"), *state;
	double now = fact_value(json_object_get(nvme, "features"), "power_state");
	char text[ENTRY_BYTES] = "";
	size_t i;

	json_array_foreach(states, i, state) append_state(state, now, text, sizeof(text));
	page_entry("Power states", states, text, out);
}

void page_features(const json_t *nvme, FILE *out)
{
	const json_t *features = json_object_get(nvme, "features");

	fputs("\nFeatures\n", out);
	print_write_cache(features, out);
	print_host_memory(features, out);
	print_power_saving(features, out);
	print_power_states(nvme, out);
}

/* ---- commands -------------------------------------------------------------------------------- */

static void print_erase(const json_t *erase, FILE *out)
{
	static const struct {
		const char *key, *words;
	} ways[] = {{"sanitize_crypto", "sanitize (crypto)"},
		    {"sanitize_block", "sanitize (blocks)"},
		    {"sanitize_overwrite", "sanitize (overwrite)"},
		    {"format_crypto", "format (crypto)"},
		    {"format", "format (user data)"}};
	char text[ENTRY_BYTES] = "";
	size_t i;

	for (i = 0; i < COUNT(ways); i++)
		if (json_is_true(json_object_get(erase, ways[i].key)))
			text_append(text, sizeof(text), "%s%s", text[0] ? ", " : "", ways[i].words);
	if (json_is_true(json_object_get(erase, "format_erases_all_namespaces")))
		text_append(text, sizeof(text), "; a format erases all namespaces");
	page_line("Can be erased by", text[0] ? text : "nothing but trim", out);
}

static void print_placement(const json_t *nvme, FILE *out)
{
	const json_t *placement = json_object_get(nvme, "data_placement");
	char text[ENTRY_BYTES], number[3][NUMBER_TEXT];

	if (json_is_string(placement)) {
		page_line("Placement (FDP)", json_string_value(placement), out);
		return;
	}
	snprintf(text, sizeof(text), "%s", fact_words(placement, "state"));
	if (!isnan(fact_value(placement, "handles")))
		text_append(text, sizeof(text), ": %s handles in %s group%s, units of %s",
			    page_number(placement, "handles", number[0], sizeof(number[0])),
			    page_number(placement, "groups", number[1], sizeof(number[1])),
			    fact_value(placement, "groups") == 1 ? "" : "s",
			    page_bytes(placement, "unit_bytes", number[2], sizeof(number[2])));
	page_line("Placement (FDP)", text, out);
}

void page_commands(const json_t *nvme, FILE *out)
{
	const json_t *commands = json_object_get(nvme, "commands");
	char text[ENTRY_BYTES];

	fputs("\nOptional commands\n", out);
	page_list(json_object_get(commands, "has"), text, sizeof(text));
	page_line("Has", text, out);
	page_list(json_object_get(commands, "lacks"), text, sizeof(text));
	page_line("Lacks", text, out);
	print_erase(json_object_get(nvme, "erase"), out);
	print_placement(nvme, out);
}
