/* SPDX-License-Identifier: GPL-2.0-only */
/* What a device holds now, and would lose: found by libblkid on the device and its partitions. */
#include <blkid/blkid.h>
#include <dirent.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "review/review.h"

static const char *probe_value(blkid_probe probe, const char *name)
{
	const char *value;

	return blkid_probe_lookup_value(probe, name, &value, NULL) ? "" : value;
}

/* One line a signature; returns how many there were. */
static unsigned print_signatures(const char *path, FILE *out)
{
	blkid_probe probe = blkid_new_probe_from_filename(path);
	unsigned found = 0;

	if (!probe)
		return 0;
	blkid_probe_enable_superblocks(probe, 1);
	blkid_probe_set_superblocks_flags(probe, BLKID_SUBLKS_TYPE | BLKID_SUBLKS_LABEL);
	blkid_probe_enable_partitions(probe, 1);
	while (!blkid_do_probe(probe)) {
		const char *type = probe_value(probe, "TYPE"),
			   *table = probe_value(probe, "PTTYPE");
		const char *label = probe_value(probe, "LABEL");

		if (*type)
			fprintf(out, "Lost        %s: %s%s%s%s\n", path, type, *label ? " \"" : "",
				label, *label ? "\"" : "");
		else if (*table)
			fprintf(out, "Lost        %s: %s partition table\n", path, table);
		found += *type || *table;
	}
	blkid_free_probe(probe);
	return found;
}

/* Partitions have folders of their own below the disk's in sysfs. */
static unsigned print_partitions(const char *disk_folder, FILE *out)
{
	DIR *folder = opendir(disk_folder);
	struct dirent *entry;
	unsigned found = 0;

	while (folder && (entry = readdir(folder))) {
		char number[16], path[sizeof("/dev/") + 256];

		sys_line(number, sizeof(number), "%s/%s/partition", disk_folder, entry->d_name);
		if (!number[0])
			continue;
		snprintf(path, sizeof(path), "/dev/%s", entry->d_name);
		found += print_signatures(path, out);
	}
	if (folder)
		closedir(folder);
	return found;
}

void print_what_is_lost(const struct target *target, FILE *out)
{
	unsigned found = print_signatures(target->path, out);
	char folder[64];
	struct stat status;

	if (!stat(target->path, &status)) {
		snprintf(folder, sizeof(folder), "/sys/dev/block/%u:%u", major(status.st_rdev),
			 minor(status.st_rdev));
		found += print_partitions(folder, out);
	}
	if (!found)
		fprintf(out, "Lost        no file system or partition table found; all data\n");
}
