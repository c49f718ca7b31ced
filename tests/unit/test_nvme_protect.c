/* SPDX-License-Identifier: GPL-2.0-only */
/* The blocks of a namespace: how they are laid out, and their protection information. */
#include <check.h>
#include <endian.h>
#include <stdlib.h>
#include <string.h>

#include "device/nvme_geometry_internal.h"
#include "engines/core/nvme_protect.h"
#include "tests/unit/suite.h"

#define CHECK_ALL (7u << 26) /* guard, application tag, reference */
#define BLOCKS	  4

/* What a namespace of 1,000 blocks of 2^shift bytes answers; format 1 is the one in use. */
static struct nvme_geometry geometry(unsigned shift, unsigned metadata_bytes, uint8_t flbas,
				     uint8_t dps, uint32_t elbaf)
{
	struct nvme_nvm_id_ns *nvm_ns = calloc(1, sizeof(*nvm_ns));
	struct nvme_id_ns *ns = calloc(1, sizeof(*ns));
	struct nvme_id_ctrl *ctrl = calloc(1, sizeof(*ctrl));
	struct nvme_id_ctrl_nvm nvm = {.wzsl = 3, .dmrl = 16};
	struct nvme_geometry g;
	struct error err;

	ns->nsze = htole64(1000);
	ns->nlbaf = 1;
	ns->flbas = flbas | 1;
	ns->dps = dps;
	ns->lbaf[1].ds = (uint8_t)shift;
	ns->lbaf[1].ms = htole16((uint16_t)metadata_bytes);
	nvm_ns->elbaf[1] = htole32(elbaf);
	ctrl->mdts = 5;
	ck_assert_msg(!nvme_geometry_make(3, ctrl, ns, &nvm, nvm_ns, &g, &err), "%s", err.text);
	free(nvm_ns);
	free(ns);
	free(ctrl);
	return g;
}

START_TEST(a_geometry_follows_the_format_in_use)
{
	struct nvme_geometry g = geometry(12, 64, 0x10, 0x9, 2u << 7);

	ck_assert_uint_eq(g.nsid, 3);
	ck_assert_uint_eq(g.blocks, 1000);
	ck_assert_uint_eq(g.block_bytes, 4096);
	ck_assert_uint_eq(g.metadata_bytes, 64);
	ck_assert(g.is_extended);
	ck_assert_uint_eq(g.pi_type, 1);
	ck_assert(g.pi_is_first);
	ck_assert_int_eq(g.guard, NVME_GUARD_64);
	ck_assert_uint_eq(g.pi_bytes, 16);
	ck_assert_uint_eq(g.most_bytes, 131072);
	ck_assert_uint_eq(g.most_zeroes_blocks, 8);
	ck_assert_uint_eq(g.most_verify_blocks, 65536);
	ck_assert_uint_eq(g.most_ranges, 16);
	g = geometry(9, 0, 0x10, 0x1, 0);
	ck_assert(!g.is_extended && !g.pi_type);
}
END_TEST

START_TEST(no_namespace_of_blocks_is_refused)
{
	struct nvme_id_ctrl *ctrl = calloc(1, sizeof(*ctrl));
	struct nvme_nvm_id_ns *nvm_ns = calloc(1, sizeof(*nvm_ns));
	struct nvme_id_ns *ns = calloc(1, sizeof(*ns));
	struct nvme_id_ctrl_nvm nvm = {0};
	struct nvme_geometry g;
	struct error err;

	ck_assert_int_eq(nvme_geometry_make(9, ctrl, ns, &nvm, nvm_ns, &g, &err), -1);
	ck_assert_ptr_nonnull(strstr(err.text, "namespace 9"));
	free(nvm_ns);
	free(ns);
	free(ctrl);
}
END_TEST

START_TEST(guards_are_those_of_the_specifications)
{
	const struct nvme_geometry g = geometry(9, 8, 0, 1, 0);
	const uint8_t *digits = (const uint8_t *)"123456789";
	struct nvme_protection p;

	ck_assert_int_eq(nvme_protect_init(&p, &g, 0, 0, 0, NULL), 0);
	/* The check values of the catalogues of CRCs. */
	ck_assert_uint_eq(nvme_crc16(&p, 0, digits, 9), 0xd0db);
	ck_assert_uint_eq(nvme_crc64(&p, 0, digits, 9), 0xae8b14860a799888ULL);
	ck_assert_uint_eq(nvme_crc64(&p, nvme_crc64(&p, 0, digits, 4), digits + 4, 5),
			  0xae8b14860a799888ULL);
}
END_TEST

static uint8_t memory[BLOCKS * (4096 + 64)];

static struct nvme_blocks blocks_of(const struct nvme_geometry *g)
{
	uint32_t both = g->block_bytes + g->metadata_bytes;
	size_t i;

	for (i = 0; i < sizeof(memory); i++)
		memory[i] = (uint8_t)(i * 31 + i / 251);
	return (struct nvme_blocks){.data = memory,
				    .metadata = memory + g->block_bytes,
				    .data_stride = both,
				    .metadata_stride = both,
				    .first = 0x1fffffffeULL,
				    .count = BLOCKS};
}

/* Metadata, its format and its PI: 512+8, 4096+64 with PI last and first, guards of 64 bits. */
static const struct {
	unsigned shift, metadata_bytes;
	uint8_t dps;
	uint32_t elbaf;
	uint32_t pi_at;
} formats[] = {
	{9, 8, 0x1, 0, 0},	   {12, 64, 0x2, 0, 56},       {12, 64, 0xa, 0, 0},
	{12, 16, 0x1, 2u << 7, 0}, {12, 64, 0x1, 2u << 7, 48}, {12, 64, 0x3, 0, 56},
};

START_TEST(what_is_made_is_accepted_and_every_change_found)
{
	const struct nvme_geometry g = geometry(formats[_i].shift, formats[_i].metadata_bytes, 0,
						formats[_i].dps, formats[_i].elbaf);
	struct nvme_blocks blocks = blocks_of(&g);
	uint8_t *pi = blocks.metadata + 2 * blocks.metadata_stride + formats[_i].pi_at;
	struct nvme_protection p;

	ck_assert_int_eq(nvme_protect_init(&p, &g, CHECK_ALL, 0x1234, 0xff00, NULL), 0);
	ck_assert_uint_eq(p.pi_offset, formats[_i].pi_at);
	nvme_protect_make(&p, &blocks);
	ck_assert_uint_eq(nvme_protect_check(&p, &blocks), 0);
	/* A block that lies elsewhere: type 3 does not know where it belongs. */
	blocks.first++;
	ck_assert_uint_eq(nvme_protect_check(&p, &blocks), g.pi_type == 3 ? 0 : 0x284);
	blocks.first--;
	/* One bit of the data; one of the metadata before the PI. */
	blocks.data[2 * blocks.data_stride + 100] ^= 4;
	ck_assert_uint_eq(nvme_protect_check(&p, &blocks), 0x282);
	blocks.data[2 * blocks.data_stride + 100] ^= 4;
	if (formats[_i].pi_at) {
		pi[-1] ^= 1;
		ck_assert_uint_eq(nvme_protect_check(&p, &blocks), 0x282);
		pi[-1] ^= 1;
	}
	/* The application tag, under its mask and beside it. */
	pi += g.pi_bytes == 8 ? 2 : 8;
	pi[1] ^= 1;
	ck_assert_uint_eq(nvme_protect_check(&p, &blocks), 0);
	pi[0] ^= 1;
	ck_assert_uint_eq(nvme_protect_check(&p, &blocks), 0x283);
}
END_TEST

START_TEST(blocks_never_written_are_not_checked)
{
	const struct nvme_geometry g = geometry(9, 8, 0, 1, 0);
	struct nvme_blocks blocks = blocks_of(&g);
	struct nvme_protection p;
	uint32_t i;

	ck_assert_int_eq(nvme_protect_init(&p, &g, CHECK_ALL, 0, 0xffff, NULL), 0);
	ck_assert_uint_ne(nvme_protect_check(&p, &blocks), 0);
	for (i = 0; i < BLOCKS; i++)
		memset(blocks.metadata + i * blocks.metadata_stride, 0xff, 8);
	ck_assert_uint_eq(nvme_protect_check(&p, &blocks), 0);
}
END_TEST

START_TEST(what_the_host_cannot_make_is_refused)
{
	const struct nvme_geometry guard32 = geometry(12, 16, 0, 1, 1u << 7);
	const struct nvme_geometry tagged = geometry(12, 16, 0, 1, (2u << 7) | 16);
	struct nvme_protection p;
	struct error err;

	ck_assert_int_eq(nvme_protect_init(&p, &guard32, 0, 0, 0, &err), -1);
	ck_assert_ptr_nonnull(strstr(err.text, "32 bits"));
	ck_assert_int_eq(nvme_protect_init(&p, &tagged, 0, 0, 0, &err), -1);
	ck_assert_ptr_nonnull(strstr(err.text, "storage tags"));
}
END_TEST

int main(void)
{
	TCase *all = tcase_create("blocks");

	tcase_add_test(all, a_geometry_follows_the_format_in_use);
	tcase_add_test(all, no_namespace_of_blocks_is_refused);
	tcase_add_test(all, guards_are_those_of_the_specifications);
	tcase_add_loop_test(all, what_is_made_is_accepted_and_every_change_found, 0,
			    COUNT(formats));
	tcase_add_test(all, blocks_never_written_are_not_checked);
	tcase_add_test(all, what_the_host_cannot_make_is_refused);
	return run_case("nvme_protect", all);
}
