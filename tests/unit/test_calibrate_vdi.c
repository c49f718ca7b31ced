/* SPDX-License-Identifier: GPL-2.0-only */
/* The synthetic traces on the drive models: the published VDI peaks, and the order of the drives.
 */
#include "review/calibrate_curve.h"
#include "tests/unit/sim_fixture.h"
#include "tests/unit/suite.h"

#define PROMISED 0.15

static const char *const drives[] = {"p4510-8tb", "p4510-2tb", "670p-2tb", "760p-2tb"};
static const char *const full_clones[] = {"vdi-fc-boot", "vdi-fc-initial-login",
					  "vdi-fc-monday-login"};
static const char *const linked_clones[] = {"vdi-lc-boot", "vdi-lc-initial-login",
					    "vdi-lc-monday-login"};

static const struct sim_published *point_of(const struct sim_model *model, const char *workload)
{
	const struct sim_published *points;
	size_t count = sim_model_published(model, &points), i;

	for (i = 0; i < count; i++)
		if (!strcmp(points[i].workload, workload))
			return &points[i];
	ck_abort_msg("no [published %s]", workload);
}

/* The max run of a row: the published curves end level at it. */
static struct calibration_row saturate(const char *drive, const char *workload)
{
	struct calibration calibration = {.ok = true};
	const struct sim_published *published;
	struct profile profile;
	struct sim_model *model;
	struct error err;

	ck_assert_msg(!sim_model_load(drive, &model, &err), "%s", err.text);
	published = point_of(model, workload);
	ck_assert_msg(!profile_load(published->protocol, &profile, &err), "%s", err.text);
	profile.step_count = 0;
	ck_assert_msg(!calibrate_trace_row(model, &profile, profile_find_row(&profile, workload),
					   published, &calibration, &err),
		      "%s", err.text);
	sim_model_free(model);
	return calibration.rows[0];
}

static void hold_row(const char *workload, size_t drive_count)
{
	struct calibration_row rows[COUNT(drives)];
	const struct calibration_row *order[COUNT(drives)];
	size_t i;

	for (i = 0; i < drive_count; i++) {
		order[i] = &rows[i];
		rows[i] = saturate(drives[i], workload);
		ck_assert_msg(rows[i].ok && rows[i].iops_off <= PROMISED &&
				      rows[i].iops_off >= -PROMISED,
			      "%s %s: %+.1f %% IOPS, %+.1f %% latency", drives[i], workload,
			      100 * rows[i].iops_off, 100 * rows[i].latency_off);
		ck_assert_double_gt(rows[i].published.iops, 0);
	}
	ck_assert_msg(calibration_same_order(order, drive_count), "%s: another order", workload);
}

START_TEST(full_clones_reach_the_published_peaks)
{
	size_t i;

	for (i = 0; i < COUNT(full_clones); i++)
		hold_row(full_clones[i], 4);
}
END_TEST

START_TEST(linked_clones_reach_the_published_peaks)
{
	size_t i;

	for (i = 0; i < COUNT(linked_clones); i++)
		hold_row(linked_clones[i], 2);
}
END_TEST

START_TEST(another_order_is_seen)
{
	struct calibration_row fast = {.published.iops = 200, .iops = 110};
	struct calibration_row slow = {.published.iops = 100, .iops = 109};
	const struct calibration_row *rows[] = {&slow, &fast};

	ck_assert(calibration_same_order(rows, 2));
	slow.iops = 110;
	ck_assert(!calibration_same_order(rows, 2));
}
END_TEST

START_TEST(a_row_without_a_trace_has_no_trace_load)
{
	struct trace_load load;
	struct profile profile;
	struct error err;

	ck_assert_msg(!profile_load("client-qlc", &profile, &err), "%s", err.text);
	ck_assert(trace_load_is_of(profile_find_row(&profile, "vdi-fc-boot")));
	ck_assert(!trace_load_is_of(profile_find_row(&profile, "4k-randread")));
	ck_assert_int_eq(
		trace_load_open(profile_find_row(&profile, "4k-randread"), MIB, &load, &err), -1);
	ck_assert_ptr_nonnull(strstr(err.text, "4k-randread.fio"));
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		full_clones_reach_the_published_peaks,
		linked_clones_reach_the_published_peaks,
		another_order_is_seen,
		a_row_without_a_trace_has_no_trace_load,
	};

	return RUN_TESTS("calibrate_vdi", tests, 300, NULL, NULL);
}
