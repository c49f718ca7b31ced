/* SPDX-License-Identifier: GPL-2.0-only */
/* The state file: made once, shared, kept between runs, whole after any kill, refused when damaged.
 */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "engines/sim/drive_file.h"
#include "tests/unit/sim_fixture.h"
#include "tests/unit/suite.h"

static char folder[256], path[512];

static void make_folder(void)
{
	folder_for_test(folder, sizeof(folder));
	snprintf(path, sizeof(path), "%s/drive", folder);
}

static void remove_folder(void)
{
	unlink(path);
	ck_assert_msg(!rmdir(folder), "something was left in %s", folder);
}

static void create(const char *word, unsigned scale)
{
	struct error err;

	ck_assert_msg(!sim_drive_create(path, word, scale, 42, NULL, 0, &err), "%s", err.text);
}

static struct sim_drive *attach(void)
{
	struct sim_drive *drive;
	struct error err;

	ck_assert_msg(!sim_drive_open(path, &drive, &err), "%s", err.text);
	return drive;
}

static struct sim_status status_now(void)
{
	struct sim_drive *drive = attach();
	struct sim_status status;

	sim_drive_status(drive, &status);
	sim_drive_close(drive);
	return status;
}

static void patch(uint64_t offset, const void *bytes, size_t count)
{
	int fd = open(path, O_WRONLY);

	ck_assert_int_eq(pwrite(fd, bytes, count, (off_t)offset), (ssize_t)count);
	close(fd);
}

static uint8_t byte_at(uint64_t offset)
{
	int fd = open(path, O_RDONLY);
	uint8_t byte = 0;

	ck_assert_int_eq(pread(fd, &byte, 1, (off_t)offset), 1);
	close(fd);
	return byte;
}

static const char *refusal(void)
{
	static struct error err;
	struct sim_drive *drive;

	ck_assert_int_eq(sim_drive_open(path, &drive, &err), -1);
	ck_assert_ptr_null(drive);
	ck_assert_msg(strstr(err.text, "byte "), "%s", err.text);
	return err.text;
}

START_TEST(a_drive_is_made_and_told_about)
{
	struct sim_info info;
	struct stat file;
	struct error err;

	create("p4510-8tb", 20);
	ck_assert(!sim_drive_info(path, &info, &err));
	ck_assert_str_eq(info.model, "p4510-8tb");
	ck_assert_str_eq(info.drive, "Intel P4510 8TB");
	ck_assert_uint_eq(info.scale, 20);
	ck_assert_uint_eq(info.seed, 42);
	ck_assert_uint_eq(info.capacity_bytes, 8001563222016 / 20 & ~4095ULL);
	ck_assert(sim_is_state_file(path));
	ck_assert(!sim_is_model_file(path));
	ck_assert(!stat(path, &file));
	/* Nothing has been written to the drive: only its small tables take room. */
	ck_assert_int_lt(file.st_blocks * 512, 8 << 20);
}
END_TEST

START_TEST(a_drive_in_use_has_all_its_room)
{
	struct stat file;

	create("p4510-8tb", 20);
	sim_drive_close(attach());
	ck_assert(!stat(path, &file));
	ck_assert_int_ge(file.st_blocks * 512, file.st_size);
}
END_TEST

START_TEST(an_existing_file_is_not_overwritten)
{
	struct error err;

	write_text(path, "precious");
	ck_assert_int_eq(sim_drive_create(path, "ideal", 1, 1, NULL, 0, &err), -1);
	ck_assert_ptr_nonnull(strstr(err.text, "exists"));
	ck_assert_uint_eq(byte_at(0), 'p');
	ck_assert(!sim_is_state_file(path));
}
END_TEST

START_TEST(a_failed_creation_leaves_nothing)
{
	const struct sim_event bad = {.kind = SIM_STALL};
	struct error err;

	ck_assert_int_eq(sim_drive_create(path, "670p-3tb", 1, 1, NULL, 0, &err), -1);
	ck_assert_ptr_nonnull(strstr(err.text, "did you mean \"670p-2tb\"?"));
	ck_assert_int_eq(sim_drive_create(path, "ideal", 1, 1, &bad, 1, &err), -1);
	ck_assert_int_eq(sim_drive_create(path, "ideal", 4000000, 1, NULL, 0, &err), -1);
	ck_assert_int_eq(sim_drive_create(path, "ideal", 0, 1, NULL, 0, &err), -1);
	ck_assert_int_eq(access(path, F_OK), -1);
	ck_assert_int_eq(sim_drive_create("/nonexistent/drive", "ideal", 1, 1, NULL, 0, &err), -1);
}
END_TEST

START_TEST(the_state_is_kept_between_runs)
{
	uint64_t random = 1, issued, done;
	struct sim_drive *drive;
	struct sim_status status;

	create("670p-2tb", 100);
	drive = attach();
	done = sim_drive_submit(drive, SIM_WRITE, 0, 4 * MIB, &random, &issued);
	ck_assert_uint_gt(done, issued);
	ck_assert_uint_le(issued, monotonic_ns());
	sim_drive_close(drive);
	status = status_now();
	ck_assert_uint_eq(status.host_written_bytes, 4 * MIB);
	ck_assert_uint_eq(status.slc_used_bytes, 4 * MIB);
}
END_TEST

START_TEST(time_stands_still_while_nobody_is_attached)
{
	const struct timespec pause = {.tv_nsec = 200 * 1000 * 1000};
	uint64_t begin, before, between, after, spent, clock;
	struct sim_drive *drive;

	create("670p-2tb", 100);
	drive = attach();
	sim_drive_close(drive);
	before = status_now().drive_time_ns;
	clock = monotonic_ns();
	nanosleep(&pause, NULL);
	spent = monotonic_ns() - clock;
	begin = monotonic_ns();
	between = status_now().drive_time_ns;
	ck_assert_uint_le(between - before, monotonic_ns() - begin);
	/* Attached, it runs: with one job sleeping and another coming and going. */
	drive = attach();
	nanosleep(&pause, NULL);
	after = status_now().drive_time_ns;
	ck_assert_uint_ge(after - between, (uint64_t)pause.tv_nsec);
	ck_assert_uint_ge(spent, (uint64_t)pause.tv_nsec);
	sim_drive_close(drive);
}
END_TEST

/* Drive time as a user sees it right after an I/O. */
static uint64_t time_after_io(struct sim_drive *drive)
{
	struct sim_status status;
	uint64_t random = 1, issued, done;

	done = sim_drive_submit(drive, SIM_READ, 0, 4096, &random, &issued);
	ck_assert_uint_eq(done - issued, 1000);
	sim_drive_status(drive, &status);
	return status.drive_time_ns;
}

START_TEST(a_drive_may_be_older_than_the_machine_is_up)
{
	uint64_t age = 10ULL * 365 * 86400 * NS_PER_SEC, first, until;
	struct sim_drive *drive;

	create("ideal", 1);
	patch(offsetof(struct drive_file, shared.drive_ns), &age, sizeof(age));
	drive = attach();
	first = time_after_io(drive);
	ck_assert_uint_ge(first, age);
	for (until = monotonic_ns() + 2 * NS_PER_MSEC; monotonic_ns() < until;)
		;
	ck_assert_uint_gt(time_after_io(drive), first + NS_PER_MSEC);
	sim_drive_close(drive);
}
END_TEST

START_TEST(each_byte_of_the_header_is_guarded)
{
	uint64_t offset;

	create("ideal", 1);
	for (offset = 0; offset < sizeof(struct drive_header); offset += 1 + offset / 64) {
		uint8_t good = byte_at(offset), bad = good ^ 0x41;

		patch(offset, &bad, 1);
		refusal();
		patch(offset, &good, 1);
	}
	sim_drive_close(attach());
}
END_TEST

START_TEST(refusals_name_the_damage)
{
	uint32_t version = DRIVE_VERSION + 1, good_version = DRIVE_VERSION;
	uint64_t huge = UINT64_MAX, offset;

	create("p3700-2tb", 1000);
	patch(offsetof(struct drive_header, version), &version, sizeof(version));
	ck_assert_ptr_nonnull(strstr(refusal(), "version 3 at byte 16"));
	patch(offsetof(struct drive_header, version), &good_version, sizeof(version));
	offset = STATE_AT + offsetof(struct sim_state, magic);
	patch(offset, &huge, sizeof(huge));
	ck_assert_ptr_nonnull(strstr(refusal(), "byte 16384"));
}
END_TEST

START_TEST(an_index_out_of_its_table_is_found)
{
	uint32_t beyond = READ_RUNS;
	uint64_t at = STATE_AT + offsetof(struct sim_state, next_read_run);
	char expected[64];

	create("670p-2tb", 1000);
	patch(at, &beyond, sizeof(beyond));
	snprintf(expected, sizeof(expected), "byte %llu:", (unsigned long long)at);
	ck_assert_ptr_nonnull(strstr(refusal(), expected));
}
END_TEST

START_TEST(damaged_tables_are_found)
{
	struct sim_state plan;
	uint32_t bad = 0xfffffff0;
	int fd;

	create("p3700-2tb", 1000);
	fd = open(path, O_RDONLY);
	ck_assert_int_eq(pread(fd, &plan, sizeof(plan), STATE_AT), sizeof(plan));
	close(fd);
	patch(STATE_AT + plan.ftl.map_at + 400, &bad, sizeof(bad));
	{
		char expected[64];

		snprintf(expected, sizeof(expected),
			 "byte %llu:", (unsigned long long)(STATE_AT + plan.ftl.map_at + 400));
		ck_assert_ptr_nonnull(strstr(refusal(), expected));
	}
}
END_TEST

START_TEST(a_truncated_file_is_refused)
{
	static const off_t lengths[] = {STATE_AT + 8192, STATE_AT, 3000, 100, 7};
	struct stat file;
	char expected[64];
	size_t i;

	create("665p-1tb", 100);
	ck_assert(!stat(path, &file));
	for (i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++) {
		ck_assert(!truncate(path, lengths[i]));
		snprintf(expected, sizeof(expected), "byte %lld:", (long long)lengths[i]);
		ck_assert_ptr_nonnull(strstr(refusal(), expected));
	}
	ck_assert(!truncate(path, 0));
	refusal();
	unlink(path);
	create("665p-1tb", 100);
	ck_assert(!truncate(path, file.st_size + 4096));
	refusal();
}
END_TEST

START_TEST(other_files_are_refused)
{
	struct sim_drive *drive;
	struct error err;

	write_text(path, "this is a letter, not a drive, and long enough to look like one\n");
	ck_assert_int_eq(sim_drive_open(path, &drive, &err), -1);
	ck_assert_ptr_nonnull(strstr(err.text, "not the state file"));
	ck_assert_int_eq(sim_drive_open(folder, &drive, &err), -1);
	ck_assert_int_eq(sim_drive_open("/nonexistent/drive", &drive, &err), -1);
	write_text(path, "# a model\n[drive]\nname = x\ncapacity_gb = 1\n");
	ck_assert(sim_is_model_file(path));
	unlink(path);
	ck_assert_int_eq(mkfifo(path, 0600), 0); /* nobody writes: opening it must not wait */
	ck_assert_int_eq(sim_drive_info(path, &(struct sim_info){0}, &err), -1);
	ck_assert_ptr_nonnull(strstr(err.text, "it is no file"));
}
END_TEST

/* Random 4K writes until `count` are done or for ever. */
static void submit_many(struct sim_drive *drive, uint64_t count, uint64_t seed)
{
	uint64_t pages = sim_drive_get_info(drive)->capacity_bytes / 4096, issued, i;

	for (i = 0; i < count; i++) {
		uint64_t page = (i * 2654435761 + seed * 7919) % pages;

		sim_drive_submit(drive, SIM_WRITE, page * 4096, 4096, &seed, &issued);
	}
}

static pid_t start_writer(uint64_t count, uint64_t seed)
{
	pid_t child = fork();

	if (!child) {
		struct sim_drive *drive;
		struct error err;

		if (sim_drive_open(path, &drive, &err))
			_exit(1);
		submit_many(drive, count, seed);
		sim_drive_close(drive);
		_exit(0);
	}
	return child;
}

START_TEST(processes_share_a_drive)
{
	pid_t children[3];
	int status, i;

	create("p3700-2tb", 2000);
	for (i = 0; i < 3; i++)
		children[i] = start_writer(50000, (uint64_t)i + 1);
	for (i = 0; i < 3; i++) {
		ck_assert_int_eq(waitpid(children[i], &status, 0), children[i]);
		ck_assert_int_eq(status, 0);
	}
	ck_assert_uint_eq(status_now().host_written_bytes, 150000 * 4096ULL);
}
END_TEST

static void *thread_writer(void *seed)
{
	struct sim_drive *drive;
	struct error err;

	if (sim_drive_open(path, &drive, &err))
		return seed;
	submit_many(drive, 50000, *(uint64_t *)seed);
	sim_drive_close(drive);
	return NULL;
}

START_TEST(threads_share_a_drive)
{
	uint64_t seeds[] = {1, 2, 3};
	pthread_t threads[3];
	void *failed;
	int i;

	create("p3700-2tb", 2000);
	for (i = 0; i < 3; i++)
		ck_assert(!pthread_create(&threads[i], NULL, thread_writer, &seeds[i]));
	for (i = 0; i < 3; i++) {
		pthread_join(threads[i], &failed);
		ck_assert_ptr_null(failed);
	}
	ck_assert_uint_eq(status_now().host_written_bytes, 150000 * 4096ULL);
}
END_TEST

/* Kills a writer at a random moment, alone or while another goes on. */
static void kill_one(unsigned delay_us, bool another)
{
	pid_t victim = start_writer(UINT64_MAX, delay_us), other = -1;
	int status;

	if (another)
		other = start_writer(20000, delay_us + 1);
	usleep(delay_us);
	kill(victim, SIGKILL);
	ck_assert_int_eq(waitpid(victim, &status, 0), victim);
	ck_assert(WIFSIGNALED(status));
	if (!another)
		return;
	ck_assert_int_eq(waitpid(other, &status, 0), other);
	ck_assert_int_eq(status, 0);
}

START_TEST(a_kill_leaves_a_usable_drive)
{
	struct sim_status before, after;
	int i;

	create("p3700-2tb", 2000);
	before = status_now();
	for (i = 0; i < 24; i++) {
		kill_one(1000 + 977 * (unsigned)i, i % 2);
		after = status_now();
		ck_assert_uint_ge(after.host_written_bytes, before.host_written_bytes);
		ck_assert_uint_ge(after.drive_time_ns, before.drive_time_ns);
		ck_assert_double_le(after.fill_share, 1);
		before = after;
	}
	ck_assert_uint_gt(after.host_written_bytes, 0);
}
END_TEST

/* What a kill inside a call leaves: the lock held, the mark set, tables half changed. */
START_TEST(a_call_cut_short_is_repaired)
{
	uint32_t busy = 1, none = UINT32_MAX;

	create("p3700-2tb", 2000);
	{
		struct sim_drive *drive = attach();

		submit_many(drive, 100000, 1);
		sim_drive_close(drive);
	}
	patch(offsetof(struct drive_file, shared.busy), &busy, sizeof(busy));
	patch(STATE_AT + offsetof(struct sim_state, ftl.free_head), &none, sizeof(none));
	{
		struct sim_drive *drive = attach();

		submit_many(drive, 300000, 2);
		sim_drive_close(drive);
	}
	ck_assert_uint_eq(status_now().host_written_bytes, 400000 * 4096ULL);
}
END_TEST

START_TEST(purge_empties_the_drive)
{
	struct sim_drive *drive;
	struct sim_status status;
	struct error err;
	uint64_t random = 1, issued;

	create("670p-2tb", 100);
	drive = attach();
	sim_drive_submit(drive, SIM_WRITE, 64 * MIB, 4 * MIB, &random, &issued);
	ck_assert_int_eq(sim_drive_purge(path, &err), -1);
	ck_assert_ptr_nonnull(strstr(err.text, "in use"));
	sim_drive_close(drive);
	ck_assert_msg(!sim_drive_purge(path, &err), "%s", err.text);
	status = status_now();
	ck_assert_double_eq(status.fill_share, 0);
	ck_assert_uint_eq(status.slc_used_bytes, 0);
	ck_assert_uint_gt(status.drive_time_ns, 0);
}
END_TEST

START_TEST(a_purge_cut_short_is_finished)
{
	struct sim_drive *drive;
	uint64_t random = 1, issued;
	uint32_t purging = 1;

	create("670p-2tb", 100);
	drive = attach();
	sim_drive_submit(drive, SIM_WRITE, 0, 4 * MIB, &random, &issued);
	sim_drive_close(drive);
	patch(offsetof(struct drive_file, shared.purging), &purging, sizeof(purging));
	ck_assert_double_eq(status_now().fill_share, 0);
	ck_assert_uint_eq(byte_at(offsetof(struct drive_file, shared.purging)), 0);
}
END_TEST

START_TEST(events_given_at_creation_happen)
{
	struct sim_event event;
	struct sim_drive *drive;
	struct error err;
	uint64_t random = 1, issued, done;

	ck_assert(!sim_event_parse("stall:at_s=0,duration_ms=600000", &event, &err));
	ck_assert(!sim_drive_create(path, "ideal", 1, 1, &event, 1, &err));
	drive = attach();
	done = sim_drive_submit(drive, SIM_READ, 0, 4096, &random, &issued);
	ck_assert_uint_gt(done - issued, 300 * NS_PER_SEC);
	ck_assert_uint_le(done - issued, 600 * NS_PER_SEC + 1000);
	sim_drive_close(drive);
}
END_TEST

START_TEST(a_held_drive_is_held_once)
{
	struct sim_drive *drive;
	struct error err = {.text = ""};
	int held;

	create("670p-2tb", 100);
	held = sim_drive_hold(path, &err);
	ck_assert_msg(held >= 0, "%s", err.text);
	ck_assert_int_eq(sim_drive_hold(path, &err), -1);
	ck_assert_ptr_nonnull(strstr(err.text, "held by another review"));
	drive = attach();
	sim_drive_close(drive);
	close(held);
	drive = attach();
	ck_assert_int_eq(sim_drive_hold(path, &err), -1);
	ck_assert_ptr_nonnull(strstr(err.text, "in use by another program"));
	sim_drive_close(drive);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		a_drive_is_made_and_told_about,
		a_drive_in_use_has_all_its_room,
		an_existing_file_is_not_overwritten,
		a_failed_creation_leaves_nothing,
		the_state_is_kept_between_runs,
		time_stands_still_while_nobody_is_attached,
		a_drive_may_be_older_than_the_machine_is_up,
		each_byte_of_the_header_is_guarded,
		refusals_name_the_damage,
		an_index_out_of_its_table_is_found,
		damaged_tables_are_found,
		a_truncated_file_is_refused,
		other_files_are_refused,
		processes_share_a_drive,
		threads_share_a_drive,
		a_kill_leaves_a_usable_drive,
		a_call_cut_short_is_repaired,
		purge_empties_the_drive,
		a_purge_cut_short_is_finished,
		events_given_at_creation_happen,
		a_held_drive_is_held_once,
	};

	return RUN_TESTS("sim drive", tests, 120, make_folder, remove_folder);
}
