/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The rated and the published figures of a drive that somebody has, found by what the drive calls
 * itself.
 *
 * The rule: a name in published.csv, such as "Intel 670p 2TB", is the drive's when each of its
 * words is a word of the drive's model, upper and lower case alike; and a word of capacity ("2TB")
 * is within 5 % of the drive's. Makers give a part number in place of a name: of the known ones
 * ("INTEL SSDPEKNU020TZ") the words of the name count as the model's. A name must hold a word with
 * a digit beside its capacity, and names in brackets are nobody's. Figures of all names that fit
 * are the drive's: those of "Intel 670p" and of "Intel 670p 2TB".
 */
#ifndef SSDREVIEW_SPECIFICATION_H
#define SSDREVIEW_SPECIFICATION_H

#include <jansson.h>

#include "base/base.h"

/* Does a name of published.csv stand for a drive of this model and size (NAN: not known)? */
bool specification_fits(const char *name, const char *model, double capacity_bytes);

/*
 * The figures of a drive as JSON:
 *
 *	{ "drive": the longest name that fits, "rated": [FIGURE], "published": [FIGURE] }
 *	FIGURE: { "what": "4k-randread", "figure": "iops", "value": 310000, "unit": "IOPS",
 *		  "about": false, "drive": the name it is of, "source": "Intel 670p review" }
 *
 * or JSON null when no name fits. path NULL: the project's own file. NULL with err when it cannot
 *be read. The object is the caller's.
 */
json_t *specification_find(const char *path, const char *model, double capacity_bytes,
			   struct error *err);

/*
 * Figure `first` of a list and those of the same "what" that follow it, in one text: "295,132 IOPS,
 * 421 us". Returns the place of the next; *title is what they are figures of, in words.
 */
size_t specification_text(const json_t *list, size_t first, char *title, size_t title_room,
			  char *text, size_t room);

#endif
