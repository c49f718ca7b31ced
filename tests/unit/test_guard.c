/* SPDX-License-Identifier: GPL-2.0-only */
/* The guard where no privilege is needed; real devices are in tests/review/guard.sh. */
#include <check.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <linux/magic.h>
#include <unistd.h>

#include "engines/core/guard.h"
#include "tests/unit/suite.h"

/* A folder of our own, on a disk wherever /var/tmp is one. */
static char folder[] = "/var/tmp/guard.XXXXXX";
static bool folder_in_memory;

static void make_folder(void)
{
	struct statfs fs;

	strcpy(folder, "/var/tmp/guard.XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(folder));
	ck_assert_int_eq(statfs(folder, &fs), 0);
	folder_in_memory = fs.f_type == TMPFS_MAGIC || fs.f_type == RAMFS_MAGIC;
}

static const char *below(const char *name)
{
	static char path[64];

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	return path;
}

static void remove_folder(void)
{
	unlink(below("file"));
	unlink(below("link"));
	rmdir(folder);
}

static void make_file(void)
{
	int fd = open(below("file"), O_CREAT | O_WRONLY, 0600);

	ck_assert_int_ge(fd, 0);
	close(fd);
}

/* The guard refuses the path, and its sentence names the path and holds the words. */
static void refused(const char *path, const char *words)
{
	struct error err = {.text = ""};

	ck_assert_int_eq(guard_check(path, &err), -1);
	ck_assert_msg(strstr(err.text, words) != NULL, "no '%s' in: %s", words, err.text);
	ck_assert_msg(strncmp(err.text, path, strlen(path)) == 0, "no path in: %s", err.text);
}

START_TEST(a_file_on_disk_is_free)
{
	struct error err = {.text = ""};

	make_file();
	if (folder_in_memory)
		refused(below("file"), "memory");
	else
		ck_assert_msg(guard_check(below("file"), &err) == 0, "%s", err.text);
}
END_TEST

START_TEST(a_missing_file_needs_a_folder)
{
	struct error err = {.text = ""};

	if (!folder_in_memory)
		ck_assert_msg(guard_check(below("none"), &err) == 0, "%s", err.text);
	refused(below("none/none"), "folder");
}
END_TEST

START_TEST(what_is_no_disk_is_refused)
{
	refused(folder, "folder");
	refused("/dev/null", "character device");
	refused("/proc/self/none", "proc");
	refused("/proc/self/maps", "proc");
}
END_TEST

START_TEST(a_link_to_nothing_is_refused)
{
	ck_assert_int_eq(symlink("nowhere", below("link")), 0);
	refused(below("link"), "symbolic link");
}
END_TEST

START_TEST(a_link_counts_as_what_it_names)
{
	ck_assert_int_eq(symlink("/dev/null", below("link")), 0);
	refused(below("link"), "character device");
}
END_TEST

START_TEST(nothing_refused_is_held)
{
	struct error err = {.text = ""};

	unsetenv("SSDREVIEW_HOLDER");
	ck_assert_int_eq(guard_hold("/dev/null", &err), -1);
	ck_assert_ptr_nonnull(strstr(err.text, "character device"));
	ck_assert_ptr_null(getenv("SSDREVIEW_HOLDER"));
}
END_TEST

START_TEST(a_caller_may_do_without_the_sentence)
{
	ck_assert_int_eq(guard_check("/dev/null", NULL), -1);
}
END_TEST

int main(void)
{
	TCase *files = tcase_create("files");

	tcase_add_checked_fixture(files, make_folder, remove_folder);
	tcase_add_test(files, a_file_on_disk_is_free);
	tcase_add_test(files, a_missing_file_needs_a_folder);
	tcase_add_test(files, what_is_no_disk_is_refused);
	tcase_add_test(files, a_link_to_nothing_is_refused);
	tcase_add_test(files, a_link_counts_as_what_it_names);
	tcase_add_test(files, nothing_refused_is_held);
	tcase_add_test(files, a_caller_may_do_without_the_sentence);
	return run_case("guard", files);
}
