/* SPDX-License-Identifier: GPL-2.0-only */
/* What importers of binary traces with records of one length share. */
#ifndef SSDREVIEW_TRACE_IMPORT_BINARY_H
#define SSDREVIEW_TRACE_IMPORT_BINARY_H

#include "engines/trace/import_op.h"

static inline uint32_t binary_le32(const unsigned char *at)
{
	return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 |
	       (uint32_t)at[3] << 24;
}

static inline uint64_t binary_le64(const unsigned char *at)
{
	return binary_le32(at) | (uint64_t)binary_le32(at + 4) << 32;
}

static inline uint32_t binary_be32(const unsigned char *at)
{
	return (uint32_t)at[3] | (uint32_t)at[2] << 8 | (uint32_t)at[1] << 16 |
	       (uint32_t)at[0] << 24;
}

static inline uint64_t binary_be64(const unsigned char *at)
{
	return (uint64_t)binary_be32(at) << 32 | binary_be32(at + 4);
}

/* One record; -1 with err ends the import. context is the importer's. */
typedef int binary_record_fn(void *context, const unsigned char *record, struct error *err);

/*
 * Calls take() for each record of the import's one source up to its end. A rest shorter than a
 * record is a damaged row.
 */
int binary_import(struct trace_import *import, size_t record_bytes, binary_record_fn *take,
		  void *context, struct error *err);

/* Looks at the next `want` bytes of the source; false at its end, a shorter rest is a damaged row.
 */
int binary_want(struct trace_import *import, size_t want, const unsigned char **data, bool *there,
		struct error *err);

/* Hands over one I/O of a disk that is named after the file. Flushes lose offset and length. */
int binary_row(struct trace_import *import, struct trace_record *record, struct error *err);

#endif
