/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the kernel knows of a disk of any kind, from sysfs alone: no node in /dev is opened, so any
 * user may ask (Documentation/ABI/stable/sysfs-block, testing/sysfs-bus-pci, sysfs-ata).
 */
#include <libgen.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "device/device_internal.h"
#include "device/nvme_values.h"

#define SECTOR_BYTES	  512
#define PAGE_SERIAL_START 4 /* of the SCSI page 0x80 */

bool kernel_disk_folder(const char *sysfs, dev_t device, char *folder, size_t room)
{
	char link[PATH_MAX], real[PATH_MAX], partition[PATH_MAX + 16];

	snprintf(link, sizeof(link), "%s/dev/block/%u:%u", sysfs, major(device), minor(device));
	if (!device || !realpath(link, real))
		return false;
	snprintf(partition, sizeof(partition), "%s/partition", real);
	snprintf(folder, room, "%s", access(partition, F_OK) ? real : dirname(real));
	return true;
}

/* ---- what it hangs on ----------------------------------------------------------------------- */

/* Kinds that the kernel's name of a disk tells. */
static const struct {
	const char *prefix, *transport;
} by_name[] = {{"vd", "virtio"}, {"loop", "loop"},   {"mmcblk", "mmc"},	 {"dm-", "device mapper"},
	       {"md", "md"},	 {"nbd", "network"}, {"zram", "memory"}, {"ram", "memory"},
	       {"xvd", "Xen"},	 {"pmem", "memory"}, {"nullb", "null"}};

/* SCSI disks are told apart by the path that leads to them. */
static const char *scsi_transport(const char *folder)
{
	char address[64];

	sys_line(address, sizeof(address), "%s/device/sas_address", folder);
	if (strstr(folder, "/ata"))
		return "SATA";
	if (strstr(folder, "/usb"))
		return "USB";
	if (address[0] || strstr(folder, "/end_device-"))
		return "SAS";
	return strstr(folder, "/virtio") ? "virtio SCSI" : "SCSI";
}

static void transport_of(const char *sysfs, const char *folder, const char *controller, char *text,
			 size_t room)
{
	const char *name = strrchr(folder, '/') + 1;
	char fabric[32];
	size_t i;

	text[0] = '\0';
	if (!strncmp(name, "sd", 2))
		snprintf(text, room, "%s", scsi_transport(folder));
	for (i = 0; i < COUNT(by_name) && !text[0]; i++)
		if (!strncmp(name, by_name[i].prefix, strlen(by_name[i].prefix)))
			snprintf(text, room, "%s", by_name[i].transport);
	if (!controller[0])
		return;
	sys_line(fabric, sizeof(fabric), "%s/class/nvme/%s/transport", sysfs, controller);
	snprintf(text, room, "NVMe%s%s", fabric[0] ? " over " : "",
		 !strcmp(fabric, "pcie") ? "PCIe" : fabric);
}

/* ---- names ---------------------------------------------------------------------------------- */

/* The page of a SCSI disk that holds its serial number: a header, then text. */
static void scsi_serial(const char *folder, char *serial, size_t room)
{
	char path[PATH_MAX], page[128];
	size_t bytes;
	FILE *file;

	serial[0] = '\0';
	snprintf(path, sizeof(path), "%s/device/vpd_pg80", folder);
	file = fopen(path, "re");
	if (!file)
		return;
	bytes = fread(page, 1, sizeof(page), file);
	fclose(file);
	if (bytes > PAGE_SERIAL_START)
		nvme_text(page + PAGE_SERIAL_START, bytes - PAGE_SERIAL_START, serial, room);
}

/* The first of several files that has a line. */
static void first_line(const char *folder, const char *const *files, size_t count, char *line,
		       size_t room)
{
	size_t i;

	line[0] = '\0';
	for (i = 0; i < count && !line[0]; i++)
		sys_line(line, room, "%s/%s", folder, files[i]);
}

static void name_facts(const char *folder, json_t *facts)
{
	static const char *const models[] = {"device/model"};
	static const char *const serials[] = {"device/serial", "serial"};
	static const char *const firmwares[] = {"device/firmware_rev", "device/rev"};
	char line[128];

	first_line(folder, models, COUNT(models), line, sizeof(line));
	fact_text(facts, "model", line, "not in sysfs");
	first_line(folder, serials, COUNT(serials), line, sizeof(line));
	if (!line[0])
		scsi_serial(folder, line, sizeof(line));
	fact_text(facts, "serial", line, "not in sysfs");
	first_line(folder, firmwares, COUNT(firmwares), line, sizeof(line));
	fact_text(facts, "firmware", line, "not in sysfs");
	fact_text(facts, "disk", strrchr(folder, '/') + 1, "");
}

/* ---- links ---------------------------------------------------------------------------------- */

static void pci_link(const char *sysfs, const char *folder, const char *controller, json_t *facts)
{
	static const char *const files[] = {"current_link_speed", "current_link_width",
					    "max_link_speed", "max_link_width"};
	char line[64];
	size_t i;

	for (i = 0; i < COUNT(files); i++) {
		if (controller[0])
			sys_line(line, sizeof(line), "%s/class/nvme/%s/device/%s", sysfs,
				 controller, files[i]);
		else
			sys_line(line, sizeof(line), "%s/device/device/%s", folder, files[i]);
		/* A drive without a slot of its own, as in a virtual machine, has no lanes. */
		if (!strcmp(line, "0") || !strncmp(line, "Unknown", 7))
			line[0] = '\0';
		fact_text(facts, files[i], line, "no PCIe link of its own in sysfs");
	}
}

/* .../ata3/host2/...: the port's number is that of its link. */
static void ata_link(const char *sysfs, const char *folder, json_t *facts)
{
	const char *port = strstr(folder, "/ata");
	char line[32];
	int number;

	if (!port || sscanf(port, "/ata%d/", &number) != 1)
		return;
	sys_line(line, sizeof(line), "%s/class/ata_link/link%d/sata_spd", sysfs, number);
	fact_text(facts, "sata_link_speed", line, "not in sysfs");
	sys_line(line, sizeof(line), "%s/class/ata_link/link%d/hw_sata_spd_limit", sysfs, number);
	fact_text(facts, "sata_port_speed", line, "not in sysfs");
}

/* ---- the rest ------------------------------------------------------------------------------- */

static double sys_number(const char *folder, const char *file)
{
	char line[32], *end;
	double value;

	sys_line(line, sizeof(line), "%s/%s", folder, file);
	value = strtod(line, &end);
	return end == line ? NAN : value;
}

/* Sensors stand beside the controller; other drives hold them one folder further down. */
static double sensor_c(const char *sysfs, const char *folder, const char *controller,
		       const char *file)
{
	char base[PATH_MAX], path[64];
	double value = NAN;
	unsigned i;

	if (controller[0])
		snprintf(base, sizeof(base), "%s/class/nvme/%s", sysfs, controller);
	else
		snprintf(base, sizeof(base), "%s/device", folder);
	for (i = 0; i < 64 && isnan(value); i++) {
		snprintf(path, sizeof(path), "hwmon%u/%s", i, file);
		value = sys_number(base, path);
		snprintf(path, sizeof(path), "hwmon/hwmon%u/%s", i, file);
		if (isnan(value))
			value = sys_number(base, path);
	}
	/* Of NVMe the kernel takes 273.15 from whole kelvins, all others 273. */
	return controller[0] ? round(value / 1000) : value / 1000;
}

static void queue_facts(const char *folder, json_t *facts)
{
	double trim = sys_number(folder, "queue/discard_max_bytes");
	char line[96];

	fact_number(facts, "disk_bytes", sys_number(folder, "size") * SECTOR_BYTES, "not in sysfs");
	fact_number(facts, "logical_block_bytes", sys_number(folder, "queue/logical_block_size"),
		    "not in sysfs");
	fact_number(facts, "physical_block_bytes", sys_number(folder, "queue/physical_block_size"),
		    "not in sysfs");
	fact_number(facts, "largest_request_bytes",
		    sys_number(folder, "queue/max_hw_sectors_kb") * 1024, "not in sysfs");
	sys_line(line, sizeof(line), "%s/queue/write_cache", folder);
	fact_text(facts, "write_cache", line, "not in sysfs");
	sys_line(line, sizeof(line), "%s/queue/scheduler", folder);
	fact_text(facts, "scheduler", line, "not in sysfs");
	if (isnan(trim))
		fact_missing(facts, "trim", "not in sysfs");
	else
		fact_flag(facts, "trim", trim > 0);
	if (!isnan(sys_number(folder, "queue/rotational")))
		fact_flag(facts, "rotational", sys_number(folder, "queue/rotational") > 0);
}

void kernel_link_facts(const char *sysfs, const char *folder, const char *controller, json_t *facts)
{
	pci_link(sysfs, folder, controller, facts);
	ata_link(sysfs, folder, facts);
}

void kernel_facts(const char *sysfs, const char *folder, const char *controller, json_t *facts)
{
	char text[64];

	name_facts(folder, facts);
	transport_of(sysfs, folder, controller, text, sizeof(text));
	fact_text(facts, "transport", text, "a kind of disk not known here");
	kernel_link_facts(sysfs, folder, controller, facts);
	queue_facts(folder, facts);
	fact_number(facts, "temperature_c", sensor_c(sysfs, folder, controller, "temp1_input"),
		    "no sensor in sysfs");
	fact_number(facts, "temperature_limit_c", sensor_c(sysfs, folder, controller, "temp1_max"),
		    "no sensor in sysfs");
}
