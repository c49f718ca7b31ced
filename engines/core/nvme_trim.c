/* SPDX-License-Identifier: GPL-2.0-only */
/* Trims as dataset management: ranges of one I/O, or of several that leave together. */
#include <errno.h>

#include "engines/core/nvme.h"
#include "engines/core/nvme_put.h"

static bool add_range(struct nvme_place *place, uint64_t first, uint64_t blocks)
{
	const struct nvme_geometry *g = &place->file->geometry;

	while (blocks) {
		uint32_t length =
			blocks < g->most_trim_blocks ? (uint32_t)blocks : g->most_trim_blocks;

		if (place->range_count == g->most_ranges)
			return false;
		place->ranges[place->range_count++] =
			(struct nvme_range){.blocks = htole32(length), .first = htole64(first)};
		first += length;
		blocks -= length;
	}
	return true;
}

static void put_trim(struct nvme *nvme, struct nvme_place *place)
{
	const struct nvme_request request = {
		.kind = NVME_TRIM,
		.blocks = place->range_count,
		.data = place->ranges,
		.data_bytes = place->range_count * (uint32_t)sizeof(struct nvme_range),
	};

	nvme_put(nvme, place->file, &request, -1, place);
	place->pieces_left = 1;
}

void nvme_trim_flush(struct nvme *nvme)
{
	struct nvme_place *trim = nvme->open_trim;

	nvme->open_trim = NULL;
	if (trim)
		put_trim(nvme, trim);
}

#ifdef FIO_HAS_TRIM_RANGES
/* fio's own: the buffer lists the ranges. */
static bool add_fio_ranges(struct nvme_place *place)
{
	const struct trim_range *ranges = place->io_u->xfer_buf;
	unsigned shift = place->file->geometry.block_shift, i;

	for (i = 0; i < place->io_u->number_trim; i++) {
		if (!add_range(place, ranges[i].start >> shift, ranges[i].len >> shift))
			return false;
	}
	return true;
}
#endif

/* What io_u trims, in ranges of the command of a place. */
static bool add_ranges(struct nvme_place *place, const struct io_u *io_u)
{
	unsigned shift = place->file->geometry.block_shift;

#ifdef FIO_HAS_TRIM_RANGES
	if (io_u->number_trim > 1)
		return add_fio_ranges(place);
#endif
	return add_range(place, io_u->offset >> shift, io_u->xfer_buflen >> shift);
}

/* Joins the command that is still open, when that is of the same namespace. */
static bool join_trim(struct nvme *nvme, struct nvme_place *place)
{
	struct nvme_place *open = nvme->open_trim;
	unsigned before = open ? open->range_count : 0;

	if (!open || open->file != place->file || before >= nvme->options->num_range)
		return false;
	if (!add_ranges(open, place->io_u)) {
		open->range_count = before;
		return false;
	}
	place->next = open->next;
	open->next = place;
	return true;
}

int nvme_trim_prepare(struct nvme *nvme, struct nvme_place *place)
{
	if (join_trim(nvme, place))
		return 0;
	nvme_trim_flush(nvme);
	if (!add_ranges(place, place->io_u))
		return -EINVAL;
	if (nvme->options->num_range > 1)
		nvme->open_trim = place;
	else
		put_trim(nvme, place);
	return 0;
}
