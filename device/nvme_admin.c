/* SPDX-License-Identifier: GPL-2.0-only */
/* The commands an NVMe controller is asked, by name, and what their failures mean in words. */
#include "device/nvme_admin.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "device/facts.h"

#define STATUS_CODE_MASK 0x7ff

unsigned admin_status_code(int status)
{
	return (unsigned)status & STATUS_CODE_MASK;
}

/* libnvme explains after a colon; what stands before it is the specification's name. */
static int name_length(const char *words)
{
	return (int)strcspn(words, ":");
}

void admin_reason(int status, char *text, size_t room)
{
	const char *words = status > 0 ? admin_status_words(status) : "";
	const char *denied = denied_because(-status, NEEDS_ROOT);

	if (status > 0)
		snprintf(text, room, "the drive refuses it: %.*s", name_length(words), words);
	else
		snprintf(text, room, "%s", denied ? denied : strerror(-status));
}

/* Fills err for a command that failed, and passes its status on. */
static int answer(const struct nvme_admin *admin, const char *what, int status, struct error *err)
{
	const char *denied = denied_because(-status, "it needs root (CAP_SYS_ADMIN)");

	if (status > 0)
		error_set(err, "%s refuses %s: %s (NVMe status 0x%03x)", admin->name, what,
			  admin_status_words(status), admin_status_code(status));
	else if (denied)
		error_set(err, "%s may not be asked for %s: %s; %s", admin->name, what,
			  strerror(-status), denied);
	else if (status)
		error_set(err, "%s could not be asked for %s: %s", admin->name, what,
			  strerror(-status));
	return status;
}

void admin_close(struct nvme_admin *admin)
{
	if (admin->ops)
		admin->ops->close(admin->context);
	admin->ops = NULL;
}

/* ---- identify ------------------------------------------------------------------------------- */

static int identify(const struct nvme_admin *admin, const char *what, uint8_t cns, uint32_t nsid,
		    void *data, struct error *err)
{
	const struct nvme_identify_request request = {.cns = cns, .nsid = nsid};

	return answer(admin, what, admin->ops->identify(admin->context, &request, data), err);
}

int admin_identify_controller(const struct nvme_admin *admin, struct nvme_id_ctrl *id,
			      struct error *err)
{
	return identify(admin, "identify controller", NVME_IDENTIFY_CNS_CTRL, NVME_NSID_NONE, id,
			err);
}

int admin_identify_namespace(const struct nvme_admin *admin, uint32_t nsid, struct nvme_id_ns *id,
			     struct error *err)
{
	return identify(admin, "identify namespace", NVME_IDENTIFY_CNS_NS, nsid, id, err);
}

int admin_identify_nvm(const struct nvme_admin *admin, uint32_t nsid, struct nvme_nvm_id_ns *id,
		       struct error *err)
{
	uint8_t data[NVME_IDENTIFY_BYTES];
	int status = identify(admin, "identify namespace of the NVM command set",
			      NVME_IDENTIFY_CNS_CSI_NS, nsid, data, err);

	if (!status)
		memcpy(id, data, sizeof(*id));
	return status;
}

int admin_active_namespaces(const struct nvme_admin *admin, struct nvme_ns_list *list,
			    struct error *err)
{
	return identify(admin, "the list of namespaces", NVME_IDENTIFY_CNS_NS_ACTIVE_LIST,
			NVME_NSID_NONE, list, err);
}

int admin_allocated_namespaces(const struct nvme_admin *admin, struct nvme_ns_list *list,
			       struct error *err)
{
	return identify(admin, "the list of allocated namespaces",
			NVME_IDENTIFY_CNS_ALLOCATED_NS_LIST, NVME_NSID_NONE, list, err);
}

/* ---- logs ----------------------------------------------------------------------------------- */

static int get_log(const struct nvme_admin *admin, const char *what,
		   const struct nvme_log_request *request, void *data, uint32_t bytes,
		   struct error *err)
{
	memset(data, 0, bytes);
	return answer(admin, what, admin->ops->get_log(admin->context, request, data, bytes), err);
}

int admin_smart_log(const struct nvme_admin *admin, struct nvme_smart_log *log, struct error *err)
{
	const struct nvme_log_request request = {
		.lid = NVME_LOG_LID_SMART, .nsid = NVME_NSID_ALL, .keep_events = true};

	return get_log(admin, "the SMART log", &request, log, sizeof(*log), err);
}

int admin_error_log(const struct nvme_admin *admin, struct nvme_error_log_page *log, unsigned count,
		    struct error *err)
{
	const struct nvme_log_request request = {
		.lid = NVME_LOG_LID_ERROR, .nsid = NVME_NSID_ALL, .keep_events = true};

	return get_log(admin, "the error log", &request, log, count * (uint32_t)sizeof(*log), err);
}

int admin_firmware_log(const struct nvme_admin *admin, struct nvme_firmware_slot *log,
		       struct error *err)
{
	const struct nvme_log_request request = {.lid = NVME_LOG_LID_FW_SLOT,
						 .nsid = NVME_NSID_ALL};

	return get_log(admin, "the firmware log", &request, log, sizeof(*log), err);
}

int admin_self_test_log(const struct nvme_admin *admin, struct nvme_self_test_log *log,
			struct error *err)
{
	const struct nvme_log_request request = {.lid = NVME_LOG_LID_DEVICE_SELF_TEST,
						 .nsid = NVME_NSID_ALL};

	return get_log(admin, "the self-test log", &request, log, sizeof(*log), err);
}

int admin_endurance_log(const struct nvme_admin *admin, uint16_t group,
			struct nvme_endurance_group_log *log, struct error *err)
{
	const struct nvme_log_request request = {.lid = NVME_LOG_LID_ENDURANCE_GROUP, .lsi = group};

	return get_log(admin, "the endurance group log", &request, log, sizeof(*log), err);
}

int admin_sanitize_log(const struct nvme_admin *admin, struct nvme_sanitize_log_page *log,
		       struct error *err)
{
	const struct nvme_log_request request = {
		.lid = NVME_LOG_LID_SANITIZE, .nsid = NVME_NSID_ALL, .keep_events = true};

	return get_log(admin, "the sanitize log", &request, log, sizeof(*log), err);
}

int admin_ocp_log(const struct nvme_admin *admin, void *log, struct error *err)
{
	const struct nvme_log_request request = {.lid = OCP_SMART_LID, .nsid = NVME_NSID_ALL};

	return get_log(admin, "the OCP extended SMART log", &request, log, OCP_SMART_BYTES, err);
}

int admin_fdp_configurations(const struct nvme_admin *admin, uint16_t group, void *log,
			     uint32_t bytes, struct error *err)
{
	const struct nvme_log_request request = {.lid = NVME_LOG_LID_FDP_CONFIGS, .lsi = group};

	return get_log(admin, "the FDP configurations", &request, log, bytes, err);
}

int admin_fdp_statistics(const struct nvme_admin *admin, uint16_t group,
			 struct nvme_fdp_stats_log *log, struct error *err)
{
	const struct nvme_log_request request = {.lid = NVME_LOG_LID_FDP_STATS, .lsi = group};

	return get_log(admin, "the FDP statistics", &request, log, sizeof(*log), err);
}

/* ---- features ------------------------------------------------------------------------------- */

int admin_feature_data(const struct nvme_admin *admin, const struct nvme_feature_request *request,
		       uint32_t *value, void *data, uint32_t bytes, struct error *err)
{
	char what[32];
	int status;

	*value = 0;
	status = admin->ops->get_feature(admin->context, request, value, data, bytes);
	snprintf(what, sizeof(what), "feature 0x%02x", request->fid);
	return answer(admin, what, status, err);
}

int admin_feature(const struct nvme_admin *admin, const struct nvme_feature_request *request,
		  uint32_t *value, struct error *err)
{
	return admin_feature_data(admin, request, value, NULL, 0, err);
}

/* ---- what erases ---------------------------------------------------------------------------- */

int admin_format(const struct nvme_admin *admin, const struct nvme_format_request *request,
		 struct error *err)
{
	return answer(admin, "format", admin->ops->format(admin->context, request), err);
}

int admin_sanitize(const struct nvme_admin *admin, const struct nvme_sanitize_request *request,
		   struct error *err)
{
	return answer(admin, "sanitize", admin->ops->sanitize(admin->context, request), err);
}
