/* SPDX-License-Identifier: GPL-2.0-only */
/* UTF-8: what JSON, pages and terminals take, and paths, names and files of others need not be. */
#ifndef SSDREVIEW_UTF8_H
#define SSDREVIEW_UTF8_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define UTF8_REPLACEMENT 0xfffd /* what stands for a byte that is no UTF-8 */

/*
 * The character at text, of which there are so many bytes, one at least; *used is the number of
 * bytes it takes, 1 for one that is no UTF-8.
 */
uint32_t utf8_decode(const char *text, size_t bytes, size_t *used);

/* Bytes from the beginning that are UTF-8: strlen() when all of them are. */
size_t utf8_length(const char *text);
bool utf8_is(const char *text);

/* A string that JSON takes, whatever the bytes are: the replacement stands for those that are none.
 */
json_t *utf8_json(const char *text);

#endif
