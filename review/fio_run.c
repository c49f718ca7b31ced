/* SPDX-License-Identifier: GPL-2.0-only */
/* fio as a child: started in a process group of its own, watched, stopped, and its output judged.
 */
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <poll.h>
#include <stdlib.h>
#include <signal.h>
#include <string.h>
#include <strings.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/utf8.h"
#include "review/review.h"

static const char built_for[] = FIO_COMPILED_VERSION; /* "" when its source does not tell */

#define TICK_S		0.5
#define VERSION_LIMIT_S 20 /* for fio --version */
#define STOP_GRACE_S	15 /* fio asked to stop finishes its I/O and writes its output */

/* ---- signals -------------------------------------------------------------------------------- */

static void stop_signals(sigset_t *signals)
{
	sigemptyset(signals);
	sigaddset(signals, SIGINT);
	sigaddset(signals, SIGTERM);
	sigaddset(signals, SIGCHLD);
}

void stop_begin(void)
{
	sigset_t signals;

	stop_signals(&signals);
	sigprocmask(SIG_BLOCK, &signals, NULL);
}

void stop_wait(bool *asked, double seconds)
{
	struct timespec time = {.tv_sec = (time_t)seconds};
	sigset_t signals;
	int number;

	time.tv_nsec = (long)((seconds - (double)time.tv_sec) * 1e9);
	stop_signals(&signals);
	number = sigtimedwait(&signals, NULL, &time);
	if (number > 0 && number != SIGCHLD)
		*asked = true;
}

/* ---- the child ------------------------------------------------------------------------------ */

/* Dies with the command, so that a resume never meets a fio left over from a killed run. */
static void become_fio(const struct fio_step *step, pid_t parent)
{
	char output[80], log[80], job[80];
	sigset_t none;
	int fd;

	snprintf(output, sizeof(output), "--output=%s.json.part", step->stem);
	snprintf(log, sizeof(log), "%s.log", step->stem);
	snprintf(job, sizeof(job), "%s.fio", step->stem);
	setpgid(0, 0);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent || chdir(step->folder))
		_exit(126);
	fd = open(log, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
	if (fd < 0 || dup2(fd, STDOUT_FILENO) < 0 || dup2(fd, STDERR_FILENO) < 0)
		_exit(126);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	signal(SIGINT, SIG_DFL); /* a shell's background job ignores it: fio could not be stopped */
	execlp(step->fio, step->fio, output, "--output-format=json+", "--eta=never", job,
	       (char *)NULL);
	fprintf(stderr, "%s cannot be started: %s\n", step->fio, strerror(errno));
	_exit(127);
}

static pid_t start(const struct fio_step *step, struct error *err)
{
	pid_t parent = getpid(), child = fork();

	if (child < 0)
		return error_set(err, "no process for fio: %s", strerror(errno));
	if (!child)
		become_fio(step, parent);
	setpgid(child, child);
	return child;
}

/* Waits for the end of the child, a signal, or a tick. True when it has ended. */
static bool wait_a_tick(const struct fio_step *step, pid_t child, int *status)
{
	if (waitpid(child, status, WNOHANG) == child)
		return true;
	stop_wait(step->stop, TICK_S);
	return waitpid(child, status, WNOHANG) == child;
}

/* What the command did to the child before it ended. */
enum cut { CUT_NOT, CUT_STOP, CUT_LATE };

static enum cut watch(const struct fio_step *step, pid_t child, int *status)
{
	uint64_t now, late_ns = monotonic_ns() + (uint64_t)(step->limit_s * 1e9);
	uint64_t kill_ns = UINT64_MAX;
	enum cut cut = CUT_NOT;

	while (!wait_a_tick(step, child, status)) {
		now = monotonic_ns();
		if (step->tick)
			step->tick(step->user);
		if (cut == CUT_NOT && *step->stop) {
			cut = CUT_STOP;
			kill(-child, SIGINT);
			kill_ns = now + STOP_GRACE_S * NS_PER_SEC;
		} else if (cut == CUT_NOT && now > late_ns) {
			cut = CUT_LATE;
			kill_ns = now;
		}
		if (now >= kill_ns)
			kill(-child, SIGKILL);
	}
	return cut;
}

/* ---- its output ----------------------------------------------------------------------------- */

static void step_path(const struct fio_step *step, const char *ending, char path[PATH_MAX])
{
	path_format(path, "%s/%s%s", step->folder, step->stem, ending);
}

/* What fio said that is not its JSON: the log, and what stands before the JSON. */
static char *read_words(const struct fio_step *step, const char *ending)
{
	char path[PATH_MAX], *text, *json;
	size_t bytes;

	step_path(step, ending, path);
	if (file_read(path, &text, &bytes, NULL))
		return NULL;
	json = text[0] == '{' ? text : strstr(text, "\n{");
	if (json)
		*json = '\0';
	return text;
}

/* Garbage must neither reach a terminal nor spoil the index. */
static void make_printable(char *line)
{
	bool is_utf8 = utf8_is(line);

	for (; *line; line++)
		if ((unsigned char)*line < ' ' || *line == 0x7f || (!is_utf8 && (*line & 0x80)))
			*line = '?';
}

/* The first line that is more than a remark: fio's first error is the cause of those after it. */
static bool first_error_line(char *text, char *line, size_t room)
{
	char *word, *rest = text;

	while (text && (word = strsep(&rest, "\r\n"))) {
		word += strspn(word, " \t");
		if (!*word || !strncasecmp(word, "note", 4) || !strncasecmp(word, "fio-3", 5))
			continue;
		snprintf(line, room, "%s", word);
		make_printable(line);
		return true;
	}
	return false;
}

static void fio_words(const struct fio_step *step, char *line, size_t room, bool *crashed,
		      bool *hung)
{
	static const char *const endings[] = {".json.part", ".log"};
	bool found = false;
	size_t i;

	line[0] = '\0';
	*crashed = *hung = false;
	for (i = 0; i < 2; i++) {
		char *text = read_words(step, endings[i]);

		*crashed |= text && strstr(text, "got signal=");
		*hung |= text && strstr(text, "startup hung");
		if (!found)
			found = first_error_line(text, line, room);
		free(text);
	}
}

static bool has_output(const struct fio_step *step)
{
	char path[PATH_MAX], *text;
	size_t bytes;
	bool has;

	step_path(step, ".json.part", path);
	if (file_read(path, &text, &bytes, NULL))
		return false;
	has = strchr(text, '{') != NULL;
	free(text);
	return has;
}

static int judge(const struct fio_step *step, int status, bool *hung, struct error *err)
{
	bool crashed;
	char line[512], *said;

	fio_words(step, line, sizeof(line), &crashed, hung);
	said = line[0] ? line : "it said nothing";
	if (WIFSIGNALED(status))
		return error_set(err, "fio was ended by signal %d: %s", WTERMSIG(status), said);
	if (crashed)
		return error_set(err, "a job of fio crashed: %s", said);
	if (WEXITSTATUS(status))
		return error_set(err, "fio failed (exit code %d): %s", WEXITSTATUS(status), said);
	if (!has_output(step))
		return error_set(err, "fio wrote no JSON: %s", said);
	return 0;
}

/* The output gets its name only now; an empty log goes. */
static void keep_output(const struct fio_step *step)
{
	char part[PATH_MAX], json[PATH_MAX], log[PATH_MAX], *text;
	size_t bytes;
	int fd;

	step_path(step, ".json.part", part);
	step_path(step, ".json", json);
	step_path(step, ".log", log);
	fd = open(part, O_RDONLY | O_CLOEXEC);
	if (fd >= 0) {
		fsync(fd);
		close(fd);
		rename(part, json);
	}
	if (file_read(log, &text, &bytes, NULL))
		return;
	free(text);
	if (!bytes)
		unlink(log);
}

static enum run_end run_once(const struct fio_step *step, bool *hung, struct error *err)
{
	int status = 0, failed;
	pid_t child = start(step, err);
	enum cut cut;

	*hung = false;
	if (child < 0)
		return RUN_FAILED;
	cut = watch(step, child, &status);
	if (cut == CUT_STOP)
		return RUN_STOPPED;
	failed = judge(step, status, hung, err);
	if (cut == CUT_LATE)
		failed = error_set(err, "fio did not end within %.0f s and was killed",
				   step->limit_s);
	keep_output(step);
	return failed ? RUN_FAILED : RUN_FINE;
}

/* On a busy machine fio's own start now and then hangs and it gives up; the next try works. */
enum run_end fio_run(const struct fio_step *step, struct error *err)
{
	bool hung;
	enum run_end end = run_once(step, &hung, err);

	return end == RUN_FAILED && hung ? run_once(step, &hung, err) : end;
}

/* ---- the version ---------------------------------------------------------------------------- */

static pid_t start_version(const char *fio, int *from, struct error *err)
{
	int ends[2];
	pid_t child;

	if (pipe2(ends, O_CLOEXEC))
		return error_set(err, "no pipe for fio: %s", strerror(errno));
	child = fork();
	if (!child) {
		dup2(ends[1], STDOUT_FILENO);
		execlp(fio, fio, "--version", (char *)NULL);
		_exit(127);
	}
	close(ends[1]);
	*from = ends[0];
	if (child > 0)
		return child;
	close(ends[0]);
	return error_set(err, "no process for fio: %s", strerror(errno));
}

/* Reads to the end of what a child prints, at most VERSION_LIMIT_S. How much, or -1. */
static ssize_t read_answer(int from, char *text, size_t room)
{
	uint64_t end_ns = monotonic_ns() + VERSION_LIMIT_S * NS_PER_SEC, now_ns;
	struct pollfd answer = {.fd = from, .events = POLLIN};
	size_t used = 0;
	ssize_t got;

	while (used < room && (now_ns = monotonic_ns()) < end_ns) {
		if (poll(&answer, 1, (int)((end_ns - now_ns) / NS_PER_MSEC) + 1) <= 0)
			continue;
		got = read(from, text + used, room - used);
		if (got <= 0)
			return got < 0 ? -1 : (ssize_t)used;
		used += (size_t)got;
	}
	return -1;
}

int fio_version(const char *fio, char *version, size_t room, struct error *err)
{
	int from = -1, status;
	pid_t child = start_version(fio, &from, err);
	ssize_t got;

	if (child < 0)
		return -1;
	got = read_answer(from, version, room - 1);
	close(from);
	if (got < 0)
		kill(child, SIGKILL);
	if (waitpid(child, &status, 0) != child || status || got < 4)
		return error_set(
			err, "%s --version does not work: install fio, or name it with FIO=PATH",
			fio);
	version[got] = '\0';
	version[strcspn(version, "\r\n")] = '\0';
	return strncmp(version, "fio-", 4)
		       ? error_set(err, "%s says it is \"%s\", not fio", fio, version)
		       : 0;
}

int fio_version_check(const char *version, struct error *err)
{
	if (!built_for[0] || !strcmp(version, built_for))
		return 0;
	return error_set(err,
			 "fio is %s, but the engines were built for %s: rebuild them with "
			 "`./start build` in their source folder",
			 version, built_for);
}

/* ---- clearing up ---------------------------------------------------------------------------- */

/* STEM.json, STEM.stats.2.json ..., but not STEM.fio, nor STEM.r2.json of another repeat. */
void point_files_remove(const char *folder, const char *stem)
{
	static const char *const endings[] = {".json", ".json.part", ".log", ".stats*",
					      ".telemetry*"};
	char pattern[PATH_MAX];
	glob_t found;
	size_t i, j;

	for (i = 0; i < COUNT(endings); i++) {
		path_format(pattern, "%s/%s%s", folder, stem, endings[i]);
		if (glob(pattern, 0, NULL, &found))
			continue;
		for (j = 0; j < found.gl_pathc; j++)
			unlink(found.gl_pathv[j]);
		globfree(&found);
	}
}
