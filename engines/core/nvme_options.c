/* SPDX-License-Identifier: GPL-2.0-only */
/* How commands are sent by who has no options for them. */
#include "engines/core/nvme_options.h"

const struct nvme_options nvme_options_default = {
	.fixedbufs = 1,
	.registerfiles = 1,
	.sqthread_poll_cpu = -1,
	.pi_act = 1,
	.apptag = 0x1234,
	.apptag_mask = 0xffff,
	.num_range = 1,
};
