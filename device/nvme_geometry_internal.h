/* SPDX-License-Identifier: GPL-2.0-only */
/* How a geometry is made of the drive's answers, for tests. */
#ifndef SSDREVIEW_NVME_GEOMETRY_INTERNAL_H
#define SSDREVIEW_NVME_GEOMETRY_INTERNAL_H

#include "device/nvme_admin.h"
#include "device/nvme_geometry.h"

/* Of the answers themselves. 0, or -1 with err. */
int nvme_geometry_make(uint32_t nsid, const struct nvme_id_ctrl *ctrl, const struct nvme_id_ns *ns,
		       const struct nvme_id_ctrl_nvm *nvm, const struct nvme_nvm_id_ns *nvm_ns,
		       struct nvme_geometry *geometry, struct error *err);

#endif
