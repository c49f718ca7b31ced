/* SPDX-License-Identifier: GPL-2.0-only */
/* Where the JSON documents are in a file of fio's output, and what stands around them. */
#include <stdlib.h>
#include <string.h>

#include "postprocess/fiojson_internal.h"

/* A search that fails reads ahead at most this many times the file: it stays linear. */
#define SEARCH_BUDGET_FILES 8

struct search {
	const char *data;
	size_t bytes;
	size_t budget; /* bytes that may still be read in vain */
};

/* Bytes of the mark some editors put before everything. */
static size_t byte_order_mark(const char *data, size_t bytes)
{
	return bytes >= 3 && !memcmp(data, "\xef\xbb\xbf", 3) ? 3 : 0;
}

static bool at_line_start(const char *data, size_t at)
{
	return at == byte_order_mark(data, at) || data[at - 1] == '\n' || data[at - 1] == '\r';
}

/* Whether the object at `at` has a key "fio version"; the reader stays where it stopped. */
static bool is_fio_document(const struct search *search, size_t at, struct json_reader *reader)
{
	struct json_span key;

	reader_open(reader, search->data, search->bytes, at);
	reader_enter(reader, '{');
	while (reader_member(reader, &key)) {
		if (span_is(key, "fio version"))
			return true;
		reader_skip(reader);
	}
	return false;
}

/* The next document from `at` on; search->bytes when there is none. */
static size_t find_document(struct search *search, size_t at)
{
	struct json_reader reader;
	const char *brace;
	size_t start;

	while (at < search->bytes &&
	       (brace = memchr(search->data + at, '{', search->bytes - at)) != NULL) {
		start = (size_t)(brace - search->data);
		at = start + 1;
		if (!at_line_start(search->data, start))
			continue;
		if (is_fio_document(search, start, &reader))
			return start;
		if (reader.at - start > search->budget)
			break;
		search->budget -= reader.at - start;
		if (!reader.fault)
			at = reader.at; /* a whole object of something else */
	}
	return search->bytes;
}

static void set_diagnostics(struct fio_output *output, const char *data, size_t bytes)
{
	size_t room = bytes * 4 + 1, i, from = 0, used = 0;

	output->diagnostics = calloc(1, room);
	if (!output->diagnostics)
		return;
	for (i = 0; i <= bytes; i++) {
		if (i < bytes && data[i] != '\n')
			continue;
		text_clean(data + from, i - from, output->diagnostics + used, room - used);
		used += strlen(output->diagnostics + used);
		if (i < bytes)
			output->diagnostics[used++] = '\n';
		from = i + 1;
	}
}

/* Names what a file without any document looks like. */
static int no_document(const char *data, size_t bytes, const char *path, struct error *err)
{
	if (strspn(data, " \t\r\n") == bytes)
		return error_set(err, "%s is empty: fio was killed, or never started; no result",
				 path);
	if (strstr(data, "Run status group") || strstr(data, "IOPS=") || strstr(data, "iops="))
		return error_set(err,
				 "%s holds no JSON: it looks like fio's normal report; run fio "
				 "with --output-format=json",
				 path);
	if (data[strspn(data, " \t\r\n")] == '{')
		return error_set(err,
				 "%s is no output of fio: no JSON object in it has a \"fio "
				 "version\"",
				 path);
	return error_set(err, "%s holds no JSON output of fio", path);
}

/* Moves what the newest document says over what the ones before said. */
static void replace(struct fio_output *output, struct fio_output *newest)
{
	newest->documents = output->documents + 1;
	newest->diagnostics = output->diagnostics;
	newest->stopped = output->stopped;
	output->diagnostics = NULL;
	fio_output_free(output);
	*output = *newest;
}

/* Reads one document; 1 when the file is damaged there, with the place in err. */
static int read_document(struct json_reader *reader, const char *path, struct fio_output *output,
			 struct error *err)
{
	struct fio_output newest = {0};

	if (fio_document_parse(reader, &newest)) {
		fio_output_free(&newest);
		return error_set(err, "%s: not enough memory to read it", path);
	}
	if (!reader->fault) {
		replace(output, &newest);
		return 0;
	}
	fio_output_free(&newest);
	error_set(err, "%s is damaged or cut off at byte %zu: %s", path, reader->at, reader->fault);
	return 1;
}

int fio_output_parse(const char *data, size_t bytes, const char *path, struct fio_output *output,
		     struct error *err)
{
	struct search search = {data, bytes, SEARCH_BUDGET_FILES * bytes};
	struct json_reader reader;
	size_t mark = byte_order_mark(data, bytes), at = find_document(&search, 0);
	int status = 0;

	*output = (struct fio_output){0};
	if (at == bytes)
		return no_document(data, bytes, path, err);
	set_diagnostics(output, data + mark, at - mark);
	output->stopped = memmem(data, at, "terminating on signal", 21) != NULL;
	while (at < bytes && status == 0) {
		reader_open(&reader, data, bytes, at);
		status = read_document(&reader, path, output, err);
		at = find_document(&search, reader.at);
	}
	output->cut = status == 1 && output->documents > 0;
	if (status == 0 || output->cut)
		return 0;
	fio_output_free(output);
	return -1;
}

int fio_output_read(const char *path, struct fio_output *output, struct error *err)
{
	char *data;
	size_t bytes;
	int status;

	*output = (struct fio_output){0};
	if (file_read(path, &data, &bytes, err))
		return -1;
	status = fio_output_parse(data, bytes, path, output, err);
	free(data);
	return status;
}

/* Words of fio's own error lines. */
static bool tells_of_error(const char *line, size_t bytes)
{
	static const char *const words[] = {
		"err=", "error", "failed", "fail:", "refused", "invalid", "cannot", "mismatch"};
	size_t i;

	for (i = 0; i < COUNT(words); i++)
		if (memmem(line, bytes, words[i], strlen(words[i])))
			return true;
	return false;
}

void fio_diagnostic(const struct fio_output *output, char *line, size_t room)
{
	const char *at = output->diagnostics ? output->diagnostics : "", *chosen = NULL;
	size_t bytes, chosen_bytes = 0;
	bool is_error;

	for (; *at; at += bytes + (at[bytes] == '\n')) {
		bytes = strcspn(at, "\n");
		is_error = tells_of_error(at, bytes);
		if (bytes == 0 || (chosen && !is_error))
			continue;
		chosen = at;
		chosen_bytes = bytes;
		if (is_error)
			break;
	}
	line[0] = '\0';
	if (chosen)
		text_clean(chosen, chosen_bytes, line, room);
}
