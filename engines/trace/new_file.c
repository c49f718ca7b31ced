/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A file that nobody sees before it is whole. Where the file system can, it has no name until then,
 * so that nothing is left of it however the process ends; else it is called PATH.part, and whoever
 * writes the same PATH next takes a part over whose writer is gone.
 */
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engines/trace/vdt_internal.h"

/* A file without a name in the folder of path; -1 where that cannot be. */
static int open_unnamed(const char *path)
{
	char folder[sizeof(((struct new_file *)0)->path)];

	snprintf(folder, sizeof(folder), "%s", path);
	return open(dirname(folder), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
}

int unnamed_file(const char *path)
{
	int fd = open_unnamed(path);
	char name[sizeof(((struct new_file *)0)->path)];

	if (fd >= 0 || snprintf(name, sizeof(name), "%s.XXXXXX", path) >= (int)sizeof(name))
		return fd;
	fd = mkostemp(name, O_CLOEXEC);
	if (fd >= 0)
		unlink(name);
	return fd;
}

/* Is the file open as fd still the one of that name? Its last writer may have just renamed it. */
static bool is_named(int fd, const char *name)
{
	struct stat opened, named;

	return !fstat(fd, &opened) && !lstat(name, &named) && opened.st_dev == named.st_dev &&
	       opened.st_ino == named.st_ino;
}

/* The lock goes with its process: what is not locked has been left behind. */
static int open_part(struct new_file *file, struct error *err)
{
	do {
		if (file->fd >= 0)
			close(file->fd);
		file->fd = open(file->part, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
		if (file->fd < 0)
			return error_set(err, "%s cannot be written: %s", file->part,
					 strerror(errno));
		if (flock(file->fd, LOCK_EX | LOCK_NB)) {
			file->part[0] = '\0';
			return error_set(err, "%s is being written by another process", file->path);
		}
	} while (!is_named(file->fd, file->part));
	return ftruncate(file->fd, 0)
		       ? error_set(err, "%s cannot be written: %s", file->part, strerror(errno))
		       : 0;
}

/* A device or a pipe would be replaced by a file. */
static bool is_replaceable(const char *path)
{
	struct stat st;

	return stat(path, &st) || S_ISREG(st.st_mode);
}

int new_file_open(struct new_file *file, const char *path, const char *suffix, struct error *err)
{
	char part[sizeof(file->part)];

	file->part[0] = '\0';
	file->fd = -1;
	if (snprintf(part, sizeof(part), "%s%s", path, suffix) >= (int)sizeof(part))
		return error_set(err, "%s: the name is too long", path);
	snprintf(file->path, sizeof(file->path), "%s", path);
	if (!is_replaceable(path))
		return error_set(err, "%s is no regular file and will not be replaced by one",
				 path);
	file->fd = open_unnamed(path);
	if (file->fd >= 0)
		return 0;
	if (errno != EOPNOTSUPP && errno != EISDIR && errno != EINVAL)
		return error_set(err, "%s cannot be written: %s", path, strerror(errno));
	memcpy(file->part, part, sizeof(part));
	return open_part(file, err);
}

void new_file_name(const struct new_file *file, char *name, size_t room)
{
	if (file->part[0])
		snprintf(name, room, "%s", file->part);
	else
		snprintf(name, room, "/proc/self/fd/%d", file->fd);
}

/* Gives the file the name of a part, unless it can have its own at once. */
static int link_file(struct new_file *file)
{
	char self[64], part[sizeof(file->part)];

	if (file->part[0])
		return 0;
	snprintf(self, sizeof(self), "/proc/self/fd/%d", file->fd);
	if (!linkat(AT_FDCWD, self, AT_FDCWD, file->path, AT_SYMLINK_FOLLOW))
		return 0;
	if (errno != EEXIST)
		return -1;
	if (snprintf(part, sizeof(part), "%s" NEW_FILE_PART, file->path) >= (int)sizeof(part)) {
		errno = ENAMETOOLONG;
		return -1;
	}
	memcpy(file->part, part, sizeof(part));
	unlink(file->part);
	return linkat(AT_FDCWD, self, AT_FDCWD, file->part, AT_SYMLINK_FOLLOW);
}

int new_file_publish(struct new_file *file, struct error *err)
{
	if (fchmod(file->fd, 0644) || fsync(file->fd) || link_file(file) ||
	    (file->part[0] && rename(file->part, file->path)))
		return error_set(err, "%s cannot be written: %s", file->path, strerror(errno));
	file->part[0] = '\0';
	return 0;
}

void new_file_close(struct new_file *file)
{
	if (file->part[0])
		unlink(file->part);
	if (file->fd >= 0)
		close(file->fd);
	file->part[0] = '\0';
	file->fd = -1;
}
