/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * guardcheck TARGET             asks the guard: prints "ok" (exit 0) or the reason (exit 1)
 * guardcheck --hold TARGET CMD  holds the target, then runs the command as a descendant
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engines/core/guard.h"

/* Runs the command beside the holder; the exit code is the command's. */
static int run_holding(const char *target, char **command, struct error *err)
{
	int status = 0, fd = guard_hold(target, err);
	pid_t child;

	if (fd < 0)
		return -1;
	child = fork();
	if (child == 0) {
		execvp(command[0], command);
		_exit(127);
	}
	if (child < 0 || waitpid(child, &status, 0) < 0)
		return error_set(err, "%s could not be run", command[0]);
	close(fd);
	exit(WIFEXITED(status) ? WEXITSTATUS(status) : 1);
}

int main(int argc, char **argv)
{
	struct error err = {.text = ""};
	int failed;

	if (argc >= 4 && strcmp(argv[1], "--hold") == 0) {
		failed = run_holding(argv[2], argv + 3, &err);
	} else if (argc == 2) {
		failed = guard_check(argv[1], &err);
	} else {
		fprintf(stderr, "usage: guardcheck TARGET | guardcheck --hold TARGET COMMAND...\n");
		return 2;
	}
	printf("%s\n", failed ? err.text : "ok");
	return failed ? 1 : 0;
}
