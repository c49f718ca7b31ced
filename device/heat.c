/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The kernel shows a sensor as hwmonN below its disk's controller (NVMe) or device (SATA):
 * temp1_input is the composite temperature, temp1_max the warning threshold of the drive, both in
 * thousandths of a degree (Documentation/hwmon/sysfs-interface, drivers/nvme/host/hwmon.c).
 */
#include "device/heat.h"

#include <fcntl.h>
#include <glob.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "base/base.h"

/* Below the folder of the block device; a partition's disk is one level up. */
static const char *const places[] = {
	"device/hwmon*/temp1_",
	"device/hwmon/hwmon*/temp1_",
	"../device/hwmon*/temp1_",
	"../device/hwmon/hwmon*/temp1_",
	"device/device/hwmon/hwmon*/temp1_",
};

static int open_first(const char *pattern)
{
	glob_t found;
	int fd = -1;

	if (!glob(pattern, 0, NULL, &found))
		fd = open(found.gl_pathv[0], O_RDONLY | O_CLOEXEC);
	globfree(&found);
	return fd;
}

static double read_degrees(int fd)
{
	char text[32];
	ssize_t got = pread(fd, text, sizeof(text) - 1, 0);
	char *end;
	long value;

	if (got <= 0)
		return NAN;
	text[got] = 0;
	value = strtol(text, &end, 10);
	return end == text ? NAN : (double)value / 1000.0;
}

static int open_value(const char *sysfs, dev_t device, const char *place, const char *value)
{
	char pattern[512];

	/* A link: '..' behind it is the disk's folder. */
	snprintf(pattern, sizeof(pattern), "%s/dev/block/%u:%u/%s%s", sysfs, major(device),
		 minor(device), place, value);
	return open_first(pattern);
}

void heat_open(struct heat *heat, const char *sysfs, dev_t device)
{
	size_t i;
	int fd;

	*heat = (struct heat){.fd = -1, .limit_c = NAN};
	for (i = 0; i < sizeof(places) / sizeof(*places) && heat->fd < 0; i++) {
		heat->fd = open_value(sysfs, device, places[i], "input");
		fd = heat->fd < 0 ? -1 : open_value(sysfs, device, places[i], "max");
		if (fd < 0)
			continue;
		heat->limit_c = read_degrees(fd);
		close(fd);
	}
}

void heat_close(struct heat *heat)
{
	if (heat->fd >= 0)
		close(heat->fd);
	heat->fd = -1;
}

void heat_read(const struct heat *heat, double *temperature_c, bool *is_hot)
{
	*temperature_c = heat->fd < 0 ? NAN : read_degrees(heat->fd);
	*is_hot = *temperature_c >= heat->limit_c; /* false when one is NAN */
}

void heat_read_seldom(struct heat *heat, uint64_t now_ns, double *temperature_c, bool *is_hot)
{
	if (!heat->read_ns || now_ns - heat->read_ns >= NS_PER_SEC) {
		heat_read(heat, &heat->temperature_c, &heat->is_hot);
		heat->read_ns = now_ns;
	}
	*temperature_c = heat->temperature_c;
	*is_hot = heat->is_hot;
}
