/* SPDX-License-Identifier: GPL-2.0-only */
/* The conditions of a review: what the drive and the machine say about themselves. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "review/review.h"

/* A missing value is told with its reason, never left out and never 0. */
static void set_text(json_t *object, const char *key, const char *value, const char *reason)
{
	json_t *text = value[0] ? json_string(value) : json_sprintf("n/a (%s)", reason);

	/* What firmware puts into a name need not be UTF-8. */
	json_object_set_new(object, key, text ? text : json_string("n/a (not readable as text)"));
}

static void set_sys(json_t *object, const char *key, const char *folder, const char *file)
{
	char line[256];

	sys_line(line, sizeof(line), "%s/%s", folder, file);
	set_text(object, key, line, "not in sysfs");
}

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

/* The PCI function is one step above an NVMe controller: block device, controller, function. */
static void link_line(const char *folder, const char *file, char *line, size_t room)
{
	sys_line(line, room, "%s/device/device/%s", folder, file);
}

static void set_link(json_t *drive, const char *folder)
{
	static const char *const files[] = {"current_link_speed", "current_link_width",
					    "max_link_speed", "max_link_width"};
	char line[64];
	size_t i;

	for (i = 0; i < 4; i++) {
		link_line(folder, files[i], line, sizeof(line));
		set_text(drive, files[i], line, "no PCIe link of its own in sysfs");
	}
}

static void set_temperature(json_t *drive, const char *folder)
{
	char line[32] = "";
	unsigned i;

	for (i = 0; i < 16 && !line[0]; i++)
		sys_line(line, sizeof(line), "%s/device/hwmon%u/temp1_input", folder, i);
	if (line[0])
		json_object_set_new(drive, "temperature_c", json_real(strtod(line, NULL) / 1000));
	else
		set_text(drive, "temperature_c", "", "no sensor in sysfs");
}

static void set_real_drive(json_t *drive, const struct target *target)
{
	struct target disk = *target;
	char folder[PATH_MAX];

	target_disk_folder(target, folder, sizeof(folder));
	if (target->kind == TARGET_FILE && folder[0]) {
		sys_line(disk.model, sizeof(disk.model), "%s/device/model", folder);
		sys_line(disk.serial, sizeof(disk.serial), "%s/device/serial", folder);
		sys_line(disk.firmware, sizeof(disk.firmware), "%s/device/firmware_rev", folder);
	}
	set_text(drive, "model", disk.model, "not in sysfs");
	set_text(drive, "serial", disk.serial, "not in sysfs");
	set_text(drive, "firmware", disk.firmware, "not in sysfs");
	set_text(drive, "disk", folder[0] ? strrchr(folder, '/') + 1 : "", "no disk behind it");
	set_link(drive, folder);
	set_sys(drive, "scheduler", folder, "queue/scheduler");
	set_temperature(drive, folder);
}

json_t *drive_conditions(const struct target *target)
{
	json_t *drive = json_object();
	char identity[512];

	target_identity(target, identity, sizeof(identity));
	set_text(drive, "kind", target_kind_word(target), "");
	set_text(drive, "path", target->path, "");
	set_text(drive, "identity", identity, "");
	json_object_set_new(drive, "size_bytes", json_integer((json_int_t)target->bytes));
	json_object_set_new(drive, "block_bytes", json_integer(target->block_bytes));
	if (target->kind == TARGET_SIM) {
		set_text(drive, "model", target->model, "");
		set_text(drive, "sim_model", target->sim_model, "");
		json_object_set_new(drive, "scale", json_integer(target->scale));
	} else {
		set_real_drive(drive, target);
	}
	if (target->endurance_bytes > 0)
		json_object_set_new(drive, "rated_endurance_bytes",
				    json_real(target->endurance_bytes));
	else
		set_text(drive, "rated_endurance_bytes", "", "not known");
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
	set_text(host, "cpu", line, "not in /proc/cpuinfo");
	json_object_set_new(host, "cores", json_integer(sysconf(_SC_NPROCESSORS_ONLN)));
	json_object_set_new(
		host, "memory_bytes",
		json_integer((json_int_t)sysconf(_SC_PHYS_PAGES) * sysconf(_SC_PAGESIZE)));
	json_object_set_new(host, "load_average",
			    load_average() < 0 ? json_string("n/a (not told by the kernel)")
					       : json_real(load_average()));
	set_text(host, "kernel", uname(&kernel) ? "" : kernel.release, "uname failed");
	file_value("/etc/os-release", "PRETTY_NAME", "=\"", line, sizeof(line));
	set_text(host, "os", line, "not in /etc/os-release");
	governor(line, sizeof(line));
	set_text(host, "governor", line, "no frequency scaling in sysfs");
	sys_line(line, sizeof(line), "/sys/module/pcie_aspm/parameters/policy");
	set_text(host, "aspm_policy", line, "not in sysfs");
	set_text(host, "fio", version, "");
	set_text(host, "ssdreview", SSDREVIEW_VERSION, "");
	return host;
}

/* ---- warnings ------------------------------------------------------------------------------- */

static void warn_link(json_t *warnings, const char *folder)
{
	char now[2][64], most[2][64];

	link_line(folder, "current_link_speed", now[0], sizeof(now[0]));
	link_line(folder, "current_link_width", now[1], sizeof(now[1]));
	link_line(folder, "max_link_speed", most[0], sizeof(most[0]));
	link_line(folder, "max_link_width", most[1], sizeof(most[1]));
	if (strcmp(now[0], most[0]) || strcmp(now[1], most[1]))
		json_array_append_new(
			warnings,
			json_sprintf("The PCIe link runs at %s x%s, the drive can %s x%s.", now[0],
				     now[1], most[0], most[1]));
}

static void warn_aspm(json_t *warnings, const char *folder)
{
	char policy[128], l1[8];

	sys_line(policy, sizeof(policy), "/sys/module/pcie_aspm/parameters/policy");
	link_line(folder, "link/l1_aspm", l1, sizeof(l1));
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
	target_disk_folder(target, folder, sizeof(folder));
	if (folder[0]) {
		warn_link(warnings, folder);
		warn_aspm(warnings, folder);
	}
	return warnings;
}
