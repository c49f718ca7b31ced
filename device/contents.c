/* SPDX-License-Identifier: GPL-2.0-only */
/* What lies on a device and its partitions: file systems and partition tables, by libblkid. */
#include <blkid.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "device/device_internal.h"
#include "device/drive.h"

static const char *probe_value(blkid_probe probe, const char *name)
{
	const char *value;

	return blkid_probe_lookup_value(probe, name, &value, NULL) ? "" : value;
}

static json_t *signature(const char *path, const char *type, const char *more, const char *label)
{
	json_t *found = json_object();
	char words[96];

	snprintf(words, sizeof(words), "%s%s", type, more);
	fact_text(found, "device", path, "");
	fact_text(found, "type", words, "");
	if (label[0])
		fact_text(found, "label", label, "");
	return found;
}

static void add_signatures(const char *path, json_t *list)
{
	blkid_probe probe = blkid_new_probe_from_filename(path);

	if (!probe)
		return;
	blkid_probe_enable_superblocks(probe, 1);
	blkid_probe_set_superblocks_flags(probe, BLKID_SUBLKS_TYPE | BLKID_SUBLKS_LABEL);
	blkid_probe_enable_partitions(probe, 1);
	while (!blkid_do_probe(probe)) {
		const char *type = probe_value(probe, "TYPE");
		const char *table = probe_value(probe, "PTTYPE");

		if (*type)
			json_array_append_new(
				list, signature(path, type, "", probe_value(probe, "LABEL")));
		else if (*table)
			json_array_append_new(list, signature(path, table, " partition table", ""));
	}
	blkid_free_probe(probe);
}

/* Partitions have folders of their own below the disk's in sysfs. */
static void add_partitions(const char *disk_folder, json_t *list)
{
	DIR *folder = opendir(disk_folder);
	struct dirent *entry;

	while (folder && (entry = readdir(folder))) {
		char number[16], path[sizeof("/dev/") + NAME_MAX];

		sys_line(number, sizeof(number), "%s/%s/partition", disk_folder, entry->d_name);
		if (!number[0])
			continue;
		snprintf(path, sizeof(path), "/dev/%s", entry->d_name);
		add_signatures(path, list);
	}
	if (folder)
		closedir(folder);
}

json_t *drive_contents(const char *path)
{
	json_t *list = json_array();
	char reason[128], folder[64];
	struct stat status;
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0) {
		admin_reason(-errno, reason, sizeof(reason));
		json_decref(list);
		return json_sprintf("n/a (%s)", reason);
	}
	add_signatures(path, list);
	if (!fstat(fd, &status) && S_ISBLK(status.st_mode)) {
		snprintf(folder, sizeof(folder), "/sys/dev/block/%u:%u", major(status.st_rdev),
			 minor(status.st_rdev));
		add_partitions(folder, list);
	}
	close(fd);
	return list;
}
