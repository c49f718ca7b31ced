/* SPDX-License-Identifier: GPL-2.0-only */
/* Everything an NVMe controller answers, part after part. */
#include <errno.h>
#include <string.h>

#include "device/device_internal.h"

void fact_refused(json_t *facts, const char *key, int status)
{
	char reason[128];

	admin_reason(status, reason, sizeof(reason));
	fact_missing(facts, key, reason);
}

static void ask_namespace(struct nvme_asked *asked)
{
	memset(&asked->namespace, 0, sizeof(asked->namespace));
	asked->namespace_status =
		asked->admin->nsid ? admin_identify_namespace(asked->admin, asked->admin->nsid,
							      &asked->namespace, NULL)
				   : -ENODEV;
}

int nvme_ask(const struct nvme_admin *admin, struct nvme_asked *asked)
{
	int status;

	*asked = (struct nvme_asked){.admin = admin};
	status = admin_identify_controller(admin, &asked->controller, NULL);
	if (!status)
		ask_namespace(asked);
	return status;
}

json_t *nvme_facts(const struct nvme_admin *admin)
{
	static void (*const parts[])(const struct nvme_asked *, json_t *) = {
		nvme_identity_facts, nvme_format_facts,	 nvme_health_facts,
		nvme_media_facts,    nvme_event_facts,	 nvme_feature_facts,
		nvme_power_facts,    nvme_command_facts, nvme_placement_facts,
	};
	struct nvme_asked asked;
	int status = nvme_ask(admin, &asked);
	char reason[128];
	json_t *facts;
	size_t i;

	if (status) {
		admin_reason(status, reason, sizeof(reason));
		return json_sprintf("n/a (%s)", reason);
	}
	facts = json_object();
	for (i = 0; i < COUNT(parts); i++)
		parts[i](&asked, facts);
	return facts;
}
