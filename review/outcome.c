/* SPDX-License-Identifier: GPL-2.0-only */
/* What points came to: the line of one, and advice when the machine spoilt many of them. */
#include <string.h>

#include "base/number.h"
#include "postprocess/enterprise.h"
#include "review/review.h"

#define SPOILT_SHARE 0.25 /* more, and the review had better be run again */

void outcome_text(const struct point *point, char *text, size_t room)
{
	char achieved[NUMBER_ROOM], asked[NUMBER_ROOM] = "max", latency[NUMBER_ROOM], verdict[64];

	if (strcmp(point->name, "max") && point->offered_iops > 0)
		number_count(point->offered_iops, asked);
	snprintf(verdict, sizeof(verdict), "%s%s%s", point_verdict_word(point->verdict),
		 point->brief[0] ? ": " : "", point->brief);
	snprintf(text, room, OUTCOME_COLUMNS, number_count(point->iops, achieved), asked,
		 number_us(point->clat.mean_us, latency), verdict);
}

static void count_spoilt(const struct curve *curve, size_t *spoilt, size_t *points)
{
	size_t i;

	for (i = 0; i < curve->count; i++)
		*spoilt += curve->points[i].by_machine;
	*points += curve->count;
	rounds_count_by_machine(curve, spoilt, points);
}

void outcome_advise(const char *folder, FILE *out)
{
	size_t spoilt = 0, points = 0;
	struct result *result;
	size_t i;

	if (result_load(folder, &result, NULL))
		return;
	for (i = 0; i < result->count; i++)
		count_spoilt(&result->curves[i], &spoilt, &points);
	result_free(result);
	if ((double)spoilt > (double)points * SPOILT_SHARE)
		fprintf(out,
			"%zu of %zu points and rounds are invalid because the machine was too "
			"busy, not the drive: close other programs and run again, with another "
			"--name.\n",
			spoilt, points);
}
