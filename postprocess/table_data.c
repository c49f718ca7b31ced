/* SPDX-License-Identifier: GPL-2.0-only */
/* A ranking for programs: a record a drive. */
#include <math.h>

#include "postprocess/records.h"
#include "postprocess/table.h"

#define FIELDS 23

/* Whether the peak is the peak, or only the highest of the points that count. */
static const char *peak_known(const struct entry *entry)
{
	if (!entry->peak)
		return "";
	return entry->above_peak ? "no" : "yes";
}

static void peak_fields(const struct ranking *ranking, const struct entry *entry,
			struct field *fields)
{
	const struct point *peak = entry->peak ? &entry->peak->point : NULL;
	double to_iops = ranking->by_bytes && peak ? peak->block_bytes : 1;
	double one_ms = isinf(entry->one_ms) ? NAN : entry->one_ms / to_iops;

	fields[0] = number_field("peak_iops", peak ? peak->iops : NAN);
	fields[1] = number_field("peak_bytes_per_s", peak ? peak->bytes_per_s : NAN);
	fields[2] = text_field("peak_point", peak ? peak->name : "");
	fields[3] = text_field("latency", ranking->metric == METRIC_LAT ? "lat" : "clat");
	fields[4] = number_field("latency_us", entry->latency_us);
	fields[5] = number_field("p99_us", entry->p99_us);
	fields[6] = number_field("gap_to_first", entry->gap);
	fields[7] = number_field("gap_percent", entry->gap_share * 100);
	fields[8] = number_field("one_ms_iops", one_ms);
	fields[9] = text_field("below_1ms", isinf(entry->one_ms)   ? "whole run"
					    : entry->one_ms == 0   ? "never"
					    : isnan(entry->one_ms) ? ""
								   : "up to one_ms_iops");
	fields[10] = number_field("fall_percent", entry->fall_share * 100);
	fields[11] = number_field("fall_to_iops", entry->fall_to / to_iops);
}

static void record(const struct ranking *ranking, const struct entry *entry, struct field *fields)
{
	const struct point *peak = entry->peak ? &entry->peak->point : NULL;

	fields[0] = text_field("row", ranking->row);
	fields[1] = text_field("protocol", ranking->protocol);
	fields[2] = number_field("place", entry->place ? entry->place : NAN);
	fields[3] = text_field("drive", entry->result->drive);
	peak_fields(ranking, entry, fields + 4);
	fields[16] = text_field("kind", entry_origin(entry));
	fields[17] = text_field("marks", entry->marks);
	fields[18] = text_field("not_ranked", entry->missing);
	fields[19] = text_field("peak_known", peak_known(entry));
	fields[20] = number_field("temperature_mean_c", peak ? peak->temperature_mean_c : NAN);
	fields[21] = number_field("temperature_max_c", peak ? peak->temperature_max_c : NAN);
	fields[22] = number_field("write_amplification", peak ? peak->write_amplification : NAN);
}

int ranking_records(const struct ranking *rankings, size_t count, struct records *records)
{
	struct field fields[FIELDS];
	size_t i, j;

	records_begin(records);
	for (i = 0; i < count; i++)
		for (j = 0; j < rankings[i].count; j++) {
			record(&rankings[i], &rankings[i].entries[j], fields);
			if (records_add(records, fields, FIELDS))
				return -1;
		}
	return 0;
}
