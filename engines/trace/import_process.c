/* SPDX-License-Identifier: GPL-2.0-only */
/* Names of processes by their number: a table that a new process of the same slot writes over. */
#include <stdio.h>
#include <string.h>

#include "engines/trace/import_process.h"

void processes_learn(struct processes *processes, uint32_t pid, struct piece name)
{
	struct process *process = &processes->slot[pid % PROCESSES_MAX];
	size_t length = strnlen(name.at, piece_length(name));

	if (length > sizeof(process->name) - 1)
		length = sizeof(process->name) - 1;
	process->pid = pid;
	memcpy(process->name, name.at, length);
	process->name[length] = '\0';
}

void processes_find(const struct processes *processes, uint32_t pid, char *text, size_t room)
{
	const struct process *process = &processes->slot[pid % PROCESSES_MAX];

	text[0] = '\0';
	if (process->pid == pid && room >= sizeof(process->name))
		memcpy(text, process->name, sizeof(process->name));
}
