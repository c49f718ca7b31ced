/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The journal of a capture: a line "folder" and then a line a change, the kernel's file, a tab, and
 * what undoes the change.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "review/capture.h"

static int write_setting(const char *file, const char *value)
{
	int fd = open(file, O_WRONLY | O_CLOEXEC);
	ssize_t written;

	if (fd < 0)
		return -1;
	written = write(fd, value, strlen(value));
	close(fd);
	return written == (ssize_t)strlen(value) ? 0 : -1;
}

/* Lines are few and short; NULL when there are none. */
static char *read_journal(int fd)
{
	char *text = calloc(1, 65536);

	if (text && pread(fd, text, 65535, 0) > 0)
		return text;
	free(text);
	return NULL;
}

/* The last line first; one that was not written to its end is passed over. */
static void undo_lines(char *text)
{
	char *end, *line, *tab;

	while ((end = strrchr(text, '\n'))) {
		*end = '\0';
		line = strrchr(text, '\n');
		line = line ? line + 1 : text;
		tab = strchr(line, '\t');
		if (!tab)
			continue;
		*tab = '\0';
		write_setting(line, tab + 1);
	}
}

static void undo(struct capture_journal *journal)
{
	char *text = read_journal(journal->fd);

	if (text)
		undo_lines(text);
	free(text);
}

/* A journal that nobody holds and that is not empty was left by a capture that was killed. */
static void clean_up(struct capture_journal *journal)
{
	char *text = read_journal(journal->fd);

	if (!text)
		return;
	snprintf(journal->left_in, sizeof(journal->left_in), "%.*s", (int)strcspn(text, "\n"),
		 text);
	free(text);
	undo(journal);
}

static int refuse_writing(const char *path, struct error *err)
{
	const char *denied = denied_because(errno, "capture as root");

	return error_set(err, "%s cannot be written: %s%s%s", path, strerror(errno),
			 denied ? "; " : "", denied ? denied : "");
}

int capture_journal_open(struct capture_journal *journal, const char *path, struct error *err)
{
	*journal = (struct capture_journal){.path = path};
	journal->fd =
		open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, S_IRUSR | S_IWUSR);
	if (journal->fd < 0)
		return refuse_writing(path, err);
	if (flock(journal->fd, LOCK_EX | LOCK_NB)) {
		close(journal->fd);
		journal->fd = -1;
		return error_set(err, "another ssdreview trace capture is running, and the kernel "
				      "has one tracer: name all disks in one capture");
	}
	clean_up(journal);
	if (ftruncate(journal->fd, 0) == 0)
		return 0;
	error_set(err, "%s cannot be written: %s", path, strerror(errno));
	close(journal->fd);
	journal->fd = -1;
	return -1;
}

static int add_line(struct capture_journal *journal, const char *line, struct error *err)
{
	if (write(journal->fd, line, strlen(line)) == (ssize_t)strlen(line))
		return 0;
	return error_set(err, "%s cannot be written: %s", journal->path, strerror(errno));
}

int capture_journal_folder(struct capture_journal *journal, const char *folder, struct error *err)
{
	char line[PATH_MAX + 2];

	snprintf(line, sizeof(line), "%s\n", folder);
	return add_line(journal, line, err);
}

int capture_journal_set(struct capture_journal *journal, const char *file, const char *value,
			const char *undo_value, struct error *err)
{
	char line[PATH_MAX + 256];

	snprintf(line, sizeof(line), "%s\t%s\n", file, undo_value);
	if (add_line(journal, line, err))
		return -1;
	if (write_setting(file, value) == 0)
		return 0;
	switch (errno) {
	case EACCES:
	case EPERM:
		return error_set(err, "%s may not be written: %s", file,
				 denied_because(errno, "capture as root, outside of containers"));
	case EBUSY:
		return error_set(err, "%s is busy: somebody else is tracing; stop that first",
				 file);
	case ENOMEM:
		return error_set(err, "the kernel has no memory for the buffers of a capture");
	case ENOTTY:
	case ENXIO:
	case ENODEV:
		return error_set(err, "%s: this device cannot be traced", file);
	}
	return error_set(err, "%s cannot be set to \"%s\": %s", file, value, strerror(errno));
}

void capture_journal_close(struct capture_journal *journal)
{
	if (journal->fd < 0)
		return;
	undo(journal);
	if (ftruncate(journal->fd, 0))
		unlink(journal->path);
	close(journal->fd);
	journal->fd = -1;
}
