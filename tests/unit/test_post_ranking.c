/* SPDX-License-Identifier: GPL-2.0-only */
/* Curves, places, gaps, marks and sentences, on results made in memory. */
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "postprocess/ranking.h"
#include "tests/unit/suite.h"

static struct result *make_result(const char *drive, const char *protocol)
{
	struct result *result = result_new(RESULT_REVIEW, drive);

	ck_assert_ptr_nonnull(result);
	snprintf(result->drive, sizeof(result->drive), "%s", drive);
	snprintf(result->protocol, sizeof(result->protocol), "%s", protocol);
	return result;
}

static struct curve *add_curve(struct result *result, const char *row)
{
	struct curve *curve = result_add_curve(result, row);

	ck_assert_ptr_nonnull(curve);
	return curve;
}

static struct point *add(struct curve *curve, const char *name, double nominal, double iops,
			 double clat_us)
{
	struct point *point = curve_add_point(curve, name);

	ck_assert_ptr_nonnull(point);
	point->nominal_iops = nominal;
	point->iops = iops;
	point->block_bytes = 4096;
	point->bytes_per_s = iops * 4096;
	point->clat.mean_us = clat_us;
	point->has_stats = true;
	return point;
}

/* A drive with one row of one point. */
static struct result *one_point(const char *drive, double iops, double clat_us)
{
	struct result *result = make_result(drive, "client");

	add(add_curve(result, "4k-randread"), "max", NAN, iops, clat_us);
	return result;
}

static void rank(struct result *const *results, size_t count, enum sort_by sort,
		 struct ranking **rankings, size_t *ranking_count)
{
	struct ranking_options options = {.sort = sort};
	struct error err;

	ck_assert_msg(!rankings_make(results, count, &options, rankings, ranking_count, &err), "%s",
		      err.text);
}

static void release(struct result **results, size_t count, struct ranking *rankings,
		    size_t ranking_count)
{
	size_t i;

	rankings_free(rankings, ranking_count);
	for (i = 0; i < count; i++)
		result_free(results[i]);
}

/* ---- curves ------------------------------------------------------------------------------- */

START_TEST(the_max_run_is_no_step_beside_others)
{
	struct result *result = make_result("A", "client");
	struct curve *curve = add_curve(result, "r");
	struct step *steps;
	size_t count;

	add(curve, "max", NAN, 100, 1);
	add(curve, "010", 10, 10, 1);
	add(curve, "120", 120, 90, 1);
	steps = curve_steps(curve, &count);
	ck_assert_uint_eq(count, 2);
	ck_assert_str_eq(steps[0].point.name, "010");
	ck_assert_double_eq(steps_peak(steps, count, false)->point.iops, 90);
	free(steps);
	curve->points[1].verdict = curve->points[2].verdict = POINT_INVALID;
	steps = curve_steps(curve, &count);
	ck_assert_uint_eq(count, 3);
	ck_assert_double_eq(steps_peak(steps, count, false)->point.iops, 100);
	free(steps);
	result_free(result);
}
END_TEST

START_TEST(repeats_give_median_and_spread)
{
	static const double rates[] = {100, 130, 110};
	struct result *result = make_result("A", "client");
	struct curve *curve = add_curve(result, "r");
	struct step *steps;
	size_t count, i;

	for (i = 0; i < 3; i++)
		add(curve, "max", NAN, rates[i], 10 * rates[i])->repeat = (unsigned)i + 1;
	add(curve, "max", NAN, 999, 1)->verdict = POINT_INVALID;
	steps = curve_steps(curve, &count);
	ck_assert_uint_eq(count, 1);
	ck_assert_double_eq(steps[0].point.iops, 110);
	ck_assert_double_eq(steps[0].point.clat.mean_us, 1100);
	ck_assert_uint_eq(steps[0].repeats, 3);
	ck_assert_double_eq_tol(steps[0].spread, 30.0 / 110, 1e-12);
	free(steps);
	result_free(result);
}
END_TEST

START_TEST(invalid_points_are_never_the_peak)
{
	struct result *result = make_result("A", "client");
	struct curve *curve = add_curve(result, "r");
	struct step *steps;
	size_t count;

	add(curve, "010", 10, 10, 1);
	add(curve, "020", 20, 20, 1)->verdict = POINT_INVALID;
	add(curve, "030", 30, 30, 1)->verdict = POINT_FAILED;
	steps = curve_steps(curve, &count);
	ck_assert_uint_eq(count, 3);
	ck_assert_double_eq(steps_peak(steps, count, false)->point.iops, 10);
	free(steps);
	result_free(result);
}
END_TEST

static double one_ms(const double *rates, const double *latencies, size_t points)
{
	struct result *result = make_result("A", "client");
	struct curve *curve = add_curve(result, "r");
	struct step *steps;
	char name[16];
	size_t count, i;
	double found;

	for (i = 0; i < points; i++) {
		snprintf(name, sizeof(name), "%03zu", (i + 1) * 10);
		add(curve, name, rates[i], rates[i], latencies[i]);
	}
	steps = curve_steps(curve, &count);
	found = steps_one_ms_iops(steps, count, METRIC_CLAT);
	free(steps);
	result_free(result);
	return found;
}

START_TEST(one_ms_is_interpolated)
{
	static const double rates[] = {100, 200, 300}, turning[] = {100, 200, 180};

	ck_assert_double_eq_tol(one_ms(rates, (const double[]){100, 800, 1200}, 3), 250, 1e-9);
	ck_assert_double_eq_tol(one_ms(turning, (const double[]){100, 500, 1500}, 3), 190, 1e-9);
	ck_assert(isinf(one_ms(rates, (const double[]){100, 800, 999}, 3)));
	ck_assert_double_eq(one_ms(rates, (const double[]){1100, 1200, 1300}, 3), 0);
	ck_assert(isnan(one_ms(rates, (const double[]){NAN, NAN, NAN}, 3)));
	/* Exactly 1 ms is still not above it. */
	ck_assert(isinf(one_ms(rates, (const double[]){100, 800, 1000}, 3)));
	ck_assert(isnan(one_ms(rates, (const double[]){100}, 1)));
}
END_TEST

START_TEST(the_fall_is_what_is_left_when_more_is_asked)
{
	struct result *result = make_result("A", "client");
	struct curve *curve = add_curve(result, "r");
	const struct step *peak;
	struct step *steps;
	size_t count;

	add(curve, "050", 500, 500, 1);
	add(curve, "090", 900, 900, 1);
	add(curve, "100", 1000, 700, 1);
	add(curve, "110", 1100, 600, 1);
	steps = curve_steps(curve, &count);
	peak = steps_peak(steps, count, false);
	ck_assert_double_eq(peak->point.iops, 900);
	ck_assert_double_eq(steps_lowest_after(steps, count, peak), 600);
	ck_assert(isnan(steps_lowest_after(steps, 2, peak)));
	free(steps);
	result_free(result);
}
END_TEST

/* ---- rankings ------------------------------------------------------------------------------- */

START_TEST(ties_share_a_place)
{
	struct result *results[] = {one_point("A", 200.2, 10), one_point("B", 300, 20),
				    one_point("C", 199.8, 30), one_point("D", 100, 40)};
	struct ranking *ranking;
	size_t count;

	rank(results, 4, SORT_PEAK, &ranking, &count);
	ck_assert_uint_eq(count, 1);
	ck_assert_str_eq(ranking->entries[0].result->drive, "B");
	ck_assert_uint_eq(ranking->entries[0].place, 1);
	ck_assert(isnan(ranking->entries[0].gap));
	ck_assert_str_eq(ranking->entries[1].result->drive, "A");
	ck_assert_uint_eq(ranking->entries[1].place, 2);
	ck_assert_uint_eq(ranking->entries[2].place, 2);
	ck_assert_uint_eq(ranking->entries[3].place, 4);
	ck_assert_double_eq_tol(ranking->entries[3].gap, 200, 1e-9);
	ck_assert_double_eq_tol(ranking->entries[3].gap_share, 2.0 / 3, 1e-9);
	release(results, 4, ranking, count);
}
END_TEST

START_TEST(lower_latency_is_better)
{
	struct result *results[] = {one_point("A", 300, 20), one_point("B", 200, 10)};
	struct ranking *ranking;
	size_t count;

	rank(results, 2, SORT_CLAT, &ranking, &count);
	ck_assert_str_eq(ranking->entries[0].result->drive, "B");
	ck_assert_double_eq(ranking->entries[1].gap, 10);
	release(results, 2, ranking, count);
}
END_TEST

START_TEST(a_drive_without_a_result_is_listed)
{
	struct result *results[] = {one_point("A", 300, 20), make_result("B", "client"),
				    one_point("C", 100, 5)};
	struct ranking *ranking;
	char text[256];
	size_t count;

	results[2]->curves[0].points[0].verdict = POINT_FAILED;
	rank(results, 3, SORT_PEAK, &ranking, &count);
	ck_assert_uint_eq(ranking->count, 3);
	ck_assert_uint_eq(ranking->entries[1].place, 0);
	ck_assert_str_eq(ranking->entries[1].missing, "no result for this row");
	ck_assert_str_eq(ranking->entries[2].missing, "no point counts");
	entry_sentence(ranking, &ranking->entries[1], text, sizeof(text));
	ck_assert_str_eq(text, "B: no result for this row.");
	release(results, 3, ranking, count);
}
END_TEST

/* A curve of "010" ... of 100 IOPS each, from `from` on with another verdict. */
static struct result *cut_curve(const char *drive, unsigned from, enum point_verdict verdict)
{
	struct result *result = make_result(drive, "client");
	struct curve *curve = add_curve(result, "4k-randread");
	char name[16];
	unsigned i;

	add(curve, "max", NAN, 1000, 900);
	for (i = 1; i <= 12; i++) {
		snprintf(name, sizeof(name), "%03u", i * 10);
		add(curve, name, i * 100, i < 10 ? i * 100 : 1000, 100)->verdict =
			i < from ? POINT_VALID : verdict;
	}
	return result;
}

START_TEST(a_fragment_of_a_curve_is_not_ranked)
{
	struct result *results[] = {cut_curve("A", 4, POINT_INVALID), one_point("B", 200, 10)};
	struct ranking *ranking;
	const struct entry *entry;
	char text[256];
	size_t count;

	rank(results, 2, SORT_PEAK, &ranking, &count);
	ck_assert_str_eq(ranking->entries[0].result->drive, "B");
	ck_assert_uint_eq(ranking->entries[0].place, 1);
	entry = &ranking->entries[1];
	ck_assert_uint_eq(entry->place, 0);
	ck_assert_str_eq(entry_rate_text(ranking, entry, text, sizeof(text)), "at least 300");
	ck_assert_str_eq(entry->missing, "peak not known: 9 higher points left out");
	ck_assert(isnan(entry->gap) && isnan(entry->fall_share) && isnan(entry->one_ms));
	entry_sentence(ranking, entry, text, sizeof(text));
	ck_assert_str_eq(text, "A: peak not known: 9 higher points left out.");
	release(results, 2, ranking, count);
}
END_TEST

static unsigned above_peak(struct result *result)
{
	struct ranking *ranking;
	unsigned above;
	size_t count;

	rank(&result, 1, SORT_PEAK, &ranking, &count);
	above = ranking->entries[0].above_peak;
	release(&result, 1, ranking, count);
	return above;
}

START_TEST(a_peak_is_known_when_the_end_was_seen)
{
	struct result *result = cut_curve("A", 12, POINT_FAILED);

	/* 110 % was asked for and 1000 reached: that 120 % failed changes nothing. */
	ck_assert_uint_eq(above_peak(result), 0);
	/* Nothing above the highest one was tried. */
	ck_assert_uint_eq(above_peak(cut_curve("A", 13, POINT_FAILED)), 0);
	ck_assert_uint_eq(above_peak(cut_curve("A", 11, POINT_FAILED)), 2);
	/* Reached more, though an end was seen. */
	result = cut_curve("A", 12, POINT_INVALID);
	result->curves[0].points[12].iops = 1100;
	ck_assert_uint_eq(above_peak(result), 1);
	/* With all steps left out, the max run stands for the peak. */
	result = cut_curve("A", 1, POINT_FAILED);
	result->curves[0].points[0].verdict = POINT_SATURATED;
	ck_assert_uint_eq(above_peak(result), 0);
}
END_TEST

START_TEST(a_crossing_of_one_ms_stays_known)
{
	struct result *result = cut_curve("A", 6, POINT_INVALID);
	struct ranking *ranking;
	size_t count;

	result->curves[0].points[5].clat.mean_us = 1900;
	rank(&result, 1, SORT_PEAK, &ranking, &count);
	ck_assert_uint_gt(ranking->entries[0].above_peak, 0);
	ck_assert_double_eq_tol(ranking->entries[0].one_ms, 450, 1e-9);
	release(&result, 1, ranking, count);
}
END_TEST

START_TEST(rows_without_statistics_are_not_judged)
{
	struct result *results[] = {one_point("A", 300, 20), one_point("B", 200, 10),
				    one_point("C", 100, 10), one_point("D", 50, 10)};
	struct ranking *ranking;
	size_t count, i;

	for (i = 0; i < 3; i++) {
		results[i]->curves[0].points[0].own_engine = i != 1;
		results[i]->curves[0].points[0].has_stats = false;
	}
	results[2]->curves[0].points[0].simulated = true;
	add(&results[3]->curves[0], "050", 25, 25, 5)->own_engine = true;
	add(&results[3]->curves[0], "100", 50, 50, 5)->has_stats = false;
	results[3]->curves[0].points[2].own_engine = true;
	rank(results, 4, SORT_PEAK, &ranking, &count);
	ck_assert_str_eq(ranking->entries[0].marks, "not judged");
	ck_assert_str_eq(entry_origin(&ranking->entries[0]), "not judged");
	ck_assert_str_eq(ranking->entries[1].marks, "measured");
	ck_assert_str_eq(ranking->entries[2].marks, "simulated, not judged");
	ck_assert_str_eq(ranking->entries[3].marks, "measured, 1 point not judged");
	release(results, 4, ranking, count);
}
END_TEST

START_TEST(bandwidth_rows_stay_so_without_a_point)
{
	struct result *result = make_result("A", "client");
	struct ranking *rankings;
	size_t count;

	curve_add_point(add_curve(result, "64k-seqread"), "max")->verdict = POINT_FAILED;
	curve_add_point(add_curve(result, "4k-randread"), "max")->verdict = POINT_FAILED;
	/* What was in flight when the average began makes the mean size a little smaller. */
	add(add_curve(result, "mine"), "max", NAN, 100, 10)->block_bytes = 65470;
	rank(&result, 1, SORT_PEAK, &rankings, &count);
	ck_assert_uint_eq(count, 3);
	ck_assert_str_eq(ranking_unit(&rankings[0]), "MB/s");
	ck_assert_str_eq(ranking_unit(&rankings[1]), "IOPS");
	ck_assert_str_eq(ranking_unit(&rankings[2]), "MB/s");
	release(&result, 1, rankings, count);
}
END_TEST

START_TEST(protocols_are_ranked_apart)
{
	struct result *results[] = {one_point("A", 300, 20), one_point("B", 200, 10)};
	struct ranking *rankings;
	size_t count;

	strcpy(results[1]->protocol, "enterprise");
	rank(results, 2, SORT_PEAK, &rankings, &count);
	ck_assert_uint_eq(count, 2);
	ck_assert_uint_eq(rankings[0].count, 1);
	ck_assert_uint_eq(rankings[1].entries[0].place, 1);
	release(results, 2, rankings, count);
}
END_TEST

START_TEST(large_blocks_are_ranked_on_bytes)
{
	struct result *results[] = {one_point("A", 300, 20), one_point("B", 310, 10)};
	struct ranking *ranking;
	size_t count;

	results[0]->curves[0].points[0].block_bytes = 65536;
	results[0]->curves[0].points[0].bytes_per_s = 300 * 65536.0;
	results[1]->curves[0].points[0].block_bytes = 65536;
	results[1]->curves[0].points[0].bytes_per_s = 310 * 60000.0;
	rank(results, 2, SORT_PEAK, &ranking, &count);
	ck_assert(ranking->by_bytes);
	ck_assert_str_eq(ranking_unit(ranking), "MB/s");
	ck_assert_str_eq(ranking->entries[0].result->drive, "A");
	release(results, 2, ranking, count);
}
END_TEST

START_TEST(marks_say_where_figures_come_from)
{
	struct result *results[] = {one_point("A", 300, 20), one_point("B", 200, 10)};
	struct ranking *ranking;
	char text[512];
	size_t count;

	results[0]->simulated = results[0]->quick = true;
	results[0]->scale = 64;
	results[0]->curves[0].in_flight = 128;
	results[1]->curves[0].in_flight = 64;
	results[1]->curves[0].stand_in = true;
	rank(results, 2, SORT_PEAK, &ranking, &count);
	ck_assert_str_eq(ranking->entries[0].marks, "simulated, quick, scale 64, 128 in flight");
	ck_assert_str_eq(ranking->entries[1].marks, "measured, stand-in, 64 in flight");
	ck_assert(rankings_have_stand_in(ranking, count));
	entry_sentence(ranking, &ranking->entries[0], text, sizeof(text));
	ck_assert_str_eq(text, "A: place 1 of 2, ahead of B (stand-in).");
	release(results, 2, ranking, count);
}
END_TEST

START_TEST(sentences_say_ahead_level_and_behind)
{
	struct result *results[] = {one_point("A", 300000, 20), one_point("B", 200000, 10),
				    one_point("C", 199000, 10), one_point("D", 1000, 10)};
	struct ranking *ranking;
	char text[512];
	size_t count;

	rank(results, 4, SORT_PEAK, &ranking, &count);
	entry_sentence(ranking, &ranking->entries[1], text, sizeof(text));
	ck_assert_str_eq(text, "B: place 2 of 4, behind A, level with C, ahead of D, 100,000 IOPS "
			       "(33.3 %) short of the first.");
	release(results, 4, ranking, count);
}
END_TEST

/* ---- published figures, titles --------------------------------------------------------------- */

static const struct result *find_drive(struct result *const *list, size_t count, const char *drive)
{
	size_t i;

	for (i = 0; i < count; i++)
		if (!strcmp(list[i]->drive, drive))
			return list[i];
	return NULL;
}

START_TEST(published_figures_keep_their_protocol)
{
	struct result **list;
	const struct result *result;
	const struct curve *curve;
	struct error err;
	size_t count;

	ck_assert_msg(!published_load(NULL, &list, &count, &err), "%s", err.text);
	result = find_drive(list, count, "Intel 670p 2TB");
	ck_assert_ptr_nonnull(result);
	ck_assert_str_eq(result->protocol, "client-qlc");
	curve = result_find_curve(result, "4k-randread");
	ck_assert_double_eq(curve->points[0].iops, 295132);
	ck_assert_double_eq(curve->points[0].clat.mean_us, 421);
	curve = result_find_curve(result, "64k-seqread");
	ck_assert_double_eq_tol(curve->points[0].bytes_per_s, 2404.1e6, 1);
	result = find_drive(list, count, "Intel 760p");
	ck_assert_str_eq(result->protocol, "client-20g");
	curve = result_find_curve(result, "4k-randread");
	ck_assert_double_eq(curve->points[0].clat.mean_us, 2010);
	ck_assert_double_eq(curve->stated_one_ms_iops, 125000);
	result = find_drive(list, count, "Intel P4510 8TB");
	ck_assert_str_eq(result->protocol, "enterprise");
	ck_assert_double_eq(result_find_curve(result, "sql-90-10")->stated_after_peak_iops, 200000);
	published_free(list, count);
}
END_TEST

START_TEST(published_drives_join_rows_that_were_measured)
{
	struct result **list, *own = one_point("Mine", 300000, 300), *results[64];
	struct ranking *rankings;
	struct error err;
	size_t count, ranked, i;

	strcpy(own->protocol, "client-qlc");
	ck_assert(!published_load(NULL, &list, &count, &err));
	ck_assert_uint_lt(count, 64);
	results[0] = own;
	for (i = 0; i < count; i++)
		results[i + 1] = list[i];
	rank(results, count + 1, SORT_PEAK, &rankings, &ranked);
	ck_assert_uint_eq(ranked, 1);
	ck_assert_uint_eq(rankings->count, 2);
	ck_assert_str_eq(rankings->entries[1].result->drive, "Intel 670p 2TB");
	ck_assert_str_eq(rankings->entries[1].marks, "published (Intel 670p review)");
	rankings_free(rankings, ranked);
	result_free(own);
	published_free(list, count);
}
END_TEST

START_TEST(rows_have_titles)
{
	char title[192];

	row_title("4k-randread", title, sizeof(title));
	ck_assert_str_eq(title, "4K random read");
	row_title("64k-seqwrite", title, sizeof(title));
	ck_assert_str_eq(title, "64K sequential write");
	row_title("vdi-fc-boot", title, sizeof(title));
	ck_assert_str_eq(title, "VDI full clone, boot");
	row_title("my own job", title, sizeof(title));
	ck_assert_str_eq(title, "my own job");
}
END_TEST

static Suite *make_suite(void)
{
	Suite *suite = suite_create("curves and rankings");
	TCase *curves = tcase_create("curves"), *rankings = tcase_create("rankings");

	tcase_add_test(curves, the_max_run_is_no_step_beside_others);
	tcase_add_test(curves, repeats_give_median_and_spread);
	tcase_add_test(curves, invalid_points_are_never_the_peak);
	tcase_add_test(curves, one_ms_is_interpolated);
	tcase_add_test(curves, the_fall_is_what_is_left_when_more_is_asked);
	tcase_add_test(rankings, ties_share_a_place);
	tcase_add_test(rankings, lower_latency_is_better);
	tcase_add_test(rankings, a_drive_without_a_result_is_listed);
	tcase_add_test(rankings, a_fragment_of_a_curve_is_not_ranked);
	tcase_add_test(rankings, a_peak_is_known_when_the_end_was_seen);
	tcase_add_test(rankings, a_crossing_of_one_ms_stays_known);
	tcase_add_test(rankings, rows_without_statistics_are_not_judged);
	tcase_add_test(rankings, bandwidth_rows_stay_so_without_a_point);
	tcase_add_test(rankings, protocols_are_ranked_apart);
	tcase_add_test(rankings, large_blocks_are_ranked_on_bytes);
	tcase_add_test(rankings, marks_say_where_figures_come_from);
	tcase_add_test(rankings, sentences_say_ahead_level_and_behind);
	tcase_add_test(rankings, published_figures_keep_their_protocol);
	tcase_add_test(rankings, published_drives_join_rows_that_were_measured);
	tcase_add_test(rankings, rows_have_titles);
	suite_add_tcase(suite, curves);
	suite_add_tcase(suite, rankings);
	return suite;
}

int main(void)
{
	return run_suite(make_suite());
}
