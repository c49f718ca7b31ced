/* SPDX-License-Identifier: GPL-2.0-only */
/* How many requests were in flight when each one was issued: a heap of completion times. */
#include <stdlib.h>

#include "engines/trace/info_internal.h"

#define MOST_IN_FLIGHT (1u << 20) /* a trace that claims more gets this */

static void remove_earliest(struct in_flight *in_flight)
{
	uint64_t *ends = in_flight->ends, last = ends[--in_flight->used];
	size_t at = 0, child;

	while ((child = 2 * at + 1) < in_flight->used) {
		if (child + 1 < in_flight->used && ends[child + 1] < ends[child])
			child++;
		if (ends[child] >= last)
			break;
		ends[at] = ends[child];
		at = child;
	}
	ends[at] = last;
}

static void insert(struct in_flight *in_flight, uint64_t end_ns)
{
	uint64_t *ends = in_flight->ends;
	size_t at = in_flight->used++;

	for (; at > 0 && ends[(at - 1) / 2] > end_ns; at = (at - 1) / 2)
		ends[at] = ends[(at - 1) / 2];
	ends[at] = end_ns;
}

static int grow(struct in_flight *in_flight)
{
	size_t room = in_flight->room ? 2 * in_flight->room : 256;
	uint64_t *ends = realloc(in_flight->ends, room * sizeof(*ends));

	if (!ends)
		return -1;
	in_flight->ends = ends;
	in_flight->room = room;
	return 0;
}

int in_flight_add(struct in_flight *in_flight, const struct trace_record *record)
{
	bool known = record->latency_ns != TRACE_NO_LATENCY;
	uint64_t end_ns = record->time_ns + (known ? record->latency_ns : 0);

	if (end_ns > in_flight->last_end_ns)
		in_flight->last_end_ns = end_ns;
	if (!known)
		return 0;
	while (in_flight->used && in_flight->ends[0] <= record->time_ns)
		remove_earliest(in_flight);
	in_flight->busy_ns += (double)record->latency_ns;
	if (in_flight->used == MOST_IN_FLIGHT)
		return 0;
	if (in_flight->used == in_flight->room && grow(in_flight))
		return -1;
	insert(in_flight, end_ns);
	if (in_flight->used > in_flight->most)
		in_flight->most = in_flight->used;
	return 0;
}

void in_flight_free(struct in_flight *in_flight)
{
	free(in_flight->ends);
}
