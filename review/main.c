/* SPDX-License-Identifier: GPL-2.0-only */
/* ssdreview: one word chooses the command. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "postprocess/postprocess.h"
#include "review/review.h"

static int cmd_version(int argc, char **argv);
static int cmd_help(int argc, char **argv);

static const struct command commands[] = {
	{"run", cmd_run, "measure a drive over its whole load range"},
	{"table", cmd_table, "rank results in tables"},
	{"chart", cmd_chart, "draw latency over IOPS, one chart a row"},
	{"report", cmd_report, "write one page with tables, charts and conditions"},
	{"sim", cmd_sim, "make and look at simulated drives"},
	{"trace", cmd_trace, "make, import and look into block traces"},
	{"drive", cmd_drive, "say everything about a drive on one page"},
	{"purge", cmd_purge, "erase a drive, and see that it is erased"},
	{"check", cmd_check, "say whether a target may be used, and why not"},
	{"version", cmd_version, "print the version"},
	{"help", cmd_help, "print this text, or that of a command: help run"},
};

static int cmd_version(int argc, char **argv)
{
	(void)argc;
	(void)argv;
	printf("ssdreview %s\n", SSDREVIEW_VERSION);
	return EXIT_FINE;
}

/* `ssdreview help trace cut` is `ssdreview trace cut --help`. */
static int cmd_help(int argc, char **argv)
{
	static char help[] = "--help";
	char *words[5] = {NULL};
	int i, count = 0;

	for (i = 0; i < argc && count < (int)COUNT(words) - 2; i++)
		words[count++] = argv[i];
	if (count > 1) {
		words[count++] = help;
		return commands_run("ssdreview", commands, COUNT(commands), count, words);
	}
	commands_print("ssdreview", commands, COUNT(commands), stdout);
	return EXIT_FINE;
}

/*
 * A standard stream that is closed would be given to the next file opened, and what is printed
 * would go into it: into a review, or onto a drive. Writing to these fails instead.
 */
static void keep_standard_streams(void)
{
	int fd;

	do
		fd = open("/dev/null", O_RDONLY);
	while (fd >= 0 && fd <= STDERR_FILENO);
	if (fd >= 0)
		close(fd);
}

/* What was printed and did not arrive is a failure, unless the command has told of one already. */
static int end_output(int code)
{
	bool lost = ferror(stdout);
	struct error err;

	if ((!fflush(stdout) && !lost) || code != EXIT_FINE)
		return code;
	error_set(&err, "the output cannot be written: %s", strerror(errno));
	return complain(&err, EXIT_FAILED);
}

int main(int argc, char **argv)
{
	static char version[] = "version";

	keep_standard_streams();
	signal(SIGXFSZ, SIG_IGN); /* a limit on the size of files is an error like a full disk */
	if (argc > 1 && !strcmp(argv[1], "--version"))
		argv[1] = version;
	return end_output(commands_run("ssdreview", commands, COUNT(commands), argc, argv));
}
