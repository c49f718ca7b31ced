/* SPDX-License-Identifier: GPL-2.0-only */
/* What is to be purged: a file, a block device, an NVMe namespace with others beside it. */
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <linux/fs.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "device/purge_internal.h"

int purge_read_geometry(const char *path, struct purge_geometry *geometry, struct error *err)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC), block = 512, failed;
	struct stat status;

	if (fd < 0)
		return error_set(err, "%s cannot be opened: %s", path, strerror(errno));
	failed = fstat(fd, &status);
	geometry->bytes = (uint64_t)status.st_size;
	if (!failed && S_ISBLK(status.st_mode))
		failed = ioctl(fd, BLKGETSIZE64, &geometry->bytes) || ioctl(fd, BLKSSZGET, &block);
	geometry->block_bytes = (uint32_t)block;
	close(fd);
	if (failed)
		return error_set(err, "%s does not tell its size: %s", path, strerror(errno));
	return geometry->bytes ? 0 : error_set(err, "%s has no size", path);
}

/* ---- the block layer ------------------------------------------------------------------------- */

static bool takes_trims(const char *folder)
{
	unsigned long long bytes = 0;
	char path[PATH_MAX + 32];
	FILE *in;

	snprintf(path, sizeof(path), "%s/queue/discard_max_bytes", folder);
	in = fopen(path, "re");
	if (!in)
		return false;
	if (fscanf(in, "%llu", &bytes) != 1)
		bytes = 0;
	fclose(in);
	return bytes > 0;
}

/* The queue is the whole disk's, in whose folder a partition has its own. */
static int ask_kernel(dev_t number, struct purge_drive *drive, struct error *err)
{
	char link[64], folder[PATH_MAX], partition[PATH_MAX + 16];

	snprintf(link, sizeof(link), "/sys/dev/block/%u:%u", major(number), minor(number));
	if (!realpath(link, folder))
		return error_set(err, "%s: the kernel lists no block device %u:%u", drive->path,
				 major(number), minor(number));
	snprintf(drive->name, sizeof(drive->name), "%.63s", strrchr(folder, '/') + 1);
	snprintf(partition, sizeof(partition), "%s/partition", folder);
	drive->is_partition = !access(partition, F_OK);
	drive->can[PURGE_DEALLOCATE] = takes_trims(drive->is_partition ? dirname(folder) : folder);
	return 0;
}

/* ---- an NVMe drive --------------------------------------------------------------------------- */

static int take_other(const char *block, void *context)
{
	struct purge_drive *drive = context;
	struct purge_namespace *other = &drive->others[drive->other_count];
	char path[PATH_MAX + 32];
	FILE *in;

	if (drive->other_count == PURGE_MOST_OTHERS)
		return 0;
	drive->other_count++;
	snprintf(other->name, sizeof(other->name), "%s", block);
	snprintf(path, sizeof(path), "/sys/class/block/%s/nsid", block);
	in = fopen(path, "re");
	if (in && fscanf(in, "%u", &other->nsid) != 1)
		other->nsid = 0;
	if (in)
		fclose(in);
	return 0;
}

static bool is_known(const struct purge_drive *drive, uint32_t nsid)
{
	unsigned i;

	for (i = 0; i < drive->other_count; i++)
		if (drive->others[i].nsid == nsid)
			return true;
	return nsid == drive->admin.nsid;
}

/* Those that the kernel shows no device of: attached to another host, or to nobody. */
static void take_unseen(struct purge_drive *drive)
{
	struct nvme_ns_list list;
	unsigned i;

	if (admin_allocated_namespaces(&drive->admin, &list, NULL) &&
	    admin_active_namespaces(&drive->admin, &list, NULL))
		return;
	for (i = 0; i < COUNT(list.ns) && list.ns[i]; i++) {
		uint32_t nsid = le32toh(list.ns[i]);

		if (!is_known(drive, nsid) && drive->other_count < PURGE_MOST_OTHERS)
			drive->others[drive->other_count++].nsid = nsid;
	}
}

int purge_ask(struct purge_drive *drive, struct error *err)
{
	struct nvme_sanitize_log_page log;
	struct nvme_id_ctrl controller;
	struct nvme_id_ns ns;
	int status;
	bool has_log;

	status = admin_identify_controller(&drive->admin, &controller, err);
	if (!status)
		status = admin_identify_namespace(&drive->admin, drive->admin.nsid, &ns, err);
	if (status)
		return status;
	take_unseen(drive);
	has_log = controller.sanicap && !admin_sanitize_log(&drive->admin, &log, NULL);
	purge_read_abilities(&controller, &ns, has_log ? &log : NULL, drive);
	return 0;
}

static void ask_drive(struct purge_drive *drive, const struct nvme_names *names)
{
	struct error err = {.text = ""};
	int status;

	drive->is_nvme = true;
	nvme_each_other("/sys", names, take_other, drive);
	status = admin_open(drive->path, &drive->admin, &err);
	if (!status)
		status = purge_ask(drive, &err);
	if (!status)
		return;
	admin_close(&drive->admin);
	snprintf(drive->no_nvme, sizeof(drive->no_nvme), "%.255s", err.text);
	admin_reason(status, drive->no_nvme_reason, sizeof(drive->no_nvme_reason));
}

int purge_open(const char *path, struct purge_drive *drive, struct error *err)
{
	struct nvme_names names;
	struct stat status;
	unsigned i;

	memset(drive, 0, sizeof(*drive));
	for (i = 0; i < PURGE_METHODS; i++)
		drive->estimate_s[i] = NAN;
	snprintf(drive->path, sizeof(drive->path), "%s", path);
	snprintf(drive->name, sizeof(drive->name), "%.63s",
		 strrchr(path, '/') ? strrchr(path, '/') + 1 : path);
	if (stat(path, &status))
		return error_set(err, "%s: %s", path, strerror(errno));
	drive->is_file = S_ISREG(status.st_mode);
	drive->can[PURGE_DEALLOCATE] = drive->is_file;
	if (drive->is_file)
		drive->reads = PURGE_READS_ZEROES;
	if (drive->is_file || !S_ISBLK(status.st_mode))
		return drive->is_file ? 0
				      : error_set(err, "%s is no block device and no file", path);
	if (ask_kernel(status.st_rdev, drive, err))
		return -1;
	if (!drive->is_partition && !nvme_names_of_path(path, &names, NULL))
		ask_drive(drive, &names);
	return 0;
}

void purge_close(struct purge_drive *drive)
{
	admin_close(&drive->admin);
}
