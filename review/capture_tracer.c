/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The kernel's blk tracer (kernel/trace/blktrace.c), through tracefs: it gives the records of
 * blktrace without the program of that name, and also where Secure Boot has locked the files of
 * debugfs that blktrace reads. There is one such tracer in a kernel, so its settings are borrowed:
 * all of them go through the journal.
 */
#include <dirent.h>
#include <errno.h>
#include <string.h>
#include <sys/statfs.h>
#include <unistd.h>

#include <linux/magic.h>

#include "review/capture.h"
#include "review/review.h"

/* Buffers of the kernel: enough for seconds without a reader, bounded on machines of many CPUs. */
#define BUFFERS_KIB    (256u << 10)
#define BUFFER_KIB_MAX (32u << 10)
#define BUFFER_KIB_MIN 1024u

/* ---- is it there, and free? ----------------------------------------------------------------- */

static bool has_tracer(char *path, const char *folder)
{
	struct statfs fs;

	path_format(path, "%s", folder);
	return statfs(folder, &fs) == 0 && fs.f_type == TRACEFS_MAGIC;
}

static int find_tracefs(struct capture_tracer *tracer, struct error *err)
{
	if (has_tracer(tracer->tracefs, "/sys/kernel/tracing") ||
	    has_tracer(tracer->tracefs, "/sys/kernel/debug/tracing"))
		return 0;
	if (geteuid())
		return error_set(err, "tracing needs root: capture as root");
	return error_set(err, "the kernel's tracefs is not mounted: mount -t tracefs tracefs "
			      "/sys/kernel/tracing");
}

static unsigned count_cpus(const struct capture_tracer *tracer)
{
	char path[PATH_MAX];
	struct dirent *entry;
	unsigned cpus = 0;
	DIR *listing;

	path_format(path, "%.1000s/per_cpu", tracer->tracefs);
	listing = opendir(path);
	while (listing && (entry = readdir(listing)))
		cpus += strncmp(entry->d_name, "cpu", 3) == 0;
	if (listing)
		closedir(listing);
	return cpus;
}

static int refuse_kernel(const struct capture_tracer *tracer, struct error *err)
{
	char path[PATH_MAX];

	path_format(path, "%.1000s/current_tracer", tracer->tracefs);
	if (access(path, R_OK | W_OK) == 0)
		return error_set(err, "this kernel has no blk tracer (CONFIG_BLK_DEV_IO_TRACE): "
				      "take one that has, or capture with the guide's other ways");
	return error_set(err,
			 "%s cannot be opened: %s; tracing needs root (CAP_SYS_ADMIN), and a "
			 "kernel that is not locked down for confidentiality",
			 path, strerror(errno));
}

int capture_tracer_open(struct capture_tracer *tracer, struct error *err)
{
	char tracers[512], tracer_now[64], event[128];

	*tracer = (struct capture_tracer){.journal.fd = -1};
	if (find_tracefs(tracer, err))
		return -1;
	sys_line(tracers, sizeof(tracers), "%s/available_tracers", tracer->tracefs);
	if (!strstr(tracers, "blk"))
		return refuse_kernel(tracer, err);
	if (capture_journal_open(&tracer->journal, CAPTURE_JOURNAL, err))
		return -1;
	sys_line(tracer_now, sizeof(tracer_now), "%s/current_tracer", tracer->tracefs);
	sys_line(event, sizeof(event), "%s/set_event", tracer->tracefs);
	if (strcmp(tracer_now, "nop") == 0 && !event[0])
		return 0;
	error_set(err,
		  "the kernel's tracing is in use (%s %s): stop that first, or wait until it is "
		  "done",
		  event[0] ? "event" : "tracer", event[0] ? event : tracer_now);
	capture_tracer_close(tracer);
	return -1;
}

/* ---- settings ------------------------------------------------------------------------------- */

static int set(struct capture_tracer *tracer, const char *name, const char *value, const char *undo,
	       struct error *err)
{
	char path[PATH_MAX];

	path_format(path, "%.1000s/%s", tracer->tracefs, name);
	return capture_journal_set(&tracer->journal, path, value, undo, err);
}

/* The word in brackets is the clock that is set. */
static int set_clock(struct capture_tracer *tracer, struct error *err)
{
	char line[512], clock[64] = "local";
	char *open;

	sys_line(line, sizeof(line), "%s/trace_clock", tracer->tracefs);
	open = strchr(line, '[');
	if (open)
		sscanf(open, "[%63[^]]", clock);
	return set(tracer, "trace_clock", "mono", clock, err);
}

/* An option "bin" is set by its name, cleared by "nobin"; options/bin says which it is. */
static int set_option(struct capture_tracer *tracer, const char *name, bool on, struct error *err)
{
	char state[16], yes[64], no[64];

	sys_line(state, sizeof(state), "%s/options/%s", tracer->tracefs, name);
	if (!state[0] || (state[0] == '1') == on)
		return 0;
	snprintf(yes, sizeof(yes), "%s", name);
	snprintf(no, sizeof(no), "no%s", name);
	return set(tracer, "trace_options", on ? yes : no, on ? no : yes, err);
}

/* "1410", "7 (expanded: 1408)", or "X" when the CPUs differ; then it stays as it is. */
static int set_buffers(struct capture_tracer *tracer, struct error *err)
{
	unsigned long kib = BUFFERS_KIB / tracer->cpus, before, expanded;
	char line[64], wanted[24], undo[24];
	int found;

	if (kib > BUFFER_KIB_MAX)
		kib = BUFFER_KIB_MAX;
	if (kib < BUFFER_KIB_MIN)
		kib = BUFFER_KIB_MIN;
	sys_line(line, sizeof(line), "%s/buffer_size_kb", tracer->tracefs);
	found = sscanf(line, "%lu (expanded: %lu", &before, &expanded);
	if (found < 1 || (found == 1 && before >= kib))
		return 0;
	snprintf(wanted, sizeof(wanted), "%lu", kib);
	snprintf(undo, sizeof(undo), "%lu", found == 2 ? expanded : before);
	return set(tracer, "buffer_size_kb", wanted, undo, err);
}

/* All of them are set while nothing is recorded. */
static int set_tracer(struct capture_tracer *tracer, struct error *err)
{
	char on[16];

	sys_line(on, sizeof(on), "%s/tracing_on", tracer->tracefs);
	if (set(tracer, "tracing_on", "0", on[0] == '0' ? "0" : "1", err) ||
	    set(tracer, "current_tracer", "blk", "nop", err) || set_clock(tracer, err) ||
	    set_option(tracer, "bin", true, err) ||
	    set_option(tracer, "context-info", false, err) ||
	    set_option(tracer, "markers", false, err) ||
	    set_option(tracer, "blk_cgroup", false, err) ||
	    set_option(tracer, "blk_classic", false, err))
		return -1;
	return set_buffers(tracer, err);
}

/* ---- disks ---------------------------------------------------------------------------------- */

static int trace_disk(struct capture_tracer *tracer, const struct capture_disk *disk, char event,
		      struct error *err)
{
	char path[PATH_MAX], state[16];

	sys_line(state, sizeof(state), "%s/trace/enable", disk->sysfs);
	if (!state[0])
		return error_set(err, "%s cannot be traced: %s/trace is not there", disk->path,
				 disk->sysfs);
	if (state[0] != '0')
		return error_set(err,
				 "%s is being traced by somebody else (blktrace -k %s ends that)",
				 disk->path, disk->path);
	path_format(path, "%s/trace/enable", disk->sysfs);
	if (capture_journal_set(&tracer->journal, path, "1", "0", err))
		return error_prefix(err, "%s", disk->path);
	path_format(path, "%s/trace/act_mask", disk->sysfs);
	return capture_journal_set(&tracer->journal, path,
				   event == 'Q' ? "queue,complete" : "issue,complete",
				   event == 'Q' ? "queue,complete" : "issue,complete", err);
}

int capture_tracer_prepare(struct capture_tracer *tracer, const struct capture_disk *disks,
			   unsigned count, char event, struct error *err)
{
	unsigned i;

	tracer->disks = disks;
	tracer->disk_count = count;
	tracer->cpus = count_cpus(tracer);
	if (!tracer->cpus)
		return error_set(err, "%s/per_cpu cannot be read", tracer->tracefs);
	if (set_tracer(tracer, err))
		return -1;
	for (i = 0; i < count; i++)
		if (trace_disk(tracer, &disks[i], event, err))
			return -1;
	return 0;
}

int capture_tracer_start(struct capture_tracer *tracer, struct error *err)
{
	return set(tracer, "tracing_on", "1", "0", err);
}

/* Whether it works shows in nothing that could be done about it: closing sets all back. */
void capture_tracer_stop(struct capture_tracer *tracer)
{
	set(tracer, "tracing_on", "0", "0", NULL);
}

void capture_tracer_close(struct capture_tracer *tracer)
{
	capture_journal_close(&tracer->journal);
}

/* ---- lost events ---------------------------------------------------------------------------- */

uint64_t capture_lost_parse(FILE *stats)
{
	unsigned long long number;
	uint64_t lost = 0;
	char line[128];

	while (fgets(line, sizeof(line), stats))
		if (sscanf(line, "overrun: %llu", &number) == 1 ||
		    sscanf(line, "commit overrun: %llu", &number) == 1 ||
		    sscanf(line, "dropped events: %llu", &number) == 1)
			lost += number;
	return lost;
}

uint64_t capture_tracer_lost(const struct capture_tracer *tracer)
{
	char path[PATH_MAX];
	uint64_t lost = 0;
	unsigned cpu;
	FILE *stats;

	for (cpu = 0; cpu < tracer->cpus; cpu++) {
		path_format(path, "%.1000s/per_cpu/cpu%u/stats", tracer->tracefs, cpu);
		stats = fopen(path, "re");
		if (!stats)
			continue;
		lost += capture_lost_parse(stats);
		fclose(stats);
	}
	return lost;
}
