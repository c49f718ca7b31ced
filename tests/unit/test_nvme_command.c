/* SPDX-License-Identifier: GPL-2.0-only */
/* NVMe commands as they are filled in, and how they are counted. */
#include <check.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "device/nvme_status.h"
#include "engines/core/nvme_command.h"
#include "engines/core/nvme_count.h"
#include "engines/core/nvme_words.h"
#include "tests/unit/suite.h"

static const struct nvme_wire plain = {.nsid = 7, .block_bytes = 512};
static const struct nvme_wire apart = {.nsid = 7, .block_bytes = 4096, .metadata_bytes = 64};
static uint8_t buffer[65536], metadata[1024];

static struct nvme_request request(enum nvme_kind kind, uint32_t blocks, uint32_t bytes)
{
	return (struct nvme_request){.kind = kind,
				     .first = 0x123456789abcULL,
				     .blocks = blocks,
				     .data = bytes ? buffer : NULL,
				     .data_bytes = bytes};
}

START_TEST(a_read_names_its_blocks)
{
	struct nvme_request r = request(NVME_READ, 8, 4096);
	struct nvme_uring_cmd command;

	r.control = NVME_CONTROL_FUA | NVME_CONTROL_LIMITED_RETRY;
	nvme_fill(&plain, &r, &command);
	ck_assert_uint_eq(command.opcode, 0x02);
	ck_assert_uint_eq(command.nsid, 7);
	ck_assert_uint_eq(command.addr, (uintptr_t)buffer);
	ck_assert_uint_eq(command.data_len, 4096);
	ck_assert_uint_eq(command.cdw10, 0x56789abc);
	ck_assert_uint_eq(command.cdw11, 0x1234);
	ck_assert_uint_eq(command.cdw12, 0xc0000007);
	ck_assert_uint_eq(command.metadata, 0);
	ck_assert_uint_eq(command.metadata_len, 0);
}
END_TEST

START_TEST(a_write_carries_metadata_tags_and_placement)
{
	struct nvme_request r = request(NVME_WRITE, 2, 8192);
	struct nvme_uring_cmd command;

	r.metadata = metadata;
	r.metadata_bytes = 128;
	r.control = NVME_CONTROL_PRACT | NVME_CONTROL_CHECK_GUARD | NVME_CONTROL_DIRECTIVE(2);
	r.directive = 0x0305;
	r.app_tag = 0x1234;
	r.app_mask = 0xff00;
	r.ref_tag = 0x123456789abcULL;
	nvme_fill(&apart, &r, &command);
	ck_assert_uint_eq(command.opcode, 0x01);
	ck_assert_uint_eq(command.metadata, (uintptr_t)metadata);
	ck_assert_uint_eq(command.metadata_len, 128);
	ck_assert_uint_eq(command.cdw3, 0x1234);
	ck_assert_uint_eq(command.cdw12, 0x30200001);
	ck_assert_uint_eq(command.cdw13, 0x03050000);
	ck_assert_uint_eq(command.cdw14, 0x56789abc);
	ck_assert_uint_eq(command.cdw15, 0xff001234);
}
END_TEST

START_TEST(commands_without_data_have_none)
{
	static const struct {
		enum nvme_kind kind;
		uint8_t opcode;
	} all[] = {{NVME_ZEROES, 0x08}, {NVME_VERIFY, 0x0c}, {NVME_UNCORRECTABLE, 0x04}};
	struct nvme_uring_cmd command;
	struct nvme_request r;
	size_t i;

	for (i = 0; i < COUNT(all); i++) {
		r = request(all[i].kind, 65536, 0);
		nvme_fill(&plain, &r, &command);
		ck_assert_uint_eq(command.opcode, all[i].opcode);
		ck_assert_uint_eq(command.data_len, 0);
		ck_assert_uint_eq(command.addr, 0);
		ck_assert_uint_eq(command.cdw12, 0xffff);
	}
	r = request(NVME_FLUSH, 0, 0);
	nvme_fill(&plain, &r, &command);
	ck_assert_uint_eq(command.opcode, 0x00);
	ck_assert_uint_eq(command.cdw10 | command.cdw11 | command.cdw12, 0);
}
END_TEST

START_TEST(a_trim_counts_its_ranges)
{
	struct nvme_request r = request(NVME_TRIM, 3, 48);
	struct nvme_uring_cmd command;

	nvme_fill(&plain, &r, &command);
	ck_assert_uint_eq(command.opcode, 0x09);
	ck_assert_uint_eq(command.data_len, 48);
	ck_assert_uint_eq(command.cdw10, 2);
	ck_assert_uint_eq(command.cdw11, 4);
	ck_assert_uint_eq(command.cdw12, 0);
}
END_TEST

/* Each of these would let the drive write past a buffer, or read what is not there. */
static const struct nvme_request wrong[] = {
	{.kind = NVME_READ, .blocks = 16, .data = buffer, .data_bytes = 4096},
	{.kind = NVME_READ, .blocks = 1, .data = buffer, .data_bytes = 4096},
	{.kind = NVME_WRITE, .blocks = 8, .data = buffer, .data_bytes = 4095},
	{.kind = NVME_READ, .blocks = 0, .data = buffer, .data_bytes = 0},
	{.kind = NVME_READ, .blocks = 65537, .data = buffer, .data_bytes = 65537u * 512},
	{.kind = NVME_COMPARE, .blocks = 8, .data_bytes = 0},
	{.kind = NVME_READ, .blocks = 8, .data_bytes = 4096, .metadata_bytes = 64},
	{.kind = NVME_ZEROES, .blocks = 8, .data = buffer, .data_bytes = 4096},
	{.kind = NVME_TRIM, .blocks = 2, .data = buffer, .data_bytes = 16},
	{.kind = NVME_TRIM, .blocks = 257, .data = buffer, .data_bytes = 257 * 16},
	{.kind = NVME_FLUSH, .blocks = 8},
};

START_TEST(lengths_that_disagree_end_the_process)
{
	struct nvme_uring_cmd command;

	nvme_fill(&plain, &wrong[_i], &command);
}
END_TEST

START_TEST(metadata_that_is_missing_ends_the_process)
{
	struct nvme_request r = request(NVME_READ, 1, 4096);
	struct nvme_uring_cmd command;

	nvme_fill(&apart, &r, &command);
}
END_TEST

START_TEST(other_blocks_for_the_same_command)
{
	struct nvme_request r = request(NVME_READ, 1, 512);
	struct nvme_uring_cmd command, filled;

	r.control = NVME_CONTROL_FUA;
	nvme_fill(&plain, &r, &command);
	nvme_refill(&plain, 0x500000003ULL, 8, buffer + 512, 4096, 0, &command);
	ck_assert_uint_eq(command.cdw10, 3);
	ck_assert_uint_eq(command.cdw11, 5);
	ck_assert_uint_eq(command.cdw12, NVME_CONTROL_FUA | 7);
	ck_assert_uint_eq(command.addr, (uintptr_t)(buffer + 512));
	ck_assert_uint_eq(command.data_len, 4096);
	ck_assert_uint_eq(command.cdw14, 0);
	nvme_refill(&plain, 0x500000003ULL, 8, buffer + 512, 4096, 1, &command);
	r = request(NVME_READ, 8, 4096);
	r.first = r.ref_tag = 0x500000003ULL;
	r.data = buffer + 512;
	r.control = NVME_CONTROL_FUA;
	nvme_fill(&plain, &r, &filled);
	ck_assert_mem_eq(&command, &filled, sizeof(command));
}
END_TEST

START_TEST(other_blocks_are_held_against_their_length_too)
{
	struct nvme_request r = request(NVME_READ, 1, 512);
	struct nvme_uring_cmd command;

	nvme_fill(&plain, &r, &command);
	nvme_refill(&plain, 0, 9, buffer, 4096, 0, &command);
}
END_TEST

START_TEST(a_status_is_words)
{
	char text[256];

	nvme_status_text(0x4281, text, sizeof(text));
	ck_assert_ptr_nonnull(strstr(text, "Unrecovered Read Error"));
	ck_assert_ptr_nonnull(strstr(text, "status 0x281: type 2, code 0x81"));
	ck_assert_ptr_nonnull(strstr(text, "not to send it again"));
	nvme_status_text(0x080, text, sizeof(text));
	ck_assert_ptr_nonnull(strstr(text, "LBA Out of Range"));
	ck_assert_ptr_null(strstr(text, "again"));
}
END_TEST

static const char *result_word(json_t *report, size_t index, const char *key)
{
	return json_string_value(
		json_object_get(json_array_get(json_object_get(report, "failed"), index), key));
}

START_TEST(results_are_counted_by_kind_and_code)
{
	struct nvme_count *count = calloc(1, sizeof(*count));
	json_t *report;
	int i;

	ck_assert_ptr_nonnull(count);
	nvme_count_result(count, NVME_READ, 0x4281);
	nvme_count_result(count, NVME_READ, 0x281);
	nvme_count_result(count, NVME_WRITE, 0x281);
	nvme_count_result(count, NVME_READ, -19);
	histogram_add(&count->latency[NVME_TRIM], 1000);
	report = nvme_count_report(count);
	ck_assert_uint_eq(json_array_size(json_object_get(report, "failed")), 3);
	ck_assert_str_eq(result_word(report, 0, "status"), "0x281");
	ck_assert_str_eq(result_word(report, 1, "command"), "write");
	ck_assert_str_eq(result_word(report, 2, "words"), "No such device");
	ck_assert_uint_eq(json_object_size(json_object_get(report, "commands")), 1);
	ck_assert_ptr_nonnull(json_object_get(json_object_get(report, "commands"), "trim"));
	json_decref(report);
	for (i = 0; i < 100; i++)
		nvme_count_result(count, NVME_READ, -200 - i);
	ck_assert_uint_eq(count->result_count, NVME_RESULTS_MAX);
	ck_assert_uint_eq(count->other_results, 100 - (NVME_RESULTS_MAX - 3));
	free(count);
}
END_TEST

START_TEST(checks_are_words)
{
	struct error err;
	uint32_t control;

	ck_assert_int_eq(nvme_parse_checks("GUARD,REFTAG, apptag", &control, &err), 0);
	ck_assert_uint_eq(control, 7u << 26);
	ck_assert_int_eq(nvme_parse_checks(NULL, &control, &err), 0);
	ck_assert_uint_eq(control, 0);
	ck_assert_int_eq(nvme_parse_checks("GUARD,REFTAB", &control, &err), -1);
	ck_assert_ptr_nonnull(strstr(err.text, "did you mean \"REFTAG\""));
}
END_TEST

START_TEST(identifiers_are_a_list)
{
	struct error err;
	uint16_t ids[3];
	unsigned count;

	ck_assert_int_eq(nvme_parse_ids("0:7,0x10", ids, 3, &count, &err), 0);
	ck_assert_uint_eq(count, 3);
	ck_assert_uint_eq(ids[1], 7);
	ck_assert_uint_eq(ids[2], 16);
	ck_assert_int_eq(nvme_parse_ids(NULL, ids, 3, &count, &err), 0);
	ck_assert_uint_eq(count, 0);
	ck_assert_int_eq(nvme_parse_ids("1:2:3:4", ids, 3, &count, &err), -1);
	ck_assert_int_eq(nvme_parse_ids("1:65536", ids, 3, &count, &err), -1);
	ck_assert_int_eq(nvme_parse_ids("1;2", ids, 3, &count, &err), -1);
	ck_assert_int_eq(nvme_parse_ids("-1", ids, 3, &count, &err), -1);
	ck_assert_ptr_nonnull(strstr(err.text, "plids="));
}
END_TEST

int main(void)
{
	TCase *commands = tcase_create("commands");

	tcase_add_test(commands, a_read_names_its_blocks);
	tcase_add_test(commands, a_write_carries_metadata_tags_and_placement);
	tcase_add_test(commands, commands_without_data_have_none);
	tcase_add_test(commands, a_trim_counts_its_ranges);
	tcase_add_loop_test_raise_signal(commands, lengths_that_disagree_end_the_process, SIGABRT,
					 0, COUNT(wrong));
	tcase_add_test_raise_signal(commands, metadata_that_is_missing_ends_the_process, SIGABRT);
	tcase_add_test(commands, other_blocks_for_the_same_command);
	tcase_add_test_raise_signal(commands, other_blocks_are_held_against_their_length_too,
				    SIGABRT);
	tcase_add_test(commands, a_status_is_words);
	tcase_add_test(commands, results_are_counted_by_kind_and_code);
	tcase_add_test(commands, checks_are_words);
	tcase_add_test(commands, identifiers_are_a_list);
	return run_case("nvme_command", commands);
}
