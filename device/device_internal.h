/* SPDX-License-Identifier: GPL-2.0-only */
/* How the facts of a drive are put together: each part fills in an object of its own. */
#ifndef SSDREVIEW_DEVICE_INTERNAL_H
#define SSDREVIEW_DEVICE_INTERNAL_H

#include "device/nvme_admin.h"

#include <sys/stat.h>

#include "device/facts.h"
#include "device/nvme_names.h"
#include "device/sysfs.h"

/* ---- kernel.c: what the kernel knows of a block device, of any kind ---------------------------
 */

/*
 * The folder in sysfs of the whole disk that a device is, or is a partition of; its name is the
 * kernel's. false: the kernel lists none.
 */
bool kernel_disk_folder(const char *sysfs, dev_t device, char *folder, size_t room);

/* folder: the disk's. controller: the NVMe controller's name for its link and sensor, or "". */
void kernel_facts(const char *sysfs, const char *folder, const char *controller, json_t *facts);

/* ---- what an NVMe controller answers ----------------------------------------------------------
 */

/* What several parts need of a controller and its namespace. */
struct nvme_asked {
	const struct nvme_admin *admin;
	struct nvme_id_ctrl controller;
	struct nvme_id_ns namespace; /* all 0 when it was not told */
	int namespace_status;	     /* why not, for admin_reason() */
};

/* "n/a" with the reason that a status gives. */
void fact_refused(json_t *facts, const char *key, int status);

/* Everything; when not even identify answers, the reason alone. */
json_t *nvme_facts(const struct nvme_admin *admin);

void nvme_identity_facts(const struct nvme_asked *asked, json_t *facts);  /* nvme_identity.c */
void nvme_format_facts(const struct nvme_asked *asked, json_t *facts);	  /* nvme_formats.c */
void nvme_health_facts(const struct nvme_asked *asked, json_t *facts);	  /* nvme_health.c */
void nvme_media_facts(const struct nvme_asked *asked, json_t *facts);	  /* nvme_media.c */
void nvme_event_facts(const struct nvme_asked *asked, json_t *facts);	  /* nvme_events.c */
void nvme_feature_facts(const struct nvme_asked *asked, json_t *facts);	  /* nvme_features.c */
void nvme_power_facts(const struct nvme_asked *asked, json_t *facts);	  /* nvme_power.c */
void nvme_command_facts(const struct nvme_asked *asked, json_t *facts);	  /* nvme_commands.c */
void nvme_placement_facts(const struct nvme_asked *asked, json_t *facts); /* nvme_placement.c */

/* ---- drive.c, simulated.c ---------------------------------------------------------------------
 */

#define FACTS_VERSION 1

/* "may_be_tested", and "why_not" when it is refused. */
void use_facts(const char *refused, json_t *facts);

/* The facts of the drive whose state lies in a file; NULL with err. */
json_t *simulated_facts(const char *path, const char *refused, struct error *err);

/* ---- warnings.c -------------------------------------------------------------------------------
 */

/* Sentences on what a reviewer should look at before a test. */
json_t *drive_warnings(const json_t *facts);

#endif
