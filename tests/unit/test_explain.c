/* SPDX-License-Identifier: GPL-2.0-only */
/* What the kernel's refusals on the way to a drive say. */
#include <check.h>
#include <errno.h>
#include <string.h>

#include "engines/core/explain.h"
#include "tests/unit/suite.h"
#include "tests/unit/user_fixture.h"

#define PATH	"/dev/ng0n1"
#define INSTEAD "the engine openloop"

static struct error err;

static void says(int returned, const char *words)
{
	ck_assert_int_eq(returned, -1);
	ck_assert_msg(strstr(err.text, words), "no \"%s\" in: %s", words, err.text);
}

static void says_not(const char *words)
{
	ck_assert_msg(!strstr(err.text, words), "\"%s\" in: %s", words, err.text);
}

/* Each cause has a remedy of its own. */
START_TEST(a_ring_that_cannot_be)
{
	static const struct {
		int failed;
		const char *words;
	} causes[] = {
		{ENOSYS, "seccomp filter lacks io_uring: run outside the container"},
		{EPERM, "set the sysctl kernel.io_uring_disabled to 0"},
		{ENOMEM, "raise 'ulimit -l'"},
		{EMFILE, "io_uring cannot be set up: Too many open files"},
	};
	size_t i;

	for (i = 0; i < COUNT(causes); i++) {
		says(core_explain_ring(causes[i].failed, &err), causes[i].words);
		says(nvme_explain_ring(causes[i].failed, 8, INSTEAD, &err), causes[i].words);
	}
	says(core_explain_ring(EINVAL, &err), "iodepth= may be 32768 at most");
}
END_TEST

/* Only a kernel that is too old refuses a ring for NVMe commands that is not too large. */
START_TEST(a_ring_for_commands)
{
	says(nvme_explain_ring(EINVAL, CORE_MOST_IN_FLIGHT + 1, INSTEAD, &err),
	     "32769 NVMe commands in flight are more than a ring holds (32768)");
	says(nvme_explain_ring(EINVAL, CORE_MOST_IN_FLIGHT, INSTEAD, &err),
	     "Linux 5.19 or newer is needed, or the engine openloop on the block device");
}
END_TEST

START_TEST(a_device_that_cannot_be_opened)
{
	says(nvme_explain_open(PATH, EACCES, &err), PATH " cannot be opened: run as root, or give");
	says(nvme_explain_open(PATH, EPERM, &err), "a container's device rules");
	says_not("run as root");
	seen_as = ROOT;
	says(nvme_explain_open(PATH, EACCES, &err), "root lacks the capability");
	says_not("run as root");
	says(nvme_explain_open(PATH, ENXIO, &err), PATH ": the drive is gone");
	says(nvme_explain_open(PATH, EMFILE, &err), "cannot be opened: Too many open files");
}
END_TEST

START_TEST(a_command_that_is_not_passed_on)
{
	says(nvme_explain_command(PATH, EACCES, INSTEAD, &err), "may write): run as root");
	seen_as = ROOT;
	says(nvme_explain_command(PATH, EACCES, INSTEAD, &err), "root lacks the capability");
	says(nvme_explain_command(PATH, EPERM, INSTEAD, &err),
	     "lockdown of this kernel forbids NVMe commands: boot without it, or use the engine "
	     "openloop on the block device");
	says(nvme_explain_command(PATH, EOPNOTSUPP, "drive=block", &err),
	     "Linux 5.19 or newer is needed, or drive=block on the block device");
	says(nvme_explain_command(PATH, ENODEV, INSTEAD, &err), PATH ": the drive is gone");
	says(nvme_explain_command(PATH, EIO, INSTEAD, &err), "to pass a read on: Input/output");
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {a_ring_that_cannot_be, a_ring_for_commands,
				      a_device_that_cannot_be_opened,
				      a_command_that_is_not_passed_on};

	return RUN_TESTS("explain", tests, 10, NULL, NULL);
}
