/* SPDX-License-Identifier: GPL-2.0-only */
/* Why io_uring cannot be set up, and why NVMe commands do not go through it. */
#include <errno.h>
#include <string.h>

#include "engines/core/explain.h"

int core_explain_ring(int failed, struct error *err)
{
	switch (failed) {
	case ENOSYS:
		return error_set(err,
				 "the kernel or a seccomp filter lacks io_uring: run outside the "
				 "container, or allow io_uring_setup");
	case EPERM:
		return error_set(err, "io_uring is switched off: set the sysctl "
				      "kernel.io_uring_disabled to 0");
	case EINVAL:
		return error_set(err,
				 "io_uring cannot be set up for so many I/Os in flight: "
				 "iodepth= may be %u at most",
				 CORE_MOST_IN_FLIGHT);
	case ENOMEM:
		return error_set(err, "io_uring may not lock enough memory: raise 'ulimit -l' or "
				      "lower iodepth=");
	default:
		return error_set(err, "io_uring cannot be set up: %s", strerror(failed));
	}
}

int nvme_explain_ring(int failed, unsigned commands, const char *instead, struct error *err)
{
	if (failed != EINVAL)
		return core_explain_ring(failed, err);
	if (commands > CORE_MOST_IN_FLIGHT)
		return error_set(
			err,
			"%u NVMe commands in flight are more than a ring holds (%u): lower "
			"iodepth=, or bs= to what one command carries",
			commands, CORE_MOST_IN_FLIGHT);
	return error_set(err,
			 "this kernel passes no NVMe commands through io_uring: Linux 5.19 or "
			 "newer is needed, or %s on the block device",
			 instead);
}

static int explain_gone(const char *path, struct error *err)
{
	return error_set(err, "%s: the drive is gone", path);
}

int nvme_explain_open(const char *path, int failed, struct error *err)
{
	const char *denied = denied_because(failed, "run as root, or give your group the device "
						    "(chgrp and chmod g+rw)");

	if (failed == ENODEV || failed == ENXIO || failed == ENOENT)
		return explain_gone(path, err);
	return error_set(err, "%s cannot be opened: %s", path, denied ? denied : strerror(failed));
}

int nvme_explain_command(const char *path, int failed, const char *instead, struct error *err)
{
	switch (failed) {
	case EACCES:
		return error_set(err,
				 "%s: the kernel passes commands on for CAP_SYS_ADMIN alone (since "
				 "Linux 6.2: for who may read, and to write who may write): %s",
				 path, denied_because(failed, "run as root"));
	case EPERM:
		return error_set(err,
				 "%s: a security module or the lockdown of this kernel forbids "
				 "NVMe commands: boot without it, or use %s on the block device",
				 path, instead);
	case EOPNOTSUPP:
	case ENOTTY:
		return error_set(err,
				 "%s: this kernel passes no NVMe commands through io_uring: Linux "
				 "5.19 or newer is needed, or %s on the block device",
				 path, instead);
	case ENODEV:
	case ENXIO:
		return explain_gone(path, err);
	default:
		return error_set(err, "%s: the kernel refuses to pass a read on: %s", path,
				 strerror(failed));
	}
}
