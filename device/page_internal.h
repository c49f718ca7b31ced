/* SPDX-License-Identifier: GPL-2.0-only */
/* The lines of a page about a drive. */
#ifndef SSDREVIEW_PAGE_INTERNAL_H
#define SSDREVIEW_PAGE_INTERNAL_H

#include <stdio.h>

#include "device/facts.h"

/* Room for the text of one entry: what is longer is cut. */
#define ENTRY_BYTES 1024

/* An entry of the page. */
void page_line(const char *name, const char *text, FILE *out);

/* An entry whose fact is missing says why; else it is the text, made by the caller. */
void page_entry(const char *name, const json_t *fact, const char *text, FILE *out);

/* "1,203", "2.05 TB" and so on of a fact; "n/a (reason)" when it is missing. Returns text. */
char *page_number(const json_t *facts, const char *key, char *text, size_t room);
char *page_bytes(const json_t *facts, const char *key, char *text, size_t room);

/* ["a", "b"] -> "a, b"; "none" when it is empty. */
void page_list(const json_t *list, char *text, size_t room);

/* What the kernel's sensor shows, and where it warns. */
void page_sensor(const char *name, const json_t *facts, FILE *out);

/* The entries of what an NVMe drive told (page_nvme.c, page_features.c). */
void page_identity(const json_t *nvme, FILE *out);
void page_health(const json_t *nvme, FILE *out);
void page_temperature(const json_t *facts, const json_t *nvme, FILE *out);
void page_features(const json_t *nvme, FILE *out);
void page_commands(const json_t *nvme, FILE *out);

#endif
