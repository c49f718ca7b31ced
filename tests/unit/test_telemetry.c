/* SPDX-License-Identifier: GPL-2.0-only */
/* A drive watched in a time of the test's own: readings, differences, samples, marks. */
#include <check.h>
#include <errno.h>
#include <math.h>

#include "device/facts.h"
#include "device/telemetry.h"
#include "tests/unit/drive_fixture.h"
#include "tests/unit/suite.h"
#include "tests/unit/user_fixture.h"

#define SECOND		1000000000ULL
#define KELVIN(celsius) ((celsius) + 273)

static struct drive_question question;
static struct nvme_admin admin;
static struct telemetry *telemetry;
static json_t *record;
static uint64_t now_ns;

static void watch(struct nvme_admin asked)
{
	admin = asked;
	question = (struct drive_question){
		.sysfs = sysfs, .kind = S_IFBLK, .number = makedev(259, 0), .admin = &admin};
	telemetry = telemetry_open_as(&question);
	ck_assert_ptr_nonnull(telemetry);
}

static void begin(void)
{
	now_ns += 100 * SECOND;
	telemetry_begin(telemetry, now_ns);
}

static void pass(unsigned seconds)
{
	while (seconds--) {
		now_ns += SECOND / 2;
		telemetry_tick(telemetry, now_ns);
		now_ns += SECOND / 2;
		telemetry_tick(telemetry, now_ns);
	}
}

static void end(void)
{
	json_decref(record);
	record = telemetry_end(telemetry, now_ns);
}

static void set_up(void)
{
	make_sysfs();
	record = NULL;
	now_ns = 5 * SECOND;
}

static void tear_down(void)
{
	json_decref(record);
	telemetry_close(telemetry);
	remove_sysfs();
}

/* The sensor is open: its file must stay the same one. */
static void warm_to(const char *millidegrees)
{
	char path[256];
	FILE *file;

	snprintf(path, sizeof(path), "%s/" CONTROLLER "/hwmon2/temp1_input", sysfs);
	file = fopen(path, "w");
	ck_assert_ptr_nonnull(file);
	fputs(millidegrees, file);
	fclose(file);
}

static double change(const char *key)
{
	return fact_value(json_object_get(record, "change"), key);
}

static const char *why_not(const char *key)
{
	return fact_words(json_object_get(record, "change"), key);
}

/* The text of a mark, "" where there is none of the word. */
static const char *mark(const char *word)
{
	const json_t *entry;
	size_t i;

	json_array_foreach(json_object_get(record, "marks"), i, entry)
	{
		if (!strcmp(fact_words(entry, "mark"), word))
			return fact_words(entry, "text");
	}
	return "";
}

static bool spoils(const char *word)
{
	const json_t *entry;
	size_t i;

	json_array_foreach(json_object_get(record, "marks"), i, entry)
	{
		if (!strcmp(fact_words(entry, "mark"), word))
			return json_is_true(json_object_get(entry, "spoils"));
	}
	return false;
}

static void no_marks(void)
{
	char *marks = json_dumps(json_object_get(record, "marks"), 0);

	ck_assert_str_eq(marks, "[]");
	free(marks);
}

/* ---- counters ---------------------------------------------------------------------------------
 */

START_TEST(what_a_point_wrote)
{
	watch(enterprise_drive());
	count(ent_smart.data_units_written, 1000000, 0);
	count(ent_ocp, 700000000000ULL, 0);
	begin();
	count(ent_smart.data_units_written, 1000000 + 2000, 0); /* 1.024 GB */
	count(ent_smart.data_units_read, 1277863316 + 3, 0);
	count(ent_ocp, 700000000000ULL + 1536000000ULL, 0);
	pass(3);
	end();
	ck_assert_double_eq(change("host_written_bytes"), 1024000000);
	ck_assert_double_eq(change("host_read_bytes"), 1536000);
	ck_assert_double_eq(change("ocp_media_written_bytes"), 1536000000);
	ck_assert_double_eq(change("write_amplification"), 1.5);
	ck_assert_str_eq(why_not("write_amplification_source"), "ocp");
	ck_assert_double_eq(change("media_errors"), 0);
	ck_assert_double_eq(fact_value(record, "seconds"), 3);
	no_marks();
}
END_TEST

START_TEST(a_counter_beyond_64_bits)
{
	watch(enterprise_drive());
	begin();
	count(ent_smart.data_units_written, 1ULL << 40, 1);
	end();
	ck_assert_double_eq_tol(change("host_written_bytes"), 512000.0 * (double)(1ULL << 40),
				1e10);
	no_marks();
}
END_TEST

/* 2^32 data units are 2.2 PB: a drive that counts no further begins again. */
START_TEST(a_counter_that_wraps)
{
	watch(enterprise_drive());
	count(ent_smart.data_units_written, 0xffffffff - 9, 0);
	begin();
	count(ent_smart.data_units_written, 90, 0);
	end();
	ck_assert_double_eq(change("host_written_bytes"), 512000.0 * 100);
	no_marks();
}
END_TEST

/* QEMU's drives forget all at a power cycle. */
START_TEST(counters_that_fall)
{
	watch(enterprise_drive());
	begin();
	count(ent_smart.data_units_written, 7, 0);
	end();
	ck_assert_str_eq(why_not("host_written_bytes"), "n/a (the counter fell)");
	ck_assert_str_eq(why_not("write_amplification"),
			 "n/a (it is not known what the host wrote)");
	ck_assert_ptr_nonnull(strstr(mark("reset"), "counters fell"));
	ck_assert(spoils("reset"));
}
END_TEST

START_TEST(too_little_to_tell_the_amplification)
{
	watch(enterprise_drive());
	count(ent_smart.data_units_written, 1000, 0);
	begin();
	end();
	ck_assert_str_eq(why_not("write_amplification"), "n/a (nothing was written)");
	begin();
	count(ent_smart.data_units_written, 1010, 0);
	end();
	ck_assert_str_eq(why_not("write_amplification"),
			 "n/a (5.12 MB were written, 25.6 MB tell)");
}
END_TEST

START_TEST(the_group_tells_it_without_the_ocp_log)
{
	struct canned_answer *answer = canned_find(&ent_script, "log c0");

	answer->status = CANNED_INVALID_FIELD;
	watch(enterprise_drive());
	begin();
	answer->asked = 0;
	count(ent_group.data_units_written, 400000 + 100, 0);
	count(ent_group.media_units_written, 600000 + 230, 0);
	end();
	answer->status = 0;
	ck_assert_double_eq(change("write_amplification"), 2.3);
	ck_assert_str_eq(why_not("write_amplification_source"), "endurance_group");
	/* A log that was refused once is not asked for again: that may count as an error. */
	ck_assert_uint_eq(answer->asked, 0);
}
END_TEST

START_TEST(what_is_missing_says_why)
{
	watch(bare_drive());
	begin();
	count(bare_smart.data_units_written, 0, 0);
	pass(1);
	end();
	ck_assert_str_eq(why_not("light_throttle_s"), "n/a (the drive does not count it)");
	ck_assert_str_eq(why_not("group_media_written_bytes"), "n/a (the drive has none)");
	ck_assert_ptr_nonnull(strstr(why_not("ocp_media_written_bytes"), "n/a (the drive refuses"));
	ck_assert_str_eq(why_not("kernel_errors"), "n/a (not in sysfs)");
	no_marks();
}
END_TEST

START_TEST(without_leave_to_ask)
{
	watch(bare_drive());
	question = (struct drive_question){.sysfs = sysfs,
					   .kind = S_IFBLK,
					   .number = makedev(259, 0),
					   .admin_status = -EACCES};
	telemetry_close(telemetry);
	telemetry = telemetry_open_as(&question);
	begin();
	pass(30);
	end();
	ck_assert_str_eq(why_not("host_written_bytes"), "n/a (needs root)");
	ck_assert_str_eq(fact_words(record, "temperature"), "n/a (no sensor in sysfs)");
	no_marks();
}
END_TEST

/* ---- marks ------------------------------------------------------------------------------------
 */

START_TEST(a_drive_that_throttles)
{
	watch(enterprise_drive());
	begin();
	ent_smart.thm_temp1_trans_count = htole32(5);
	ent_smart.thm_temp1_total_time = htole32(95 + 12);
	ent_smart.warning_temp_time = htole32(12 + 2);
	end();
	ck_assert_str_eq(mark("throttled"), "the drive throttled 2 times, for 12 s");
	ck_assert(!spoils("throttled"));
	ck_assert_str_eq(mark("hot"), "it was over its warning temperature for 2 min 00 s");
	/* The next point begins with what this one left. */
	begin();
	end();
	no_marks();
}
END_TEST

START_TEST(a_drive_that_tells_it_by_the_ocp_log_alone)
{
	watch(enterprise_drive());
	begin();
	ent_ocp[96] = 3;
	end();
	ck_assert_str_eq(mark("throttled"), "the drive throttled 1 time");
}
END_TEST

START_TEST(media_errors)
{
	watch(enterprise_drive());
	begin();
	count(ent_smart.media_errors, 2, 0);
	end();
	ck_assert_str_eq(mark("errors"), "the drive counted 2 media errors");
	ck_assert(spoils("errors"));
}
END_TEST

START_TEST(errors_of_io_and_of_other_commands)
{
	watch(enterprise_drive());
	begin();
	count(ent_smart.num_err_log_entries, 43, 0);
	ent_errors[0].error_count = htole64(43);
	ent_errors[0].sqid = htole16(3);
	end();
	ck_assert_str_eq(mark("errors"),
			 "the drive logged 1 error, the newest of an I/O: Unrecovered Read Error");
	ck_assert(spoils("errors"));
	begin();
	count(ent_smart.num_err_log_entries, 44, 0);
	ent_errors[0].error_count = htole64(44);
	ent_errors[0].sqid = 0;
	end();
	ck_assert_str_eq(mark("errors"), "");
	ck_assert(!spoils("admin log"));
	ck_assert_ptr_nonnull(strstr(mark("admin log"), "not of I/O"));
	/* The log is shorter than what came: nothing is known of the rest. */
	begin();
	count(ent_smart.num_err_log_entries, 99, 0);
	ent_errors[0].error_count = htole64(99);
	end();
	ck_assert_str_eq(mark("errors"), "the drive logged 55 errors");
	ck_assert(spoils("errors"));
}
END_TEST

START_TEST(a_power_cycle)
{
	watch(enterprise_drive());
	begin();
	count(ent_smart.unsafe_shutdowns, 8, 0);
	count(ent_smart.power_cycles, 57, 0);
	end();
	ck_assert_str_eq(mark("reset"), "the drive lost its power");
	ck_assert(spoils("reset"));
}
END_TEST

START_TEST(a_reset_between_two_readings)
{
	watch(enterprise_drive());
	put(CONTROLLER, "state", "live\n");
	begin();
	put(CONTROLLER, "state", "resetting\n");
	pass(1);
	put(CONTROLLER, "state", "live\n");
	pass(1);
	end();
	ck_assert_str_eq(mark("reset"), "the drive was not at work: its state was \"resetting\"");
	ck_assert(spoils("reset"));
}
END_TEST

START_TEST(a_drive_that_is_pulled)
{
	char command[256];

	watch(enterprise_drive());
	put(DISK, "stat", "1 0 100 0 2 0 2000 0 0 0 0\n");
	begin();
	snprintf(command, sizeof(command), "rm -r %s/" DISK, sysfs);
	ck_assert_int_eq(system(command), 0);
	pass(2);
	end();
	ck_assert_str_eq(mark("reset"), "the drive was gone");
	ck_assert_str_eq(why_not("kernel_written_bytes"), "n/a (it is gone)");
}
END_TEST

START_TEST(a_link_that_is_lost)
{
	const json_t *link;

	watch(enterprise_drive());
	put("devices/pci/slot", "current_link_width", "4\n");
	begin();
	pass(2);
	put("devices/pci/slot", "current_link_speed", "8.0 GT/s PCIe\n");
	pass(2);
	put("devices/pci/slot", "current_link_speed", "16.0 GT/s PCIe\n");
	pass(1);
	end();
	ck_assert_str_eq(mark("link"),
			 "the link fell to 8.0 GT/s x4; it ran at 16.0 GT/s x4 before");
	ck_assert(!spoils("link"));
	link = json_object_get(record, "link");
	ck_assert_uint_eq(json_array_size(json_object_get(link, "changes")), 3);
	ck_assert_double_eq(fact_value(json_array_get(json_object_get(link, "changes"), 1), "at_s"),
			    3);
	/* Lost between two points: the second one is marked, too. */
	put("devices/pci/slot", "current_link_width", "2\n");
	begin();
	end();
	ck_assert_ptr_nonnull(strstr(mark("link"), "x2"));
}
END_TEST

START_TEST(what_smart_warns_of_since)
{
	watch(enterprise_drive());
	begin();
	ent_smart.critical_warning = NVME_SMART_CRIT_SPARE;
	end();
	ent_smart.critical_warning = 0;
	ck_assert_str_eq(mark("warning"), "SMART warns since: the spare is below its threshold");
}
END_TEST

/* ---- temperature ------------------------------------------------------------------------------
 */

START_TEST(a_sensor_is_read_every_second)
{
	const json_t *heat, *samples;
	json_t *summary;

	put_sensor("39850\n", "72850\n");
	watch(enterprise_drive());
	begin();
	pass(2);
	warm_to("75850\n");
	pass(2);
	end();
	heat = json_object_get(record, "temperature");
	samples = json_object_get(heat, "samples");
	ck_assert_str_eq(fact_words(heat, "source"), "sensor");
	ck_assert_uint_eq(json_array_size(samples), 5);
	ck_assert_double_eq(json_number_value(json_array_get(json_array_get(samples, 2), 1)), 40);
	ck_assert_double_eq(json_number_value(json_array_get(json_array_get(samples, 4), 2)), 76);
	ck_assert_double_eq(fact_value(heat, "max_c"), 76);
	ck_assert_str_eq(mark("hot"), "it reached 76 C; its warning temperature is 73 C");
	summary = telemetry_summary(record);
	ck_assert_double_eq(fact_value(summary, "max_c"), 76);
	ck_assert_uint_eq(json_array_size(json_object_get(summary, "marks")), 1);
	json_decref(summary);
}
END_TEST

START_TEST(without_a_sensor_smart_tells_it_every_ten_seconds)
{
	struct canned_answer *answer = canned_find(&ent_script, "log 02");
	unsigned before;
	const json_t *heat;

	watch(enterprise_drive());
	begin();
	before = answer->asked;
	pass(29);
	ck_assert_uint_eq(answer->asked - before, 2);
	ent_smart.temperature[0] = KELVIN(60) & 0xff;
	pass(1);
	end();
	heat = json_object_get(record, "temperature");
	ck_assert_str_eq(fact_words(heat, "source"), "smart");
	ck_assert_double_eq(fact_value(heat, "max_c"), 60);
	ck_assert_double_eq(fact_value(heat, "mean_c"), 45);
}
END_TEST

/* A file of a day is no larger than one of half an hour, and nothing is forgotten. */
START_TEST(a_day)
{
	const json_t *heat, *samples;
	size_t count_of;

	put_sensor("39850\n", "72850\n");
	watch(enterprise_drive());
	begin();
	pass(3600);
	warm_to("65850\n");
	pass(1);
	warm_to("39850\n");
	pass(24 * 3600 - 3601);
	end();
	heat = json_object_get(record, "temperature");
	samples = json_object_get(heat, "samples");
	count_of = json_array_size(samples);
	ck_assert_uint_ge(count_of, 900);
	ck_assert_uint_le(count_of, 1800);
	ck_assert_double_eq(fact_value(heat, "sample_s"), 64);
	ck_assert_double_eq(fact_value(heat, "max_c"), 66);
	ck_assert_double_eq_tol(fact_value(heat, "mean_c"), 40 + 26.0 / 86402, 1e-9);
	ck_assert_double_eq(json_number_value(json_array_get(json_array_get(samples, 56), 2)), 66);
	ck_assert_double_eq(
		json_number_value(json_array_get(json_array_get(samples, count_of - 1), 0)),
		86400 / 64 * 64);
}
END_TEST

/* ---- other drives -----------------------------------------------------------------------------
 */

START_TEST(a_sata_disk)
{
	static const char disk[] = "devices/pci/ata3/host2/target/2:0:0:0/block/sda";

	put_sata();
	put(disk, "stat", "1 0 100 0 2 0 2000 0 0 0 0\n");
	put("devices/pci/ata3/host2/target/2:0:0:0", "ioerr_cnt", "0x1\n");
	put("devices/pci/ata3/host2/target/2:0:0:0", "state", "running\n");
	question =
		(struct drive_question){.sysfs = sysfs, .kind = S_IFBLK, .number = makedev(8, 1)};
	telemetry = telemetry_open_as(&question);
	begin();
	put(disk, "stat", "1 0 108 0 2 0 4000 0 0 0 0\n");
	put("devices/pci/ata3/host2/target/2:0:0:0", "ioerr_cnt", "0x3\n");
	put("class/ata_link/link3", "sata_spd", "1.5 Gbps\n");
	pass(1);
	end();
	ck_assert_double_eq(change("kernel_written_bytes"), 2000 * 512);
	ck_assert_double_eq(change("kernel_read_bytes"), 8 * 512);
	ck_assert_str_eq(why_not("host_written_bytes"), "n/a (no NVMe drive)");
	ck_assert_str_eq(mark("errors"), "the kernel counted 2 errors of the drive");
	ck_assert_str_eq(mark("link"), "the link fell to 1.5 Gbps; it ran at 3.0 Gbps before");
	ck_assert_double_eq(fact_value(json_object_get(record, "temperature"), "max_c"), 31);
}
END_TEST

START_TEST(a_file_without_a_disk)
{
	question =
		(struct drive_question){.sysfs = sysfs, .kind = S_IFREG, .number = makedev(0, 40)};
	telemetry = telemetry_open_as(&question);
	begin();
	pass(2);
	end();
	ck_assert_str_eq(fact_words(record, "temperature"), "n/a (no disk of its own behind it)");
	ck_assert_str_eq(fact_words(json_object_get(record, "before"), "disk"),
			 "n/a (no disk of its own behind it)");
	no_marks();
}
END_TEST

int main(void)
{
	TCase *test = tcase_create("telemetry");

	tcase_add_checked_fixture(test, set_up, tear_down);
	tcase_add_test(test, what_a_point_wrote);
	tcase_add_test(test, a_counter_beyond_64_bits);
	tcase_add_test(test, a_counter_that_wraps);
	tcase_add_test(test, counters_that_fall);
	tcase_add_test(test, too_little_to_tell_the_amplification);
	tcase_add_test(test, the_group_tells_it_without_the_ocp_log);
	tcase_add_test(test, what_is_missing_says_why);
	tcase_add_test(test, without_leave_to_ask);
	tcase_add_test(test, a_drive_that_throttles);
	tcase_add_test(test, a_drive_that_tells_it_by_the_ocp_log_alone);
	tcase_add_test(test, media_errors);
	tcase_add_test(test, errors_of_io_and_of_other_commands);
	tcase_add_test(test, a_power_cycle);
	tcase_add_test(test, a_reset_between_two_readings);
	tcase_add_test(test, a_drive_that_is_pulled);
	tcase_add_test(test, a_link_that_is_lost);
	tcase_add_test(test, what_smart_warns_of_since);
	tcase_add_test(test, a_sensor_is_read_every_second);
	tcase_add_test(test, without_a_sensor_smart_tells_it_every_ten_seconds);
	tcase_add_test(test, a_day);
	tcase_add_test(test, a_sata_disk);
	tcase_add_test(test, a_file_without_a_disk);
	tcase_set_timeout(test, 60);
	return run_case("telemetry", test);
}
