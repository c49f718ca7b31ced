/* SPDX-License-Identifier: GPL-2.0-only */
/* What a drive can do, which method is taken, and what is said; test_purge_run.c does it. */
#include <math.h>
#include <stdlib.h>

#include "device/purge_internal.h"
#include "tests/unit/nvme_canned.h"
#include "tests/unit/suite.h"

/* A drive of which only what is asked about is set. */
static struct purge_drive drive_with(const enum purge_method *methods, size_t count)
{
	struct purge_drive drive = {.path = "/dev/nvme0n1", .name = "nvme0n1", .is_nvme = true};
	size_t i;

	for (i = 0; i < count; i++)
		drive.can[methods[i]] = true;
	return drive;
}
#define DRIVE(...)                                                                                 \
	drive_with((const enum purge_method[]){__VA_ARGS__},                                       \
		   COUNT(((const enum purge_method[]){__VA_ARGS__})))

static void add_other(struct purge_drive *drive, uint32_t nsid, const char *name)
{
	struct purge_namespace *other = &drive->others[drive->other_count++];

	other->nsid = nsid;
	snprintf(other->name, sizeof(other->name), "%s", name);
}

static void chooses(const struct purge_drive *drive, enum purge_method asked, bool all,
		    enum purge_method expected)
{
	struct error err = {.text = ""};
	enum purge_method chosen;

	ck_assert_msg(!purge_choose(drive, asked, all, &chosen, &err), "%s", err.text);
	ck_assert_str_eq(purge_method_word(chosen), purge_method_word(expected));
}

static void refuses(const struct purge_drive *drive, enum purge_method asked, bool all,
		    const char *words)
{
	struct error err = {.text = ""};
	enum purge_method chosen;

	ck_assert_int_eq(purge_choose(drive, asked, all, &chosen, &err), -1);
	ck_assert_msg(strstr(err.text, words) != NULL, "no '%s' in: %s", words, err.text);
}

/* ---- methods -------------------------------------------------------------------------------- */

START_TEST(every_word_is_read)
{
	enum purge_method method, i;
	struct error err;

	for (i = 0; i < PURGE_METHODS; i++) {
		ck_assert(!purge_method_parse(purge_method_word(i), &method, &err));
		ck_assert_int_eq(method, i);
	}
	ck_assert_int_eq(purge_method_parse("sanitise-block", &method, &err), -1);
	ck_assert_ptr_nonnull(strstr(err.text, "did you mean \"sanitize-block\""));
}
END_TEST

/* ---- what a drive says ---------------------------------------------------------------------- */

static struct purge_drive ask(uint16_t oacs, uint32_t sanicap, uint8_t fna, unsigned others)
{
	struct nvme_id_ctrl controller = {
		.oacs = htole16(oacs), .sanicap = htole32(sanicap), .fna = fna};
	struct nvme_sanitize_log_page log = {
		.eto = htole32(7200), .etbe = htole32(90), .etce = htole32(UINT32_MAX)};
	struct nvme_id_ns ns = {.dlfeat = 1};
	struct purge_drive drive = {.other_count = others};

	purge_read_abilities(&controller, &ns, sanicap ? &log : NULL, &drive);
	return drive;
}

START_TEST(every_bit_is_a_method)
{
	struct purge_drive drive = ask(0, 1, 0, 0);

	ck_assert(drive.can[PURGE_SANITIZE_CRYPTO] && !drive.can[PURGE_SANITIZE_BLOCK]);
	drive = ask(0, 2, 0, 0);
	ck_assert(drive.can[PURGE_SANITIZE_BLOCK] && !drive.can[PURGE_SANITIZE_OVERWRITE]);
	drive = ask(0, 4, 0, 0);
	ck_assert(drive.can[PURGE_SANITIZE_OVERWRITE] && !drive.can[PURGE_SANITIZE_CRYPTO]);
	drive = ask(2, 0, 0, 0);
	ck_assert(drive.can[PURGE_FORMAT_USER] && !drive.can[PURGE_FORMAT_CRYPTO]);
	drive = ask(2, 0, 4, 0);
	ck_assert(drive.can[PURGE_FORMAT_USER] && drive.can[PURGE_FORMAT_CRYPTO]);
	drive = ask(0xfffd, 0, 4, 0);
	ck_assert(!drive.can[PURGE_FORMAT_USER] && !drive.can[PURGE_FORMAT_CRYPTO]);
}
END_TEST

START_TEST(the_drive_estimates)
{
	struct purge_drive drive = ask(2, 7, 0, 0);

	ck_assert_double_eq(drive.estimate_s[PURGE_SANITIZE_BLOCK], 90);
	ck_assert_double_eq(drive.estimate_s[PURGE_SANITIZE_OVERWRITE], 7200);
	ck_assert(isnan(drive.estimate_s[PURGE_SANITIZE_CRYPTO]));
	ck_assert_int_eq(drive.reads, PURGE_READS_ZEROES);
}
END_TEST

/* FNA bit 0: every format; bit 1: every secure erase reaches all. */
START_TEST(others_are_hit_as_the_drive_says)
{
	struct purge_drive drive = ask(2, 2, 0, 1);

	ck_assert(drive.hits_others[PURGE_SANITIZE_BLOCK]);
	ck_assert(!drive.hits_others[PURGE_FORMAT_USER] && !drive.hits_others[PURGE_DEALLOCATE]);
	drive = ask(2, 2, 1, 1);
	ck_assert(drive.hits_others[PURGE_FORMAT_USER]);
	drive = ask(2, 2, 2 | 4, 1);
	ck_assert(drive.hits_others[PURGE_FORMAT_USER] && drive.hits_others[PURGE_FORMAT_CRYPTO]);
	drive = ask(2, 2, 3, 0);
	ck_assert(!drive.hits_others[PURGE_FORMAT_USER] &&
		  !drive.hits_others[PURGE_SANITIZE_BLOCK]);
}
END_TEST

START_TEST(namespaces_without_a_device_are_found)
{
	struct nvme_id_ctrl controller = {.oacs = htole16(2), .sanicap = htole32(2)};
	struct nvme_id_ns ns = {.nsze = htole64(8)};
	struct nvme_ns_list list = {.ns = {htole32(1), htole32(2), htole32(7)}};
	struct canned_answer answers[] = {
		{.command = "identify 01", .data = &controller, .bytes = sizeof(controller)},
		{.command = "identify 00 nsid 1", .data = &ns, .bytes = sizeof(ns)},
		{.command = "identify 10", .data = &list, .bytes = sizeof(list)},
		{.command = "log 81"},
	};
	struct canned script = {.answers = answers, .count = COUNT(answers), .in_order = true};
	struct purge_drive drive = {.admin = canned_admin(&script, 1)};
	struct error err;
	char text[128];

	add_other(&drive, 2, "nvme0n2");
	ck_assert_msg(!purge_ask(&drive, &err), "%s", err.text);
	canned_end(&script);
	purge_list_others(&drive, text, sizeof(text));
	ck_assert_str_eq(text, "nvme0n2 and namespace 7 (no block device here)");
	ck_assert(drive.hits_others[PURGE_SANITIZE_BLOCK]);
}
END_TEST

/* Drives without namespace management know no list of allocated ones. */
START_TEST(the_active_ones_do_where_there_is_no_other_list)
{
	struct nvme_id_ctrl controller = {.oacs = htole16(2)};
	struct nvme_ns_list list = {.ns = {htole32(1), htole32(3)}};
	struct canned_answer answers[] = {
		{.command = "identify 01", .data = &controller, .bytes = sizeof(controller)},
		{.command = "identify 00 nsid 1"},
		{.command = "identify 02", .data = &list, .bytes = sizeof(list)},
	};
	struct canned script = {.answers = answers, .count = COUNT(answers)};
	struct purge_drive drive = {.admin = canned_admin(&script, 1)};
	struct error err;

	ck_assert_msg(!purge_ask(&drive, &err), "%s", err.text);
	ck_assert_uint_eq(drive.other_count, 1);
	ck_assert_uint_eq(drive.others[0].nsid, 3);
}
END_TEST

/* ---- the choice ----------------------------------------------------------------------------- */

START_TEST(the_best_is_taken)
{
	struct purge_drive drive =
		DRIVE(PURGE_SANITIZE_CRYPTO, PURGE_SANITIZE_BLOCK, PURGE_SANITIZE_OVERWRITE,
		      PURGE_FORMAT_CRYPTO, PURGE_FORMAT_USER, PURGE_DEALLOCATE);
	static const enum purge_method order[] = {PURGE_SANITIZE_BLOCK, PURGE_SANITIZE_CRYPTO,
						  PURGE_FORMAT_USER, PURGE_FORMAT_CRYPTO,
						  PURGE_DEALLOCATE};
	size_t i;

	for (i = 0; i < COUNT(order); i++) {
		chooses(&drive, PURGE_AUTO, false, order[i]);
		chooses(&drive, order[i], false, order[i]);
		drive.can[order[i]] = false;
	}
	refuses(&drive, PURGE_AUTO, false, "has sanitize-overwrite alone, which wears it");
	chooses(&drive, PURGE_SANITIZE_OVERWRITE, false, PURGE_SANITIZE_OVERWRITE);
}
END_TEST

START_TEST(what_is_missing_is_named_with_what_there_is)
{
	struct purge_drive drive =
		DRIVE(PURGE_FORMAT_USER, PURGE_DEALLOCATE, PURGE_SANITIZE_CRYPTO);

	refuses(&drive, PURGE_SANITIZE_BLOCK, false,
		"/dev/nvme0n1 has no sanitize-block; it has sanitize-crypto, format-user and "
		"deallocate");
	drive = DRIVE(PURGE_DEALLOCATE);
	drive.is_nvme = false;
	refuses(&drive, PURGE_FORMAT_USER, false, "ATA secure erase is not done");
	drive.is_partition = true;
	refuses(&drive, PURGE_FORMAT_USER, false, "is a partition");
	drive = (struct purge_drive){.path = "/dev/vda"};
	refuses(&drive, PURGE_AUTO, false, "/dev/vda cannot be purged: it takes no trims");
	refuses(&drive, PURGE_DEALLOCATE, false, "has no deallocate; it has nothing");
	drive = DRIVE(PURGE_DEALLOCATE);
	snprintf(drive.no_nvme, sizeof(drive.no_nvme), "needs root");
	refuses(&drive, PURGE_FORMAT_USER, false, "cannot be asked for format-user: needs root");
	chooses(&drive, PURGE_AUTO, false, PURGE_DEALLOCATE);
}
END_TEST

START_TEST(others_are_spared_unless_they_are_meant)
{
	struct purge_drive drive = DRIVE(PURGE_SANITIZE_BLOCK, PURGE_FORMAT_USER);

	add_other(&drive, 2, "nvme0n2");
	add_other(&drive, 3, "nvme0n3");
	drive.hits_others[PURGE_SANITIZE_BLOCK] = true;
	chooses(&drive, PURGE_AUTO, false, PURGE_FORMAT_USER);
	ck_assert_int_eq(purge_left_out(&drive, PURGE_FORMAT_USER), PURGE_SANITIZE_BLOCK);
	chooses(&drive, PURGE_AUTO, true, PURGE_SANITIZE_BLOCK);
	ck_assert_int_eq(purge_left_out(&drive, PURGE_SANITIZE_BLOCK), PURGE_AUTO);
	refuses(&drive, PURGE_SANITIZE_BLOCK, false,
		"sanitize-block of nvme0n1 would erase nvme0n2 and nvme0n3 too; if that is meant, "
		"say --all-namespaces, or --method format-user");
	drive.can[PURGE_FORMAT_USER] = false;
	refuses(&drive, PURGE_AUTO, false, "would erase nvme0n2 and nvme0n3 too");
}
END_TEST

/* ---- the sanitize log ----------------------------------------------------------------------- */

static struct sanitize_status read_log(uint16_t sstat, uint16_t sprog, uint32_t scdw10)
{
	struct nvme_sanitize_log_page log = {.sstat = htole16(sstat),
					     .sprog = htole16(sprog),
					     .scdw10 = htole32(scdw10),
					     .etbe = htole32(60),
					     .etce = htole32(UINT32_MAX)};
	struct sanitize_status status;

	sanitize_read_log(&log, &status);
	return status;
}

START_TEST(the_log_is_read)
{
	struct sanitize_status status = read_log(0, 0xffff, 0);

	ck_assert_int_eq(status.state, SANITIZE_NEVER);
	ck_assert_int_eq(read_log(0x101, 0xffff, 2).state, SANITIZE_DONE);
	ck_assert(read_log(0x101, 0xffff, 2).global_data_erased);
	ck_assert_int_eq(read_log(4, 0xffff, 4).state, SANITIZE_DONE);
	ck_assert_int_eq(read_log(3, 0xffff, 0xa).state, SANITIZE_FAILED);
	ck_assert(read_log(3, 0xffff, 0xa).unrestricted && !read_log(3, 0xffff, 2).unrestricted);
	status = read_log(2, 0x4000, 2);
	ck_assert_int_eq(status.state, SANITIZE_RUNNING);
	ck_assert_double_eq_tol(status.share, 0.25, 1e-9);
	ck_assert_int_eq(status.method, PURGE_SANITIZE_BLOCK);
	ck_assert_double_eq(status.estimate_s, 60);
	ck_assert(isnan(read_log(2, 0, 4).estimate_s));
	ck_assert_int_eq(read_log(2, 0, 4).method, PURGE_SANITIZE_CRYPTO);
	ck_assert_int_eq(read_log(2, 0, 3).method, PURGE_SANITIZE_OVERWRITE);
	ck_assert_int_eq(read_log(2, 0, 0).method, PURGE_AUTO);
}
END_TEST

/* A drive whose sanitize failed takes nothing else until one ends well. */
START_TEST(after_a_failure_only_a_sanitize_will_do)
{
	struct nvme_id_ctrl controller = {.oacs = htole16(2), .sanicap = htole32(3)};
	struct nvme_sanitize_log_page log = {.sstat = htole16(3), .scdw10 = htole32(0xc)};
	struct purge_drive drive = {.can = {[PURGE_DEALLOCATE] = true}};
	struct nvme_id_ns ns = {.nsze = 1};
	char text[128];

	purge_read_abilities(&controller, &ns, &log, &drive);
	purge_list_methods(&drive, text, sizeof(text));
	ck_assert_str_eq(text, "sanitize-block and sanitize-crypto");
	ck_assert(drive.sanitize_failed && !drive.restricted);
	log.scdw10 = htole32(0x4);
	purge_read_abilities(&controller, &ns, &log, &drive);
	ck_assert(drive.sanitize_failed && drive.restricted);
}
END_TEST

START_TEST(time_left_follows_the_progress)
{
	ck_assert_double_eq_tol(purge_left(0.25, 10, NAN), 30, 1e-9);
	ck_assert_double_eq_tol(purge_left(0.25, 10, 1000), 30, 1e-9);
	ck_assert_double_eq_tol(purge_left(0, 10, 100), 90, 1e-9);
	ck_assert(isnan(purge_left(0, 10, NAN)) && isnan(purge_left(NAN, 10, NAN)));
	ck_assert(isnan(purge_left(NAN, 200, 100)));
	ck_assert_double_eq(purge_left(1, 5, 10), 0);
}
END_TEST

/* ---- samples -------------------------------------------------------------------------------- */

START_TEST(places_lie_all_over_the_drive)
{
	struct purge_geometry geometry = {1000ULL * 1000 * 1000 * 1000, 512};
	struct purge_samples samples;
	unsigned i;

	samples_place(&geometry, 1, &samples);
	ck_assert_uint_eq(samples.count, PURGE_SAMPLES);
	ck_assert_uint_eq(samples.at[0], 0);
	ck_assert_uint_eq(samples.at[PURGE_SAMPLES - 1] / 4096, geometry.bytes / 4096 - 1);
	for (i = 0; i < samples.count; i++) {
		ck_assert_uint_eq(samples.at[i] % 4096, 0);
		ck_assert(samples.at[i] >= geometry.bytes / PURGE_SAMPLES * i);
		ck_assert(samples.at[i] < geometry.bytes / PURGE_SAMPLES * (i + 1));
	}
	geometry.bytes = 3 * 4096;
	samples_place(&geometry, 1, &samples);
	ck_assert_uint_eq(samples.count, 3);
	ck_assert_uint_eq(samples.at[2], 8192);
	geometry.bytes = 512;
	samples_place(&geometry, 1, &samples);
	ck_assert_uint_eq(samples.count, 0);
	geometry = (struct purge_geometry){1 << 30, 16384};
	samples_place(&geometry, 1, &samples);
	ck_assert_uint_eq(samples.bytes, 16384);
}
END_TEST

/* Four samples by their kinds, each the sum that its digit says. */
static struct purge_samples samples_of(const char *kinds, const char *sums)
{
	struct purge_samples samples = {.count = 4};
	unsigned i;

	for (i = 0; i < 4; i++) {
		samples.kinds[i] = kinds[i] == '0'   ? SAMPLE_ZEROES
				   : kinds[i] == '1' ? SAMPLE_ONES
				   : kinds[i] == 'd' ? SAMPLE_DATA
						     : SAMPLE_UNREADABLE;
		samples.sums[i] = (uint64_t)sums[i];
	}
	return samples;
}

static void compare(const char *before, const char *after, const char *sums, enum purge_reads reads,
		    bool passes, const char *text)
{
	struct purge_samples was = samples_of(before, "abcd"), is = samples_of(after, sums);
	struct purge_check check;

	samples_compare(&was, &is, reads, &check);
	ck_assert_str_eq(check.text, text);
	ck_assert_int_eq(check.passed, passes);
}

START_TEST(old_data_is_found)
{
	compare("dddd", "0000", "....", PURGE_READS_ZEROES, true, "4 places read back: all zeroes");
	compare("dddd", "dddd", "wxyz", PURGE_READS_ANYTHING, true,
		"4 places read back: none holds what it held, 0 read zeroes");
	compare("dddd", "0d00", ".b..", PURGE_READS_ANYTHING, false,
		"4 places read back: 1 still hold what they held");
	compare("dddd", "0d00", ".x..", PURGE_READS_ZEROES, false,
		"4 places read back: 1 are not zeroes, which the drive promises");
	compare("dddd", "1111", "....", PURGE_READS_ONES, true,
		"4 places read back: none holds what it held, 0 read zeroes");
	compare("dddd", "1101", "....", PURGE_READS_ONES, false,
		"4 places read back: 1 are not ones, which the drive promises");
	compare("0000", "0000", "....", PURGE_READS_ANYTHING, true,
		"4 places read back: all zeroes; all were blank before");
	compare("0d?d", "0000", "....", PURGE_READS_ANYTHING, true,
		"4 places read back: all zeroes; 2 were blank before");
	compare("dddd", "00?0", "....", PURGE_READS_ANYTHING, true,
		"4 places read back: none holds what it held, 3 read zeroes, 1 cannot be read");
	compare("dddd", "????", "....", PURGE_READS_ANYTHING, false,
		"4 places read back: none of them can be read");
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		every_word_is_read,
		every_bit_is_a_method,
		the_drive_estimates,
		others_are_hit_as_the_drive_says,
		namespaces_without_a_device_are_found,
		the_active_ones_do_where_there_is_no_other_list,
		the_best_is_taken,
		what_is_missing_is_named_with_what_there_is,
		others_are_spared_unless_they_are_meant,
		the_log_is_read,
		after_a_failure_only_a_sanitize_will_do,
		time_left_follows_the_progress,
		places_lie_all_over_the_drive,
		old_data_is_found,
	};

	return RUN_TESTS("purge", tests, 120, NULL, NULL);
}
