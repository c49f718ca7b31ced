/* SPDX-License-Identifier: GPL-2.0-only */
/* The conditions of a review: what the drive and the machine say about themselves. */
#include <errno.h>
#include <libgen.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "device/drive.h"
#include "device/facts.h"
#include "review/review.h"

/* ---- the drive ------------------------------------------------------------------------------ */

/* The sysfs folder of the disk behind a target; "" when there is none. */
static void target_disk_folder(const struct target *target, char *folder, size_t room)
{
	struct stat status;
	char copy[PATH_MAX], *slash;

	folder[0] = '\0';
	snprintf(copy, sizeof(copy), "%s", target->path);
	slash = strrchr(copy, '/');
	if (target->kind == TARGET_FILE && slash && slash != copy)
		*slash = '\0';
	if (target->kind == TARGET_SIM || stat(copy, &status))
		return;
	if (disk_folder(S_ISBLK(status.st_mode) ? status.st_rdev : status.st_dev, folder, room,
			NULL))
		folder[0] = '\0';
}

/* A file that is still to be made is on the disk of its folder. */
static json_t *facts_of_new_file(const struct target *target)
{
	struct drive_question question = {.path = target->path,
					  .sysfs = "/sys",
					  .kind = S_IFREG,
					  .file_bytes = target->bytes,
					  .admin_status = -ENOENT};
	char folder[PATH_MAX];
	struct stat status;

	snprintf(folder, sizeof(folder), "%s", target->path);
	if (stat(dirname(folder), &status))
		return NULL;
	question.number = status.st_dev;
	return drive_facts_of(&question);
}

/* What `ssdreview drive` says of it; NULL where there is nothing to ask yet. */
static json_t *target_facts(const struct target *target)
{
	if (target->exists)
		return drive_facts(target->path, NULL, NULL);
	return target->kind == TARGET_FILE ? facts_of_new_file(target) : NULL;
}

json_t *drive_conditions(const struct target *target)
{
	json_t *drive = target_facts(target);
	char identity[512];

	if (!drive)
		drive = json_object();
	/* The run has seen to the first, and the index keeps the second. */
	json_object_del(drive, "may_be_tested");
	json_object_del(drive, "warnings");
	target_identity(target, identity, sizeof(identity));
	fact_text(drive, "kind", target_kind_word(target), "");
	fact_text(drive, "path", target->path, "");
	fact_text(drive, "identity", identity, "");
	json_object_set_new(drive, "size_bytes", json_integer((json_int_t)target->bytes));
	json_object_set_new(drive, "block_bytes", json_integer(target->block_bytes));
	if (target->kind == TARGET_SIM) {
		fact_text(drive, "model", target->model, "");
		fact_text(drive, "sim_model", target->sim_model, "");
		json_object_set_new(drive, "scale", json_integer(target->scale));
	}
	if (target->endurance_bytes > 0)
		json_object_set_new(drive, "rated_endurance_bytes",
				    json_real(target->endurance_bytes));
	else
		fact_text(drive, "rated_endurance_bytes", "", "not known");
	return drive;
}

/* ---- the machine ---------------------------------------------------------------------------- */

/* The value of the first "KEY<separators>value" line of a file. */
static void file_value(const char *path, const char *key, const char *separators, char *value,
		       size_t room)
{
	char *text, *line, *rest;
	size_t bytes;

	value[0] = '\0';
	if (file_read(path, &text, &bytes, NULL))
		return;
	rest = text;
	while ((line = strsep(&rest, "\n"))) {
		if (strncmp(line, key, strlen(key)))
			continue;
		line += strlen(key);
		line += strspn(line, separators);
		snprintf(value, room, "%.*s", (int)strcspn(line, "\""), line);
		break;
	}
	free(text);
}

static void governor(char *line, size_t room)
{
	sys_line(line, room, "/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor");
}

/* Of the last minute; below 0 when the kernel does not tell. */
static double load_average(void)
{
	double load;

	return getloadavg(&load, 1) == 1 ? load : -1;
}

json_t *host_conditions(const char *version)
{
	json_t *host = json_object();
	struct utsname kernel;
	char line[256];

	file_value("/proc/cpuinfo", "model name", "\t :", line, sizeof(line));
	fact_text(host, "cpu", line, "not in /proc/cpuinfo");
	json_object_set_new(host, "cores", json_integer(sysconf(_SC_NPROCESSORS_ONLN)));
	json_object_set_new(
		host, "memory_bytes",
		json_integer((json_int_t)sysconf(_SC_PHYS_PAGES) * sysconf(_SC_PAGESIZE)));
	json_object_set_new(host, "load_average",
			    load_average() < 0 ? json_string("n/a (not told by the kernel)")
					       : json_real(load_average()));
	fact_text(host, "kernel", uname(&kernel) ? "" : kernel.release, "uname failed");
	file_value("/etc/os-release", "PRETTY_NAME", "=\"", line, sizeof(line));
	fact_text(host, "os", line, "not in /etc/os-release");
	governor(line, sizeof(line));
	fact_text(host, "governor", line, "no frequency scaling in sysfs");
	sys_line(line, sizeof(line), "/sys/module/pcie_aspm/parameters/policy");
	fact_text(host, "aspm_policy", line, "not in sysfs");
	fact_text(host, "fio", version, "");
	fact_text(host, "ssdreview", SSDREVIEW_VERSION, "");
	return host;
}

/* ---- warnings ------------------------------------------------------------------------------- */

/* What the drive itself has to be looked at for. */
static void warn_drive(json_t *warnings, const struct target *target)
{
	json_t *facts = target_facts(target);

	json_array_extend(warnings, json_object_get(facts, "warnings"));
	json_decref(facts);
}

static void warn_aspm(json_t *warnings, const char *folder)
{
	char policy[128], l1[8];

	sys_line(policy, sizeof(policy), "/sys/module/pcie_aspm/parameters/policy");
	/* The PCI function is one step above an NVMe controller. */
	sys_line(l1, sizeof(l1), "%s/device/device/link/l1_aspm", folder);
	if (strstr(policy, "[powersave]") || strstr(policy, "[powersupersave]") || l1[0] == '1')
		json_array_append_new(
			warnings,
			json_string("The PCIe link saves power when idle (ASPM): latencies "
				    "at low rates are longer."));
}

bool busy_warning(double load, unsigned cores, char *text, size_t room)
{
	if (!(load > cores / 2.0))
		return false;
	snprintf(text, room,
		 "The machine is busy: load %.1f on %u core%s; points may be invalid. Close other "
		 "programs first.",
		 load, cores, cores == 1 ? "" : "s");
	return true;
}

json_t *condition_warnings(const struct target *target)
{
	json_t *warnings = json_array();
	char folder[PATH_MAX], line[160];

	if (busy_warning(load_average(), (unsigned)sysconf(_SC_NPROCESSORS_ONLN), line,
			 sizeof(line)))
		json_array_append_new(warnings, json_string(line));
	governor(line, sizeof(line));
	if (!strcmp(line, "powersave"))
		json_array_append_new(
			warnings, json_string("The CPU frequency governor is powersave: latencies "
					      "include slow CPU cores."));
	if (target->is_loop)
		json_array_append_new(warnings,
				      json_string("A loop device is no drive: this measures the "
						  "file behind it, and the cache of that file."));
	warn_drive(warnings, target);
	target_disk_folder(target, folder, sizeof(folder));
	if (folder[0])
		warn_aspm(warnings, folder);
	return warnings;
}

json_t *plan_warnings(const struct plan *plan)
{
	json_t *warnings = condition_warnings(plan->target);
	char text[1024];

	if (short_loads_warning(plan, text, sizeof(text)))
		json_array_append_new(warnings, json_string(text));
	return warnings;
}
