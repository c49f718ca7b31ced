/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a drive says of itself, and what is done to it. This folder knows no fio and no profile.
 * nvme_names.h finds the names of a namespace, nvme_admin.h holds the commands an NVMe controller
 * is asked, behind one table of functions; purge.h erases a drive, and sees that it is erased.
 */
#ifndef SSDREVIEW_DEVICE_H
#define SSDREVIEW_DEVICE_H

#include "base/base.h"

#endif
