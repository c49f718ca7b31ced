/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Preloaded, a disk that has its limits: with NO_UNNAMED_FILES its file system knows no O_TMPFILE
 * (as NFS and FAT do not), with DISK_BYTES no more can be written to regular files. FORBIDDEN is
 * the path of one that a container's device rules keep from everybody.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int open(const char *path, int flags, ...)
{
	int (*real)(const char *, int, ...) = dlsym(RTLD_NEXT, "open");
	const char *forbidden = getenv("FORBIDDEN");
	va_list args;
	mode_t mode;

	va_start(args, flags);
	mode = va_arg(args, mode_t);
	va_end(args);
	if ((flags & O_TMPFILE) == O_TMPFILE && getenv("NO_UNNAMED_FILES")) {
		errno = EOPNOTSUPP;
		return -1;
	}
	if (forbidden && !strcmp(path, forbidden)) {
		errno = EPERM;
		return -1;
	}
	return real(path, flags, mode);
}

ssize_t write(int fd, const void *data, size_t bytes)
{
	ssize_t (*real)(int, const void *, size_t) = dlsym(RTLD_NEXT, "write");
	const char *limit = getenv("DISK_BYTES");
	static size_t written;
	struct stat st;

	if (limit && !fstat(fd, &st) && S_ISREG(st.st_mode) &&
	    (written += bytes) > strtoul(limit, NULL, 10)) {
		errno = ENOSPC;
		return -1;
	}
	return real(fd, data, bytes);
}
