/* SPDX-License-Identifier: GPL-2.0-only */
/* The commands a controller is asked, and what their failures say. */
#include "tests/unit/nvme_canned.h"
#include "tests/unit/suite.h"
#include "tests/unit/user_fixture.h"

#include <errno.h>
#include <stdlib.h>

/* What a controller answers arrives, and the command asked is the one of the specification. */
START_TEST(commands_and_data)
{
	struct nvme_id_ctrl controller = {.sn = "S1", .mdts = 7};
	struct nvme_smart_log smart = {.avail_spare = 99};
	struct canned_answer answers[] = {
		{"identify 01", .data = &controller, .bytes = sizeof(controller)},
		{.command = "identify 00 nsid 3"},
		{"log 02", .data = &smart, .bytes = 8},
		{.command = "log 09 lsi 1"},
		{"feature 04 cdw11 65536", .value = 343},
	};
	struct canned script = {.answers = answers, .count = COUNT(answers), .in_order = true};
	struct nvme_admin admin = canned_admin(&script, 3);
	const struct nvme_feature_request threshold = {.fid = 4, .cdw11 = 65536};
	struct nvme_endurance_group_log endurance;
	struct nvme_id_ctrl got_controller;
	struct nvme_smart_log got_smart;
	struct nvme_id_ns namespace;
	uint32_t value;
	struct error err;

	ck_assert_int_eq(admin_identify_controller(&admin, &got_controller, &err), 0);
	ck_assert_int_eq(got_controller.mdts, 7);
	ck_assert_int_eq(admin_identify_namespace(&admin, 3, &namespace, &err), 0);
	memset(&got_smart, 0xff, sizeof(got_smart));
	ck_assert_int_eq(admin_smart_log(&admin, &got_smart, &err), 0);
	ck_assert_int_eq(got_smart.avail_spare, 99);
	ck_assert_int_eq(got_smart.power_on_hours[0], 0);
	ck_assert_int_eq(admin_endurance_log(&admin, 1, &endurance, &err), 0);
	ck_assert_int_eq(admin_feature(&admin, &threshold, &value, &err), 0);
	ck_assert_uint_eq(value, 343);
	canned_end(&script);
	admin_close(&admin);
	admin_close(&admin);
	ck_assert_uint_eq(script.closed, 1);
}
END_TEST

/* errno and NVMe status stay apart, each in its own words. */
START_TEST(failures_in_words)
{
	struct canned_answer answers[] = {
		{"log 81", .status = NVME_SC_INVALID_LOG_PAGE | (NVME_SCT_CMD_SPECIFIC << 8)},
		{"log 02", .status = -EACCES},
		{"log 03", .status = -EPERM},
		{"format nsid 1 lbaf 0 ses 2", .status = -ENODEV},
		{"sanitize action 4", .status = CANNED_INVALID_FIELD},
	};
	struct canned script = {.answers = answers, .count = COUNT(answers), .in_order = true};
	struct nvme_admin admin = canned_admin(&script, 1);
	const struct nvme_format_request format = {.nsid = 1,
						   .erase = NVME_FORMAT_SES_CRYPTO_ERASE};
	const struct nvme_sanitize_request sanitize = {
		.action = NVME_SANITIZE_SANACT_START_CRYPTO_ERASE};
	struct nvme_sanitize_log_page progress;
	struct nvme_firmware_slot firmware;
	struct nvme_smart_log smart;
	char reason[96];
	struct error err;
	int status;

	status = admin_sanitize_log(&admin, &progress, &err);
	ck_assert_uint_eq(admin_status_code(status), 0x109);
	ck_assert_str_eq(err.text,
			 "/dev/canned refuses the sanitize log: Invalid Log Page: The log "
			 "page indicated is invalid (NVMe status 0x109)");
	status = admin_smart_log(&admin, &smart, &err);
	ck_assert_int_eq(status, -EACCES);
	ck_assert_str_eq(err.text, "/dev/canned may not be asked for the SMART log: Permission "
				   "denied; it needs root (CAP_SYS_ADMIN)");
	admin_reason(status, reason, sizeof(reason));
	ck_assert_str_eq(reason, "needs root");
	seen_as = ROOT;
	admin_reason(status, reason, sizeof(reason));
	ck_assert_str_eq(reason, "root lacks the capability for it here, as in a container");
	admin_reason(-EPERM, reason, sizeof(reason));
	ck_assert_str_eq(reason, "a container's device rules or a security module forbids it");
	ck_assert_int_eq(admin_firmware_log(&admin, &firmware, &err), -EPERM);
	ck_assert_str_eq(err.text, "/dev/canned may not be asked for the firmware log: Operation "
				   "not permitted; a container's device rules or a security module "
				   "forbids it");
	ck_assert_int_eq(admin_format(&admin, &format, &err), -ENODEV);
	ck_assert_str_eq(err.text, "/dev/canned could not be asked for format: No such device");
	status = admin_sanitize(&admin, &sanitize, &err);
	ck_assert_int_eq(status, CANNED_INVALID_FIELD);
	admin_reason(status, reason, sizeof(reason));
	ck_assert_str_eq(reason, "the drive refuses it: Invalid Field in Command");
	canned_end(&script);
}
END_TEST

/* Out of order: answers to the same command come one after the other, and the last one stays. */
START_TEST(progress_moves)
{
	struct nvme_sanitize_log_page half = {.sprog = 0x8000, .sstat = 2};
	struct nvme_sanitize_log_page done = {.sprog = 0xffff, .sstat = 1};
	struct canned_answer answers[] = {
		{"log 81", .data = &half, .bytes = sizeof(half)},
		{"log 81", .data = &done, .bytes = sizeof(done)},
	};
	struct canned script = {.answers = answers, .count = COUNT(answers)};
	struct nvme_admin admin = canned_admin(&script, 1);
	struct nvme_sanitize_log_page log;
	struct nvme_smart_log smart;
	unsigned i;

	for (i = 0; i < 3; i++) {
		ck_assert_int_eq(admin_sanitize_log(&admin, &log, NULL), 0);
		ck_assert_uint_eq(log.sstat, i ? 1 : 2);
	}
	ck_assert_int_eq(admin_smart_log(&admin, &smart, NULL), CANNED_INVALID_FIELD);
	canned_end(&script);
}
END_TEST

/* What is no NVMe device is not asked anything. */
START_TEST(what_cannot_be_opened)
{
	struct nvme_admin admin;
	struct error err;

	ck_assert_int_eq(admin_open("/dev/no-such-nvme", &admin, &err), -ENOENT);
	ck_assert_str_eq(err.text, "/dev/no-such-nvme cannot be opened: No such file or directory");
	ck_assert_int_eq(admin_open("/etc/passwd", &admin, &err), -EINVAL);
	ck_assert_ptr_nonnull(strstr(err.text, "is no NVMe controller or namespace"));
	ck_assert_int_eq(admin_open("/dev/null", &admin, &err), -EINVAL);
}
END_TEST

int main(void)
{
	TCase *test = tcase_create("nvme_admin");

	tcase_add_test(test, commands_and_data);
	tcase_add_test(test, failures_in_words);
	tcase_add_test(test, progress_moves);
	tcase_add_test(test, what_cannot_be_opened);
	return run_case("nvme_admin", test);
}
