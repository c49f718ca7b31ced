/* SPDX-License-Identifier: GPL-2.0-only */
/* What a fio job does, in a word that is the same for every run of it. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "postprocess/point.h"

#define FIO_DEFAULT_BLOCK 4096.0
#define FIO_DEFAULT_READS 50.0

/* How far the mean size of an I/O may be off by what was in flight when the average began. */
#define MEAN_SIZE_OFF 0.05

/* A job, and what was measured of it. */
struct job_view {
	const struct fio_output *output;
	const struct fio_job *job;
	const struct point *point;
};

static const char *option(const struct job_view *view, const char *key)
{
	return fio_option(view->output, view->job, key);
}

/* Old releases print no options at all. */
static bool has_options(const struct job_view *view)
{
	return view->job->options.count || view->output->global_count;
}

static bool has_mixed_sizes(const struct job_view *view)
{
	static const char *const keys[] = {"bsrange", "blocksize_range", "bssplit", "read_iolog"};
	size_t i;

	for (i = 0; i < COUNT(keys); i++)
		if (option(view, keys[i]))
			return true;
	return false;
}

/* The mean size of an I/O; the power of two that is meant, when it is near one. */
static double measured_block(const struct point *point)
{
	double near = exp2(round(log2(point->block_bytes)));

	if (!(point->block_bytes > 0))
		return FIO_DEFAULT_BLOCK;
	return fabs(point->block_bytes - near) <= MEAN_SIZE_OFF * near ? near
								       : round(point->block_bytes);
}

static double block_bytes(const struct job_view *view)
{
	const char *stated = option(view, "bs");
	double bytes = fio_size(stated);

	if (has_mixed_sizes(view) || (stated && isnan(bytes)) || !has_options(view))
		return measured_block(view->point);
	return stated ? bytes : FIO_DEFAULT_BLOCK;
}

/* 4096 -> "4k", 1048576 -> "1m", 4000 -> "4000" */
static void block_word(double bytes, char *text, size_t room)
{
	if (bytes >= 1048576 && fmod(bytes, 1048576) == 0)
		snprintf(text, room, "%.0fm", bytes / 1048576);
	else if (bytes >= 1024 && fmod(bytes, 1024) == 0)
		snprintf(text, room, "%.0fk", bytes / 1024);
	else
		snprintf(text, room, "%.0f", bytes);
}

/* What fio mixes, in percent of the I/Os that are reads. */
static double stated_reads(const struct job_view *view)
{
	const char *reads = option(view, "rwmixread"), *writes = option(view, "rwmixwrite");

	if (reads)
		return atof(reads);
	return writes ? 100 - atof(writes) : FIO_DEFAULT_READS;
}

/* Without the option: "read", "write", "mixed", by what was done. */
static const char *measured_pattern(const struct point *point)
{
	if (point->read_share == 1)
		return "read";
	return point->read_share == 0 ? "write" : "mixed";
}

static bool is_mixed(const char *rw)
{
	static const char *const words[] = {"rw", "readwrite"};
	size_t i, length = strcspn(rw, ":"); /* ":8" is how many I/Os share an offset */

	for (i = 0; i < COUNT(words); i++)
		if (strlen(words[i]) == length && !strncmp(rw, words[i], length))
			return true;
	return false;
}

/* "randread", "seqwrite", "randrw-70-30" */
static void pattern_word(const struct job_view *view, char *text, size_t room)
{
	const char *rw = option(view, "rw"), *order = "seq";
	double reads = stated_reads(view);

	if (!rw) {
		snprintf(text, room, "%s", measured_pattern(view->point));
		return;
	}
	if (!strncmp(rw, "rand", 4)) {
		order = "rand";
		rw += 4;
	}
	if (!is_mixed(rw))
		snprintf(text, room, "%s%.*s", order, (int)strcspn(rw, ":"), rw);
	else if (reads == 100 || reads == 0)
		snprintf(text, room, "%s%s", order, reads == 100 ? "read" : "write");
	else
		snprintf(text, room, "%srw-%.0f-%.0f", order, reads, 100 - reads);
}

/* A replay does what its trace holds, whatever the job's own pattern: "vdi-fc-boot". */
static bool replay_word(const struct job_view *view, char *text, size_t room)
{
	const char *trace = option(view, "trace"), *slash;

	if (!trace)
		return false;
	slash = strrchr(trace, '/');
	trace = slash ? slash + 1 : trace;
	snprintf(text, room, "vdi-%.*s", (int)strcspn(trace, "."), trace);
	return true;
}

/*
 * A mix is called what its job file says of it; without that, by its patterns:
 * "80-randread-8k+20-randwrite-8k".
 */
static bool mix_word(const struct job_view *view, char *text, size_t room)
{
	const char *mix = option(view, "mix"), *said = option(view, "description");
	size_t i;

	if (!mix)
		return false;
	snprintf(text, room, "%s", said && !strpbrk(said, " /") ? said : mix);
	for (i = 0; text[i]; i++) {
		if (strchr(":/", text[i]))
			text[i] = '-';
		else if (text[i] == ',')
			text[i] = '+';
	}
	return true;
}

void workload_word(const struct fio_output *output, const struct fio_job *job,
		   const struct point *point, char *text, size_t room)
{
	struct job_view view = {output, job, point};
	char block[32], pattern[48];

	if (replay_word(&view, text, room) || mix_word(&view, text, room))
		return;
	block_word(block_bytes(&view), block, sizeof(block));
	pattern_word(&view, pattern, sizeof(pattern));
	snprintf(text, room, "%s-%s", block, pattern);
}
