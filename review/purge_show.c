/* SPDX-License-Identifier: GPL-2.0-only */
/* A purge on the terminal: a live line, or a plain one now and then where nobody looks. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/number.h"
#include "review/purge.h"

#define PLAIN_SHARE 0.1 /* a plain line each tenth ... */
#define PLAIN_S	    60	/* ... or minute */

static void progress_line(const struct purge_progress *progress, char *line, size_t room)
{
	char text[NUMBER_ROOM];

	snprintf(line, room, "%s", progress->doing);
	if (!isnan(progress->share))
		text_append(line, room, "  %.1f %%", progress->share * 100);
	text_append(line, room, "  elapsed %s", number_duration(progress->elapsed_s, text));
	if (!isnan(progress->left_s))
		text_append(line, room, ", left %s", number_duration(progress->left_s, text));
	if (progress->cannot_stop)
		text_append(line, room, "; a format cannot be stopped, its end is awaited");
}

static void show(void *user, const struct purge_progress *progress)
{
	struct purge_show *show = user;
	char line[200];

	progress_line(progress, line, sizeof(line));
	if (show->terminal) {
		fprintf(show->out, "\r\033[K%.79s", line);
	} else if (progress->elapsed_s - show->said_s >= PLAIN_S ||
		   progress->share - show->said_share >= PLAIN_SHARE) {
		fprintf(show->out, "%s\n", line);
		show->said_s = progress->elapsed_s;
		show->said_share = isnan(progress->share) ? 0 : progress->share;
	}
	fflush(show->out);
}

static bool wait_or_stop(void *user, double seconds)
{
	struct purge_show *show = user;

	stop_wait(&show->stop, seconds);
	return show->stop;
}

void purge_show_begin(struct purge_show *shown, FILE *out, struct purge_hooks *hooks)
{
	memset(shown, 0, sizeof(*shown));
	shown->out = out;
	shown->terminal = isatty(fileno(out));
	*hooks = (struct purge_hooks){show, wait_or_stop, shown};
	stop_begin();
}

void purge_show_end(struct purge_show *shown)
{
	if (shown->terminal)
		fprintf(shown->out, "\r\033[K");
	fflush(shown->out);
}

int purge_wait_for_device(const char *path, FILE *out, struct error *err)
{
	struct sanitize_status status;
	struct purge_result result;
	struct purge_drive drive;
	struct purge_hooks hooks;
	struct purge_show shown;
	char real[PATH_MAX];
	enum purge_end end;
	struct stat st;

	if (!realpath(path, real) || stat(real, &st) || !S_ISBLK(st.st_mode) ||
	    purge_open(real, &drive, NULL))
		return 0;
	if (!purge_is_sanitizing(&drive, &status)) {
		purge_close(&drive);
		return 0;
	}
	fprintf(out, "A %s runs in %s, and is waited for.\n", purge_method_word(status.method),
		path);
	purge_show_begin(&shown, out, &hooks);
	end = purge_await(&drive, &hooks, &result, err);
	purge_show_end(&shown);
	purge_close(&drive);
	if (end == PURGE_STOPPED)
		return error_set(err, "stopped: the sanitize of %s goes on", path);
	return end == PURGE_DONE ? 0 : -1;
}
