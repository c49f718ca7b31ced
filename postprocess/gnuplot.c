/* SPDX-License-Identifier: GPL-2.0-only */
/* Running gnuplot: what it can draw, and drawing. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "postprocess/chart.h"

extern char **environ;

/* Reads what it says until it ends; what does not fit is read and forgotten. */
static void read_words(int fd, char *words, size_t room)
{
	char rest[256];
	size_t used = 0;
	ssize_t got;

	for (;;) {
		bool full = used + 1 >= room;

		got = read(fd, full ? rest : words + used, full ? sizeof(rest) : room - used - 1);
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			break;
		used += full ? 0 : (size_t)got;
	}
	words[used] = '\0';
}

static int spawn_in(const char *folder, char *const *argv, int words, pid_t *child)
{
	posix_spawn_file_actions_t actions;
	int failed;

	posix_spawn_file_actions_init(&actions);
	if (folder)
		posix_spawn_file_actions_addchdir_np(&actions, folder);
	posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", 0, 0);
	posix_spawn_file_actions_adddup2(&actions, words, STDOUT_FILENO);
	posix_spawn_file_actions_adddup2(&actions, words, STDERR_FILENO);
	failed = posix_spawnp(child, argv[0], &actions, NULL, argv, environ);
	posix_spawn_file_actions_destroy(&actions);
	return failed;
}

/* gnuplot's exit status, -1 when it could not be started (errno says why). */
static int run_gnuplot(const char *folder, char *const *argv, char *words, size_t room)
{
	int ends[2], status, failed;
	pid_t child;

	words[0] = '\0';
	if (pipe2(ends, O_CLOEXEC))
		return -1;
	failed = spawn_in(folder, argv, ends[1], &child);
	close(ends[1]);
	if (!failed)
		read_words(ends[0], words, room);
	close(ends[0]);
	if (failed) {
		errno = failed;
		return -1;
	}
	while (waitpid(child, &status, 0) < 0)
		if (errno != EINTR)
			return -1;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

static int has_terminal(const char *word)
{
	char command[64], words[256];
	char *argv[] = {"gnuplot", "-e", command, NULL};

	snprintf(command, sizeof(command), "set terminal %s", word);
	return run_gnuplot(NULL, argv, words, sizeof(words));
}

/* Asks gnuplot what it can draw; -1 with err when it is not there or draws nothing. */
int terminals_probe(struct terminals *terminals, struct error *err)
{
	int svg = has_terminal("svg");

	*terminals = (struct terminals){.svg = svg == 0};
	if (svg < 0)
		return error_set(err,
				 "gnuplot cannot be started (%s); install gnuplot to draw charts",
				 strerror(errno));
	terminals->pngcairo = has_terminal("pngcairo") == 0;
	if (!terminals->pngcairo)
		terminals->png = has_terminal("png") == 0;
	if (!terminals->svg && !terminals->pngcairo && !terminals->png)
		return error_set(err,
				 "this gnuplot draws neither svg nor png; install gnuplot-nox");
	return 0;
}

/* gnuplot leaves empty pictures behind when it fails. */
static void remove_if_empty(const char *folder, const char *name, const char *ending)
{
	char path[PATH_MAX];
	struct stat about;

	snprintf(path, sizeof(path), "%s/%s%s", folder, name, ending);
	if (!stat(path, &about) && about.st_size == 0)
		unlink(path);
}

int chart_draw(const char *folder, const char *name, struct error *err)
{
	char script[300], words[512];
	char *argv[] = {"gnuplot", script, NULL};
	int status;

	snprintf(script, sizeof(script), "%s.gp", name);
	status = run_gnuplot(folder, argv, words, sizeof(words));
	if (status == 0)
		return 0;
	remove_if_empty(folder, name, ".svg");
	remove_if_empty(folder, name, ".png");
	if (status < 0)
		return error_set(err, "gnuplot cannot be started: %s", strerror(errno));
	words[strcspn(words, "\r")] = '\0';
	return error_set(err, "gnuplot could not draw %s/%s.gp: %s", folder, name,
			 words + strspn(words, "\n"));
}

int charts_make(const struct ranking *rankings, size_t count, struct result *const *results,
		size_t result_count, const char *folder, char (*names)[256], struct error *err)
{
	struct terminals terminals;
	struct palette palette;
	char name[256];
	int status = 0;
	size_t i;

	if (terminals_probe(&terminals, err) || folder_make(folder, err))
		return -1;
	if (palette_make(rankings, count, results, result_count, &palette))
		return error_set(err, "not enough memory for the charts");
	for (i = 0; status == 0 && i < count; i++) {
		status = chart_write(rankings, i, &palette, &terminals, folder,
				     names ? names[i] : name, err);
		if (status == 0)
			status = chart_draw(folder, names ? names[i] : name, err);
	}
	palette_free(&palette);
	return status;
}
