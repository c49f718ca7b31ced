/* SPDX-License-Identifier: GPL-2.0-only */
/* The instruments of a characterisation, each fed record by record in bounded memory. */
#ifndef SSDREVIEW_TRACE_INFO_INTERNAL_H
#define SSDREVIEW_TRACE_INFO_INTERNAL_H

#include "engines/trace/trace.h"

/* ---- values over a wide range, to 1/16 (histogram.c) --------------------------------------- */

#define HISTOGRAM_BUCKETS (64 * 16)

struct histogram {
	uint64_t counts[HISTOGRAM_BUCKETS];
	uint64_t values;
	double sum;
};

void histogram_add(struct histogram *histogram, uint64_t value);
/* The value that `share` of the values do not exceed; 0 when there are none. */
double histogram_quantile(const struct histogram *histogram, double share);

/* ---- 4 KiB blocks: footprint, rewrites (blocks.c) ------------------------------------------ */

struct block {
	uint64_t key; /* stream and block number, mixed; 0: free */
	uint64_t written_ns;
	uint32_t writes;
	bool read;
};

struct blocks {
	struct block *table;
	size_t used, room;		 /* of the table's entries */
	unsigned sample_bits;		 /* blocks whose key ends in so many 0 bits are kept */
	uint64_t block_writes, rewrites; /* of sampled blocks */
	struct histogram intervals_ns;
};

int blocks_begin(struct blocks *blocks);
int blocks_add(struct blocks *blocks, const struct trace_record *record);
/* Fills the figures about blocks. */
int blocks_end(struct blocks *blocks, struct trace_info *info);
void blocks_free(struct blocks *blocks);

/* ---- requests in flight, from latencies (in_flight.c) -------------------------------------- */

struct in_flight {
	uint64_t *ends; /* completion times, the earliest on top */
	size_t used, room, most;
	double busy_ns;	      /* all latencies together */
	uint64_t last_end_ns; /* last issue or completion: busy_ns over this is the mean */
};

int in_flight_add(struct in_flight *in_flight, const struct trace_record *record);
void in_flight_free(struct in_flight *in_flight);

#endif
