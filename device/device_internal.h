/* SPDX-License-Identifier: GPL-2.0-only */
/* How the facts of a drive are put together: each part fills in an object of its own. */
#ifndef SSDREVIEW_DEVICE_INTERNAL_H
#define SSDREVIEW_DEVICE_INTERNAL_H

#include "device/nvme_admin.h"

#include <limits.h>
#include <sys/stat.h>

#include "device/drive.h"
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

/* Of these the speed and width of the link alone, as they are and can be. */
void kernel_link_facts(const char *sysfs, const char *folder, const char *controller,
		       json_t *facts);

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

/* Identify of the controller and the namespace: 0, or the status of the first. */
int nvme_ask(const struct nvme_admin *admin, struct nvme_asked *asked);

/* Everything; when not even identify answers, the reason alone. */
json_t *nvme_facts(const struct nvme_admin *admin);

void nvme_identity_facts(const struct nvme_asked *asked, json_t *facts); /* nvme_identity.c */
void nvme_format_facts(const struct nvme_asked *asked, json_t *facts);	 /* nvme_formats.c */
void nvme_smart_facts(const struct nvme_asked *asked, json_t *facts);	 /* nvme_health.c */
void nvme_health_facts(const struct nvme_asked *asked, json_t *facts);
void nvme_media_facts(const struct nvme_asked *asked, json_t *facts); /* nvme_media.c */
void nvme_group_facts(const struct nvme_asked *asked, json_t *facts);
void nvme_ocp_facts(const struct nvme_asked *asked, json_t *facts);
void nvme_error_facts(const struct nvme_asked *asked, json_t *facts);	/* nvme_events.c: the log */
void nvme_event_facts(const struct nvme_asked *asked, json_t *facts);	/* nvme_events.c */
void nvme_feature_facts(const struct nvme_asked *asked, json_t *facts); /* nvme_features.c */
void nvme_power_facts(const struct nvme_asked *asked, json_t *facts);	/* nvme_power.c */
void nvme_command_facts(const struct nvme_asked *asked, json_t *facts); /* nvme_commands.c */
void nvme_placement_facts(const struct nvme_asked *asked, json_t *facts); /* nvme_placement.c */

/* ---- drive.c, simulated.c ---------------------------------------------------------------------
 */

#define FACTS_VERSION 1

/* The whole disk behind what is asked about, and its names if it is an NVMe namespace. */
struct disk {
	char folder[PATH_MAX]; /* in sysfs; "": there is none */
	bool is_nvme;
	struct nvme_names names;
};

/* A character device of a namespace stands for its block device. */
void disk_find(const char *sysfs, mode_t kind, dev_t number, struct disk *disk);
/* Of the whole disk; 0: none. */
dev_t disk_number(const struct disk *disk);
/* Opens the namespace by its block device, else by its character device, as admin_open() does. */
int disk_open_controller(const struct disk *disk, struct nvme_admin *admin);

/* What a path is: fills in all but refused and admin. -1 with err: no drive. */
int drive_look_at(const char *path, struct drive_question *question, struct error *err);

/* "may_be_tested", and "why_not" when it is refused. */
void use_facts(const char *refused, json_t *facts);

/* The facts of the drive whose state lies in a file; NULL with err. */
json_t *simulated_facts(const char *path, const char *refused, struct error *err);

/* ---- warnings.c -------------------------------------------------------------------------------
 */

/* Sentences on what a reviewer should look at before a test. */
json_t *drive_warnings(const json_t *facts);

#endif
