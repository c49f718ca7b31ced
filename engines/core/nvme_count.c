/* SPDX-License-Identifier: GPL-2.0-only */
/* Counts of NVMe commands, and what the statistics file says of them. */
#include "engines/core/nvme_count.h"

#include <string.h>

#include "device/nvme_status.h"
#include "engines/core/engine_stats.h"

void nvme_count_result(struct nvme_count *count, enum nvme_kind kind, int result)
{
	struct nvme_result *at = count->results, *end = at + count->result_count;

	if (result > 0)
		result = (int)NVME_STATUS_CODE(result);
	while (at < end && (at->kind != kind || at->result != result))
		at++;
	if (at < end) {
		at->count++;
	} else if (count->result_count < NVME_RESULTS_MAX) {
		*at = (struct nvme_result){kind, result, 1};
		count->result_count++;
	} else {
		count->other_results++;
	}
}

static json_t *report_commands(const struct nvme_count *count)
{
	json_t *commands = json_object();
	char key[32], *space;
	unsigned kind;

	for (kind = 0; kind < NVME_KINDS; kind++) {
		if (!count->latency[kind].count)
			continue;
		snprintf(key, sizeof(key), "%s", nvme_kind_word(kind));
		space = strchr(key, ' ');
		if (space)
			*space = '_';
		json_object_set_new(commands, key, stats_summary(&count->latency[kind]));
	}
	return commands;
}

static json_t *report_result(const struct nvme_result *result)
{
	const char *command = nvme_kind_word(result->kind);

	if (result->result > 0)
		return json_pack("{s:s, s:o, s:s, s:I}", "command", command, "status",
				 json_sprintf("0x%03x", result->result), "words",
				 nvme_status_words((unsigned)result->result), "count",
				 (json_int_t)result->count);
	return json_pack("{s:s, s:i, s:s, s:I}", "command", command, "errno", -result->result,
			 "words", strerror(-result->result), "count", (json_int_t)result->count);
}

static json_t *report_results(const struct nvme_count *count)
{
	json_t *results = json_array();
	unsigned i;

	for (i = 0; i < count->result_count; i++)
		json_array_append_new(results, report_result(&count->results[i]));
	return results;
}

static double ratio(uint64_t part, uint64_t whole)
{
	return whole ? (double)part / (double)whole : 0.0;
}

json_t *nvme_count_report(const struct nvme_count *count)
{
	return json_pack("{s:o, s:o, s:I, s:I, s:{s:I, s:f}, s:{s:I, s:f, s:i}, s:o}", "commands",
			 report_commands(count), "failed", report_results(count), "failed_more",
			 (json_int_t)count->other_results, "enters", (json_int_t)count->enters,
			 "submits", "count", (json_int_t)count->submits, "commands_mean",
			 ratio(count->submitted, count->submits), "reaps", "count",
			 (json_int_t)count->reaps, "completions_mean",
			 ratio(count->reaped, count->reaps), "completions_max", count->most_reaped,
			 "submission_latency", stats_summary(&count->submission));
}
