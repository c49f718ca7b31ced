/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What every folder may use: errors that travel as sentences, whole files, and time in nanoseconds.
 * Nothing here keeps state between calls, and nothing but complain() prints.
 */
#ifndef SSDREVIEW_BASE_H
#define SSDREVIEW_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define NS_PER_SEC  1000000000ULL
#define NS_PER_MSEC 1000000ULL
#define NS_PER_USEC 1000ULL

/* One sentence: what went wrong, where, and what to do. Library code fills it, main() prints it. */
struct error {
	char text[1024];
	bool unknown_word; /* error_unknown() filled it */
};

/* Fills err (NULL: nothing is kept) and returns -1, so that `return error_set(err, ...)` reads
 * well. */
int error_set(struct error *err, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Puts "PREFIX: " before the sentence already in err; returns -1. */
int error_prefix(struct error *err, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* What a command returns. */
enum exit_code { EXIT_FINE = 0, EXIT_FAILED = 1, EXIT_USAGE = 2 };

/*
 * For commands: prints the sentence on standard error and returns code, the exit code to be; for an
 * unknown word that is EXIT_USAGE.
 */
int complain(const struct error *err, int code);

/*
 * Reads a whole file or pipe; a device is refused. *data is malloc'ed, owned by the caller, and
 * ends with a 0 byte that *bytes does not count. Returns 0, or -1 with err filled.
 */
int file_read(const char *path, char **data, size_t *bytes, struct error *err);

/* The same for text: a file that holds a 0 byte, or what is not UTF-8, is refused. */
int file_read_text(const char *path, char **text, struct error *err);

/*
 * Writes a file so that a reader, or a power cut, sees the old content or the new one: a temporary
 * file beside it, fsync, rename, fsync of the folder. Returns 0, or -1 with err filled.
 */
int file_write_atomic(const char *path, const char *data, size_t bytes, struct error *err);

/* Makes a folder and the ones above it. Returns 0 (also when it was there), or -1 with err. */
int folder_make(const char *path, struct error *err);

/*
 * Where a file or folder that comes with the project lies: where the environment variable says
 * (NULL: there is none), else in_tree below the source tree this code runs from, or below the
 * current folder, else at the installed path. 0, or -1 with err when it is nowhere.
 */
int shipped_path(const char *variable, const char *in_tree, const char *installed, char *path,
		 size_t room, struct error *err);

/*
 * The nearest of `count` words to `word`, for "did you mean": by edit distance, else one that
 * begins like it or holds it; NULL when none is near. The pointer returned is one of `words`.
 */
const char *nearest_word(const char *word, const char *const *words, size_t count);

/*
 * Fills err with `unknown WHAT "WORD"; did you mean "NEAR"?`; when none of the words is near and
 * they are few, with `; there are "A", "B"` in place of the question. Returns -1.
 */
int error_unknown(struct error *err, const char *what, const char *word, const char *const *words,
		  size_t count);

/* Writes on where the text in a buffer of `room` bytes ends; what does not fit is cut off. */
void text_append(char *text, size_t room, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/*
 * A word as it must stand in a command that is printed to be copied: as it is, or in quotes where a
 * shell would take it for more or for something else. Written to text, which is returned; it holds
 * every path.
 */
#define SHELL_WORD_ROOM (4 * 4096 + 8)
const char *shell_word(const char *word, char text[SHELL_WORD_ROOM]);

/*
 * Why the kernel refused with the errno: to_user where this user may not and root may, else what
 * keeps root from it too; NULL when it was refused for want of no permission. To end a sentence.
 */
const char *denied_because(int failed, const char *to_user);

/* CLOCK_MONOTONIC now, in ns. */
uint64_t monotonic_ns(void);

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* What is seldom done stays out of the path of what is done for every I/O. */
#define SLOW_PATH __attribute__((noinline))

#endif
