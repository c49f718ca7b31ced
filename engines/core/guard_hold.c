/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Who holds a target: a block device is held by O_EXCL, a file by flock(), and the holder may be
 * one of our own ancestors.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
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

bool is_ancestor_or_self(pid_t pid)
{
	pid_t at = getpid();

	while (at > 0 && at != pid)
		at = parent_of(at);
	return at > 0;
}

/* The variable is a hint: only a true ancestor that has this very target open counts. */
static bool held_for_us(const struct stat *target)
{
	const char *word = getenv(HOLDER_VARIABLE);
	pid_t holder = word ? (pid_t)atoi(word) : 0;

	return holder > 0 && is_ancestor_or_self(holder) && process_has_open(holder, target);
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

/* flock() on a file, waiting a moment for others that only test; -1 with errno. */
static int lock_file(const char *path, int how)
{
	struct timespec pause = {.tv_nsec = HELD_PAUSE_NS};
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK), try = 0, failed, why;

	if (fd < 0)
		return -1;
	while ((failed = flock(fd, how | LOCK_NB)) && errno == EWOULDBLOCK && ++try < HELD_TRIES)
		nanosleep(&pause, NULL);
	if (!failed)
		return fd;
	why = errno;
	close(fd);
	errno = why;
	return -1;
}

int refuse_open(struct error *err)
{
	const char *denied =
		denied_because(errno, "run as root or as a member of the group that owns it");

	if (errno == EBUSY)
		return error_set(err, "it is held by another program or mounted elsewhere; end "
				      "that or choose another target");
	if (denied)
		return error_set(err, "no permission to open it; %s", denied);
	return error_set(err, "it cannot be opened: %s", strerror(errno));
}

static int refuse_held_file(struct error *err)
{
	if (errno != EWOULDBLOCK)
		return refuse_open(err);
	return error_set(err, "it is held by another review or program; wait until that ends or "
			      "choose another target");
}

int hold_check(const char *path, const struct stat *device, struct error *err)
{
	int fd;

	if (held_for_us(device))
		return 0;
	fd = open_exclusive(path);
	if (fd < 0)
		return refuse_open(err);
	close(fd);
	return 0;
}

int hold_check_file(const char *path, const struct stat *file, struct error *err)
{
	int fd;

	if (held_for_us(file))
		return 0;
	/* Shared: those that only test do not meet each other. */
	fd = lock_file(path, LOCK_SH);
	if (fd < 0)
		return refuse_held_file(err);
	close(fd);
	return 0;
}

int hold_check_loop(const struct device *loop, struct error *err)
{
	char node[PATH_MAX];
	struct stat st;
	int fd;

	snprintf(node, sizeof(node), "/dev/%s", loop->name);
	if (stat(node, &st) || !S_ISBLK(st.st_mode) || st.st_rdev != loop->number ||
	    held_for_us(&st))
		return 0;
	fd = open_exclusive(node);
	if (fd >= 0)
		close(fd);
	if (fd >= 0 || errno != EBUSY)
		return 0;
	return error_set(err,
			 "the loop device %s on this file is held by another program; end that or "
			 "choose another target",
			 node);
}

static int hold(const char *path, struct error *err)
{
	char block[PATH_MAX];
	struct stat st;
	int fd;

	if (stat(path, &st))
		return refuse_open(err);
	if (S_ISCHR(st.st_mode)) {
		if (block_of_generic(&st, block, sizeof(block), &st, err))
			return -1;
		path = block;
	}
	fd = S_ISREG(st.st_mode) ? lock_file(path, LOCK_EX) : open_exclusive(path);
	if (fd < 0)
		return refuse_held_file(err);
	if (!S_ISBLK(st.st_mode) || !open_check(&st, err))
		return fd;
	close(fd);
	return -1;
}

static int check_and_hold(const char *path, int (*check)(const char *, struct error *),
			  struct error *err)
{
	char pid[16];
	int fd;

	if (check(path, err))
		return -1;
	fd = hold(path, err);
	if (fd < 0)
		return error_prefix(err, "%s cannot be a target", path);
	snprintf(pid, sizeof(pid), "%d", (int)getpid());
	setenv(HOLDER_VARIABLE, pid, 1);
	/* Meanwhile another may have taken the same storage by another name: a file, a loop device.
	 */
	if (!check(path, err))
		return fd;
	close(fd);
	return -1;
}

int guard_hold(const char *path, struct error *err)
{
	return check_and_hold(path, guard_check, err);
}

int guard_hold_erase(const char *path, struct error *err)
{
	return check_and_hold(path, guard_check_erase, err);
}
