/* SPDX-License-Identifier: GPL-2.0-only */
/* Guards, tags and references of protected blocks. */
#include "engines/core/nvme_protect.h"

#include <endian.h>
#include <string.h>

#include "engines/core/nvme_command.h"

#define T10_DIF_POLYNOMIAL 0x8bb7
#define NVME_POLYNOMIAL	   0x9a6c9329ac4bc9b5ULL /* 0xad93d23594c93659, bits in reverse */

#define STATUS_GUARD	 0x282
#define STATUS_APP_TAG	 0x283
#define STATUS_REFERENCE 0x284

/* The PI of one block, without its byte order. */
struct pi {
	uint64_t guard, reference;
	uint16_t app_tag;
};

static void make_tables(struct nvme_protection *p)
{
	unsigned i, bit;

	for (i = 0; i < 256; i++) {
		uint16_t crc16 = (uint16_t)(i << 8);
		uint64_t crc64 = i;

		for (bit = 0; bit < 8; bit++) {
			crc16 = (uint16_t)(crc16 << 1 ^ (crc16 >> 15 ? T10_DIF_POLYNOMIAL : 0));
			crc64 = crc64 >> 1 ^ (crc64 & 1 ? NVME_POLYNOMIAL : 0);
		}
		p->crc16[i] = crc16;
		p->crc64[i] = crc64;
	}
}

uint16_t nvme_crc16(const struct nvme_protection *p, uint16_t crc, const uint8_t *bytes,
		    size_t count)
{
	while (count--)
		crc = (uint16_t)(crc << 8 ^ p->crc16[(crc >> 8 ^ *bytes++) & 0xff]);
	return crc;
}

uint64_t nvme_crc64(const struct nvme_protection *p, uint64_t crc, const uint8_t *bytes,
		    size_t count)
{
	crc = ~crc;
	while (count--)
		crc = crc >> 8 ^ p->crc64[(crc ^ *bytes++) & 0xff];
	return ~crc;
}

int nvme_protect_init(struct nvme_protection *p, const struct nvme_geometry *g, uint32_t checks,
		      uint16_t app_tag, uint16_t app_mask, struct error *err)
{
	if (g->guard != NVME_GUARD_16 && g->guard != NVME_GUARD_64)
		return error_set(err,
				 "the drive protects its blocks with a guard of 32 bits, which "
				 "only it can make: leave pi_act=1");
	if (g->storage_tag_bits)
		return error_set(err, "the drive protects its blocks with storage tags, which only "
				      "it can check: leave pi_act=1");
	*p = (struct nvme_protection){
		.block_bytes = g->block_bytes,
		.metadata_bytes = g->metadata_bytes,
		.pi_offset = g->pi_is_first ? 0 : g->metadata_bytes - g->pi_bytes,
		.type = g->pi_type,
		.guard = g->guard,
		.checks = checks,
		.app_tag = app_tag,
		.app_mask = app_mask,
	};
	make_tables(p);
	return 0;
}

/* Over the data, and over the metadata that stands before the PI. */
static uint64_t guard_of(const struct nvme_protection *p, const uint8_t *data,
			 const uint8_t *metadata)
{
	if (p->guard == NVME_GUARD_16)
		return nvme_crc16(p, nvme_crc16(p, 0, data, p->block_bytes), metadata,
				  p->pi_offset);
	return nvme_crc64(p, nvme_crc64(p, 0, data, p->block_bytes), metadata, p->pi_offset);
}

/* The reference counts in 32 bits beside a guard of 16, in 48 beside one of 64. */
static uint64_t reference_mask(const struct nvme_protection *p)
{
	return p->guard == NVME_GUARD_16 ? 0xffffffffULL : 0xffffffffffffULL;
}

static void write_pi(const struct nvme_protection *p, const struct pi *pi, uint8_t *at)
{
	uint16_t guard16 = htobe16((uint16_t)pi->guard), app_tag = htobe16(pi->app_tag);
	uint64_t guard64 = htobe64(pi->guard), reference64 = htobe64(pi->reference << 16);
	uint32_t reference32 = htobe32((uint32_t)pi->reference);

	if (p->guard == NVME_GUARD_16) {
		memcpy(at, &guard16, 2);
		memcpy(at + 2, &app_tag, 2);
		memcpy(at + 4, &reference32, 4);
	} else {
		memcpy(at, &guard64, 8);
		memcpy(at + 8, &app_tag, 2);
		memcpy(at + 10, &reference64, 6);
	}
}

static struct pi read_pi(const struct nvme_protection *p, const uint8_t *at)
{
	uint64_t guard64, reference64 = 0;
	uint16_t guard16, app_tag;
	uint32_t reference32;

	if (p->guard == NVME_GUARD_16) {
		memcpy(&guard16, at, 2);
		memcpy(&app_tag, at + 2, 2);
		memcpy(&reference32, at + 4, 4);
		return (struct pi){be16toh(guard16), be32toh(reference32), be16toh(app_tag)};
	}
	memcpy(&guard64, at, 8);
	memcpy(&app_tag, at + 8, 2);
	memcpy(&reference64, at + 10, 6);
	return (struct pi){be64toh(guard64), be64toh(reference64) >> 16, be16toh(app_tag)};
}

void nvme_protect_make(const struct nvme_protection *p, const struct nvme_blocks *blocks)
{
	uint8_t *data = blocks->data, *metadata = blocks->metadata;
	uint32_t i;

	for (i = 0; i < blocks->count; i++) {
		struct pi pi = {.guard = guard_of(p, data, metadata), .app_tag = p->app_tag};

		if (p->type != 3)
			pi.reference = (blocks->first + i) & reference_mask(p);
		write_pi(p, &pi, metadata + p->pi_offset);
		data += blocks->data_stride;
		metadata += blocks->metadata_stride;
	}
}

/* Such blocks were never written with PI, or are meant to pass: nobody checks them. */
static bool escapes(const struct nvme_protection *p, const struct pi *pi)
{
	return pi->app_tag == 0xffff && (p->type != 3 || pi->reference == reference_mask(p));
}

static unsigned check_block(const struct nvme_protection *p, const uint8_t *data,
			    const uint8_t *metadata, uint64_t block)
{
	struct pi pi = read_pi(p, metadata + p->pi_offset);

	if (escapes(p, &pi))
		return 0;
	if ((p->checks & NVME_CONTROL_CHECK_GUARD) && pi.guard != guard_of(p, data, metadata))
		return STATUS_GUARD;
	if ((p->checks & NVME_CONTROL_CHECK_APP) && ((pi.app_tag ^ p->app_tag) & p->app_mask))
		return STATUS_APP_TAG;
	if ((p->checks & NVME_CONTROL_CHECK_REF) && p->type != 3 &&
	    pi.reference != (block & reference_mask(p)))
		return STATUS_REFERENCE;
	return 0;
}

unsigned nvme_protect_check(const struct nvme_protection *p, const struct nvme_blocks *blocks)
{
	const uint8_t *data = blocks->data, *metadata = blocks->metadata;
	unsigned status = 0;
	uint32_t i;

	for (i = 0; i < blocks->count && !status; i++) {
		status = check_block(p, data, metadata, blocks->first + i);
		data += blocks->data_stride;
		metadata += blocks->metadata_stride;
	}
	return status;
}
