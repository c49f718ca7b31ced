/* SPDX-License-Identifier: GPL-2.0-only */
/* How hot a drive is, from the kernel's hardware monitoring of it (NVMe, and SATA with drivetemp).
 */
#ifndef SSDREVIEW_HEAT_H
#define SSDREVIEW_HEAT_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct heat {
	int fd;		  /* temperature, in thousandths of a degree Celsius; -1: not known */
	double limit_c;	  /* the drive slows down from there on; NAN: not known */
	uint64_t read_ns; /* when it was last read, 0: never; what it showed then: */
	double temperature_c;
	bool is_hot;
};

/* Looks below sysfs ("/sys") for the sensor of a block device, a partition's disk included. */
void heat_open(struct heat *heat, const char *sysfs, dev_t device);
void heat_close(struct heat *heat);
/* NAN and false where nothing is known. */
void heat_read(const struct heat *heat, double *temperature_c, bool *is_hot);

/* What it showed within the last second before now_ns: the drive answers by a command, between its
 * I/Os. */
void heat_read_seldom(struct heat *heat, uint64_t now_ns, double *temperature_c, bool *is_hot);

#endif
