/* SPDX-License-Identifier: GPL-2.0-only */
/* Makes a damaged trace look right, so that what stands behind the checksums is tested. */
#ifndef SSDREVIEW_TESTS_VDT_CHECKSUMS_H
#define SSDREVIEW_TESTS_VDT_CHECKSUMS_H

#include "engines/trace/vdt_internal.h"

/* Checksums of chunks, tables, index and header; places that make no sense are left alone. */
static inline void make_checksums_right(unsigned char *data, size_t bytes)
{
	struct vdt_header header;
	struct vdt_index entry;
	size_t at, tables_at, index_at;

	memcpy(&header, data, sizeof(header));
	tables_at = le64toh(header.tables_at);
	index_at = le64toh(header.index_at);
	if (tables_at > index_at || index_at > bytes)
		return;
	for (at = index_at; bytes - at >= sizeof(entry); at += sizeof(entry)) {
		memcpy(&entry, data + at, sizeof(entry));
		if (le64toh(entry.at) < bytes && le32toh(entry.bytes) <= bytes - le64toh(entry.at))
			entry.crc =
				htole32(crc32c(0, data + le64toh(entry.at), le32toh(entry.bytes)));
		memcpy(data + at, &entry, sizeof(entry));
	}
	header.tables_crc = htole32(crc32c(0, data + tables_at, index_at - tables_at));
	header.index_crc = htole32(crc32c(0, data + index_at, bytes - index_at));
	header.header_crc = htole32(crc32c(0, &header, offsetof(struct vdt_header, header_crc)));
	memcpy(data, &header, sizeof(header));
}

#endif
