/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * usage COMMAND...: runs it without its output and prints seconds of processor time, seconds that
 * passed and the most KiB of memory it held. Its exit code is the command's.
 */
#include <fcntl.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/base.h"

static double seconds(struct timeval time)
{
	return (double)time.tv_sec + (double)time.tv_usec / 1e6;
}

static int run_child(char **argv)
{
	int null = open("/dev/null", O_WRONLY);

	if (null < 0 || dup2(null, STDOUT_FILENO) < 0)
		return 126;
	execvp(argv[0], argv);
	perror(argv[0]);
	return 127;
}

int main(int argc, char **argv)
{
	uint64_t begin_ns = monotonic_ns();
	struct rusage usage;
	int status;
	pid_t child;

	if (argc < 2)
		return 2;
	child = fork();
	if (child == 0)
		_exit(run_child(argv + 1));
	if (child < 0 || wait4(child, &status, 0, &usage) < 0)
		return 1;
	printf("%.3f %.3f %ld\n", seconds(usage.ru_utime) + seconds(usage.ru_stime),
	       (double)(monotonic_ns() - begin_ns) / 1e9, usage.ru_maxrss);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
