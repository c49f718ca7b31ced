/* SPDX-License-Identifier: GPL-2.0-only */
/* Preconditioning, main tests and ladders for programs: a record a run, and a record a step. */
#include <math.h>

#include "postprocess/enterprise_internal.h"
#include "postprocess/records.h"

#define RUN_FIELDS  20
#define STEP_FIELDS (6 + IO_KINDS * MINUTE_MEASURES)

static void run_record(const struct precondition *run, struct field *fields)
{
	const struct findings *found = &run->findings;
	const struct field list[RUN_FIELDS] = {
		text_field("row", run->row),
		text_field("protocol", run->result->protocol),
		number_field("place", run->place ? run->place : NAN),
		text_field("drive", run->result->drive),
		number_field("start_iops", precondition_start_iops(run)),
		number_field("burst_end_s", found->burst_end_s),
		number_field("burst_end_fills", found->burst_end_fills),
		number_field("steady_iops", found->steady[MINUTE_IOPS]),
		number_field("steady_since_s", found->steady_since_s),
		number_field("steady_since_fills", found->steady_since_fills),
		number_field("steady_average_us", found->steady[MINUTE_MEAN]),
		number_field("steady_max_us", found->steady[MINUTE_MAX]),
		number_field("steady_stddev_us", found->steady[MINUTE_STDDEV]),
		number_field("range_share", run->window.known ? run->window.range_share : NAN),
		number_field("slope_share", run->window.known ? run->window.excursion_share : NAN),
		number_field("near_share", found->near_share),
		number_field("spikes", isnan(found->near_share) ? NAN : (double)found->spike_times),
		number_field("gaps", (double)found->gap_count),
		number_field("fills", run->fills),
		text_field("marks", run->marks)};
	size_t i;

	for (i = 0; i < RUN_FIELDS; i++)
		fields[i] = list[i];
}

static void step_record(const struct ladder_ranking *ranking, const struct ladder *ladder,
			const struct ladder_step *step, struct field *fields)
{
	static const char *const names[IO_KINDS][MINUTE_MEASURES] = {
		{"read_iops", "read_average_us", "read_max_us", "read_stddev_us"},
		{"write_iops", "write_average_us", "write_max_us", "write_stddev_us"},
		{"iops", "average_us", "max_us", "stddev_us"}};
	size_t kind, measure;

	*fields++ = text_field("row", ranking->row);
	*fields++ = text_field("protocol", ranking->protocol);
	*fields++ = text_field("step", step->name);
	*fields++ = number_field("place", step->place ? step->place : NAN);
	*fields++ = text_field("drive", ladder->result->drive);
	for (kind = 0; kind < IO_KINDS; kind++)
		for (measure = 0; measure < MINUTE_MEASURES; measure++)
			*fields++ = number_field(names[kind][measure], step->values[kind][measure]);
	*fields = text_field("marks", step->why[0] ? step->why : ladder->marks);
}

static int all_runs(const struct enterprise *enterprise, struct records *records)
{
	struct field fields[RUN_FIELDS];
	size_t i, j;

	records_begin(records);
	for (i = 0; i < enterprise->precondition_count; i++)
		for (j = 0; j < enterprise->preconditions[i].count; j++) {
			run_record(&enterprise->preconditions[i].runs[j], fields);
			if (records_add(records, fields, RUN_FIELDS))
				return -1;
		}
	return 0;
}

static int all_steps(const struct enterprise *enterprise, struct records *records)
{
	struct field fields[STEP_FIELDS];
	size_t i, j, k;

	records_begin(records);
	for (i = 0; i < enterprise->ladder_count; i++)
		for (j = 0; j < enterprise->ladders[i].count; j++) {
			const struct ladder *ladder = &enterprise->ladders[i].ladders[j];

			for (k = 0; k < ladder->count; k++) {
				step_record(&enterprise->ladders[i], ladder, &ladder->steps[k],
					    fields);
				if (records_add(records, fields, STEP_FIELDS))
					return -1;
			}
		}
	return 0;
}

int enterprise_records(const struct enterprise *enterprise, struct records *records)
{
	return all_runs(enterprise, records) || all_steps(enterprise, records) ||
	       loads_records(enterprise->loads, enterprise->load_count, records);
}
