/* SPDX-License-Identifier: GPL-2.0-only */
/* An input file as bytes or as lines, unpacked on the way, in bounded memory. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "engines/trace/source_internal.h"

#define WINDOW_BYTES (4 * TRACE_PEEK_BYTES)

struct trace_source {
	char name[512];
	struct source_input input;
	const struct source_codec *codec;
	void *codec_state;
	bool ended;
	size_t at, end; /* of what is unpacked and not used up */
	uint64_t used, lines;
	unsigned char window[WINDOW_BYTES + 1]; /* and a 0 behind a last line without LF */
};

/* Reads more when everything is used up; sets ended at the end. */
static int input_fill(struct source_input *input, const char *name, struct error *err)
{
	ssize_t got;

	if (input->at != input->end || input->ended)
		return 0;
	do
		got = read(input->fd, input->bytes, sizeof(input->bytes));
	while (got < 0 && errno == EINTR);
	if (got < 0)
		return error_set(err, "%s cannot be read: %s", name, strerror(errno));
	input->at = 0;
	input->end = (size_t)got;
	input->ended = got == 0;
	return 0;
}

/* Unpacks until the window is full or the file has ended. */
static int window_fill(struct trace_source *source, struct error *err)
{
	const char *why = NULL;
	size_t made;
	int result;

	memmove(source->window, source->window + source->at, source->end - source->at);
	source->end -= source->at;
	source->at = 0;
	while (source->end < WINDOW_BYTES && !source->ended) {
		if (input_fill(&source->input, source->name, err))
			return -1;
		result = source->codec->step(source->codec_state, &source->input,
					     source->window + source->end,
					     WINDOW_BYTES - source->end, &made, &why);
		if (result < 0)
			return error_set(err, "%s: byte %llu: %s", source->name,
					 (unsigned long long)source->input.taken, why);
		source->end += made;
		source->ended = result == 0;
	}
	return 0;
}

/* The first bytes say how the rest is packed; a pipe may hand them over one by one. */
static int choose_codec(struct trace_source *source, struct error *err)
{
	struct source_input *input = &source->input;
	ssize_t got = 1;

	while (input->end < sizeof(source->codec->magic) && got > 0) {
		got = read(input->fd, input->bytes + input->end, sizeof(input->bytes) - input->end);
		if (got < 0 && errno == EINTR)
			got = 1;
		else if (got < 0)
			return error_set(err, "%s cannot be read: %s", source->name,
					 strerror(errno));
		else
			input->end += (size_t)got;
	}
	source->codec = source_codec_find(input);
	source->codec_state = source->codec->begin();
	return source->codec_state ? 0 : error_set(err, "%s: out of memory", source->name);
}

int trace_source_open(const char *path, struct trace_source **out, struct error *err)
{
	bool standard_input = !strcmp(path, "-");
	struct trace_source *source = malloc(sizeof(*source));

	if (!source)
		return error_set(err, "%s: out of memory", path);
	memset(source, 0, offsetof(struct trace_source, window));
	snprintf(source->name, sizeof(source->name), "%s",
		 standard_input ? "standard input" : path);
	source->input.fd = standard_input ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
	if (source->input.fd < 0) {
		error_set(err, "%s cannot be opened: %s", path, strerror(errno));
		free(source);
		return -1;
	}
	if (choose_codec(source, err)) {
		trace_source_close(source);
		return -1;
	}
	*out = source;
	return 0;
}

void trace_source_close(struct trace_source *source)
{
	if (!source)
		return;
	if (source->codec_state)
		source->codec->end(source->codec_state);
	if (source->input.fd != STDIN_FILENO)
		close(source->input.fd);
	free(source);
}

const char *trace_source_name(const struct trace_source *source)
{
	return source->name;
}

uint64_t trace_source_line_number(const struct trace_source *source)
{
	return source->lines;
}

uint64_t trace_source_offset(const struct trace_source *source)
{
	return source->used;
}

int trace_source_peek(struct trace_source *source, size_t want, const unsigned char **data,
		      size_t *got, struct error *err)
{
	if (want > TRACE_PEEK_BYTES)
		want = TRACE_PEEK_BYTES;
	if (source->end - source->at < want && !source->ended && window_fill(source, err))
		return -1;
	*data = source->window + source->at;
	*got = source->end - source->at < want ? source->end - source->at : want;
	return 0;
}

void trace_source_skip(struct trace_source *source, size_t bytes)
{
	source->at += bytes;
	source->used += bytes;
}

/* Ends the line that begins at `at` and is `length` bytes long, `taken` with its line end. */
static int take_line(struct trace_source *source, size_t length, size_t taken, char **line,
		     size_t *line_length)
{
	char *text = (char *)source->window + source->at;

	if (length && text[length - 1] == '\r')
		length--;
	text[length] = '\0';
	trace_source_skip(source, taken);
	source->lines++;
	*line = text;
	*line_length = length;
	return 1;
}

int trace_source_line(struct trace_source *source, char **line, size_t *length, struct error *err)
{
	const unsigned char *from = source->window + source->at;
	const unsigned char *lf = memchr(from, '\n', source->end - source->at);
	size_t left;

	if (!lf && !source->ended) {
		if (window_fill(source, err))
			return -1;
		from = source->window + source->at;
		lf = memchr(from, '\n', source->end - source->at);
	}
	if (lf)
		return take_line(source, (size_t)(lf - from), (size_t)(lf - from) + 1, line,
				 length);
	left = source->end - source->at;
	if (left > TRACE_PEEK_BYTES)
		return error_set(err, "%s:%llu: no end of line in %d bytes; this is no text",
				 source->name, (unsigned long long)source->lines + 1,
				 TRACE_PEEK_BYTES);
	return left ? take_line(source, left, left, line, length) : 0;
}
