/* SPDX-License-Identifier: GPL-2.0-only */
/* What happened to the drive: its error log, its self-tests, its firmware. */
#include <endian.h>
#include <stdio.h>
#include <string.h>

#include "device/device_internal.h"
#include "device/nvme_values.h"

#define ERRORS_SHOWN	  8
#define RESULT_NOT_USED	  0xf /* of a self-test: the entry is empty */
#define RESULT_MASK	  0xf
#define FIRMWARE_FIRST_RO 1
#define FIRMWARE_SLOTS	  7
#define FIRMWARE_NO_RESET (1 << 4)

/* ---- errors --------------------------------------------------------------------------------- */

static json_t *error_facts(const struct nvme_error_log_page *entry)
{
	int status = le16toh(entry->status_field) >> 1; /* below it the phase tag */
	const char *words = admin_status_words(status);
	json_t *facts = json_object();
	char code[16];

	snprintf(code, sizeof(code), "0x%03x", admin_status_code(status));
	fact_number(facts, "error", (double)le64toh(entry->error_count), "");
	fact_text(facts, "status", code, "");
	json_object_set_new(facts, "words", json_stringn(words, strcspn(words, ":")));
	fact_number(facts, "queue", le16toh(entry->sqid), "");
	fact_number(facts, "namespace", le32toh(entry->nsid), "");
	fact_number(facts, "lba", (double)le64toh(entry->lba), "");
	return facts;
}

/* The newest first; entries without a count are empty. */
void nvme_error_facts(const struct nvme_asked *asked, json_t *facts)
{
	struct nvme_error_log_page entries[ERRORS_SHOWN];
	unsigned kept = asked->controller.elpe + 1U, i;
	unsigned count = kept < ERRORS_SHOWN ? kept : ERRORS_SHOWN;
	int status = admin_error_log(asked->admin, entries, count, NULL);
	json_t *errors;

	fact_number(facts, "error_log_size", kept, "");
	if (status) {
		fact_refused(facts, "errors", status);
		return;
	}
	errors = json_array();
	for (i = 0; i < count; i++)
		if (entries[i].error_count)
			json_array_append_new(errors, error_facts(&entries[i]));
	json_object_set_new(facts, "errors", errors);
}

/* ---- self-tests ----------------------------------------------------------------------------- */

static const char *self_test_kind(unsigned code)
{
	switch (code) {
	case NVME_ST_CODE_SHORT:
		return "short";
	case NVME_ST_CODE_EXTENDED:
		return "extended";
	case NVME_ST_CODE_VS:
		return "vendor's own";
	}
	return "of unknown kind";
}

static const char *self_test_result(unsigned result)
{
	static const char *const words[] = {"passed",
					    "aborted by a command",
					    "aborted by a controller reset",
					    "aborted: the namespace was removed",
					    "aborted by a format",
					    "failed: it could not be completed",
					    "failed, segment unknown",
					    "failed",
					    "aborted, reason unknown",
					    "aborted by a sanitize"};

	return result < COUNT(words) ? words[result] : "of unknown result";
}

static json_t *self_test_facts(const struct nvme_st_result *result)
{
	unsigned ended = result->dsts & RESULT_MASK;
	json_t *facts = json_object();

	fact_text(facts, "kind", self_test_kind(result->dsts >> NVME_ST_CODE_SHIFT), "");
	fact_text(facts, "result", self_test_result(ended), "");
	fact_flag(facts, "failed", ended >= 5 && ended <= 7);
	fact_number(facts, "power_on_h", (double)le64toh(result->poh), "");
	return facts;
}

static void self_test_log_facts(const struct nvme_asked *asked, json_t *facts)
{
	struct nvme_self_test_log log;
	json_t *tests;
	int status;
	size_t i;

	if (!(le16toh(asked->controller.oacs) & NVME_CTRL_OACS_SELF_TEST)) {
		fact_missing(facts, "self_tests", "the drive has no self-test");
		return;
	}
	status = admin_self_test_log(asked->admin, &log, NULL);
	if (status) {
		fact_refused(facts, "self_tests", status);
		return;
	}
	tests = json_array();
	for (i = 0; i < COUNT(log.result); i++)
		if ((log.result[i].dsts & RESULT_MASK) != RESULT_NOT_USED && log.result[i].dsts)
			json_array_append_new(tests, self_test_facts(&log.result[i]));
	json_object_set_new(facts, "self_tests", tests);
	if (log.current_operation & RESULT_MASK)
		fact_number(facts, "self_test_done_percent", log.completion & 0x7f, "");
}

/* ---- firmware ------------------------------------------------------------------------------- */

static json_t *revisions(const struct nvme_firmware_slot *log)
{
	json_t *list = json_object();
	char slot[8], text[16];
	size_t i;

	for (i = 0; i < FIRMWARE_SLOTS; i++) {
		nvme_text((const char *)log->frs + i * sizeof(log->frs[0]), sizeof(log->frs[0]),
			  text, sizeof(text));
		snprintf(slot, sizeof(slot), "%zu", i + 1);
		if (text[0])
			fact_text(list, slot, text, "");
	}
	return list;
}

static void firmware_facts(const struct nvme_asked *asked, json_t *facts)
{
	unsigned features = asked->controller.frmw;
	struct nvme_firmware_slot log;
	int status = admin_firmware_log(asked->admin, &log, NULL);
	json_t *firmware = json_object();

	fact_number(firmware, "slots", features >> 1 & FIRMWARE_SLOTS, "");
	fact_flag(firmware, "first_slot_read_only", features & FIRMWARE_FIRST_RO);
	fact_flag(firmware, "activates_without_reset", features & FIRMWARE_NO_RESET);
	if (status) {
		fact_refused(firmware, "active_slot", status);
	} else {
		fact_number(firmware, "active_slot", log.afi & FIRMWARE_SLOTS, "");
		if (log.afi >> 4 & FIRMWARE_SLOTS)
			fact_number(firmware, "next_slot", log.afi >> 4 & FIRMWARE_SLOTS, "");
		json_object_set_new(firmware, "revisions", revisions(&log));
	}
	json_object_set_new(facts, "firmware_slots", firmware);
}

void nvme_event_facts(const struct nvme_asked *asked, json_t *facts)
{
	nvme_error_facts(asked, facts);
	self_test_log_facts(asked, facts);
	firmware_facts(asked, facts);
}
