/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Who has a device open without holding it: a fio job that runs, say, which the kernel would let
 * anybody write beside. Seen as far as /proc shows the files of others: to root, all of them.
 */
#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "device/nvme_names.h"
#include "engines/core/guard_internal.h"

/* Programs that look at every device that appears, or was written, are gone after a moment. */
#define OPEN_TRIES    25
#define OPEN_PAUSE_NS (20 * NS_PER_MSEC)

static bool is_same(const struct stat *a, const struct stat *b)
{
	if ((a->st_mode & S_IFMT) != (b->st_mode & S_IFMT))
		return false;
	if (S_ISREG(a->st_mode))
		return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
	return (S_ISBLK(a->st_mode) || S_ISCHR(a->st_mode)) && a->st_rdev == b->st_rdev;
}

bool process_has_open(pid_t pid, const struct stat *target)
{
	char path[PATH_MAX];
	struct dirent *entry;
	bool found = false;
	struct stat st;
	DIR *folder;

	snprintf(path, sizeof(path), "/proc/%d/fd", (int)pid);
	folder = opendir(path);
	while (folder && !found && (entry = readdir(folder)))
		found = fstatat(dirfd(folder), entry->d_name, &st, 0) == 0 && is_same(target, &st);
	if (folder)
		closedir(folder);
	return found;
}

/* A process that has either open and did not bring us here; 0: none. */
static pid_t find_process(const struct stat *block, const struct stat *generic)
{
	DIR *processes = opendir("/proc");
	struct dirent *entry;
	pid_t found = 0;

	while (processes && !found && (entry = readdir(processes))) {
		pid_t pid = isdigit((unsigned char)entry->d_name[0]) ? atoi(entry->d_name) : 0;

		if (pid && (process_has_open(pid, block) || process_has_open(pid, generic)) &&
		    !is_ancestor_or_self(pid))
			found = pid;
	}
	if (processes)
		closedir(processes);
	return found;
}

static void name_of_process(pid_t pid, char *name, int room)
{
	char path[64];
	FILE *in;

	snprintf(path, sizeof(path), "/proc/%d/comm", (int)pid);
	in = fopen(path, "re");
	if (!in || !fgets(name, room, in))
		snprintf(name, (size_t)room, "a program");
	name[strcspn(name, "\n")] = '\0';
	if (in)
		fclose(in);
}

int open_check(const struct stat *block, struct error *err)
{
	const struct timespec pause = {.tv_nsec = OPEN_PAUSE_NS};
	struct stat generic = {.st_mode = S_IFCHR};
	struct nvme_names names;
	struct error none;
	char name[32];
	pid_t pid;
	int try = 0;

	if (!nvme_names_find("/sys", block->st_mode, block->st_rdev, &names, &none))
		generic.st_rdev = names.generic_number;
	while ((pid = find_process(block, &generic)) && ++try < OPEN_TRIES)
		nanosleep(&pause, NULL);
	if (!pid)
		return 0;
	name_of_process(pid, name, sizeof(name));
	return error_set(err, "%s (process %d) has it open; end that or choose another target",
			 name, (int)pid);
}
