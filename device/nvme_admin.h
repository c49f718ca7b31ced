/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Everything an NVMe controller is asked, behind one table of functions: nvme_libnvme.c sends the
 * commands with libnvme, tests answer them from a script. Results are libnvme's types, and fields
 * of more than one byte are little-endian as the drive sends them.
 *
 * Every function returns 0, the NVMe status of the command (above 0, with its Do Not Retry bit), or
 * -errno. When it is not 0, err holds a sentence; admin_reason() gives the same in a few words.
 * <libnvme.h> must come before <linux/nvme_ioctl.h>: a file that includes both takes this first.
 */
#ifndef SSDREVIEW_NVME_ADMIN_H
#define SSDREVIEW_NVME_ADMIN_H

#include <libnvme.h>

#include "base/base.h"

#define NVME_IDENTIFY_BYTES 4096

/* Identify: which structure (CNS), of which namespace, of which command set. */
struct nvme_identify_request {
	uint8_t cns, csi;
	uint32_t nsid;
};

/* Get Log Page. */
struct nvme_log_request {
	uint8_t lid, lsp, csi;
	uint16_t lsi;	  /* what lid asks for: an endurance group */
	uint32_t nsid;	  /* NVME_NSID_ALL: the controller */
	uint64_t offset;  /* bytes */
	bool keep_events; /* do not clear the event the log belongs to: others wait for it */
};

/* Get Features. */
struct nvme_feature_request {
	uint8_t fid;
	enum nvme_get_features_sel select;
	uint32_t nsid, cdw11;
};

struct nvme_format_request {
	uint32_t nsid; /* NVME_NSID_ALL: every namespace */
	uint8_t lbaf;
	enum nvme_cmd_format_ses erase;
	enum nvme_cmd_format_mset metadata;
	enum nvme_cmd_format_pi pi;
	enum nvme_cmd_format_pil pi_place;
	uint32_t timeout_ms;
};

/* Returns at once; nvme_sanitize_log_page tells how far the drive is. */
struct nvme_sanitize_request {
	enum nvme_sanitize_sanact action;
	uint32_t pattern;   /* of an overwrite */
	uint8_t passes;	    /* of an overwrite, 1 to 15; 0: 16 */
	bool invert;	    /* the pattern between passes */
	bool no_deallocate; /* leave the blocks readable after it */
	bool unrestricted;  /* a sanitize that fails may be left without success */
};

/* The table. context is the backend's own; data has NVME_IDENTIFY_BYTES for identify. */
struct nvme_admin_ops {
	int (*identify)(void *context, const struct nvme_identify_request *request, void *data);
	int (*get_log)(void *context, const struct nvme_log_request *request, void *data,
		       uint32_t bytes);
	int (*get_feature)(void *context, const struct nvme_feature_request *request,
			   uint32_t *value, void *data, uint32_t bytes);
	int (*format)(void *context, const struct nvme_format_request *request);
	int (*sanitize)(void *context, const struct nvme_sanitize_request *request);
	void (*close)(void *context);
};

/* One controller that can be asked. */
struct nvme_admin {
	const struct nvme_admin_ops *ops;
	void *context;
	char name[64]; /* for sentences: "/dev/nvme0n1" */
	uint32_t nsid; /* of the namespace that was opened; 0: the controller itself */
};

/*
 * Opens a controller through itself (/dev/nvme0), a namespace (/dev/nvme0n1) or its character
 * device (/dev/ng0n1), for reading. 0, or -errno with err. A partition is refused with -EINVAL.
 */
int admin_open(const char *path, struct nvme_admin *admin, struct error *err);
void admin_close(struct nvme_admin *admin);

int admin_identify_controller(const struct nvme_admin *admin, struct nvme_id_ctrl *id,
			      struct error *err);
int admin_identify_namespace(const struct nvme_admin *admin, uint32_t nsid, struct nvme_id_ns *id,
			     struct error *err);
/* What the NVM command set adds: protection information of each LBA format. */
int admin_identify_nvm(const struct nvme_admin *admin, uint32_t nsid, struct nvme_nvm_id_ns *id,
		       struct error *err);
/* Every namespace the controller serves now, rising, ended by 0. */
int admin_active_namespaces(const struct nvme_admin *admin, struct nvme_ns_list *list,
			    struct error *err);
/* Every namespace of the NVM subsystem, attached anywhere or not. */
int admin_allocated_namespaces(const struct nvme_admin *admin, struct nvme_ns_list *list,
			       struct error *err);

int admin_smart_log(const struct nvme_admin *admin, struct nvme_smart_log *log, struct error *err);
/* The newest `count` entries; the drive has elpe + 1 at most. */
int admin_error_log(const struct nvme_admin *admin, struct nvme_error_log_page *log, unsigned count,
		    struct error *err);
int admin_firmware_log(const struct nvme_admin *admin, struct nvme_firmware_slot *log,
		       struct error *err);
int admin_self_test_log(const struct nvme_admin *admin, struct nvme_self_test_log *log,
			struct error *err);
int admin_endurance_log(const struct nvme_admin *admin, uint16_t group,
			struct nvme_endurance_group_log *log, struct error *err);
int admin_sanitize_log(const struct nvme_admin *admin, struct nvme_sanitize_log_page *log,
		       struct error *err);
#define OCP_SMART_LID	0xc0
#define OCP_SMART_BYTES 512
/* The extended SMART log of the OCP data centre specification: OCP_SMART_BYTES. */
int admin_ocp_log(const struct nvme_admin *admin, void *log, struct error *err);
/* What flexible data placement an endurance group can be set to; `bytes` of it from the start. */
int admin_fdp_configurations(const struct nvme_admin *admin, uint16_t group, void *log,
			     uint32_t bytes, struct error *err);
int admin_fdp_statistics(const struct nvme_admin *admin, uint16_t group,
			 struct nvme_fdp_stats_log *log, struct error *err);

/* A feature whose value is the result of the command. */
int admin_feature(const struct nvme_admin *admin, const struct nvme_feature_request *request,
		  uint32_t *value, struct error *err);
/* A feature that also has data. */
int admin_feature_data(const struct nvme_admin *admin, const struct nvme_feature_request *request,
		       uint32_t *value, void *data, uint32_t bytes, struct error *err);

int admin_format(const struct nvme_admin *admin, const struct nvme_format_request *request,
		 struct error *err);
int admin_sanitize(const struct nvme_admin *admin, const struct nvme_sanitize_request *request,
		   struct error *err);

/* Status code type and status code, without the bits beside them: 0x281. */
unsigned admin_status_code(int status);
/* "Invalid Field in Command: what that means"; owned by the library. */
const char *admin_status_words(int status);
/*
 * Why a command failed, in a few words for "n/a (...)": "the drive refuses it: Invalid Field in
 * Command", "needs root". status is what the functions above returned.
 */
void admin_reason(int status, char *text, size_t room);

#endif
