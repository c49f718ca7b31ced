/* SPDX-License-Identifier: GPL-2.0-only */
/* Is the old data gone? Places all over the drive are read before and after, past the page cache.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/random.h"
#include "device/purge_internal.h"

#define SAMPLE_BYTES	 4096
#define FNV_OFFSET_BASIS 0xcbf29ce484222325ULL
#define FNV_PRIME	 0x100000001b3ULL

void samples_place(const struct purge_geometry *geometry, uint64_t seed,
		   struct purge_samples *samples)
{
	uint64_t blocks, i, from, to;

	memset(samples, 0, sizeof(*samples));
	samples->bytes =
		geometry->block_bytes > SAMPLE_BYTES ? geometry->block_bytes : SAMPLE_BYTES;
	blocks = geometry->bytes / samples->bytes;
	samples->count = blocks < PURGE_SAMPLES ? (unsigned)blocks : PURGE_SAMPLES;
	for (i = 0; i < samples->count; i++) {
		from = blocks * i / samples->count;
		to = blocks * (i + 1) / samples->count;
		if (i + 1 == samples->count)
			from = to - 1;
		else if (i)
			from += random_next(&seed) % (to - from);
		samples->at[i] = from * samples->bytes;
	}
}

/* FNV-1a, 64 bit: tells data apart, and keeps none of it. */
static uint64_t sum_of(const unsigned char *data, size_t bytes)
{
	uint64_t sum = FNV_OFFSET_BASIS;
	size_t i;

	for (i = 0; i < bytes; i++)
		sum = (sum ^ data[i]) * FNV_PRIME;
	return sum;
}

static enum sample_kind kind_of(const unsigned char *data, size_t bytes)
{
	/* All bytes are like the first when each is like the one before it. */
	if (memcmp(data, data + 1, bytes - 1) != 0)
		return SAMPLE_DATA;
	return data[0] == 0 ? SAMPLE_ZEROES : data[0] == 0xff ? SAMPLE_ONES : SAMPLE_DATA;
}

/* File systems without O_DIRECT are asked to forget the page instead. */
static int open_direct(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_DIRECT);

	if (fd >= 0)
		return fd;
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd >= 0)
		posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
	return fd;
}

void samples_read(const char *path, struct purge_samples *samples)
{
	int fd = open_direct(path);
	unsigned char *data = NULL;
	unsigned i;

	if (fd >= 0 && posix_memalign((void **)&data, SAMPLE_BYTES, samples->bytes))
		data = NULL;
	for (i = 0; i < samples->count; i++) {
		samples->kinds[i] = SAMPLE_UNREADABLE;
		if (!data || pread(fd, data, samples->bytes, (off_t)samples->at[i]) !=
				     (ssize_t)samples->bytes)
			continue;
		samples->sums[i] = sum_of(data, samples->bytes);
		samples->kinds[i] = kind_of(data, samples->bytes);
	}
	free(data);
	if (fd >= 0)
		close(fd);
}

static void count_sample(const struct purge_samples *before, const struct purge_samples *after,
			 unsigned i, struct purge_check *check)
{
	check->zeroes += after->kinds[i] == SAMPLE_ZEROES;
	check->ones += after->kinds[i] == SAMPLE_ONES;
	check->other += after->kinds[i] == SAMPLE_DATA;
	check->unreadable += after->kinds[i] == SAMPLE_UNREADABLE;
	check->blank += before->kinds[i] != SAMPLE_DATA;
	check->unchanged += before->kinds[i] == SAMPLE_DATA && after->kinds[i] == SAMPLE_DATA &&
			    before->sums[i] == after->sums[i];
}

static void say_check(struct purge_check *check, enum purge_reads reads)
{
	unsigned count = check->samples;
	char *text = check->text;
	size_t room = sizeof(check->text);

	snprintf(text, room, "%u place%s read back: ", count, count == 1 ? "" : "s");
	if (check->unchanged)
		text_append(text, room, "%u still hold what they held", check->unchanged);
	else if (!check->passed && check->unreadable == count)
		text_append(text, room, "none of them can be read");
	else if (!check->passed)
		text_append(text, room, "%u are not %s, which the drive promises",
			    count - (reads == PURGE_READS_ONES ? check->ones : check->zeroes),
			    reads == PURGE_READS_ONES ? "ones" : "zeroes");
	else if (check->zeroes == count)
		text_append(text, room, "all zeroes");
	else
		text_append(text, room, "none holds what it held, %u read zeroes", check->zeroes);
	if (check->unreadable && check->unreadable < count)
		text_append(text, room, ", %u cannot be read", check->unreadable);
	if (check->passed && check->blank == count)
		text_append(text, room, "; all were blank before");
	else if (check->passed && check->blank)
		text_append(text, room, "; %u were blank before", check->blank);
}

void samples_compare(const struct purge_samples *before, const struct purge_samples *after,
		     enum purge_reads reads, struct purge_check *check)
{
	unsigned i;

	memset(check, 0, sizeof(*check));
	check->samples = after->count;
	for (i = 0; i < after->count; i++)
		count_sample(before, after, i, check);
	check->passed = !check->unchanged && check->unreadable < check->samples &&
			!(reads == PURGE_READS_ZEROES && check->zeroes < check->samples) &&
			!(reads == PURGE_READS_ONES && check->ones < check->samples);
	say_check(check, reads);
}
