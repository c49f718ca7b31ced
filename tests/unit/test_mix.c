/* SPDX-License-Identifier: GPL-2.0-only */
/* Mixes: what is read and refused, shares over every span, places, repeatability, clones. */
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engines/mix/mix.h"
#include "engines/mix/strata.h"
#include "tests/unit/suite.h"

#define DRAWS	  200000
#define REGION	  (256ULL << 20)
#define ORACLE	  "80:randread:8k,19:randwrite:8k,1:write:64k"
#define SIZES_219 "512/4+1k/1+1536/1+2k/1+2560/1+3k/1+3584/1+4k/67+8k/10+16k/7+32k/3+64k/3"
#define ZONES_219 "0-5/50+5-20/30+20-100/20"
#define JESD219	  "40:randread:" SIZES_219 ":" ZONES_219 ",60:randwrite:" SIZES_219 ":" ZONES_219

static struct mix read_mix(const char *text)
{
	struct mix mix;
	struct error err;

	ck_assert_msg(!mix_parse(text, &mix, &err), "%s", err.text);
	return mix;
}

static struct mix_draw *open_draw(const struct mix *mix, uint64_t seed, unsigned clone,
				  unsigned clones)
{
	const struct mix_draw_options options = {
		.region_bytes = REGION, .clone = clone, .clones = clones, .seed = seed};
	struct error err;
	struct mix_draw *draw = mix_draw_open(mix, &options, &err);

	ck_assert_msg(draw != NULL, "%s", err.text);
	return draw;
}

/* ---- the choice ----------------------------------------------------------------------------- */

/* What the header promises of a span. */
static double bound(double share, unsigned kinds)
{
	return 2 * (1 - share + share * (kinds - 1)) + 1e-3;
}

/* Over all spans of one kind at once: how far counts run ahead and fall behind. */
static void hold_spans(const double *shares, unsigned kinds, uint64_t seed)
{
	double off[STRATA_KINDS] = {0}, most[STRATA_KINDS] = {0}, least[STRATA_KINDS] = {0};
	struct strata strata;
	unsigned i, kind;

	strata_init(&strata, shares, kinds, seed);
	for (i = 0; i < DRAWS; i++) {
		unsigned chosen = strata_next(&strata);

		for (kind = 0; kind < kinds; kind++) {
			off[kind] += (kind == chosen) - shares[kind];
			most[kind] = fmax(most[kind], off[kind]);
			least[kind] = fmin(least[kind], off[kind]);
		}
	}
	for (kind = 0; kind < kinds; kind++)
		ck_assert_double_le(most[kind] - least[kind], bound(shares[kind], kinds));
}

START_TEST(shares_hold_over_every_span)
{
	static const double sets[][6] = {{0.8, 0.19, 0.01},  {0.97, 0.03},
					 {0.5, 0.5},	     {0.999, 0.001},
					 {1.0 / 3, 2.0 / 3}, {0.4, 0.2, 0.15, 0.1, 0.1, 0.05}};
	unsigned kinds = 0;

	while (kinds < 6 && sets[_i][kinds] > 0)
		kinds++;
	hold_spans(sets[_i], kinds, 1);
	hold_spans(sets[_i], kinds, 99);
}
END_TEST

/* What a short run measures: within 0.05 points from a few thousand I/Os on. */
START_TEST(oracle_is_exact_in_short_spans)
{
	static const double shares[] = {0.8, 0.19, 0.01};
	unsigned counts[3] = {0}, i, kind;
	struct strata strata;

	strata_init(&strata, shares, 3, (uint64_t)_i);
	for (i = 0; i < DRAWS; i++) {
		counts[strata_next(&strata)]++;
		if (i % 8000 < 7999)
			continue;
		for (kind = 0; kind < 3; kind++)
			ck_assert_double_le(fabs(counts[kind] / 8000.0 - shares[kind]), 0.0005);
		memset(counts, 0, sizeof(counts));
	}
}
END_TEST

/* A pattern that returns at a fixed distance would march in step with the drive. */
START_TEST(choices_are_not_periodic)
{
	static const double shares[] = {0.8, 0.2};
	unsigned gaps[16] = {0}, gap = 0, i;
	struct strata strata;

	strata_init(&strata, shares, 2, 5);
	for (i = 0; i < DRAWS; i++) {
		gap++;
		if (!strata_next(&strata))
			continue;
		gaps[gap < 15 ? gap : 15]++;
		gap = 0;
	}
	for (i = 1; i <= 9; i++)
		ck_assert_uint_gt(gaps[i], DRAWS / 5 / 500);
	ck_assert_uint_lt(gaps[5], DRAWS / 5 / 3);
}
END_TEST

/* ---- drawing -------------------------------------------------------------------------------- */

START_TEST(same_seed_same_ios_other_clone_other_ios)
{
	struct mix mix = read_mix(JESD219);
	struct mix_draw *a = open_draw(&mix, 7, 0, 2), *b = open_draw(&mix, 7, 0, 2);
	struct mix_draw *other = open_draw(&mix, 7, 1, 2);
	unsigned i, same = 0;

	for (i = 0; i < 10000; i++) {
		struct mix_io x = {0}, y = {0}, z = {0};

		mix_draw_next(a, &x);
		mix_draw_next(b, &y);
		mix_draw_next(other, &z);
		ck_assert_mem_eq(&x, &y, sizeof(x));
		same += x.offset == z.offset;
	}
	ck_assert_uint_lt(same, 100);
	mix_draw_close(a);
	mix_draw_close(b);
	mix_draw_close(other);
}
END_TEST

/* Shares of directions, sizes and parts at once, and every I/O inside its part. */
START_TEST(jesd219_is_what_it_says)
{
	struct mix mix = read_mix(JESD219);
	struct mix_draw *draw = open_draw(&mix, 3, 0, 1);
	unsigned sizes[MIX_SIZES] = {0}, places[3] = {0}, reads = 0, four_k_hot = 0, i;

	for (i = 0; i < DRAWS; i++) {
		const struct mix_pattern *pattern;
		struct mix_io io;

		mix_draw_next(draw, &io);
		pattern = &mix.patterns[io.pattern];
		ck_assert_uint_eq(io.bytes, pattern->sizes[io.size]);
		ck_assert_uint_eq(io.offset % io.bytes, 0);
		ck_assert_double_ge((double)io.offset, pattern->from[io.place] * (double)REGION);
		ck_assert_double_le((double)(io.offset + io.bytes),
				    pattern->to[io.place] * (double)REGION);
		reads += io.op == MIX_READ;
		sizes[io.size]++;
		places[io.place]++;
		four_k_hot += io.bytes == 4096 && io.place == 0;
	}
	ck_assert_double_le(fabs(reads / (double)DRAWS - 0.4), 0.0005);
	ck_assert_double_le(fabs(sizes[7] / (double)DRAWS - 0.67), 0.0005);
	ck_assert_double_le(fabs(sizes[0] / (double)DRAWS - 0.04), 0.0005);
	ck_assert_double_le(fabs(places[0] / (double)DRAWS - 0.5), 0.0005);
	ck_assert_double_le(fabs(places[1] / (double)DRAWS - 0.3), 0.0005);
	/* Size and place are independent of each other. */
	ck_assert_double_le(fabs(four_k_hot / (double)DRAWS - 0.335), 0.005);
	mix_draw_close(draw);
}
END_TEST

START_TEST(order_is_kept_through_a_part)
{
	struct mix mix = read_mix("50:write:64k:25-50,50:randread:8k");
	struct mix_draw *draw = open_draw(&mix, 1, _i ? 2 : 0, 4);
	uint64_t first = REGION / 4, last = REGION / 2, expected = first;
	unsigned turns = 0;

	if (_i)
		expected = first + (last - first) / 2;
	while (turns < 2) {
		struct mix_io io;

		mix_draw_next(draw, &io);
		if (io.op == MIX_READ)
			continue;
		ck_assert_uint_eq(io.offset, expected);
		expected += 65536;
		if (expected == last) {
			expected = first;
			turns++;
		}
	}
	mix_draw_close(draw);
}
END_TEST

START_TEST(random_places_reach_both_ends)
{
	struct mix mix = read_mix("100:randread:64k:10-30");
	struct mix_draw *draw = open_draw(&mix, 1, 0, 1);
	uint64_t lowest = UINT64_MAX, highest = 0;
	unsigned i;

	for (i = 0; i < DRAWS; i++) {
		struct mix_io io;

		mix_draw_next(draw, &io);
		lowest = io.offset < lowest ? io.offset : lowest;
		highest = io.offset > highest ? io.offset : highest;
	}
	ck_assert_uint_eq(lowest, (REGION / 10 + 65535) / 65536 * 65536);
	ck_assert_uint_eq(highest, REGION * 3 / 10 / 65536 * 65536 - 65536);
	mix_draw_close(draw);
}
END_TEST

START_TEST(alignment_is_as_asked)
{
	struct mix mix = read_mix("100:randwrite:512/50+1536/50");
	const struct mix_draw_options options = {
		.region_bytes = 1 << 20, .align_bytes = 4096, .clones = 1};
	struct mix_draw *draw = mix_draw_open(&mix, &options, NULL);
	struct mix_io io;
	unsigned i;

	for (i = 0; i < 1000; i++) {
		mix_draw_next(draw, &io);
		ck_assert_uint_eq(io.offset % 4096, 0);
	}
	mix_draw_close(draw);
}
END_TEST

START_TEST(too_small_a_region_is_told)
{
	struct mix mix = read_mix("50:randread:8k,50:write:64k:0-5");
	const struct mix_draw_options options = {.region_bytes = 1 << 20, .clones = 1};
	struct error err;

	ck_assert_ptr_null(mix_draw_open(&mix, &options, &err));
	ck_assert_ptr_nonnull(strstr(err.text, "52428 bytes of the region are too few for write"));
}
END_TEST

/* ---- reading -------------------------------------------------------------------------------- */

START_TEST(a_mix_is_read)
{
	struct mix mix = read_mix(ORACLE);

	ck_assert_uint_eq(mix.count, 3);
	ck_assert_uint_eq(mix.patterns[1].op, MIX_WRITE);
	ck_assert(mix.patterns[1].is_random && !mix.patterns[2].is_random);
	ck_assert_double_eq_tol(mix.patterns[2].share, 0.01, 1e-12);
	ck_assert_uint_eq(mix.patterns[2].sizes[0], 65536);
	ck_assert_uint_eq(mix_longest_bytes(&mix), 65536);
	ck_assert(mix_fits_blocks(&mix, 512));
	ck_assert(!mix_fits_blocks(&mix, 16384));
	ck_assert_double_eq_tol(mix_written_bytes(&mix), 0.19 * 8192 + 0.01 * 65536, 1e-6);
	ck_assert(mix_does(&mix, MIX_READ) && !mix_does(&mix, MIX_TRIM));
	mix = read_mix("33.333:randread:4K,33.333:read:1M,33.334:trim:512:12.5-25");
	ck_assert_double_eq_tol(mix.patterns[2].from[0], 0.125, 1e-12);
	ck_assert_str_eq(mix_word(&mix.patterns[2]), "trim");
}
END_TEST

static const struct {
	const char *text, *says;
} refused[] = {
	{"", "byte 1: a share in percent is missing"},
	{"80:randread:8k", "byte 1: the shares of the patterns come to 80 percent, not 100"},
	{"80:randread:8k,21:randwrite:8k", "come to 101 percent"},
	{"80:randred:8k,20:write:8k",
	 "byte 4: unknown pattern \"randred\"; did you mean \"randread\"?"},
	{"80:randread,20:write:8k", "byte 12: ':' is missing before a block size"},
	{"80:randread:8k,20write:8k", "byte 18: ':' is missing before a pattern"},
	{"80:randread:8k;20:write:8k", "byte 15: ',' is missing before the next pattern"},
	{"80:randread:8k,20:randwrite:8g", "byte 29: a block size is a multiple"},
	{"80:randread:8k,20:randwrite:1000", "byte 29: a block size is a multiple of 512 bytes"},
	{"80:randread:8k,20:randwrite:32m", "byte 29: a block size is a multiple"},
	{"80:randread:8k,20:randwrite:0", "byte 29: a block size is a multiple"},
	{"80:randread:8k,", "byte 16: a share in percent is missing"},
	{"0:randread:8k,100:read:8k", "byte 1: a share is from 0.001 to 100 percent"},
	{"100:randread:4k/67", "byte 14: the shares of the sizes come to 67 percent"},
	{"100:randread:4k:5-5", "byte 17: a part of the region is FROM-TO"},
	{"100:randread:4k:50-101", "byte 17: a part of the region is FROM-TO"},
	{"100:randread:4k:5", "byte 18: '-' is missing before where the part ends"},
	{"100:read:4k:0-5/50+5-10/50",
	 "byte 13: read goes through one part in order, not through 2"},
	{"100:randread:4k:0-5/50+5-10/40", "byte 17: the shares of the parts come to 90 percent"},
	{"-80:randread:8k", "byte 1: a share in percent is missing"},
	{"1e2:randread:8k", "byte 2: ':' is missing"},
	{"1234567890123:read:8k", "byte 1: a share in percent has too many digits"},
	{"100:randread:8k:0-5:x", "byte 20: ',' is missing"},
	{"100:randread:512+512+512+512+512+512+512+512+512+512+512+512+512+512+512+512+512",
	 "more than 16 sizes"},
};

START_TEST(a_wrong_mix_is_told_by_the_byte)
{
	struct mix mix;
	struct error err;

	ck_assert_int_eq(mix_parse(refused[_i].text, &mix, &err), -1);
	ck_assert_msg(strstr(err.text, refused[_i].says) != NULL, "%s: %s", refused[_i].text,
		      err.text);
}
END_TEST

/* Whatever stands there: read or refused, and what is read adds up. */
START_TEST(no_text_breaks_the_reader)
{
	static const char letters[] = "0123456789:/+,-.kmtrimandwrite ";
	static const char *const seeds[] = {ORACLE, JESD219, "50:read:1m:0-50,50:trim:512:50-100"};
	unsigned i, change, taken = 0;

	srand(1);
	for (i = 0; i < DRAWS; i++) {
		char text[1024];
		struct mix mix;
		struct error err;

		snprintf(text, sizeof(text), "%s", seeds[i % 3]);
		for (change = 0; change < i % 4; change++)
			text[rand() % (int)strlen(text)] =
				letters[rand() % (int)(sizeof(letters) - 1)];
		if (mix_parse(text, &mix, &err)) {
			ck_assert_ptr_nonnull(strstr(err.text, "byte "));
			continue;
		}
		taken++;
		ck_assert_uint_ge(mix.count, 1);
		ck_assert_uint_ge(mix_longest_bytes(&mix), 512);
	}
	ck_assert_uint_gt(taken, DRAWS / 4);
}
END_TEST

int main(void)
{
	TCase *tcase = tcase_create("mix");

	tcase_add_loop_test(tcase, shares_hold_over_every_span, 0, 6);
	tcase_add_loop_test(tcase, oracle_is_exact_in_short_spans, 0, 8);
	tcase_add_test(tcase, choices_are_not_periodic);
	tcase_add_test(tcase, same_seed_same_ios_other_clone_other_ios);
	tcase_add_test(tcase, jesd219_is_what_it_says);
	tcase_add_loop_test(tcase, order_is_kept_through_a_part, 0, 2);
	tcase_add_test(tcase, random_places_reach_both_ends);
	tcase_add_test(tcase, alignment_is_as_asked);
	tcase_add_test(tcase, too_small_a_region_is_told);
	tcase_add_test(tcase, a_mix_is_read);
	tcase_add_loop_test(tcase, a_wrong_mix_is_told_by_the_byte, 0, COUNT(refused));
	tcase_add_test(tcase, no_text_breaks_the_reader);
	return run_case("mix", tcase);
}
