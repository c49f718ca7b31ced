/* SPDX-License-Identifier: GPL-2.0-only */
/* One walk over a trace that feeds every instrument. */
#include <stdlib.h>

#include "engines/trace/info_internal.h"

#define RECENT	   8   /* I/Os of a stream that a sequential one may go on from */
#define SIZE_SLOTS 256 /* distinct sizes counted one by one; a rare one may fall out */

/* The bin of one width that is being filled. */
struct bin {
	uint64_t number, records;
	double sum, sum_of_squares; /* of the bins before */
};

struct collector {
	struct trace_info *info;
	const struct trace *trace;
	unsigned phase; /* of the present record; before the first mark there is none */
	bool in_phase;
	struct recent {
		uint64_t ends[RECENT];
		unsigned next;
	} * recent; /* by stream */
	struct trace_common_size sizes[SIZE_SLOTS];
	struct bin bins[TRACE_BURST_SCALES];
	uint64_t last_ns;
	double gap_squares;
	struct blocks blocks;
	struct in_flight in_flight;
	struct histogram latencies[TRACE_OPS];
};

static void figures_add(struct trace_figures *figures, const struct trace_record *record,
			bool sequential)
{
	if (!figures->last_ns && !figures->records[record->op])
		figures->first_ns = record->time_ns;
	figures->last_ns = record->time_ns;
	figures->records[record->op]++;
	figures->bytes[record->op] += record->length;
	figures->sequential += sequential;
}

static bool is_sequential(struct recent *recent, const struct trace_record *record)
{
	unsigned i;

	if (!record->length || record->op > TRACE_WRITE)
		return false;
	for (i = 0; i < RECENT; i++)
		if (recent->ends[i] == record->offset && record->offset) {
			recent->ends[i] = record->offset + record->length;
			return true;
		}
	recent->ends[recent->next++ % RECENT] = record->offset + record->length;
	return false;
}

/* Counts a size; the rarest makes room for a new one and leaves it its count (Space-Saving). */
static void size_add(struct collector *collector, uint64_t bytes)
{
	struct trace_common_size *sizes = collector->sizes, *rarest = sizes;
	unsigned i;

	for (i = 0; i < SIZE_SLOTS && sizes[i].records; i++) {
		if (sizes[i].bytes == bytes) {
			sizes[i].records++;
			/* Common sizes move forward, so that they are found early. */
			if (i && sizes[i].records > sizes[i - 1].records) {
				struct trace_common_size swap = sizes[i];

				sizes[i] = sizes[i - 1];
				sizes[i - 1] = swap;
			}
			return;
		}
		if (sizes[i].records < rarest->records)
			rarest = &sizes[i];
	}
	if (i < SIZE_SLOTS)
		rarest = &sizes[i];
	rarest->bytes = bytes;
	rarest->records++;
}

static void bin_close(struct bin *bin, struct trace_burst *burst)
{
	bin->sum += (double)bin->records;
	bin->sum_of_squares += (double)bin->records * (double)bin->records;
	if (bin->records > burst->most)
		burst->most = bin->records;
	bin->records = 0;
}

static void bursts_add(struct collector *collector, uint64_t time_ns)
{
	unsigned i;

	for (i = 0; i < TRACE_BURST_SCALES; i++) {
		struct bin *bin = &collector->bins[i];
		struct trace_burst *burst = &collector->info->bursts[i];

		if (time_ns / burst->bin_ns != bin->number) {
			bin_close(bin, burst);
			bin->number = time_ns / burst->bin_ns;
		}
		bin->records++;
	}
}

/* The last bin, which the trace does not fill, counts for nothing but the peak. */
static void bursts_end(struct collector *collector)
{
	unsigned i;

	for (i = 0; i < TRACE_BURST_SCALES; i++) {
		struct trace_burst *burst = &collector->info->bursts[i];
		struct bin *bin = &collector->bins[i];
		double mean = 0, squares = 0;

		burst->bins = collector->last_ns / burst->bin_ns;
		if (burst->bins) {
			mean = bin->sum / (double)burst->bins;
			squares = bin->sum_of_squares / (double)burst->bins;
		}
		if (mean > 0)
			burst->dispersion = (squares - mean * mean) / mean;
		bin_close(bin, burst);
	}
}

/* The figures of the phase that the record is in; NULL before the first mark. */
static struct trace_figures *phase_of(struct collector *collector, uint64_t time_ns)
{
	unsigned count = trace_header(collector->trace)->phases;
	unsigned next = collector->in_phase ? collector->phase + 1 : 0;

	while (next < count && trace_phase(collector->trace, next)->start_ns <= time_ns) {
		collector->phase = next++;
		collector->in_phase = true;
	}
	return collector->in_phase ? &collector->info->phases[collector->phase] : NULL;
}

static int count_data(struct collector *collector, const struct trace_record *record)
{
	if (record->op > TRACE_WRITE || !record->length)
		return 0;
	size_add(collector, record->length);
	collector->info->unaligned += ((record->offset | record->length) & 4095) != 0;
	return blocks_add(&collector->blocks, record);
}

static int collect_one(struct collector *collector, const struct trace_record *record)
{
	bool sequential = is_sequential(&collector->recent[record->stream], record);
	struct trace_figures *phase = phase_of(collector, record->time_ns);
	double gap = (double)(record->time_ns - collector->last_ns);

	figures_add(&collector->info->all, record, sequential);
	figures_add(&collector->info->streams[record->stream], record, sequential);
	if (phase)
		figures_add(phase, record, sequential);
	bursts_add(collector, record->time_ns);
	collector->gap_squares += gap * gap;
	collector->last_ns = record->time_ns;
	if (record->latency_ns != TRACE_NO_LATENCY)
		histogram_add(&collector->latencies[record->op], record->latency_ns);
	return count_data(collector, record) || in_flight_add(&collector->in_flight, record) ? -1
											     : 0;
}

static void gaps_end(struct collector *collector, uint64_t records)
{
	struct trace_info *info = collector->info;
	double gaps = (double)records - 1, mean;

	if (records < 2 || !collector->last_ns)
		return;
	mean = (double)collector->last_ns / gaps;
	info->gap_mean_s = mean / 1e9;
	info->gap_cv2 = (collector->gap_squares / gaps - mean * mean) / (mean * mean);
}

static void latencies_end(struct collector *collector)
{
	struct trace_info *info = collector->info;
	unsigned op;

	for (op = 0; op < TRACE_OPS; op++) {
		const struct histogram *latencies = &collector->latencies[op];

		if (latencies->values)
			info->latency_mean_s[op] = latencies->sum / (double)latencies->values / 1e9;
		info->latency_p50_s[op] = histogram_quantile(latencies, 0.5) / 1e9;
		info->latency_p99_s[op] = histogram_quantile(latencies, 0.99) / 1e9;
	}
	info->in_flight_most = collector->in_flight.most;
	if (collector->in_flight.last_end_ns)
		info->in_flight_mean =
			collector->in_flight.busy_ns / (double)collector->in_flight.last_end_ns;
}

static int by_records(const void *a, const void *b)
{
	const struct trace_common_size *left = a, *right = b;

	return left->records < right->records ? 1 : -(left->records > right->records);
}

static int collect_end(struct collector *collector)
{
	qsort(collector->sizes, SIZE_SLOTS, sizeof(collector->sizes[0]), by_records);
	memcpy(collector->info->common, collector->sizes, sizeof(collector->info->common));
	bursts_end(collector);
	gaps_end(collector, trace_header(collector->trace)->records);
	latencies_end(collector);
	return blocks_end(&collector->blocks, collector->info);
}

static int collect_all(struct collector *collector, struct trace_cursor *cursor, struct error *err)
{
	struct trace_record record;
	int got;

	while ((got = trace_next(cursor, &record)) > 0)
		if (collect_one(collector, &record))
			return error_set(err, "out of memory");
	if (got < 0)
		*err = cursor->error;
	if (!got && collect_end(collector))
		return error_set(err, "out of memory");
	return got;
}

static int allocate(struct collector *collector)
{
	static const uint64_t bins_ms[TRACE_BURST_SCALES] = {10, 100, 1000, 5000, 10000, 60000};
	const struct trace_header *header = trace_header(collector->trace);
	struct trace_info *info = collector->info;
	unsigned i;

	for (i = 0; i < TRACE_BURST_SCALES; i++)
		info->bursts[i].bin_ns = bins_ms[i] * NS_PER_MSEC;
	info->phases = calloc(header->phases + 1, sizeof(*info->phases));
	info->streams = calloc(header->streams, sizeof(*info->streams));
	collector->recent = calloc(header->streams, sizeof(*collector->recent));
	return blocks_begin(&collector->blocks) || !info->phases || !info->streams ||
			       !collector->recent
		       ? -1
		       : 0;
}

int trace_info_collect(struct trace *trace, struct trace_info *info, struct error *err)
{
	struct collector *collector = calloc(1, sizeof(*collector));
	struct trace_cursor cursor;
	int failed = -1;

	memset(info, 0, sizeof(*info));
	if (!collector)
		return error_set(err, "out of memory");
	collector->trace = trace;
	collector->info = info;
	if (allocate(collector)) {
		error_set(err, "out of memory");
	} else {
		trace_cursor_open(trace, &cursor);
		failed = collect_all(collector, &cursor, err);
		trace_cursor_close(&cursor);
	}
	if (failed)
		trace_info_free(info);
	blocks_free(&collector->blocks);
	in_flight_free(&collector->in_flight);
	free(collector->recent);
	free(collector);
	return failed;
}

void trace_info_free(struct trace_info *info)
{
	free(info->phases);
	free(info->streams);
	info->phases = info->streams = NULL;
}
