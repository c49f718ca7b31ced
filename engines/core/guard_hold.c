/* SPDX-License-Identifier: GPL-2.0-only */
/* Who holds a block device: the test by O_EXCL, and the holder among our own ancestors. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "engines/core/guard.h"
#include "engines/core/guard_internal.h"

/* Names the process that holds the target to its descendants. */
#define HOLDER_VARIABLE "SSDREVIEW_HOLDER"

/* The clones of one job test at the same moment and collide for microseconds: ask again. */
#define HELD_TRIES    25
#define HELD_PAUSE_NS (20 * NS_PER_MSEC)

/* The parent of a process; 0 when it has none or is gone. */
static pid_t parent_of(pid_t pid)
{
	char path[64], line[512] = "", *name_end;
	int parent = 0;
	FILE *in;

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	in = fopen(path, "re");
	if (!in)
		return 0;
	/* The name, in brackets, may hold spaces and brackets itself. */
	name_end = fgets(line, sizeof(line), in) ? strrchr(line, ')') : NULL;
	if (!name_end || sscanf(name_end, ") %*c %d", &parent) != 1)
		parent = 0;
	fclose(in);
	return parent;
}

static bool is_ancestor_or_self(pid_t pid)
{
	pid_t at = getpid();

	while (at > 0 && at != pid)
		at = parent_of(at);
	return at > 0;
}

static bool has_open(pid_t pid, dev_t number)
{
	char path[PATH_MAX];
	struct dirent *entry;
	bool found = false;
	struct stat st;
	DIR *folder;

	snprintf(path, sizeof(path), "/proc/%d/fd", (int)pid);
	folder = opendir(path);
	while (folder && !found && (entry = readdir(folder)))
		found = fstatat(dirfd(folder), entry->d_name, &st, 0) == 0 && S_ISBLK(st.st_mode) &&
			st.st_rdev == number;
	if (folder)
		closedir(folder);
	return found;
}

/* The variable is a hint: only a true ancestor that has this very device open counts. */
static bool held_for_us(dev_t number)
{
	const char *word = getenv(HOLDER_VARIABLE);
	pid_t holder = word ? (pid_t)atoi(word) : 0;

	return holder > 0 && is_ancestor_or_self(holder) && has_open(holder, number);
}

/* Opens exclusively, waiting a moment for others that only test; -1 with errno. */
static int open_exclusive(const char *path)
{
	struct timespec pause = {.tv_nsec = HELD_PAUSE_NS};
	int fd, try = 0;

	while ((fd = open(path, O_RDONLY | O_EXCL | O_CLOEXEC)) < 0 && errno == EBUSY &&
	       ++try < HELD_TRIES)
		nanosleep(&pause, NULL);
	return fd;
}

int refuse_open(struct error *err)
{
	if (errno == EBUSY)
		return error_set(err, "it is held by another program or mounted elsewhere; end "
				      "that or choose another target");
	if (errno == EACCES || errno == EPERM)
		return error_set(err, "no permission to open it; run as root or as a member of the "
				      "group that owns it");
	return error_set(err, "it cannot be opened: %s", strerror(errno));
}

int hold_check(const char *path, dev_t number, struct error *err)
{
	int fd;

	if (held_for_us(number))
		return 0;
	fd = open_exclusive(path);
	if (fd < 0)
		return refuse_open(err);
	close(fd);
	return 0;
}

int guard_hold(const char *path, struct error *err)
{
	char pid[16];
	int fd;

	if (guard_check(path, err))
		return -1;
	fd = open_exclusive(path);
	if (fd < 0) {
		refuse_open(err);
		return error_prefix(err, "%s cannot be a target", path);
	}
	snprintf(pid, sizeof(pid), "%d", (int)getpid());
	setenv(HOLDER_VARIABLE, pid, 1);
	return fd;
}
