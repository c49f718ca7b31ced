/* SPDX-License-Identifier: GPL-2.0-only */
/* The status of a command in words: those of libnvme, and the numbers they stand for. */
#include "device/nvme_status.h"

#include <stdio.h>

#include "device/nvme_admin.h"

const char *nvme_status_words(unsigned status)
{
	return admin_status_words((int)NVME_STATUS_CODE(status));
}

void nvme_status_text(unsigned status, char *text, size_t room)
{
	unsigned code = NVME_STATUS_CODE(status);

	snprintf(text, room, "%s (NVMe status 0x%03x: type %u, code 0x%02x)%s",
		 nvme_status_words(status), code, code >> 8, code & 0xff,
		 status & NVME_STATUS_NO_RETRY ? "; the drive says not to send it again" : "");
}
