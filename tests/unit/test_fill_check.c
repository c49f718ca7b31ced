/* SPDX-License-Identifier: GPL-2.0-only */
/* Whether a fill reached the drive, by what a made-up drive's SMART counts around it. */
#include <check.h>
#include <math.h>

#include "device/telemetry.h"
#include "postprocess/point.h"
#include "review/review.h"
#include "tests/unit/drive_fixture.h"
#include "tests/unit/suite.h"

#define FILL_BYTES 2048000000.0 /* 4,000 units of 512,000 bytes */
#define UNITS	   4000
#define FIO_JSON   "test-fill.json"

static const struct target drive = {.kind = TARGET_DEVICE, .path = "/nowhere", .scale = 1};
static const struct fill_count by_nobody = {NAN, NULL};
static struct error err;
static json_t *report;
static struct nvme_admin admin;

static void set_up(void)
{
	static const char output[] =
		"{\"fio version\": \"fio-3.33\", \"jobs\": [ { \"jobname\": \"fill\", \"error\": "
		"0, \"write\": { \"io_bytes\": 2048000000, \"total_ios\": 31250 } } ] }";

	make_sysfs();
	admin = enterprise_drive();
	report = NULL;
	ck_assert(!file_write_atomic(FIO_JSON, output, strlen(output), &err));
}

static void tear_down(void)
{
	json_decref(report);
	unlink(FIO_JSON);
	remove_sysfs();
}

/* What the drive's SMART said before a step and after it, as watch_end() tells it. */
static json_t *watched(uint64_t units)
{
	struct drive_question question = {
		.sysfs = sysfs, .kind = S_IFBLK, .number = makedev(259, 0), .admin = &admin};
	struct telemetry *telemetry = telemetry_open_as(&question);
	json_t *record, *summary;

	count(ent_smart.data_units_written, 1000, 0);
	telemetry_begin(telemetry, 1000000000ULL);
	count(ent_smart.data_units_written, 1000 + units, 0);
	record = telemetry_end(telemetry, 9000000000ULL);
	summary = telemetry_summary(record);
	json_decref(record);
	telemetry_close(telemetry);
	return summary;
}

static int check(json_t *summary, const struct target *target)
{
	double smart_bytes = fill_smart_bytes(target, summary);

	json_decref(summary);
	json_decref(report);
	report = NULL;
	return fill_check(target, FIO_JSON, FILL_BYTES, &by_nobody, smart_bytes, &report, &err);
}

static int check_units(uint64_t units)
{
	return check(watched(units), &drive);
}

START_TEST(smart_counts_the_fill)
{
	char text[128];

	ck_assert_msg(!check_units(UNITS), "%s", err.text);
	ck_assert_int_eq(json_integer_value(json_object_get(report, "smart_bytes")), 2048000000);
	ck_assert_int_eq(json_integer_value(json_object_get(report, "device_bytes")), 2048000000);
	ck_assert_str_eq(json_string_value(json_object_get(report, "device_source")), "smart");
	fill_words(report, text, sizeof(text));
	ck_assert_str_eq(text, "2.05 GB by fio, 2.05 GB by SMART");
	/* All namespaces are counted: others may have been written. */
	ck_assert(!check_units(UNITS * 3));
}
END_TEST

/* 1 % and a unit may be missing: counters are rounded, and late. */
START_TEST(a_little_less_will_do)
{
	ck_assert_msg(!check_units(UNITS * 99 / 100 - 1), "%s", err.text);
	ck_assert_int_eq(check_units(UNITS * 99 / 100 - 2), -1);
	ck_assert_str_eq(err.text, "the fill is not on the drive: fio wrote 2.05 GB, of which the "
				   "drive itself (SMART) counted 2.03 GB");
}
END_TEST

START_TEST(a_fill_that_went_elsewhere)
{
	ck_assert_int_eq(check_units(1), -1);
	ck_assert_ptr_nonnull(strstr(err.text, "(SMART) counted 512 kB"));
	ck_assert_ptr_null(report);
}
END_TEST

/* QEMU's counters fall with its power, and a file is on a disk that counts for others too. */
START_TEST(what_smart_does_not_tell_is_no_fault)
{
	struct target file = drive;
	json_t *missing = json_pack("{s:s}", "host_written_bytes", "n/a (the counter fell)");

	ck_assert_msg(!check(missing, &drive), "%s", err.text);
	ck_assert(json_is_null(json_object_get(report, "smart_bytes")));
	ck_assert(json_is_null(json_object_get(report, "device_source")));
	file.kind = TARGET_FILE;
	ck_assert(!check(watched(1), &file));
	ck_assert(json_is_null(json_object_get(report, "smart_bytes")));
}
END_TEST

/* fio's own shortfall comes first. */
START_TEST(a_fill_that_ended_early)
{
	ck_assert_int_eq(fill_check(&drive, FIO_JSON, FILL_BYTES * 2, &by_nobody, NAN, NULL, &err),
			 -1);
	ck_assert_ptr_nonnull(strstr(err.text, "the fill ended early: fio wrote 2.05 GB of 4.10"));
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		smart_counts_the_fill, a_little_less_will_do, a_fill_that_went_elsewhere,
		what_smart_does_not_tell_is_no_fault, a_fill_that_ended_early};

	return RUN_TESTS("fill check", tests, 20, set_up, tear_down);
}
