/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * make_capture blktrace|msr|spc|shuffled I/OS: a capture for the benchmarks on standard output, the
 * same for the same arguments: blktrace records (Q, G, I, D and C of every I/O, up to 32 in flight)
 * or rows of MSR Cambridge or SPC; shuffled: such rows in an order that has nothing to do with
 * their time.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "engines/trace/import_blktrace.h"

#define GAP_NS	  20000 /* between I/Os */
#define LATE_I_OS 32	/* an I/O completes when so many later ones have been issued */
#define SPREAD	  0x9e3779b1ULL

struct io {
	uint64_t time_ns, offset;
	uint32_t bytes;
	bool write;
};

/* Every I/O follows from its number, so that any order can be made. */
static struct io io_of(uint64_t number)
{
	uint64_t state = number + 1, random = random_next(&state);

	return (struct io){
		.time_ns = number * GAP_NS + (random & 0x3fff),
		.offset = (random >> 14 & 0xffffff) << 12,
		.bytes = 4096U << (random >> 38 & 3),
		.write = (random >> 40 & 7) < 2,
	};
}

/* One record of version 7, in this machine's byte order: docs of the format in import_blktrace. */
static void put_event(const struct io *io, unsigned act, uint64_t time_ns)
{
	static uint32_t sequence;
	uint32_t category = io->write ? BLK_CAT_WRITE | BLK_CAT_SYNC : BLK_CAT_READ;
	uint32_t numbers[] = {io->bytes, act | category << 16, 4242, 8U << 20, 0, 0};
	uint64_t wide[] = {time_ns, io->offset / 512};
	uint32_t magic = 0x65617407;

	fwrite(&magic, sizeof(magic), 1, stdout);
	fwrite(&sequence, sizeof(sequence), 1, stdout);
	fwrite(wide, sizeof(wide), 1, stdout);
	fwrite(numbers, sizeof(numbers), 1, stdout);
	sequence++;
}

static void make_blktrace(uint64_t count)
{
	static const unsigned begin[] = {BLK_ACT_QUEUE, 4 /* getrq */, 12 /* insert */,
					 BLK_ACT_ISSUE};
	uint64_t number, step;

	for (number = 0; number < count + LATE_I_OS; number++) {
		struct io io = io_of(number), done = io_of(number - LATE_I_OS);

		for (step = 0; step < 4 && number < count; step++)
			put_event(&io, begin[step], io.time_ns + step * 500);
		if (number >= LATE_I_OS)
			put_event(&done, BLK_ACT_COMPLETE, io.time_ns + 2000);
	}
}

static void put_msr(uint64_t number)
{
	struct io io = io_of(number);

	printf("%" PRIu64 ",usr,0,%s,%" PRIu64 ",%" PRIu32 ",%u\n",
	       128166372003061629 + io.time_ns / 100, io.write ? "Write" : "Read", io.offset,
	       io.bytes, 1000 + (unsigned)(io.offset >> 12) % 5000);
}

static void put_spc(uint64_t number)
{
	struct io io = io_of(number);

	printf("0,%" PRIu64 ",%" PRIu32 ",%c,%.6f\n", io.offset / 512, io.bytes,
	       io.write ? 'w' : 'r', (double)io.time_ns / 1e9);
}

/* A step that shares no factor with the count visits every number once. */
static void put_shuffled(uint64_t count)
{
	for (uint64_t number = 0; number < count; number++)
		put_msr((uint64_t)((unsigned __int128)number * SPREAD % count));
}

static void put_rows(uint64_t count, void (*put)(uint64_t number))
{
	for (uint64_t number = 0; number < count; number++)
		put(number);
}

int main(int argc, char **argv)
{
	uint64_t count = argc == 3 ? strtoull(argv[2], NULL, 10) : 0;

	if (!count) {
		fprintf(stderr, "usage: make_capture blktrace|msr|spc|shuffled I/OS\n");
		return 2;
	}
	if (!strcmp(argv[1], "blktrace"))
		make_blktrace(count);
	else if (!strcmp(argv[1], "msr"))
		put_rows(count, put_msr);
	else if (!strcmp(argv[1], "spc"))
		put_rows(count, put_spc);
	else
		put_shuffled(count);
	return ferror(stdout) || fflush(stdout) ? 1 : 0;
}
