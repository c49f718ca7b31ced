/* SPDX-License-Identifier: GPL-2.0-only */
/* Whose figures the rated and published ones are. */
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "postprocess/specification.h"
#include "tests/unit/suite.h"

#define TB 1e12

/* As makers write into their drives. */
START_TEST(part_numbers)
{
	ck_assert(specification_fits("Intel 670p 2TB", "INTEL SSDPEKNU020TZ", 2.048 * TB));
	ck_assert(specification_fits("Intel 670p", "INTEL SSDPEKNU020TZ", 2.048 * TB));
	ck_assert(!specification_fits("Intel 670p 1TB", "INTEL SSDPEKNU020TZ", 2.048 * TB));
	ck_assert(!specification_fits("Intel 665p", "INTEL SSDPEKNU020TZ", 2.048 * TB));
	ck_assert(specification_fits("Intel 665p 1TB", "INTEL SSDPEKNW010T9", 1.024 * TB));
	ck_assert(!specification_fits("Intel 665p 1TB", "INTEL SSDPEKNW010T8", 1.024 * TB));
	ck_assert(specification_fits("Intel 660p", "INTEL SSDPEKNW010T8", 1.024 * TB));
	ck_assert(specification_fits("Intel 760p 512GB", "INTEL SSDPEKKW512G8", 0.512 * TB));
	ck_assert(!specification_fits("Intel 760p", "INTEL SSDPEKKW512G7", 0.512 * TB));
	ck_assert(specification_fits("Intel P4510 8TB", "INTEL SSDPE2KX080T8", 8.0016 * TB));
	ck_assert(specification_fits("Intel P4510 U.2", "INTEL SSDPE2KX080T8", 8.0016 * TB));
	ck_assert(specification_fits("Intel P3700 2TB", "INTEL SSDPE2MD020T4", 2.0 * TB));
	ck_assert(specification_fits("Intel P3700 2.5-inch", "INTEL SSDPE2MD020T4", 2.0 * TB));
	ck_assert(!specification_fits("Intel P3700 AIC", "INTEL SSDPE2MD020T4", 2.0 * TB));
}
END_TEST

START_TEST(names)
{
	ck_assert(specification_fits("Intel 670p 2TB", "Intel 670p 2TB", 2.0 * TB));
	ck_assert(specification_fits("Sabrent Rocket Q4 4TB", "SABRENT ROCKET Q4", 4.0 * TB));
	ck_assert(!specification_fits("Sabrent Rocket Q4 4TB", "Sabrent Rocket Q", 4.0 * TB));
	ck_assert(!specification_fits("Intel 670p", "670p", 2.0 * TB));
	/* A size that is not known fits no capacity, but the name without one. */
	ck_assert(!specification_fits("Intel 670p 2TB", "Intel 670p", NAN));
	ck_assert(specification_fits("Intel 670p", "Intel 670p", NAN));
	/* Names that tell nothing. */
	ck_assert(!specification_fits("drive", "some drive", 1.0 * TB));
	ck_assert(!specification_fits("QLC SSD (generic)", "QLC SSD (generic)", 1.0 * TB));
	ck_assert(!specification_fits("", "Intel 670p", 1.0 * TB));
	ck_assert(!specification_fits("Intel 670p", "", 1.0 * TB));
}
END_TEST

/* The text of the figures of one thing; "" when there are none. */
static const char *text_of(const json_t *list, const char *title)
{
	static char text[256];
	char found[128];
	size_t at = 0;

	while (at < json_array_size(list)) {
		at = specification_text(list, at, found, sizeof(found), text, sizeof(text));
		if (!strcmp(found, title))
			return text;
	}
	return "";
}

START_TEST(figures_in_words)
{
	struct error err;
	json_t *found = specification_find(NULL, "INTEL SSDPEKNU020TZ", 2.048 * TB, &err);
	const json_t *rated, *published;

	ck_assert_msg(found != NULL, "%s", err.text);
	rated = json_object_get(found, "rated");
	published = json_object_get(found, "published");
	ck_assert_str_eq(json_string_value(json_object_get(found, "drive")), "Intel 670p 2TB");
	ck_assert_str_eq(text_of(rated, "Sequential read"), "3,500 MB/s");
	ck_assert_str_eq(text_of(rated, "Endurance"), "740 TBW");
	ck_assert_str_eq(text_of(rated, "Power, idle"), "0.025 W");
	ck_assert_str_eq(text_of(rated, "Temperature"), "0 C at least, 70 C at most");
	ck_assert_str_eq(text_of(rated, "SLC cache"),
			 "280 GB in all, 256 GB dynamic, 24 GB static");
	ck_assert_str_eq(text_of(published, "4K random read"), "295,132 IOPS, 421 us");
	ck_assert_str_eq(text_of(published, "4K random write"), "about 289,000 IOPS, 415 us");
	ck_assert_str_eq(text_of(published, "64K sequential read"),
			 "36,684 IOPS, 436 us, 2,404 MB/s");
	json_decref(found);
}
END_TEST

START_TEST(nobody_has_reviewed_it)
{
	struct error err;
	json_t *found = specification_find(NULL, "QEMU NVMe Ctrl", 268435456, &err);

	ck_assert(json_is_null(found));
	json_decref(found);
	ck_assert_ptr_null(specification_find("/no/such.csv", "X", TB, &err));
	ck_assert_ptr_nonnull(strstr(err.text, "the published figures: "));
}
END_TEST

int main(void)
{
	TCase *test = tcase_create("specification");

	tcase_add_test(test, part_numbers);
	tcase_add_test(test, names);
	tcase_add_test(test, figures_in_words);
	tcase_add_test(test, nobody_has_reviewed_it);
	return run_case("specification", test);
}
