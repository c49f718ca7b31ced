/* SPDX-License-Identifier: GPL-2.0-only */
/* Files that are done with, compressed: FILE becomes FILE.gz. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "review/review.h"

static int write_compressed(const char *path, const char *data, size_t bytes)
{
	gzFile file = gzopen(path, "wb6");
	int written;

	if (!file)
		return -1;
	written = gzwrite(file, data, (unsigned)bytes);
	return gzclose(file) != Z_OK || written != (int)bytes ? -1 : 0;
}

int file_compress(const char *path, struct error *err)
{
	char part[PATH_MAX], whole[PATH_MAX], *data;
	size_t bytes;
	int failed;

	path_format(part, "%s.gz.part", path);
	path_format(whole, "%s.gz", path);
	if (file_read(path, &data, &bytes, err))
		return -1;
	errno = 0;
	failed = write_compressed(part, data, bytes) || rename(part, whole) || unlink(path);
	free(data);
	if (!failed)
		return 0;
	error_set(err, "%s cannot be compressed: %s", path,
		  errno ? strerror(errno) : "the disk is full");
	unlink(part);
	return -1;
}
