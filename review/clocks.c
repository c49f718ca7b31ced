/* SPDX-License-Identifier: GPL-2.0-only */
/* Gaps in time: a machine that slept, a clock that was set, a run that was cut. */
#include <dirent.h>
#include <fcntl.h>
#include <math.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "review/clocks.h"

#define NO_GAP_S 1.0

static double clock_s(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

struct clocks clocks_now(void)
{
	return (struct clocks){.real_s = clock_s(CLOCK_REALTIME),
			       .monotonic_s = clock_s(CLOCK_MONOTONIC),
			       .boot_s = clock_s(CLOCK_BOOTTIME)};
}

json_t *time_json(time_t time)
{
	char text[32];
	struct tm parts;

	gmtime_r(&time, &parts);
	strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &parts);
	return json_string(text);
}

struct clock_gap clocks_gap(const struct clocks *before, const struct clocks *after)
{
	double booted_s = after->boot_s - before->boot_s;
	struct clock_gap gap = {
		.suspended_s = booted_s - (after->monotonic_s - before->monotonic_s),
		.set_s = after->real_s - before->real_s - booted_s,
	};

	if (gap.suspended_s < NO_GAP_S)
		gap.suspended_s = 0;
	if (fabs(gap.set_s) < NO_GAP_S)
		gap.set_s = 0;
	return gap;
}

/* ---- the newest file ------------------------------------------------------------------------ */

static double newest_below(int at, const char *name, unsigned depth, double newest_s)
{
	int fd = openat(at, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *folder = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *entry;
	struct stat status;

	while (folder && (entry = readdir(folder))) {
		if (entry->d_name[0] == '.' ||
		    fstatat(fd, entry->d_name, &status, AT_SYMLINK_NOFOLLOW))
			continue;
		if (S_ISREG(status.st_mode) && !depth)
			newest_s = fmax(newest_s, (double)status.st_mtim.tv_sec +
							  (double)status.st_mtim.tv_nsec / 1e9);
		else if (S_ISDIR(status.st_mode) && depth)
			newest_s = newest_below(fd, entry->d_name, depth - 1, newest_s);
	}
	if (folder)
		closedir(folder);
	else if (fd >= 0)
		close(fd);
	return newest_s;
}

double folder_rest_s(const char *folder)
{
	double newest_s = newest_below(AT_FDCWD, folder, 1, -INFINITY);

	return isinf(newest_s) ? NAN : clock_s(CLOCK_REALTIME) - newest_s;
}
