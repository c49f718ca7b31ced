/* SPDX-License-Identifier: GPL-2.0-only */
/* What the status of an NVMe command says, for those who include nothing of libnvme. */
#ifndef SSDREVIEW_NVME_STATUS_H
#define SSDREVIEW_NVME_STATUS_H

#include <stddef.h>

/* Type and code of a status as io_uring and ioctl give it, without the bits beside them. */
#define NVME_STATUS_CODE(status) ((unsigned)(status)&0x7ff)
#define NVME_STATUS_NO_RETRY	 0x4000

/* "Unrecovered Read Error: ... (NVMe status 0x281: type 2, code 0x81)" */
void nvme_status_text(unsigned status, char *text, size_t room);

/* The words alone. */
const char *nvme_status_words(unsigned status);

#endif
