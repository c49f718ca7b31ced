/* SPDX-License-Identifier: GPL-2.0-only */
/* The SMART log, and the temperatures at which the drive warns, slows down or stops. */
#include <endian.h>
#include <math.h>
#include <stdio.h>

#include "device/device_internal.h"
#include "device/nvme_values.h"

#define HCTMA_SUPPORTED	  1
#define PERCENT_MOST	  100
#define THRESHOLD_UNDER	  (1 << 20) /* of feature 0x04: below it is too cold */
#define THRESHOLD_MASK	  0xffff
#define THRESHOLD_NOT_SET 0xffff

static json_t *critical_warnings(unsigned bits)
{
	static const char *const words[] = {"the spare is below its threshold",
					    "a temperature is beyond its threshold",
					    "the drive is no longer reliable",
					    "the drive is read-only",
					    "the backup of its volatile memory failed",
					    "its persistent memory region is read-only"};
	json_t *warnings = json_array();
	size_t i;

	for (i = 0; i < COUNT(words); i++)
		if (bits & 1U << i)
			json_array_append_new(warnings, json_string(words[i]));
	return warnings;
}

/* No units although there were commands: the drive does not count them. */
static void units_fact(json_t *facts, const char *key, const uint8_t *units,
		       const uint8_t *commands)
{
	double bytes = nvme_data_unit_bytes(units);

	fact_number(facts, key, bytes > 0 || nvme_counter(commands) == 0 ? bytes : NAN,
		    "the drive does not count it");
}

static void counter_fact(json_t *facts, const char *key, const uint8_t *counter)
{
	fact_number(facts, key, nvme_counter(counter), "");
}

static json_t *sensors(const struct nvme_smart_log *log)
{
	json_t *list = json_array();
	size_t i;

	for (i = 0; i < COUNT(log->temp_sensor); i++)
		if (log->temp_sensor[i])
			json_array_append_new(list, json_integer((json_int_t)nvme_celsius(
							    le16toh(log->temp_sensor[i]))));
	return list;
}

/* Times over a threshold that the drive does not have stay 0 and mean nothing. */
static void heat_facts(const struct nvme_id_ctrl *controller, const struct nvme_smart_log *log,
		       json_t *facts)
{
	bool manages = le16toh(controller->hctma) & HCTMA_SUPPORTED;

	fact_number(facts, "warning_temperature_min",
		    controller->wctemp ? le32toh(log->warning_temp_time) : NAN,
		    "the drive has no warning temperature");
	fact_number(facts, "critical_temperature_min",
		    controller->cctemp ? le32toh(log->critical_comp_time) : NAN,
		    "the drive has no critical temperature");
	fact_number(facts, "light_throttle_count",
		    manages ? le32toh(log->thm_temp1_trans_count) : NAN,
		    "the drive does not count it");
	fact_number(facts, "light_throttle_s", manages ? le32toh(log->thm_temp1_total_time) : NAN,
		    "the drive does not count it");
	fact_number(facts, "heavy_throttle_count",
		    manages ? le32toh(log->thm_temp2_trans_count) : NAN,
		    "the drive does not count it");
	fact_number(facts, "heavy_throttle_s", manages ? le32toh(log->thm_temp2_total_time) : NAN,
		    "the drive does not count it");
}

/* A spare of 0 that nobody warns of is one that is not told. */
static void spare_facts(const struct nvme_smart_log *log, json_t *facts)
{
	bool told = log->avail_spare || log->spare_thresh ||
		    log->critical_warning & NVME_SMART_CRIT_SPARE;

	fact_number(facts, "spare_percent",
		    told && log->avail_spare <= PERCENT_MOST ? log->avail_spare : NAN,
		    "not reported");
	fact_number(facts, "spare_threshold_percent",
		    told && log->spare_thresh <= PERCENT_MOST ? log->spare_thresh : NAN,
		    "not reported");
}

static void wear_facts(const struct nvme_smart_log *log, json_t *facts)
{
	fact_number(facts, "used_percent", log->percent_used, "");
	spare_facts(log, facts);
	units_fact(facts, "host_read_bytes", log->data_units_read, log->host_reads);
	units_fact(facts, "host_written_bytes", log->data_units_written, log->host_writes);
	counter_fact(facts, "host_reads", log->host_reads);
	counter_fact(facts, "host_writes", log->host_writes);
	counter_fact(facts, "busy_min", log->ctrl_busy_time);
	counter_fact(facts, "power_cycles", log->power_cycles);
	counter_fact(facts, "power_on_h", log->power_on_hours);
	counter_fact(facts, "unsafe_shutdowns", log->unsafe_shutdowns);
	counter_fact(facts, "media_errors", log->media_errors);
	counter_fact(facts, "logged_errors", log->num_err_log_entries);
}

static json_t *smart_facts(const struct nvme_asked *asked, const struct nvme_smart_log *log)
{
	json_t *facts = json_object();
	unsigned kelvin = log->temperature[0] | log->temperature[1] << 8;

	json_object_set_new(facts, "critical", critical_warnings(log->critical_warning));
	fact_number(facts, "temperature_c", nvme_celsius(kelvin), "not reported");
	json_object_set_new(facts, "sensors_c", sensors(log));
	wear_facts(log, facts);
	heat_facts(&asked->controller, log, facts);
	return facts;
}

/* The temperature at which the drive tells the host, as it is set now. */
static void threshold_fact(const struct nvme_asked *asked, const char *key, uint32_t which,
			   json_t *facts)
{
	const struct nvme_feature_request request = {.fid = NVME_FEAT_FID_TEMP_THRESH,
						     .cdw11 = which};
	uint32_t value;
	int status = admin_feature(asked->admin, &request, &value, NULL);

	value &= THRESHOLD_MASK;
	if (status)
		fact_refused(facts, key, status);
	else
		fact_number(facts, key, value == THRESHOLD_NOT_SET ? NAN : nvme_celsius(value),
			    "not set");
}

/* At which the host has the drive slow down; not of the drives that decide alone. */
static void management_facts(const struct nvme_asked *asked, json_t *facts)
{
	const struct nvme_feature_request request = {.fid = NVME_FEAT_FID_HCTM};
	bool manages = le16toh(asked->controller.hctma) & HCTMA_SUPPORTED;
	uint32_t value = 0;
	int status = manages ? admin_feature(asked->admin, &request, &value, NULL) : 0;

	if (status) {
		fact_refused(facts, "light_throttle_c", status);
		fact_refused(facts, "heavy_throttle_c", status);
		return;
	}
	fact_number(facts, "light_throttle_c", nvme_celsius(value >> 16),
		    manages ? "not set" : "the host cannot");
	fact_number(facts, "heavy_throttle_c", nvme_celsius(value & THRESHOLD_MASK),
		    manages ? "not set" : "the host cannot");
}

static json_t *threshold_facts(const struct nvme_asked *asked)
{
	json_t *facts = json_object();

	fact_number(facts, "warning_c", nvme_celsius(le16toh(asked->controller.wctemp)),
		    "not reported");
	fact_number(facts, "critical_c", nvme_celsius(le16toh(asked->controller.cctemp)),
		    "not reported");
	threshold_fact(asked, "alarm_over_c", 0, facts);
	threshold_fact(asked, "alarm_under_c", THRESHOLD_UNDER, facts);
	management_facts(asked, facts);
	return facts;
}

void nvme_smart_facts(const struct nvme_asked *asked, json_t *facts)
{
	struct nvme_smart_log log;
	int status = admin_smart_log(asked->admin, &log, NULL);

	if (status)
		fact_refused(facts, "smart", status);
	else
		json_object_set_new(facts, "smart", smart_facts(asked, &log));
}

void nvme_health_facts(const struct nvme_asked *asked, json_t *facts)
{
	nvme_smart_facts(asked, facts);
	json_object_set_new(facts, "thresholds", threshold_facts(asked));
}
