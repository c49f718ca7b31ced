/* SPDX-License-Identifier: GPL-2.0-only */
/* Reading a whole trace to see that it is what its header says. */
#include <stdlib.h>

#include "engines/trace/trace_internal.h"

/* What trace_verify() counts anew. */
static void count(const struct trace_record *record, struct trace_totals *totals,
		  struct trace_stream *streams, uint64_t *latencies)
{
	struct trace_stream *stream = &streams[record->stream];

	totals->records[record->op]++;
	totals->bytes[record->op] += record->length;
	*latencies += record->latency_ns != TRACE_NO_LATENCY;
	stream->records++;
	if (record->length && record->offset + record->length > stream->end_bytes)
		stream->end_bytes = record->offset + record->length;
}

static int compare(const struct trace *trace, const struct trace_totals *totals,
		   const struct trace_stream *streams, uint64_t latencies, struct error *err)
{
	unsigned i;

	if (memcmp(totals, &trace->header.totals, sizeof(*totals)) != 0)
		return error_set(err, "%s: byte %zu: the totals are not those of the records",
				 trace->path, offsetof(struct vdt_header, totals));
	if (latencies != trace->header.latency_records)
		return error_set(err, "%s: byte %zu: %llu records have a latency", trace->path,
				 offsetof(struct vdt_header, latency_records),
				 (unsigned long long)latencies);
	for (i = 0; i < trace->header.streams; i++)
		if (streams[i].records != trace->streams[i].records ||
		    streams[i].end_bytes != trace->streams[i].end_bytes)
			return error_set(err, "%s: stream %u: its figures are not its records'",
					 trace->path, i);
	return 0;
}

int trace_verify(struct trace *trace, struct error *err)
{
	struct trace_stream *streams = calloc(trace->header.streams, sizeof(*streams));
	struct trace_totals totals = {{0}, {0}};
	struct trace_cursor cursor;
	struct trace_record record;
	uint64_t latencies = 0;
	int got;

	if (!streams)
		return error_set(err, "%s: out of memory", trace->path);
	trace_cursor_open(trace, &cursor);
	while ((got = trace_next(&cursor, &record)) > 0)
		count(&record, &totals, streams, &latencies);
	if (got < 0)
		*err = cursor.error;
	trace_cursor_close(&cursor);
	if (!got)
		got = compare(trace, &totals, streams, latencies, err);
	free(streams);
	return got;
}
