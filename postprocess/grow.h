/* SPDX-License-Identifier: GPL-2.0-only */
/* Lists that grow one element at a time. */
#ifndef SSDREVIEW_GROW_H
#define SSDREVIEW_GROW_H

#include <stdlib.h>

/*
 * Room for one more element after `count` of `size` bytes. The list doubles whenever count is a
 * power of two, so it must have grown by this function alone. NULL when memory is short; the old
 * list then stays as it was.
 */
static inline void *list_grow(void *list, size_t count, size_t size)
{
	if (count & (count - 1))
		return list;
	return realloc(list, (count ? count * 2 : 1) * size);
}

#endif
