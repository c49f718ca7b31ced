/* SPDX-License-Identifier: GPL-2.0-only */
/* The names of an NVMe namespace, in a sysfs of the test's own. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "device/nvme_names.h"
#include "tests/unit/suite.h"
#include "tests/unit/sysfs_fixture.h"

/* A controller or subsystem OWNER of a class, as the kernel lays it out. */
static void add_owner(const char *class, const char *owner)
{
	char folder[128], to[256];

	snprintf(folder, sizeof(folder), "devices/%s/%s", class, owner);
	snprintf(to, sizeof(to), "%s/%s", sysfs, folder);
	folder_make(to, NULL);
	snprintf(to, sizeof(to), "../../%s", folder);
	snprintf(folder, sizeof(folder), "class/%s", class);
	link_to(folder, owner, to);
}

/* A device in its owner's folder, with the links to and from it. */
static void add_device(const char *class, const char *owner, const char *name, const char *number)
{
	bool is_block = !strncmp(name, "nvme", 4);
	char folder[128], to[256];

	snprintf(folder, sizeof(folder), "devices/%s/%s/%s", class, owner, name);
	put(folder, "nsid", strrchr(name, 'n') + 1);
	snprintf(to, sizeof(to), "../../%s", owner);
	link_to(folder, "device", to);
	snprintf(to, sizeof(to), "../../%s", folder);
	link_to(is_block ? "class/block" : "class/nvme-generic", name, to);
	if (!number)
		return;
	put(folder, "dev", number);
	link_to(is_block ? "dev/block" : "dev/char", number, to);
}

static void add_controller(const char *name, const char *serial)
{
	char folder[128];

	add_owner("nvme", name);
	snprintf(folder, sizeof(folder), "devices/nvme/%s", name);
	put(folder, "serial", serial);
	put(folder, "model", "A Drive    \n");
	put(folder, "firmware_rev", "1.0     \n");
}

static void add_subsystem(const char *name, const char *controller)
{
	char folder[128], to[256];

	snprintf(to, sizeof(to), "%s/class/nvme-subsystem/%s", sysfs, name);
	if (access(to, F_OK))
		add_owner("nvme-subsystem", name);
	snprintf(folder, sizeof(folder), "devices/nvme-subsystem/%s", name);
	snprintf(to, sizeof(to), "../../nvme/%s", controller);
	link_to(folder, controller, to);
}

/* One controller, two namespaces. */
static void plain(void)
{
	add_controller("nvme3", "SN 1   \n");
	add_subsystem("nvme-subsys3", "nvme3");
	add_device("nvme", "nvme3", "nvme3n1", "259:0");
	add_device("nvme", "nvme3", "ng3n1", "240:0");
	add_device("nvme", "nvme3", "nvme3n2", "259:1");
	add_device("nvme", "nvme3", "ng3n2", "240:1");
}

/* Two controllers, one shared namespace by two hidden paths; numbers are the subsystem's. */
static void multipath(void)
{
	add_controller("nvme1", "SHARED\n");
	add_controller("nvme0", "SHARED\n");
	add_subsystem("nvme-subsys2", "nvme1");
	add_subsystem("nvme-subsys2", "nvme0");
	add_device("nvme-subsystem", "nvme-subsys2", "nvme2n1", "259:5");
	add_device("nvme-subsystem", "nvme-subsys2", "ng2n1", "240:5");
	add_device("nvme", "nvme0", "nvme2c0n1", NULL);
	add_device("nvme", "nvme1", "nvme2c1n1", NULL);
}

static struct nvme_names found(mode_t kind, unsigned major_number, unsigned minor_number)
{
	struct nvme_names names;
	struct error err;

	ck_assert_msg(
		!nvme_names_find(sysfs, kind, makedev(major_number, minor_number), &names, &err),
		"%s", err.text);
	return names;
}

static void refused(mode_t kind, unsigned major_number, unsigned minor_number, const char *words)
{
	struct error err = {.text = ""};
	struct nvme_names names;

	ck_assert_int_eq(
		nvme_names_find(sysfs, kind, makedev(major_number, minor_number), &names, &err),
		-1);
	ck_assert_msg(strstr(err.text, words) != NULL, "no '%s' in: %s", words, err.text);
}

static int gather(const char *block, void *context)
{
	char *all = context;

	strcat(all, block);
	strcat(all, " ");
	return 0;
}

static void others_are(const struct nvme_names *names, const char *expected)
{
	char all[256] = "";

	ck_assert_int_eq(nvme_each_other(sysfs, names, gather, all), 0);
	ck_assert_str_eq(all, expected);
}

START_TEST(either_device_gives_all_names)
{
	const mode_t kinds[] = {S_IFBLK, S_IFCHR};
	const unsigned majors[] = {259, 240};
	size_t i;

	plain();
	for (i = 0; i < COUNT(kinds); i++) {
		struct nvme_names names = found(kinds[i], majors[i], 1);

		ck_assert_str_eq(names.block, "nvme3n2");
		ck_assert_str_eq(names.generic, "ng3n2");
		ck_assert(names.block_number == makedev(259, 1));
		ck_assert(names.generic_number == makedev(240, 1));
		ck_assert_uint_eq(names.nsid, 2);
		ck_assert_uint_eq(names.controller_count, 1);
		ck_assert_str_eq(names.controllers[0], "nvme3");
		ck_assert_str_eq(names.subsystem, "nvme-subsys3");
		ck_assert(!names.is_multipath);
		ck_assert_str_eq(names.serial, "SN 1");
		ck_assert_str_eq(names.model, "A Drive");
		ck_assert_str_eq(names.firmware, "1.0");
	}
}
END_TEST

START_TEST(a_shared_namespace_has_the_names_of_its_subsystem)
{
	struct nvme_names names;

	multipath();
	names = found(S_IFBLK, 259, 5);
	ck_assert_str_eq(names.generic, "ng2n1");
	ck_assert(names.is_multipath);
	ck_assert_str_eq(names.subsystem, "nvme-subsys2");
	ck_assert_uint_eq(names.controller_count, 2);
	ck_assert_str_eq(names.controllers[0], "nvme0");
	ck_assert_str_eq(names.controllers[1], "nvme1");
	ck_assert_str_eq(names.serial, "SHARED");
	others_are(&names, "");
	names = found(S_IFCHR, 240, 5);
	ck_assert_str_eq(names.block, "nvme2n1");
	ck_assert(names.block_number == makedev(259, 5));
}
END_TEST

START_TEST(namespaces_that_share_are_listed_in_order)
{
	struct nvme_names names;

	plain();
	add_device("nvme", "nvme3", "nvme3n10", "259:10");
	names = found(S_IFBLK, 259, 1);
	others_are(&names, "nvme3n1 nvme3n10 ");
	/* A second controller of the subsystem with a namespace of its own, and a shared one. */
	add_controller("nvme4", "SN 1\n");
	add_subsystem("nvme-subsys3", "nvme4");
	add_device("nvme", "nvme4", "nvme4n7", "259:7");
	add_device("nvme-subsystem", "nvme-subsys3", "nvme3n9", "259:9");
	others_are(&names, "nvme3n9 nvme3n1 nvme3n10 nvme4n7 ");
}
END_TEST

START_TEST(an_old_kernel_has_no_character_device)
{
	struct nvme_names names;

	add_controller("nvme0", "");
	add_device("nvme", "nvme0", "nvme0n1", "259:0");
	names = found(S_IFBLK, 259, 0);
	ck_assert_str_eq(names.generic, "");
	ck_assert(!names.generic_number);
	ck_assert_str_eq(names.serial, "");
	ck_assert_str_eq(names.subsystem, "");
	others_are(&names, "");
}
END_TEST

START_TEST(a_hidden_block_device_has_no_number)
{
	struct nvme_names names;

	add_controller("nvme0", "X\n");
	add_device("nvme", "nvme0", "nvme0n1", NULL);
	add_device("nvme", "nvme0", "ng0n1", "240:0");
	names = found(S_IFCHR, 240, 0);
	ck_assert_str_eq(names.block, "nvme0n1");
	ck_assert(!names.block_number);
	ck_assert_uint_eq(names.nsid, 1);
}
END_TEST

START_TEST(what_is_no_namespace_is_refused_by_kind)
{
	plain();
	add_device("nvme", "nvme3", "nvme3n1p2", "259:3");
	add_owner("misc", "null");
	link_to("dev/char", "1:3", "../../devices/virtual/mem/null");
	link_to("dev/char", "241:3", "../../devices/nvme/nvme3");
	link_to("dev/block", "8:0", "../../devices/scsi/sda");
	link_to("dev/block", "259:99", "../../devices/nvme/nvme3/nvme3c3n1");
	refused(S_IFBLK, 259, 3, "is a partition: name its namespace nvme3n1");
	refused(S_IFCHR, 241, 3, "nvme3 is a controller");
	refused(S_IFCHR, 1, 3, "null is no NVMe namespace");
	refused(S_IFBLK, 8, 0, "sda is no NVMe namespace");
	refused(S_IFBLK, 259, 99, "one path of several");
	refused(S_IFBLK, 7, 7, "lists no block device 7:7");
	ck_assert(nvme_is_generic(sysfs, S_IFCHR, makedev(240, 0)));
	ck_assert(!nvme_is_generic(sysfs, S_IFCHR, makedev(241, 3)));
	ck_assert(!nvme_is_generic(sysfs, S_IFBLK, makedev(259, 0)));
	ck_assert(!nvme_is_generic(sysfs, S_IFCHR, makedev(9, 9)));
}
END_TEST

START_TEST(a_path_that_is_no_device_is_refused)
{
	struct nvme_names names;
	struct error err;

	ck_assert_int_eq(nvme_names_of_path("/nowhere", &names, &err), -1);
	ck_assert_str_eq(err.text, "/nowhere: No such file or directory");
	ck_assert_int_eq(nvme_names_of_path("/", &names, &err), -1);
	ck_assert_ptr_nonnull(strstr(err.text, "is no device"));
	ck_assert_int_eq(nvme_names_of_path("/dev/null", &names, &err), -1);
	ck_assert_ptr_nonnull(strstr(err.text, "no NVMe namespace"));
}
END_TEST

int main(void)
{
	TCase *names = tcase_create("names");

	tcase_add_checked_fixture(names, make_sysfs, remove_sysfs);
	tcase_add_test(names, either_device_gives_all_names);
	tcase_add_test(names, a_shared_namespace_has_the_names_of_its_subsystem);
	tcase_add_test(names, namespaces_that_share_are_listed_in_order);
	tcase_add_test(names, an_old_kernel_has_no_character_device);
	tcase_add_test(names, a_hidden_block_device_has_no_number);
	tcase_add_test(names, what_is_no_namespace_is_refused_by_kind);
	tcase_add_test(names, a_path_that_is_no_device_is_refused);
	return run_case("nvme_names", names);
}
