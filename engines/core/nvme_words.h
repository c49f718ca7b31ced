/* SPDX-License-Identifier: GPL-2.0-only */
/* The words and lists in options of NVMe commands; knows no fio. */
#ifndef SSDREVIEW_NVME_WORDS_H
#define SSDREVIEW_NVME_WORDS_H

#include "base/base.h"

/* "GUARD,REFTAG,APPTAG" as control bits of a command. 0, or -1 with err. */
int nvme_parse_checks(const char *words, uint32_t *control, struct error *err);

/* "0:1:5" (or by commas): so many placement identifiers or streams, at most `room`. -1 with err. */
int nvme_parse_ids(const char *words, uint16_t *ids, unsigned room, unsigned *count,
		   struct error *err);

#endif
