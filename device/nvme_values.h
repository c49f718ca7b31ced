/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The numbers of an NVMe drive in plain units. NAN: the drive does not report it.
 * Rules after the NVM Express base specification 2.0 and the OCP data centre NVMe SSD
 * specification.
 */
#ifndef SSDREVIEW_NVME_VALUES_H
#define SSDREVIEW_NVME_VALUES_H

#include <stddef.h>
#include <stdint.h>

/* A 128-bit counter, little-endian; exact up to 2^53. */
double nvme_counter(const uint8_t counter[16]);

/* Bytes of the SMART log's data units: one is 1,000 blocks of 512 B, rounded up. */
double nvme_data_unit_bytes(const uint8_t units[16]);

/*
 * Bytes of an endurance group's units: one is 10^9 B. 0 is "not reported", in contrast to the SMART
 * log, where it may also be that nothing was written.
 */
double nvme_group_bytes(const uint8_t units[16]);

/* Degrees Celsius of a temperature in kelvins, as every tool has it: 0 K is "not reported". */
double nvme_celsius(unsigned kelvin);

/* The text of a field that is padded with spaces or zeroes, without these at either end. */
void nvme_text(const char *field, size_t bytes, char *text, size_t room);

#endif
