/* SPDX-License-Identifier: GPL-2.0-only */
/* Where the tics of an axis stand, and that their numbers do not run into each other. */
#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "postprocess/axis.h"
#include "tests/unit/suite.h"

/* Compares the numbers of an axis of rates up to this one, "0 50,000 100,000". */
static void check_tics(double highest, char letter, const char *expected)
{
	struct axis axis = {.lowest = INFINITY, .highest = 0};
	char numbers[512] = "", *text = NULL, *quote;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	axis_include(&axis, highest);
	axis_finish_rate(&axis, false);
	axis_write(&axis, letter, out);
	fclose(out);
	for (quote = strchr(text, '\''); quote; quote = strchr(quote + 1, '\'')) {
		char *end = strchr(quote + 1, '\'');

		snprintf(numbers + strlen(numbers), sizeof(numbers) - strlen(numbers), "%s%.*s",
			 numbers[0] ? " " : "", (int)(end - quote - 1), quote + 1);
		quote = end;
	}
	free(text);
	ck_assert_str_eq(numbers, expected);
}

START_TEST(short_numbers_stand_close)
{
	check_tics(1797, 'x', "0 200 400 600 800 1,000 1,200 1,400 1,600 1,800");
	check_tics(642149, 'x', "0 100,000 200,000 300,000 400,000 500,000 600,000");
}
END_TEST

START_TEST(long_ones_have_room)
{
	check_tics(191472, 'x', "0 50,000 100,000 150,000 200,000");
	check_tics(1900000, 'x', "0 500,000 1,000,000 1,500,000 2,000,000");
	check_tics(880000, 'x', "0 200,000 400,000 600,000 800,000");
}
END_TEST

/* One above the other they have it anyway. */
START_TEST(a_vertical_axis_keeps_its_tics)
{
	check_tics(191472, 'y',
		   "0 20,000 40,000 60,000 80,000 100,000 120,000 140,000 160,000 180,000 "
		   "200,000");
}
END_TEST

int main(void)
{
	TCase *all = tcase_create("all");

	tcase_add_test(all, short_numbers_stand_close);
	tcase_add_test(all, long_ones_have_room);
	tcase_add_test(all, a_vertical_axis_keeps_its_tics);
	return run_case("axis", all);
}
