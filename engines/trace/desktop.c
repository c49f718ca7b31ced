/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One virtual desktop: when its next I/O comes, what it is and where it goes.
 *
 * Arrivals are a two-phase hyper-exponential renewal process with balanced means, which fits block
 * traces best among the usual distributions (Wajahat et al., Performance Evaluation 142, 2020).
 * Reads walk through pieces of the image that have not been read before, with runs inside a piece,
 * and sometimes come back. Writes go to a small hot area (registry, logs), to what was written some
 * time ago, or to new places.
 */
#include <math.h>
#include <stdlib.h>

#include "base/random.h"
#include "engines/trace/gen_internal.h"
#include "engines/trace/workload_internal.h"

#define BLOCK_BYTES   4096
#define READ_PIECE    (256 * 1024) /* a run of reads ends with its piece */
#define WRITE_PIECE   (128 * 1024)
#define RECENT_READS  1024
#define WRITTEN	      16384	/* extents that a rewrite or a delta read may choose from */
#define NEAR	      256	/* so many neighbours are tried in place of one that is gone */
#define IMAGE_SEED    0x1d15c0u /* all images are installed alike */
#define HOT_SHARE     0.01
#define COMMON_PIECES 0 /* even pieces are the ones all desktops read, odd ones a desktop's own */
#define OWN_PIECES    1

struct extent {
	uint64_t offset, length, time_ns; /* length 0: gone */
};

struct run {
	uint64_t at, end;
};

struct desktop {
	const struct workload *workload;
	bool linked;
	struct desktop_streams streams;
	uint64_t random, seed;
	double slow_share, slow_mean_s, fast_mean_s; /* the two phases of a gap */
	uint64_t write_start;			     /* first byte of where it writes */
	uint64_t hot_blocks;
	struct run read_run, write_run;
	uint64_t read_pieces, write_pieces; /* that there are */
	uint64_t pieces_read[2], pieces_written;
	struct extent recent[RECENT_READS]; /* rings */
	uint64_t reads;
	struct extent written[WRITTEN];
	uint64_t writes, written_count;
	uint64_t oldest; /* no extent before this one is left in `written` */
};

static double share(struct desktop *desktop)
{
	return random_share(random_next(&desktop->random));
}

static bool chance(struct desktop *desktop, double percent)
{
	return share(desktop) * 100 < percent;
}

static double exponential(struct desktop *desktop, double mean)
{
	return -mean * log1p(-share(desktop));
}

static uint64_t below(struct desktop *desktop, uint64_t limit)
{
	return limit ? random_next(&desktop->random) % limit : 0;
}

/*
 * A permutation of 0 ... count - 1 that looks random: a Feistel network of four rounds over the
 * next power of four, walked until it lands below count.
 */
static uint64_t permute(uint64_t number, uint64_t count, uint64_t seed)
{
	unsigned half = 1, round;

	while (half < 32 && (1ULL << (2 * half)) < count)
		half++;
	do {
		uint64_t left = number >> half, right = number & ((1ULL << half) - 1);

		for (round = 0; round < 4; round++) {
			uint64_t mixed = left ^ (mix64(right + (seed << 8) + round) >> 7);

			left = right;
			right = mixed & ((1ULL << half) - 1);
		}
		number = left << half | right;
	} while (number >= count);
	return number;
}

/* Balanced means: both phases contribute the same time (Whitt 1982). */
static void set_arrivals(struct desktop *desktop)
{
	double mean = desktop->workload->duration_s / desktop->workload->ios;
	double cv2 = desktop->workload->gap_cv2;
	double fast = (1 + sqrt((cv2 - 1) / (cv2 + 1))) / 2;

	desktop->slow_share = 1 - fast;
	desktop->fast_mean_s = mean / (2 * fast);
	desktop->slow_mean_s = mean / (2 * (1 - fast));
}

/* The hot area holds a hundredth of the blocks that will have been written in the end. */
static void set_spaces(struct desktop *desktop)
{
	const struct workload *workload = desktop->workload;
	double writes = workload->ios * (100 - workload->read_percent) / 100;
	double blocks = writes * ceil(size_mix_mean(&workload->write_sizes) / BLOCK_BYTES);
	double space = desktop->linked ? workload->delta_size : workload->image_size / 4;
	uint64_t hot_pieces;

	desktop->hot_blocks =
		(uint64_t)(HOT_SHARE * (1 - workload->rewrite_percent / 100) * blocks) + 1;
	if (!desktop->linked)
		desktop->write_start =
			(uint64_t)(workload->image_size - space) & ~(BLOCK_BYTES - 1ULL);
	hot_pieces = desktop->hot_blocks * BLOCK_BYTES / WRITE_PIECE + 1;
	desktop->write_pieces = (uint64_t)space / WRITE_PIECE - hot_pieces - 1;
	desktop->read_pieces = ((uint64_t)workload->image_size / READ_PIECE - 1) / 2;
}

int desktop_begin(const struct workload *workload, bool linked, uint64_t seed,
		  struct desktop_streams streams, struct desktop **out)
{
	struct desktop *desktop = calloc(1, sizeof(*desktop));

	if (!desktop)
		return -1;
	desktop->workload = workload;
	desktop->linked = linked;
	desktop->streams = streams;
	desktop->random = desktop->seed = mix64(seed);
	set_arrivals(desktop);
	set_spaces(desktop);
	*out = desktop;
	return 0;
}

void desktop_free(struct desktop *desktop)
{
	free(desktop);
}

static double gap_s(struct desktop *desktop)
{
	bool slow = share(desktop) < desktop->slow_share;

	return exponential(desktop, slow ? desktop->slow_mean_s : desktop->fast_mean_s);
}

static uint64_t size_of(struct desktop *desktop, const struct size_mix *mix)
{
	double left = share(desktop) * 100;
	unsigned i = 0;

	while (i + 1 < mix->count && left >= mix->percent[i])
		left -= mix->percent[i++];
	return mix->bytes[i];
}

/* A random place for `length` bytes in a piece, on a block; runs go on behind it. */
static void begin_run(struct desktop *desktop, struct run *run, uint64_t piece,
		      uint64_t piece_bytes, uint64_t length)
{
	uint64_t rooms = (piece_bytes - length) / BLOCK_BYTES + 1;

	run->at = piece + below(desktop, rooms) * BLOCK_BYTES;
	run->end = piece + piece_bytes;
}

/* ---- reads --------------------------------------------------------------------------------- */

static void new_read(struct desktop *desktop, uint64_t length)
{
	unsigned whose =
		chance(desktop, desktop->workload->common_percent) ? COMMON_PIECES : OWN_PIECES;
	uint64_t seed = whose == COMMON_PIECES ? IMAGE_SEED : desktop->seed;
	uint64_t number = desktop->pieces_read[whose]++ % desktop->read_pieces;
	uint64_t piece = 2 * permute(number, desktop->read_pieces, seed) + whose;

	begin_run(desktop, &desktop->read_run, piece * READ_PIECE, READ_PIECE, length);
}

static struct extent *any_written(struct desktop *desktop)
{
	uint64_t held = desktop->written_count < WRITTEN ? desktop->written_count : WRITTEN;

	return &desktop->written[below(desktop, held)];
}

static void read_record(struct desktop *desktop, struct trace_record *record)
{
	const struct workload *workload = desktop->workload;
	struct run *run = &desktop->read_run;
	const struct extent *again = NULL;

	record->op = TRACE_READ;
	record->stream = desktop->streams.image;
	record->length = size_of(desktop, &workload->read_sizes);
	if (desktop->linked && desktop->written_count &&
	    chance(desktop, workload->delta_read_percent)) {
		again = any_written(desktop);
		record->stream = desktop->streams.writes;
	} else if (desktop->reads && chance(desktop, workload->reread_percent)) {
		again = &desktop->recent[below(
			desktop, desktop->reads < RECENT_READS ? desktop->reads : RECENT_READS)];
	} else if (run->at + record->length > run->end ||
		   !chance(desktop, workload->read_sequential_percent)) {
		new_read(desktop, record->length);
	}
	record->offset = again ? again->offset : run->at;
	if (!again) {
		run->at += (record->length + BLOCK_BYTES - 1) & ~(BLOCK_BYTES - 1ULL);
		desktop->recent[desktop->reads++ % RECENT_READS] =
			(struct extent){.offset = record->offset, .length = record->length};
	}
}

/* ---- writes -------------------------------------------------------------------------------- */

static void hot_write(struct desktop *desktop, struct trace_record *record)
{
	uint64_t blocks = (record->length + BLOCK_BYTES - 1) / BLOCK_BYTES;
	uint64_t rooms = desktop->hot_blocks > blocks ? desktop->hot_blocks - blocks + 1 : 1;

	record->offset = desktop->write_start + below(desktop, rooms) * BLOCK_BYTES;
}

/* The oldest extent written at time_ns or later, by the order in which they were written. */
static uint64_t first_since(const struct desktop *desktop, uint64_t time_ns)
{
	uint64_t high = desktop->written_count;
	uint64_t low = high > WRITTEN ? high - WRITTEN : 0;

	while (low < high) {
		uint64_t middle = low + (high - low) / 2;

		if (desktop->written[middle % WRITTEN].time_ns < time_ns)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* An extent written about a lag ago that was not written again since; NULL when there is none. */
static struct extent *written_before(struct desktop *desktop, uint64_t now_ns)
{
	double lag_ns = exponential(desktop, desktop->workload->rewrite_lag_s) * 1e9;
	uint64_t since = lag_ns < (double)now_ns ? now_ns - (uint64_t)lag_ns : 0;
	uint64_t at = first_since(desktop, since), end;

	while (desktop->oldest < desktop->written_count &&
	       (desktop->oldest + WRITTEN < desktop->written_count ||
		!desktop->written[desktop->oldest % WRITTEN].length))
		desktop->oldest++;
	at = at > desktop->oldest ? at : desktop->oldest;
	end = at + NEAR;
	for (; at < desktop->written_count && at < end; at++)
		if (desktop->written[at % WRITTEN].length)
			return &desktop->written[at % WRITTEN];
	return NULL;
}

static void new_write(struct desktop *desktop, struct trace_record *record)
{
	struct run *run = &desktop->write_run;

	if (run->at + record->length > run->end ||
	    !chance(desktop, desktop->workload->write_sequential_percent)) {
		uint64_t number = desktop->pieces_written++ % desktop->write_pieces;
		uint64_t piece = permute(number, desktop->write_pieces, desktop->seed + 1);
		uint64_t start =
			desktop->write_start +
			((desktop->hot_blocks * BLOCK_BYTES / WRITE_PIECE) + 1) * WRITE_PIECE;

		begin_run(desktop, run, start + piece * WRITE_PIECE, WRITE_PIECE, record->length);
	}
	record->offset = run->at;
	run->at += (record->length + BLOCK_BYTES - 1) & ~(BLOCK_BYTES - 1ULL);
}

/* Rewrites outside the hot area: what is left of rewrite_percent, for hot blocks begin new, too. */
static double cold_percent(const struct workload *workload)
{
	return workload->rewrite_percent - workload->hot_percent +
	       HOT_SHARE * (100 - workload->rewrite_percent);
}

static void write_record(struct desktop *desktop, struct trace_record *record)
{
	const struct workload *workload = desktop->workload;
	double which = share(desktop) * 100;
	struct extent *before = NULL;

	record->op = TRACE_WRITE;
	record->stream = desktop->streams.writes;
	record->length = size_of(desktop, &workload->write_sizes);
	desktop->writes++;
	if (which < workload->hot_percent) {
		hot_write(desktop, record);
		return;
	}
	if (which < workload->hot_percent + cold_percent(workload))
		before = written_before(desktop, record->time_ns);
	if (before) {
		record->offset = before->offset;
		record->length = before->length;
		before->length = 0;
	} else {
		new_write(desktop, record);
	}
	desktop->written[desktop->written_count++ % WRITTEN] =
		(struct extent){record->offset, record->length, record->time_ns};
}

/* -------------------------------------------------------------------------------------------- */

/* Off the 4 KiB blocks by whole sectors, as an image with a shifted partition is. */
static void misalign(struct desktop *desktop, struct trace_record *record)
{
	if (record->op != TRACE_FLUSH && chance(desktop, desktop->workload->misaligned_percent))
		record->offset += 512 * (1 + below(desktop, 7));
}

static bool flush_is_due(const struct desktop *desktop, const struct trace_record *record)
{
	double every = desktop->workload->flush_every;

	return record->op == TRACE_WRITE && every >= 1 && desktop->writes % (uint64_t)every == 0;
}

static int append_flush(const struct trace_record *after, struct trace_writer *writer,
			struct error *err)
{
	struct trace_record flush = *after;

	flush.op = TRACE_FLUSH;
	flush.offset = flush.length = 0;
	return trace_writer_append(writer, &flush, err);
}

int desktop_run(struct desktop *desktop, uint64_t start_ns, struct trace_writer *writer,
		struct error *err)
{
	const struct workload *workload = desktop->workload;
	uint64_t left = (uint64_t)(workload->ios + 0.5);
	double time_s = 0;

	for (; left > 0; left--) {
		struct trace_record record = {.latency_ns = TRACE_NO_LATENCY};

		record.time_ns = start_ns + (uint64_t)(time_s * 1e9);
		if (chance(desktop, workload->read_percent))
			read_record(desktop, &record);
		else
			write_record(desktop, &record);
		misalign(desktop, &record);
		if (trace_writer_append(writer, &record, err) ||
		    (flush_is_due(desktop, &record) && append_flush(&record, writer, err)))
			return -1;
		time_s += gap_s(desktop);
	}
	return 0;
}
