/* SPDX-License-Identifier: GPL-2.0-only */
/* The facts of one drive, from whoever knows them: sysfs, the drive itself, what lies on it. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "base/utf8.h"
#include "device/device_internal.h"
#include "device/drive.h"
#include "engines/sim/sim.h"

#define SECTOR_BYTES 512

static dev_t number_in(const char *folder)
{
	unsigned major_number, minor_number;
	char line[32];

	sys_line(line, sizeof(line), "%s/dev", folder);
	if (sscanf(line, "%u:%u", &major_number, &minor_number) != 2)
		return 0;
	return makedev(major_number, minor_number);
}

void disk_find(const char *sysfs, mode_t kind, dev_t number, struct disk *disk)
{
	*disk = (struct disk){.folder = ""};
	if (S_ISCHR(kind)) {
		disk->is_nvme = !nvme_names_find(sysfs, kind, number, &disk->names, NULL);
		number = disk->is_nvme ? disk->names.block_number : 0;
	}
	if (!kernel_disk_folder(sysfs, number, disk->folder, sizeof(disk->folder)))
		disk->folder[0] = '\0';
	else if (!disk->is_nvme)
		disk->is_nvme = !nvme_names_find(sysfs, S_IFBLK, number_in(disk->folder),
						 &disk->names, NULL);
}

dev_t disk_number(const struct disk *disk)
{
	return number_in(disk->folder);
}

static const char *kind_word(mode_t kind, const struct disk *disk)
{
	char line[8];

	if (S_ISREG(kind))
		return "file";
	sys_line(line, sizeof(line), "%s/loop/autoclear", disk->folder);
	return line[0] ? "loop" : "device";
}

/* Of the device that was named, which may be a partition. */
static void size_facts(const struct drive_question *question, const struct disk *disk,
		       json_t *facts)
{
	double bytes = fact_value(facts, "disk_bytes");
	char line[32] = "";

	if (S_ISREG(question->kind))
		bytes = (double)question->file_bytes;
	else if (question->number && question->number != number_in(disk->folder))
		sys_line(line, sizeof(line), "%s/dev/block/%u:%u/size", question->sysfs,
			 major(question->number), minor(question->number));
	if (line[0])
		bytes = strtod(line, NULL) * SECTOR_BYTES;
	fact_number(facts, "size_bytes", bytes, "not in sysfs");
	fact_number(facts, "block_bytes", fact_value(facts, "logical_block_bytes"), "not in sysfs");
}

void use_facts(const char *refused, json_t *facts)
{
	fact_flag(facts, "may_be_tested", !refused);
	if (refused)
		fact_text(facts, "why_not", refused, "");
}

static json_t *controller_facts(const struct drive_question *question, const struct disk *disk)
{
	char reason[128];

	if (!disk->is_nvme)
		return json_string("n/a (no NVMe drive)");
	if (question->admin)
		return nvme_facts(question->admin);
	admin_reason(question->admin_status, reason, sizeof(reason));
	return json_sprintf("n/a (%s)", reason);
}

/* The kernel need not have a sensor for it. */
static void take_temperature(json_t *facts)
{
	const json_t *smart = json_object_get(json_object_get(facts, "nvme"), "smart");
	double degrees = fact_value(smart, "temperature_c");

	if (isnan(fact_value(facts, "temperature_c")) && !isnan(degrees))
		fact_number(facts, "temperature_c", degrees, "");
}

json_t *drive_facts_of(const struct drive_question *question)
{
	json_t *facts = json_object();
	const char *controller;
	struct disk disk;

	disk_find(question->sysfs, question->kind, question->number, &disk);
	controller = disk.is_nvme ? disk.names.controllers[0] : "";
	fact_number(facts, "version", FACTS_VERSION, "");
	fact_text(facts, "kind", kind_word(question->kind, &disk), "");
	fact_text(facts, "path", question->path, "");
	use_facts(question->refused, facts);
	if (disk.folder[0])
		kernel_facts(question->sysfs, disk.folder, controller, facts);
	else
		fact_missing(facts, "disk", "no disk of its own behind it");
	size_facts(question, &disk, facts);
	if (disk.is_nvme)
		fact_text(facts, "controller", controller, "not in sysfs");
	json_object_set_new(facts, "nvme", controller_facts(question, &disk));
	take_temperature(facts);
	json_object_set_new(facts, "warnings", drive_warnings(facts));
	return facts;
}

/* ---- what is there -----------------------------------------------------------------------------
 */

int disk_open_controller(const struct disk *disk, struct nvme_admin *admin)
{
	const struct nvme_names *names = &disk->names;
	char path[PATH_MAX];
	int status;

	snprintf(path, sizeof(path), "/dev/%s", names->block);
	status = admin_open(path, admin, NULL);
	if (!status || !names->generic[0])
		return status;
	snprintf(path, sizeof(path), "/dev/%s", names->generic);
	return admin_open(path, admin, NULL) ? status : 0;
}

/* A controller serves several drives, perhaps: err then names one of them. */
static bool names_controller(const char *path, struct error *err)
{
	struct nvme_names names;

	return nvme_names_of_path(path, &names, err) && strstr(err->text, "is a controller");
}

/* What cannot be read may be anything, also the state of a simulated drive. */
static int check_readable(const char *path, struct error *err)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK), failed = errno;
	const char *denied = denied_because(failed, "ask as root, or as its owner");

	if (fd >= 0)
		return close(fd);
	return error_set(err,
			 "%s cannot be read, so that it may be a file or a simulated drive: %s%s%s",
			 path, strerror(failed), denied ? "; " : "", denied ? denied : "");
}

int drive_look_at(const char *path, struct drive_question *question, struct error *err)
{
	struct stat status;

	if (stat(path, &status))
		return error_set(err, "%s cannot be looked at: %s", path, strerror(errno));
	question->path = path;
	question->sysfs = "/sys";
	question->kind = status.st_mode & S_IFMT;
	question->number = S_ISREG(status.st_mode) ? status.st_dev : status.st_rdev;
	question->file_bytes = (uint64_t)status.st_size;
	if (S_ISREG(status.st_mode))
		return check_readable(path, err);
	if (S_ISBLK(status.st_mode) || nvme_is_generic("/sys", status.st_mode, status.st_rdev))
		return 0;
	if (S_ISCHR(status.st_mode) && names_controller(path, err))
		return -1;
	return error_set(err,
			 "%s is no drive: name a block device, the character device of an NVMe "
			 "namespace (/dev/ngXnY), a file, or the state file of a simulated drive",
			 path);
}

/* It is among the facts, and so in JSON. */
static int check_path(const char *path, struct error *err)
{
	if (utf8_is(path))
		return 0;
	return error_set(
		err, "%s is not UTF-8: give it another name, or name it by a symbolic link", path);
}

json_t *drive_facts(const char *path, const char *refused, struct error *err)
{
	struct drive_question question = {.refused = refused};
	struct nvme_admin admin = {.ops = NULL};
	struct disk disk;
	json_t *facts;

	if (check_path(path, err))
		return NULL;
	if (sim_is_state_file(path))
		return simulated_facts(path, refused, err);
	if (drive_look_at(path, &question, err))
		return NULL;
	disk_find(question.sysfs, question.kind, question.number, &disk);
	if (disk.is_nvme)
		question.admin_status = disk_open_controller(&disk, &admin);
	question.admin = admin.ops ? &admin : NULL;
	facts = drive_facts_of(&question);
	admin_close(&admin);
	json_object_set_new(facts, "holds", drive_contents(path));
	return facts;
}
