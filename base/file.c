/* SPDX-License-Identifier: GPL-2.0-only */
/* Whole files and folders. */
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/base.h"
#include "base/utf8.h"

/* Reads to the end into a buffer that grows; pipes and /proc files have no size to ask for. */
static int read_to_end(int fd, char **data, size_t *bytes)
{
	size_t room = 65536, used = 0;
	char *buffer = malloc(room), *larger;
	ssize_t got;

	while (buffer && (got = read(fd, buffer + used, room - used - 1)) != 0) {
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			break;
		used += (size_t)got;
		if (room - used > 1)
			continue;
		room *= 2;
		larger = realloc(buffer, room);
		if (!larger)
			free(buffer);
		buffer = larger;
	}
	if (!buffer) {
		errno = ENOMEM;
		return -1;
	}
	if (got < 0) {
		free(buffer);
		return -1;
	}
	buffer[used] = '\0';
	*data = buffer;
	*bytes = used;
	return 0;
}

/* /dev/zero has no end, a disk hardly one, and a terminal waits. */
static bool is_device(int fd)
{
	struct stat st;

	return !fstat(fd, &st) && (S_ISCHR(st.st_mode) || S_ISBLK(st.st_mode));
}

int file_read(const char *path, char **data, size_t *bytes, struct error *err)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	int failed;

	if (fd < 0)
		return error_set(err, "%s cannot be opened: %s", path, strerror(errno));
	if (is_device(fd)) {
		close(fd);
		return error_set(err, "%s is a device, not a file", path);
	}
	failed = read_to_end(fd, data, bytes);
	if (failed)
		error_set(err, "%s cannot be read: %s", path, strerror(errno));
	close(fd);
	return failed;
}

int file_read_text(const char *path, char **text, struct error *err)
{
	size_t bytes, length;

	if (file_read(path, text, &bytes, err))
		return -1;
	length = utf8_length(*text);
	if (length == bytes)
		return 0;
	if ((*text)[length])
		error_set(err, "%s is no text: byte %zu is not UTF-8; save it as UTF-8", path,
			  length);
	else
		error_set(err, "%s is no text: byte %zu is zero", path, length);
	free(*text);
	return -1;
}

static int write_all(int fd, const char *data, size_t bytes)
{
	ssize_t wrote;

	while (bytes > 0) {
		wrote = write(fd, data, bytes);
		if (wrote < 0 && errno == EINTR)
			continue;
		if (wrote < 0)
			return -1;
		data += wrote;
		bytes -= (size_t)wrote;
	}
	return fsync(fd);
}

/* A rename survives a power cut only when the folder that names the file is on disk too. */
static void sync_folder_of(const char *path)
{
	char copy[PATH_MAX];
	int fd;

	snprintf(copy, sizeof(copy), "%s", path);
	fd = open(dirname(copy), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return;
	fsync(fd);
	close(fd);
}

int file_write_atomic(const char *path, const char *data, size_t bytes, struct error *err)
{
	char temporary[PATH_MAX];
	int fd, failed;

	if (snprintf(temporary, sizeof(temporary), "%s.XXXXXX", path) >= (int)sizeof(temporary))
		return error_set(err, "%s: the name is too long", path);
	fd = mkostemp(temporary, O_CLOEXEC);
	if (fd < 0)
		return error_set(err, "%s cannot be written: %s", path, strerror(errno));
	fchmod(fd, 0644);
	failed = write_all(fd, data, bytes);
	if (close(fd) || failed || rename(temporary, path)) {
		error_set(err, "%s cannot be written: %s", path, strerror(errno));
		unlink(temporary);
		return -1;
	}
	sync_folder_of(path);
	return 0;
}

/* Makes one folder; a file of that name in the way is an error, a folder is not. */
static int make_one(const char *path, struct error *err)
{
	struct stat st;

	if (mkdir(path, 0777) == 0)
		return 0;
	if (errno == EEXIST && stat(path, &st) == 0 && !S_ISDIR(st.st_mode))
		errno = ENOTDIR;
	else if (errno == EEXIST)
		return 0;
	return error_set(err, "%s cannot be made: %s", path, strerror(errno));
}

int folder_make(const char *path, struct error *err)
{
	char copy[PATH_MAX];
	char *slash;

	if (snprintf(copy, sizeof(copy), "%s", path) >= (int)sizeof(copy))
		return error_set(err, "%s: the name is too long", path);
	for (slash = copy + 1; (slash = strchr(slash, '/')); *slash++ = '/') {
		*slash = '\0';
		if (make_one(copy, err))
			return -1;
	}
	return make_one(copy, err);
}
