/* SPDX-License-Identifier: GPL-2.0-only */
/* Parts of an event as text writes them. */
#include "engines/trace/import_events.h"

bool event_set_device(struct event *event, struct piece device)
{
	struct piece major = piece_field(&device, ',');
	uint64_t numbers[2];

	if (!piece_u64(major, &numbers[0]) || !piece_u64(device, &numbers[1]) ||
	    numbers[0] > UINT32_MAX || numbers[1] > UINT32_MAX)
		return false;
	event->major = (uint32_t)numbers[0];
	event->minor = (uint32_t)numbers[1];
	return true;
}

void event_set_process(struct event *event, struct piece name)
{
	size_t length = piece_length(name);

	if (length >= sizeof(event->process))
		length = sizeof(event->process) - 1;
	memcpy(event->process, name.at, length);
	event->process[length] = '\0';
}
