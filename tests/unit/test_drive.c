/* SPDX-License-Identifier: GPL-2.0-only */
/* The page about a drive, as text and as JSON, of several made-up drives. */
#include "tests/unit/drive_fixture.h"
#include "tests/unit/user_fixture.h"

#include <errno.h>
#include <math.h>

#include "device/facts.h"
#include "device/nvme_values.h"
#include "tests/unit/suite.h"

static const struct drive_question nvme_question = {
	.path = "/dev/nvme0n1", .sysfs = sysfs, .kind = S_IFBLK};

static json_t *facts_of_nvme(const struct nvme_admin *admin, int admin_status, const char *refused)
{
	struct drive_question question = nvme_question;

	question.number = makedev(259, 0);
	question.admin = admin;
	question.admin_status = admin_status;
	question.refused = refused;
	return drive_facts_of(&question);
}

/* What the command prints: the page and its last line, or the JSON. */
static char *printed(const json_t *facts, bool as_json)
{
	char *text = NULL;
	size_t bytes = 0;
	FILE *out = open_memstream(&text, &bytes);

	if (as_json) {
		json_dumpf(facts, out, JSON_INDENT(2) | JSON_REAL_PRECISION(9));
		fputc('\n', out);
	} else {
		drive_print(facts, out);
		drive_print_left_to_root(facts, out);
	}
	fclose(out);
	return text;
}

/* As it was when somebody last looked at it; what is printed now is left beside the test. */
static void compare(const json_t *facts, const char *name, bool as_json)
{
	char *now = printed(facts, as_json), *then, path[128], left[128];
	size_t bytes;
	struct error err;

	snprintf(path, sizeof(path), "tests/data/device/%s.%s", name, as_json ? "json" : "txt");
	snprintf(left, sizeof(left), "/tmp/test_drive.%s.%s", name, as_json ? "json" : "txt");
	if (file_read(path, &then, &bytes, &err) || strcmp(then, now)) {
		file_write_atomic(left, now, strlen(now), NULL);
		ck_abort_msg("%s differs from what is printed now, which lies in %s", path, left);
	}
	free(then);
	free(now);
}

static void page_stays(struct nvme_admin admin, const struct canned *script, const char *name)
{
	json_t *facts = facts_of_nvme(&admin, 0, NULL);

	compare(facts, name, false);
	compare(facts, name, true);
	canned_end(script);
	json_decref(facts);
}

START_TEST(enterprise)
{
	page_stays(enterprise_drive(), &ent_script, "enterprise");
}
END_TEST

START_TEST(bare)
{
	page_stays(bare_drive(), &bare_script, "bare");
}
END_TEST

START_TEST(consumer)
{
	page_stays(qlc_drive(), &qlc_script, "consumer");
}
END_TEST

static void check_width(char *text, unsigned seed)
{
	char *line, *rest = text;

	while ((line = strsep(&rest, "\n")))
		ck_assert_msg(strlen(line) <= 80, "seed %u: %s", seed, line);
}

/* No line is wider than a terminal, whatever the drive says. */
START_TEST(eighty_columns)
{
	struct nvme_admin admin = enterprise_drive();
	json_t *facts = facts_of_nvme(&admin, 0,
				      "a reason without any space that is far too long "
				      "1234567890123456789012345678901234567890123456789"
				      "01234567890");
	char *text = printed(facts, false);

	check_width(text, 0);
	free(text);
	json_decref(facts);
}
END_TEST

/* Whoever may not open the controller still sees what the kernel tells. */
START_TEST(may_not_open)
{
	json_t *facts;

	bare_drive();
	put_sensor("41850\n", "69850\n");
	facts = facts_of_nvme(NULL, -EACCES, "vg0 is on it");
	compare(facts, "may-not-open", false);
	ck_assert_str_eq(fact_words(facts, "nvme"), "n/a (needs root)");
	ck_assert_str_eq(fact_words(facts, "why_not"), "vg0 is on it");
	ck_assert(fact_value(facts, "temperature_c") == 42);
	json_decref(facts);
}
END_TEST

/* What keeps root from it too is not a matter of root. */
START_TEST(forbidden_to_root_too)
{
	char *text;
	json_t *facts;

	bare_drive();
	seen_as = ROOT;
	facts = facts_of_nvme(NULL, -EPERM, NULL);
	ck_assert_str_eq(fact_words(facts, "nvme"),
			 "n/a (a container's device rules or a security module forbids it)");
	text = printed(facts, false);
	ck_assert_ptr_null(strstr(text, "As root"));
	free(text);
	json_decref(facts);
}
END_TEST

/* Kernels since 6.2 let others ask for identify, and for no more. */
START_TEST(may_only_identify)
{
	static struct canned_answer answers[] = {
		{.command = "identify 01",
		 .data = &bare_controller,
		 .bytes = sizeof(bare_controller)},
		{.command = "identify 00 nsid 1",
		 .data = &bare_namespace,
		 .bytes = sizeof(bare_namespace)},
		{.command = "identify 02", .status = -EACCES},
		{.command = "log 02", .status = -EACCES},
		{.command = "log 01", .status = -EACCES},
		{.command = "log 03", .status = -EACCES},
		{.command = "log c0", .status = -EACCES},
		{.command = "feature 04", .status = -EACCES},
		{.command = "feature 04 cdw11 1048576", .status = -EACCES},
		{.command = "feature 02", .status = -EACCES},
		{.command = "feature 06", .status = -EACCES},
	};
	struct canned script = {.answers = answers, .count = COUNT(answers)};
	struct nvme_admin admin;
	json_t *facts;
	char left[512];

	bare_drive();
	admin = canned_admin(&script, 1);
	facts = facts_of_nvme(&admin, 0, NULL);
	compare(facts, "may-only-identify", false);
	drive_left_to_root(facts, left, sizeof(left));
	ck_assert_str_eq(left,
			 "SMART with temperature, endurance and spare, the OCP log, the error "
			 "log, features");
	canned_end(&script);
	json_decref(facts);
}
END_TEST

/* A controller that answers nothing, and one that went away. */
START_TEST(answers_nothing)
{
	struct canned_answer answers[] = {{.command = "identify 01", .status = -ENODEV}};
	struct canned script = {.answers = answers, .count = 1};
	struct nvme_admin admin;
	json_t *facts;

	bare_drive();
	admin = canned_admin(&script, 1);
	facts = facts_of_nvme(&admin, 0, NULL);
	ck_assert_str_eq(fact_words(facts, "nvme"), "n/a (No such device)");
	json_decref(facts);
}
END_TEST

/* Nothing but identify: each other fact says that the drive refuses it, and none is 0. */
START_TEST(refuses_everything)
{
	static struct nvme_id_ctrl nothing;
	struct canned_answer answers[] = {
		{.command = "identify 01", .data = &nothing, .bytes = sizeof(nothing)}};
	struct canned script = {.answers = answers, .count = 1};
	struct nvme_admin admin;
	const json_t *nvme;
	json_t *facts;

	bare_drive();
	admin = canned_admin(&script, 1);
	facts = facts_of_nvme(&admin, 0, NULL);
	nvme = json_object_get(facts, "nvme");
	ck_assert_str_eq(fact_words(nvme, "smart"),
			 "n/a (the drive refuses it: Invalid Field in Command)");
	ck_assert_str_eq(fact_words(nvme, "formats"),
			 "n/a (the drive refuses it: Invalid Field in Command)");
	ck_assert_str_eq(fact_words(nvme, "model"), "n/a (not reported)");
	ck_assert_str_eq(fact_words(nvme, "version"), "n/a (not reported: before NVMe 1.2)");
	compare(facts, "refuses-everything", false);
	json_decref(facts);
}
END_TEST

START_TEST(sata_disk_and_its_partition)
{
	struct drive_question question = nvme_question;
	json_t *facts;

	put_sata();
	question.path = "/dev/sda1";
	question.number = makedev(8, 1);
	facts = drive_facts_of(&question);
	compare(facts, "sata", false);
	ck_assert(fact_value(facts, "size_bytes") == 1048576);
	ck_assert_str_eq(fact_words(facts, "serial"), "S5STNF0R1");
	json_decref(facts);
}
END_TEST

/* A file system that is no disk, such as tmpfs, has no folder in sysfs. */
START_TEST(file_without_a_disk)
{
	struct drive_question question = nvme_question;
	json_t *facts;

	question.path = "/tmp/file";
	question.kind = S_IFREG;
	question.number = makedev(0, 30);
	question.file_bytes = 5000000;
	facts = drive_facts_of(&question);
	compare(facts, "file", false);
	json_decref(facts);
}
END_TEST

/* ---- a drive that answers rubbish --------------------------------------------------------------
 */

struct rubbish {
	unsigned seed;
	bool is_text; /* printable bytes alone */
};

static int rubbish_fill(struct rubbish *rubbish, void *data, size_t bytes)
{
	uint8_t *at = data;
	size_t i;

	for (i = 0; i < bytes; i++) {
		at[i] = (uint8_t)(rand_r(&rubbish->seed) >> 8);
		if (rubbish->is_text)
			at[i] = (uint8_t)(' ' + at[i] % 95);
	}
	return rand_r(&rubbish->seed) % 16 ? 0 : rand_r(&rubbish->seed) & 0x7fff;
}

static int rubbish_identify(void *context, const struct nvme_identify_request *request, void *data)
{
	(void)request;
	rubbish_fill(context, data, NVME_IDENTIFY_BYTES);
	return 0;
}

static int rubbish_get_log(void *context, const struct nvme_log_request *request, void *data,
			   uint32_t bytes)
{
	(void)request;
	return rubbish_fill(context, data, bytes);
}

static int rubbish_get_feature(void *context, const struct nvme_feature_request *request,
			       uint32_t *value, void *data, uint32_t bytes)
{
	(void)request;
	rubbish_fill(context, value, sizeof(*value));
	return rubbish_fill(context, data, bytes);
}

START_TEST(answers_rubbish)
{
	static const struct nvme_admin_ops ops = {.identify = rubbish_identify,
						  .get_log = rubbish_get_log,
						  .get_feature = rubbish_get_feature};
	struct rubbish rubbish;
	struct nvme_admin admin = {.ops = &ops, .context = &rubbish, .nsid = 1};
	unsigned seed;
	json_t *facts;
	char *text;

	bare_drive();
	for (seed = 0; seed < 200; seed++) {
		rubbish = (struct rubbish){.seed = seed, .is_text = seed % 2};
		facts = facts_of_nvme(&admin, 0, NULL);
		text = printed(facts, false);
		check_width(text, seed);
		free(text);
		text = printed(facts, true);
		ck_assert_ptr_nonnull(text);
		free(text);
		json_decref(facts);
	}
}
END_TEST

START_TEST(numbers)
{
	uint8_t counter[16] = {0};
	char text[16];

	ck_assert(nvme_counter(counter) == 0);
	count(counter, 1277863316, 0);
	ck_assert(nvme_data_unit_bytes(counter) == 654266017792000.0);
	count(counter, 0, 1);
	ck_assert(nvme_counter(counter) == 18446744073709551616.0);
	memset(counter, 0xff, sizeof(counter));
	ck_assert(fabs(nvme_counter(counter) / 3.402823669209385e38 - 1) < 1e-12);
	count(counter, 0, 0);
	ck_assert(isnan(nvme_group_bytes(counter)));
	count(counter, 3, 0);
	ck_assert(nvme_group_bytes(counter) == 3e9);
	ck_assert(isnan(nvme_celsius(0)));
	ck_assert(nvme_celsius(301) == 28);
	ck_assert(nvme_celsius(250) == -23);
	nvme_text("  AB  C ", 8, text, sizeof(text));
	ck_assert_str_eq(text, "AB  C");
	nvme_text("        ", 8, text, sizeof(text));
	ck_assert_str_eq(text, "");
	nvme_text("AB\0CD   ", 8, text, sizeof(text));
	ck_assert_str_eq(text, "AB");
}
END_TEST

int main(void)
{
	TCase *test = tcase_create("drive");

	tcase_add_checked_fixture(test, make_sysfs, remove_sysfs);
	tcase_add_test(test, enterprise);
	tcase_add_test(test, bare);
	tcase_add_test(test, consumer);
	tcase_add_test(test, eighty_columns);
	tcase_add_test(test, may_not_open);
	tcase_add_test(test, forbidden_to_root_too);
	tcase_add_test(test, may_only_identify);
	tcase_add_test(test, answers_nothing);
	tcase_add_test(test, refuses_everything);
	tcase_add_test(test, sata_disk_and_its_partition);
	tcase_add_test(test, file_without_a_disk);
	tcase_add_test(test, answers_rubbish);
	tcase_add_test(test, numbers);
	return run_case("drive", test);
}
