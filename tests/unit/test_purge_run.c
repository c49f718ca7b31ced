/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Purges from beginning to end: a drive of which a file holds the data and a script the answers.
 * What erases the data is told by each test, so that a drive that only says so is found out.
 */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "device/purge_internal.h"
#include "review/purge.h"
#include "tests/unit/nvme_canned.h"
#include "tests/unit/suite.h"

#define FILE_BYTES (1 << 20)

/* The user at the terminal, and what happens in the drive meanwhile. */
struct lab {
	char path[64];
	struct purge_drive drive;
	struct canned script;
	atomic_uint waits;
	unsigned erase_after;  /* the file is emptied by so many waits; 0: it stays */
	unsigned stop_after;   /* the user wants to stop then; 0: never */
	unsigned format_waits; /* a format ends after so many */
	unsigned told;
	double shares[256], left_s;
	bool cannot_stop;
};

static struct lab lab;

static void fill_file(void)
{
	unsigned char *data = malloc(FILE_BYTES);
	int fd = open(lab.path, O_WRONLY | O_CREAT | O_TRUNC, 0600), i;

	ck_assert(data && fd >= 0);
	for (i = 0; i < FILE_BYTES; i++)
		data[i] = (unsigned char)(i * 7 + (i >> 12) + 1);
	ck_assert_int_eq(write(fd, data, FILE_BYTES), FILE_BYTES);
	fsync(fd);
	close(fd);
	free(data);
}

static void empty_file(void)
{
	ck_assert_int_eq(truncate(lab.path, 0), 0);
	ck_assert_int_eq(truncate(lab.path, FILE_BYTES), 0);
}

static void see(void *user, const struct purge_progress *progress)
{
	(void)user;
	if (lab.told < COUNT(lab.shares))
		lab.shares[lab.told++] = progress->share;
	lab.left_s = progress->left_s;
	lab.cannot_stop |= progress->cannot_stop;
}

static bool pass_time(void *user, double seconds)
{
	unsigned waits = ++lab.waits;

	(void)user;
	(void)seconds;
	if (lab.erase_after && waits == lab.erase_after)
		empty_file();
	return lab.stop_after && waits >= lab.stop_after;
}

static const struct purge_hooks hooks = {see, pass_time, NULL};

/* A format takes as long as the test says, and empties the file when it is accepted. */
static int slow_format(void *context, const struct nvme_format_request *request)
{
	int status;

	while (atomic_load(&lab.waits) < lab.format_waits)
		usleep(100);
	status = canned_format(context, request);
	if (!status)
		empty_file();
	return status;
}

/* lbads 9 in the format that the namespace has. */
static struct nvme_id_ns identify_ns(unsigned number, uint8_t fpi)
{
	struct nvme_id_ns ns = {.flbas = (uint8_t)number, .fpi = fpi};

	ns.lbaf[number].ds = 9;
	return ns;
}

static void set_up(struct canned_answer *answers, size_t count)
{
	static struct nvme_admin_ops ops;
	unsigned i;

	memset(&lab, 0, sizeof(lab));
	snprintf(lab.path, sizeof(lab.path), "/var/tmp/purge.XXXXXX");
	close(mkstemp(lab.path));
	fill_file();
	lab.script = (struct canned){.answers = answers, .count = count};
	lab.drive.admin = canned_admin(&lab.script, 1);
	ops = *lab.drive.admin.ops;
	ops.format = slow_format;
	lab.drive.admin.ops = &ops;
	lab.drive.is_nvme = true;
	snprintf(lab.drive.path, sizeof(lab.drive.path), "%s", lab.path);
	for (i = 0; i < PURGE_METHODS; i++)
		lab.drive.estimate_s[i] = NAN;
}
#define SET_UP(answers) set_up(answers, COUNT(answers))

static void clean_up(void)
{
	unlink(lab.path);
}

/* One state of log 81h. */
static struct nvme_sanitize_log_page state(uint16_t sstat, uint16_t sprog, uint32_t scdw10)
{
	return (struct nvme_sanitize_log_page){.sstat = htole16(sstat),
					       .sprog = htole16(sprog),
					       .scdw10 = htole32(scdw10),
					       .etbe = htole32(UINT32_MAX),
					       .etce = htole32(UINT32_MAX),
					       .eto = htole32(UINT32_MAX)};
}
#define LOG(page)                                                                                  \
	{                                                                                          \
		.command = "log 81", .data = &(page), .bytes = sizeof(page)                        \
	}
#define NS(ns)                                                                                     \
	{                                                                                          \
		.command = "identify 00 nsid 1", .data = &(ns), .bytes = sizeof(ns)                \
	}

static struct purge_result result;
static struct error err;

static void ends(enum purge_method method, enum purge_end expected)
{
	enum purge_end end = purge_run(&lab.drive, -1, method, &hooks, &result, &err);

	ck_assert_msg(end == expected, "ended %d, wanted %d: %s", end, expected, err.text);
}

static void says(const char *words)
{
	ck_assert_msg(strstr(err.text, words) != NULL, "no '%s' in: %s", words, err.text);
}

/* ---- sanitize ------------------------------------------------------------------------------- */

static void sanitizes(enum purge_method method, unsigned action)
{
	struct nvme_sanitize_log_page slow[] = {state(2, 0, action), state(2, 0x2000, action),
						state(2, 0x8000, action), state(2, 0xf000, action),
						state(0x101, 0xffff, action)};
	struct nvme_id_ns ns = identify_ns(0, 0);
	char command[32];
	struct canned_answer answers[] = {
		{.command = command}, LOG(slow[0]), LOG(slow[1]), LOG(slow[2]),
		LOG(slow[3]),	      LOG(slow[4]), NS(ns)};

	snprintf(command, sizeof(command), "sanitize action %u", action);
	SET_UP(answers);
	lab.script.in_order = true;
	lab.erase_after = 3;
	ends(method, PURGE_DONE);
	canned_end(&lab.script);
	ck_assert_uint_eq(lab.told, 4);
	ck_assert_double_eq_tol(lab.shares[1], 0.125, 1e-9);
	ck_assert_double_eq_tol(lab.shares[3], 0.9375, 1e-9);
	ck_assert(lab.left_s >= 0);
	ck_assert(result.has_sanitize && result.sanitize.global_data_erased);
	ck_assert_str_eq(result.check.text, "64 places read back: all zeroes");
	ck_assert_uint_eq(result.after.bytes, FILE_BYTES);
	clean_up();
}

START_TEST(every_sanitize_is_awaited)
{
	sanitizes(PURGE_SANITIZE_BLOCK, 2);
	sanitizes(PURGE_SANITIZE_OVERWRITE, 3);
	sanitizes(PURGE_SANITIZE_CRYPTO, 4);
}
END_TEST

START_TEST(the_estimate_stands_until_there_is_progress)
{
	struct nvme_sanitize_log_page running = state(2, 0, 2), done = state(1, 0xffff, 2);
	struct canned_answer answers[] = {
		{.command = "sanitize action 2"}, LOG(running), LOG(done)};

	SET_UP(answers);
	lab.drive.estimate_s[PURGE_SANITIZE_BLOCK] = 1000;
	lab.erase_after = 1;
	ends(PURGE_SANITIZE_BLOCK, PURGE_DONE);
	ck_assert_double_eq_tol(lab.left_s, 1000, 10);
	clean_up();
}
END_TEST

START_TEST(a_failed_one_says_what_the_drive_needs)
{
	struct nvme_sanitize_log_page running = state(2, 0x4000, 0xa),
				      failed = state(3, 0xffff, 0xa), hard = state(3, 0xffff, 2);
	struct canned_answer answers[] = {
		{.command = "sanitize action 2"}, LOG(running), LOG(failed)};
	struct canned_answer harder[] = {{.command = "sanitize action 2"}, LOG(hard)};

	SET_UP(answers);
	ends(PURGE_SANITIZE_BLOCK, PURGE_FAILED);
	says("the sanitize-block of /var/tmp");
	says("has failed (SSTAT 0x0003)");
	says("leave the failure mode (nvme sanitize --sanact=1)");
	ck_assert(result.has_sanitize && result.sanitize.state == SANITIZE_FAILED);
	clean_up();
	SET_UP(harder);
	ends(PURGE_SANITIZE_BLOCK, PURGE_FAILED);
	says("cannot be left otherwise");
	clean_up();
}
END_TEST

START_TEST(one_that_is_refused_is_not_awaited)
{
	struct canned_answer answers[] = {
		{.command = "sanitize action 4", .status = NVME_SC_FW_NEEDS_SUBSYS_RESET}};

	SET_UP(answers);
	ends(PURGE_SANITIZE_CRYPTO, PURGE_FAILED);
	says("refuses sanitize");
	ck_assert_uint_eq(lab.waits, 0);
	clean_up();
}
END_TEST

START_TEST(a_success_without_effect_is_found_out)
{
	struct nvme_sanitize_log_page done = state(1, 0xffff, 2);
	struct canned_answer answers[] = {{.command = "sanitize action 2"}, LOG(done)};

	SET_UP(answers);
	ends(PURGE_SANITIZE_BLOCK, PURGE_FAILED);
	says("went through, but 64 places read back: 64 still hold what they held");
	clean_up();
}
END_TEST

START_TEST(a_drive_that_does_not_answer_for_a_while_is_asked_again)
{
	struct nvme_sanitize_log_page running = state(2, 1, 2), done = state(1, 0xffff, 2);
	struct canned_answer answers[] = {{.command = "sanitize action 2"},
					  LOG(running),
					  {.command = "log 81", .status = -EIO},
					  {.command = "log 81", .status = NVME_SC_NS_NOT_READY},
					  LOG(done)};

	SET_UP(answers);
	lab.erase_after = 1;
	ends(PURGE_SANITIZE_BLOCK, PURGE_DONE);
	canned_end(&lab.script);
	clean_up();
}
END_TEST

START_TEST(one_that_never_answers_is_given_up)
{
	struct canned_answer answers[] = {{.command = "sanitize action 2"},
					  {.command = "log 81", .status = -EIO}};

	SET_UP(answers);
	ends(PURGE_SANITIZE_BLOCK, PURGE_FAILED);
	says("its end cannot be seen; the same command looks again");
	ck_assert_uint_lt(lab.waits, 1000);
	clean_up();
}
END_TEST

START_TEST(a_drive_that_is_gone_is_not_waited_for)
{
	struct canned_answer answers[] = {{.command = "sanitize action 2"},
					  {.command = "log 81", .status = -ENODEV}};

	SET_UP(answers);
	ends(PURGE_SANITIZE_BLOCK, PURGE_FAILED);
	says("No such device");
	ck_assert_uint_eq(lab.waits, 0);
	clean_up();
}
END_TEST

START_TEST(an_interrupted_one_is_found_and_awaited)
{
	struct nvme_sanitize_log_page running = state(2, 0x4000, 2), late = state(2, 0xc000, 2),
				      done = state(0x101, 0xffff, 2);
	struct canned_answer answers[] = {{.command = "sanitize action 2"}, LOG(running)};
	struct canned_answer later[] = {LOG(late), LOG(late), LOG(late), LOG(done)};
	struct sanitize_status status;

	SET_UP(answers);
	lab.stop_after = 3;
	ends(PURGE_SANITIZE_BLOCK, PURGE_STOPPED);
	clean_up();

	SET_UP(later);
	lab.erase_after = 1;
	ck_assert(purge_is_sanitizing(&lab.drive, &status));
	ck_assert_double_eq_tol(status.share, 0.75, 1e-9);
	ck_assert_int_eq(purge_await(&lab.drive, &hooks, &result, &err), PURGE_DONE);
	canned_end(&lab.script); /* no other was begun */
	ck_assert(result.was_running && result.method == PURGE_SANITIZE_BLOCK);
	ck_assert_ptr_nonnull(strstr(result.check.text, "all were blank before"));
	ck_assert(!purge_is_sanitizing(&lab.drive, &status));
	clean_up();
}
END_TEST

START_TEST(a_drive_without_a_log_sanitizes_nothing)
{
	struct canned_answer answers[] = {
		{.command = "log 81", .status = NVME_SC_INVALID_LOG_PAGE}};
	struct purge_drive closed = {.path = "x"};
	struct sanitize_status status;

	SET_UP(answers);
	ck_assert(!purge_is_sanitizing(&lab.drive, &status));
	ck_assert(!purge_is_sanitizing(&closed, &status));
	clean_up();
}
END_TEST

/* ---- format --------------------------------------------------------------------------------- */

static void formats(enum purge_method method, const char *command, unsigned number)
{
	struct nvme_id_ns at_50 = identify_ns(number, 0x80 | 50), done = identify_ns(number, 0x80);
	struct canned_answer answers[] = {{.command = command}, NS(at_50), NS(done)};

	SET_UP(answers);
	lab.drive.format = identify_ns(number, 0);
	lab.format_waits = 3;
	ends(method, PURGE_DONE);
	canned_end(&lab.script);
	ck_assert_uint_ge(lab.told, 2);
	ck_assert_double_eq_tol(lab.shares[0], 0.5, 1e-9);
	ck_assert(!lab.cannot_stop);
	ck_assert(result.check.passed && !result.has_sanitize);
	clean_up();
}

START_TEST(every_format_keeps_the_format)
{
	formats(PURGE_FORMAT_USER, "format nsid 1 lbaf 0 ses 1", 0);
	formats(PURGE_FORMAT_USER, "format nsid 1 lbaf 5 ses 1", 5);
	formats(PURGE_FORMAT_CRYPTO, "format nsid 1 lbaf 2 ses 2", 2);
}
END_TEST

START_TEST(a_format_is_not_stopped)
{
	struct nvme_id_ns ns = identify_ns(0, 0);
	struct canned_answer answers[] = {{.command = "format nsid 1 lbaf 0 ses 1"}, NS(ns)};

	SET_UP(answers);
	lab.stop_after = 1;
	lab.format_waits = 5;
	ends(PURGE_FORMAT_USER, PURGE_DONE);
	ck_assert(lab.cannot_stop);
	ck_assert(isnan(lab.shares[0]) && isnan(lab.left_s));
	clean_up();
}
END_TEST

START_TEST(a_refused_format_is_named)
{
	struct nvme_id_ns ns = identify_ns(0, 0);
	struct canned_answer answers[] = {
		{.command = "format nsid 1 lbaf 0 ses 2", .status = NVME_SC_INVALID_FIELD}, NS(ns)};

	SET_UP(answers);
	ends(PURGE_FORMAT_CRYPTO, PURGE_FAILED);
	says("refuses format: Invalid Field in Command");
	clean_up();
}
END_TEST

START_TEST(other_blocks_than_the_kernel_takes_are_found)
{
	struct nvme_id_ns before = identify_ns(0, 0), after = identify_ns(0, 0);
	struct canned_answer answers[] = {
		{.command = "format nsid 1 lbaf 0 ses 1"}, NS(before), NS(after)};

	after.lbaf[0].ds = 12;
	SET_UP(answers);
	lab.format_waits = 1;
	ends(PURGE_FORMAT_USER, PURGE_FAILED);
	says("has blocks of 4096 bytes now, and the kernel takes them for 512");
	clean_up();
}
END_TEST

/* ---- by the best method ---------------------------------------------------------------------- */

static struct purge_done purge_by(enum purge_method asked, enum run_end expected)
{
	struct purge_choice choice = {.asked = asked, .method = PURGE_SANITIZE_BLOCK};
	struct target target = {.kind = TARGET_DEVICE, .path = "/dev/canned"};
	struct purge_done done = {0};

	lab.drive.can[PURGE_SANITIZE_BLOCK] = lab.drive.can[PURGE_FORMAT_USER] = true;
	ck_assert_int_eq(purge_drive_now(&lab.drive, &target, -1, choice, &hooks, &done, &err),
			 expected);
	return done;
}

/* Locked drives refuse what they say they have. */
START_TEST(what_is_refused_is_left_for_the_next_best)
{
	struct nvme_id_ns ns = identify_ns(0, 0);
	struct canned_answer answers[] = {
		{.command = "sanitize action 2", .status = NVME_SC_OP_DENIED | NVME_SC_DNR},
		{.command = "format nsid 1 lbaf 0 ses 1"},
		NS(ns)};
	struct purge_done done;

	SET_UP(answers);
	done = purge_by(PURGE_AUTO, RUN_FINE);
	ck_assert_str_eq(done.word, "format-user");
	ck_assert_ptr_nonnull(strstr(done.text, "purged by format-user in"));
	ck_assert_uint_eq(json_array_size(json_object_get(done.record, "refused")), 1);
	purge_done_free(&done);
	clean_up();
	SET_UP(answers);
	done = purge_by(PURGE_SANITIZE_BLOCK, RUN_FAILED);
	says("refuses sanitize");
	ck_assert_str_eq(json_string_value(json_object_get(done.record, "failed")), err.text);
	purge_done_free(&done);
	clean_up();
}
END_TEST

/* What may have begun is not followed by something else. */
START_TEST(an_error_of_the_drive_is_no_refusal)
{
	struct canned_answer answers[] = {
		{.command = "sanitize action 2", .status = NVME_SC_INTERNAL}};
	struct purge_done done;

	SET_UP(answers);
	done = purge_by(PURGE_AUTO, RUN_FAILED);
	says("refuses sanitize");
	ck_assert_str_eq(done.word, "sanitize-block");
	purge_done_free(&done);
	clean_up();
}
END_TEST

START_TEST(a_stop_says_how_to_go_on)
{
	struct nvme_sanitize_log_page running = state(2, 0x4000, 2);
	struct canned_answer answers[] = {{.command = "sanitize action 2"}, LOG(running)};
	struct purge_done done;

	SET_UP(answers);
	lab.stop_after = 2;
	done = purge_by(PURGE_AUTO, RUN_STOPPED);
	ck_assert_ptr_nonnull(strstr(done.text, "the drive goes on with sanitize-block by itself; "
						"the same command finds it"));
	purge_done_free(&done);
	clean_up();
}
END_TEST

/* ---- deallocation --------------------------------------------------------------------------- */

static void set_up_file(off_t bytes)
{
	set_up(NULL, 0);
	lab.drive.admin.ops = NULL;
	lab.drive.is_nvme = false;
	lab.drive.is_file = true;
	lab.drive.reads = PURGE_READS_ZEROES;
	ck_assert_int_eq(truncate(lab.path, bytes), 0);
}

START_TEST(a_file_is_punched_and_keeps_its_space)
{
	struct stat st;

	set_up_file(FILE_BYTES);
	ends(PURGE_DEALLOCATE, PURGE_DONE);
	ck_assert_str_eq(result.check.text, "64 places read back: all zeroes");
	ck_assert_uint_eq(result.trimmed_bytes, FILE_BYTES);
	ck_assert_double_eq(lab.shares[0], 1);
	ck_assert_int_eq(stat(lab.path, &st), 0);
	ck_assert_int_ge(st.st_blocks * 512, FILE_BYTES);
	clean_up();
}
END_TEST

START_TEST(a_deallocation_stops_between_pieces)
{
	set_up_file(256 << 20);
	lab.stop_after = 2;
	ends(PURGE_DEALLOCATE, PURGE_STOPPED);
	ck_assert_uint_eq(result.trimmed_bytes, 128 << 20);
	clean_up();
}
END_TEST

START_TEST(what_cannot_be_opened_is_named)
{
	set_up_file(FILE_BYTES);
	snprintf(lab.drive.path, sizeof(lab.drive.path), "/var/tmp/purge.none/none");
	ends(PURGE_DEALLOCATE, PURGE_FAILED);
	says("/var/tmp/purge.none/none cannot be opened");
	clean_up();
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		every_sanitize_is_awaited,
		the_estimate_stands_until_there_is_progress,
		a_failed_one_says_what_the_drive_needs,
		one_that_is_refused_is_not_awaited,
		a_success_without_effect_is_found_out,
		a_drive_that_does_not_answer_for_a_while_is_asked_again,
		one_that_never_answers_is_given_up,
		a_drive_that_is_gone_is_not_waited_for,
		an_interrupted_one_is_found_and_awaited,
		a_drive_without_a_log_sanitizes_nothing,
		every_format_keeps_the_format,
		a_format_is_not_stopped,
		a_refused_format_is_named,
		other_blocks_than_the_kernel_takes_are_found,
		what_is_refused_is_left_for_the_next_best,
		an_error_of_the_drive_is_no_refusal,
		a_stop_says_how_to_go_on,
		a_file_is_punched_and_keeps_its_space,
		a_deallocation_stops_between_pieces,
		what_cannot_be_opened_is_named,
	};

	return RUN_TESTS("a purge from beginning to end", tests, 120, NULL, NULL);
}
