/* SPDX-License-Identifier: GPL-2.0-only */
/* Where the temperature of a drive is found, in a sysfs of the test's own. */
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "base/base.h"
#include "device/heat.h"
#include "tests/unit/suite.h"
#include "tests/unit/sysfs_fixture.h"

static void link_device(const char *number, const char *to)
{
	link_to("dev/block", number, to);
}

static double temperature_of(dev_t device, bool *is_hot)
{
	double temperature_c;
	struct heat heat;

	heat_open(&heat, sysfs, device);
	heat_read(&heat, &temperature_c, is_hot);
	heat_close(&heat);
	return temperature_c;
}

START_TEST(an_nvme_drive_and_its_partition)
{
	bool is_hot;

	put("nvme0/hwmon3", "temp1_input", "71850\n");
	put("nvme0/hwmon3", "temp1_max", "69850\n");
	put("nvme0/nvme0n1/nvme0n1p1", "size", "1\n");
	link_device("259:0", "../../nvme0/nvme0n1");
	link_device("259:1", "../../nvme0/nvme0n1/nvme0n1p1");
	put("nvme0/nvme0n1", "size", "1\n");
	{
		char at[256];

		snprintf(at, sizeof(at), "%s/nvme0/nvme0n1/device", sysfs);
		ck_assert_int_eq(symlink("..", at), 0);
	}
	ck_assert_double_eq_tol(temperature_of(makedev(259, 0), &is_hot), 71.85, 1e-9);
	ck_assert(is_hot);
	ck_assert_double_eq_tol(temperature_of(makedev(259, 1), &is_hot), 71.85, 1e-9);
	ck_assert(is_hot);
}
END_TEST

START_TEST(a_cool_drive_without_a_limit)
{
	bool is_hot;

	put("disk/device/hwmon/hwmon0", "temp1_input", "31000\n");
	link_device("8:0", "../../disk");
	ck_assert_double_eq_tol(temperature_of(makedev(8, 0), &is_hot), 31.0, 1e-9);
	ck_assert(!is_hot);
}
END_TEST

START_TEST(nothing_is_known)
{
	bool is_hot;

	ck_assert(isnan(temperature_of(makedev(7, 0), &is_hot)));
	ck_assert(!is_hot);
	put("disk/device/hwmon0", "temp1_input", "rubbish\n");
	link_device("8:0", "../../disk");
	ck_assert(isnan(temperature_of(makedev(8, 0), &is_hot)));
}
END_TEST

int main(void)
{
	TCase *test = tcase_create("heat");

	tcase_add_checked_fixture(test, make_sysfs, remove_sysfs);
	tcase_add_test(test, an_nvme_drive_and_its_partition);
	tcase_add_test(test, a_cool_drive_without_a_limit);
	tcase_add_test(test, nothing_is_known);
	return run_case("heat", test);
}
