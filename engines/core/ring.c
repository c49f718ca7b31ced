/* SPDX-License-Identifier: GPL-2.0-only */
/* Why io_uring cannot be set up, for every way to a drive that needs it. */
#include <errno.h>
#include <string.h>

#include "engines/core/core.h"

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
		return error_set(err, "io_uring cannot be set up for so many I/Os in flight: "
				      "iodepth= may be 32768 at most");
	case ENOMEM:
		return error_set(err, "io_uring may not lock enough memory: raise 'ulimit -l' or "
				      "lower iodepth=");
	default:
		return error_set(err, "io_uring cannot be set up: %s", strerror(failed));
	}
}
