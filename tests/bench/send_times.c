/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Preloaded into fio by the benchmark: notes the moment of each submission, from outside the
 * engine. openloop submits through liburing, stock fio (libaio) through io_submit; both are caught
 * here. SEND_TIMES names the file, one time in ns a line, written when the job exits.
 */
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define MOST_TIMES 1000000

static uint64_t times_ns[MOST_TIMES];
static unsigned count;

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* An I/O leaves when the call begins; how many left is known when it returns. */
static void note(uint64_t left_ns, int sent)
{
	while (sent-- > 0 && count < MOST_TIMES)
		times_ns[count++] = left_ns;
}

int io_uring_submit(void *ring)
{
	static int (*next)(void *);
	uint64_t left_ns = now_ns();
	int sent;

	if (!next)
		next = dlsym(RTLD_NEXT, "io_uring_submit");
	sent = next(ring);
	note(left_ns, sent);
	return sent;
}

int io_submit(void *context, long number, void *list)
{
	static int (*next)(void *, long, void *);
	uint64_t left_ns = now_ns();
	int sent;

	if (!next)
		next = dlvsym(RTLD_NEXT, "io_submit", "LIBAIO_0.4");
	if (!next)
		next = dlsym(RTLD_NEXT, "io_submit");
	sent = next(context, number, list);
	note(left_ns, sent);
	return sent;
}

__attribute__((destructor)) static void write_times(void)
{
	const char *path = getenv("SEND_TIMES");
	FILE *file = count && path ? fopen(path, "w") : NULL;
	unsigned i;

	for (i = 0; file && i < count; i++)
		fprintf(file, "%llu\n", (unsigned long long)times_ns[i]);
	if (file)
		fclose(file);
}
