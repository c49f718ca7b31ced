/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a drive says of itself, and what is done to it. This folder knows no fio and no profile.
 *
 *	drive.h		one page about a drive: what it says of itself, what the kernel knows of it
 *	telemetry.h	what a drive does while it is measured: counters, temperature, link
 *	heat.h		the temperature of a drive
 *	purge.h		erases a drive, and sees that it is erased
 *	nvme_admin.h	the commands an NVMe controller is asked, behind one table of functions
 *	nvme_names.h	the block device, character device and controllers of an NVMe namespace
 *	nvme_values.h	the numbers of an NVMe drive in plain units
 *	facts.h		facts in JSON, and what is missing
 *	sysfs.h		the one-line files of sysfs
 */
#ifndef SSDREVIEW_DEVICE_H
#define SSDREVIEW_DEVICE_H

#include "device/drive.h"
#include "device/nvme_admin.h"
#include "device/nvme_names.h"
#include "device/nvme_values.h"
#include "device/purge.h"
#include "device/telemetry.h"

#endif
