/* SPDX-License-Identifier: GPL-2.0-only */
/* A run that the CPU held up says little of the drive. */
#include "base/cpu_limit.h"

#include <stdio.h>

#include "base/number.h"

#define BUSY_SHARE_LIMIT 0.98
#define WAIT_SHARE_LIMIT 0.05

bool cpu_was_busy(double busy_share)
{
	return busy_share >= BUSY_SHARE_LIMIT;
}

bool cpu_was_limit(double busy_share, double wait_share)
{
	return cpu_was_busy(busy_share) || wait_share > WAIT_SHARE_LIMIT;
}

char *cpu_limit_text(double busy_share, double wait_share, char text[CPU_LIMIT_ROOM])
{
	bool was_busy = cpu_was_busy(busy_share);
	char share[NUMBER_ROOM];

	snprintf(text, CPU_LIMIT_ROOM,
		 "the CPU was the limit, not the drive: the engine %s %s of the time",
		 was_busy ? "was busy" : "waited for a CPU",
		 number_percent(was_busy ? busy_share : wait_share, share));
	return text;
}
