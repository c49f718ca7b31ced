/* SPDX-License-Identifier: GPL-2.0-only */
/* The power states of a controller: what each takes, and how long it takes to come and go. */
#include <endian.h>
#include <math.h>
#include <stdio.h>

#include "device/device_internal.h"

#define STATES	     32
#define FINE_UNITS   1e4 /* of a watt, with NVME_PSD_FLAGS_MXPS */
#define COARSE_UNITS 100.0

static double watts(const struct nvme_id_psd *state)
{
	double units = state->flags & NVME_PSD_FLAGS_MXPS ? FINE_UNITS : COARSE_UNITS;
	unsigned value = le16toh(state->mp);

	return value ? value / units : NAN;
}

static void latency_fact(json_t *facts, const char *key, uint32_t us)
{
	fact_number(facts, key, us ? us : NAN, "not reported");
}

static json_t *state_facts(const struct nvme_id_psd *state, unsigned number)
{
	json_t *facts = json_object();

	fact_number(facts, "state", number, "");
	fact_number(facts, "most_w", watts(state), "not reported");
	fact_flag(facts, "works", !(state->flags & NVME_PSD_FLAGS_NOPS));
	latency_fact(facts, "entry_us", le32toh(state->enlat));
	latency_fact(facts, "exit_us", le32toh(state->exlat));
	return facts;
}

void nvme_power_facts(const struct nvme_asked *asked, json_t *facts)
{
	json_t *states = json_array();
	unsigned i;

	for (i = 0; i <= asked->controller.npss && i < STATES; i++)
		json_array_append_new(states, state_facts(&asked->controller.psd[i], i));
	json_object_set_new(facts, "power_states", states);
}
