/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Ctrl-C while a trace is written: where the file must have a name before it is whole, it is
 * removed.
 */
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include "review/cmd_trace.h"

/* A signal's handler is told nothing but its number. */
static char parts[2][PATH_MAX];

static void remove_parts(int number)
{
	unlink(parts[0]);
	unlink(parts[1]);
	raise(number); /* SA_RESETHAND: now it ends the process */
}

/* What is ignored, as under nohup, stays so. */
static void catch (int number)
{
	struct sigaction action = {.sa_handler = remove_parts, .sa_flags = SA_RESETHAND}, before;

	if (!sigaction(number, NULL, &before) && before.sa_handler != SIG_IGN)
		sigaction(number, &action, NULL);
}

void stop_removes_parts(const char *path)
{
	path_format(parts[0], "%.4000s." TRACE_PART_SUFFIX, path);
	path_format(parts[1], "%.4000s." TRACE_PART_SUFFIX "2", path);
	catch (SIGINT);
	catch (SIGTERM);
	catch (SIGHUP);
}
