/* SPDX-License-Identifier: GPL-2.0-only */
/* The LBA formats of a namespace, and what the one in use adds to the data. */
#include <endian.h>
#include <math.h>
#include <stdio.h>

#include "device/device_internal.h"
#include "device/nvme_values.h"

#define SMALLEST_LBA_SHIFT 9 /* smaller ones mark a format that is not there */
#define PERFORMANCE_MASK   3
#define EXTENDED_METADATA  (1 << 4) /* of flbas */
#define NS_HAS_GRANULARITY (1 << 4) /* of nsfeat: npwg and what follows */
#define PI_TYPE_MASK	   7	    /* of dps */
#define PI_FIRST	   (1 << 3)

/* flbas: the low four bits, and two more where a namespace has over 16 formats. */
static unsigned format_in_use(const struct nvme_id_ns *namespace)
{
	unsigned low = namespace->flbas & 0xf, high = namespace->flbas >> 5 & 3;

	return namespace->nlbaf > 15 ? high << 4 | low : low;
}

static json_t *format_fact(const struct nvme_lbaf *format, unsigned index, bool in_use)
{
	static const char *const performance[] = {"best", "better", "good", "degraded"};
	json_t *facts = json_object();

	fact_number(facts, "format", index, "");
	fact_number(facts, "block_bytes", ldexp(1, format->ds), "");
	fact_number(facts, "metadata_bytes", le16toh(format->ms), "");
	fact_text(facts, "performance", performance[format->rp & PERFORMANCE_MASK], "");
	fact_flag(facts, "in_use", in_use);
	return facts;
}

static void protection_fact(const struct nvme_id_ns *namespace, json_t *facts)
{
	unsigned type = namespace->dps & PI_TYPE_MASK;
	char text[64] = "none";

	if (type)
		snprintf(text, sizeof(text), "type %u, %s the metadata", type,
			 namespace->dps & PI_FIRST ? "first in" : "last in");
	fact_text(facts, "protection", text, "");
}

/* What the drive likes to be written in: whole pages, or whole stripes of them. */
static void granularity_facts(const struct nvme_id_ns *namespace, double block, json_t *facts)
{
	bool told = namespace->nsfeat & NS_HAS_GRANULARITY;

	fact_number(facts, "preferred_write_bytes",
		    told ? (le16toh(namespace->npwg) + 1) * block : NAN, "not reported");
	fact_number(facts, "preferred_trim_bytes",
		    told ? (le16toh(namespace->npdg) + 1) * block : NAN, "not reported");
}

static void size_facts(const struct nvme_id_ns *namespace, double block, json_t *facts)
{
	fact_number(facts, "namespace_bytes", (double)le64toh(namespace->nsze) * block, "");
	fact_number(facts, "namespace_used_bytes", (double)le64toh(namespace->nuse) * block, "");
	if (namespace->flbas & EXTENDED_METADATA)
		fact_text(facts, "metadata", "after the data of each block", "");
	else
		fact_text(facts, "metadata", "in a buffer of its own", "");
	protection_fact(namespace, facts);
	granularity_facts(namespace, block, facts);
}

void nvme_format_facts(const struct nvme_asked *asked, json_t *facts)
{
	const struct nvme_id_ns *namespace = &asked->namespace;
	unsigned count = namespace->nlbaf + 1, now = format_in_use(namespace), i;
	json_t *formats;

	if (asked->namespace_status) {
		fact_refused(facts, "formats", asked->namespace_status);
		return;
	}
	formats = json_array();
	for (i = 0; i < count && i < COUNT(namespace->lbaf); i++)
		if (namespace->lbaf[i].ds >= SMALLEST_LBA_SHIFT)
			json_array_append_new(formats,
					      format_fact(&namespace->lbaf[i], i, i == now));
	json_object_set_new(facts, "formats", formats);
	size_facts(namespace, ldexp(1, namespace->lbaf[now].ds), facts);
}
