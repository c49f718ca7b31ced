/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Feeds damaged copies of fio's output to its reader: fuzz_fiojson ROUNDS [SEED [FILE...]]. The
 * same call always tries the same texts. Built with sanitizers it finds what a plain build does
 * not. Each text must be read, or be refused with a sentence; the exit code is 1 when neither
 * happened.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "postprocess/fiojson.h"
#include "postprocess/point.h"

#define MAX_SEEDS 256
#define MAX_EDITS 12

static const char built_in[] =
	"note: both iodepth >= 1 {\nfio: pid=1, err=28/file:x\n"
	"{\"fio version\":\"fio-3.42\",\"global options\":[{\"hostname\":\"a\",\"port\":1,"
	"\"rw\":\"randrw\",\"bs\":\"4k\"}],\"client_stats\":[{\"jobname\":\"t\ta\\u00e9\\\"b\","
	"\"hostname\":\"a\",\"port\":1,\"groupid\":0,\"error\":28,\"job options\":{\"name\":\"t\","
	"\"iodepth\":\"8\"},\"read\":{\"io_bytes\":4096000,\"io_kbytes\":4000,\"bw_bytes\":2048,"
	"\"bw\":2,\"iops\":500.5,\"runtime\":2000,\"total_ios\":1000,\"slat_ns\":{\"min\":0,"
	"\"max\":0,\"mean\":0.0,\"stddev\":0.0,\"N\":0},\"clat_ns\":{\"min\":1,\"max\":9740,"
	"\"mean\":345.2,\"stddev\":5.1e2,\"N\":1000,\"percentile\":{\"50.000000\":185,"
	"\"99.000000\":1368,\"0.00\":0,\"0.00\":0},\"bins\":{\"64\":999,\"9740\":1}}},"
	"\"write\":{\"iops\":nan,\"bw\":-inf},\"trim\":{},\"mixed\":{\"iops\":1},"
	"\"steadystate\":{\"attained\":1,\"criterion\":\"-nan%\",\"data\":{\"iops_mean\":0}}},"
	"{\"jobname\":\"All clients\"}]}\n{\"fio version\":\"fio-2.1.3\",\"jobs\":[{\"read\":"
	"{\"io_bytes\":18446744073709551616,\"clat\":{\"mean\":3.5}}}]}\nRun status group 0\n";

static const char *const pieces[] = {
	"{",   "}",	     "[",      "]",	"\"",
	"\\",  ",",	     ":",      "nan",	"\n{",
	"\\u", "\xff",	     "\0",     "1e309", "\"fio version\":\"fio-3.1\"",
	"-",   "\"jobs\":[", "{\"a\":"};

struct corpus {
	char *texts[MAX_SEEDS];
	size_t bytes[MAX_SEEDS], count;
};

static size_t below(uint64_t *state, size_t limit)
{
	return limit ? (size_t)(random_next(state) % limit) : 0;
}

/* One edit in place; the text may grow by up to 64 bytes. */
static size_t edit(char *text, size_t bytes, uint64_t *state)
{
	size_t at = below(state, bytes + 1), count = below(state, bytes - at + 1);
	const char *piece = pieces[below(state, sizeof(pieces) / sizeof(pieces[0]))];
	size_t length = strlen(piece) ? strlen(piece) : 1;

	switch (below(state, 5)) {
	case 0: /* cut off */
		return at;
	case 1: /* take a part out */
		count = count > 200 ? 200 : count;
		memmove(text + at, text + at + count, bytes - at - count);
		return bytes - count;
	case 2: /* put a piece in */
		memmove(text + at + length, text + at, bytes - at);
		memcpy(text + at, piece, length);
		return bytes + length;
	case 3: /* another byte */
		if (at < bytes)
			text[at] = (char)random_next(state);
		return bytes;
	default: /* double a short part */
		count = count > 60 ? 60 : count;
		memmove(text + at + count, text + at, bytes - at);
		return bytes + count;
	}
}

/* The reader wants a 0 byte behind the text; the sanitizer watches everything after it. */
static bool try_text(const char *text, size_t bytes)
{
	char *copy = malloc(bytes + 1);
	struct fio_output output;
	struct error err = {.text = ""};
	bool fine;

	if (!copy)
		return false;
	memcpy(copy, text, bytes);
	copy[bytes] = '\0';
	if (fio_output_parse(copy, bytes, "FUZZ", &output, &err)) {
		fine = err.text[0] != '\0';
	} else {
		const struct fio_job *job = output.jobs;
		struct point point;

		point_clear(&point, "050");
		point_from_jobs(&output, &job, output.job_count ? 1 : 0, NULL, &point);
		fine = output.documents > 0;
		fio_output_free(&output);
	}
	free(copy);
	return fine;
}

static bool fuzz_round(const struct corpus *corpus, uint64_t *state)
{
	size_t which = below(state, corpus->count), bytes = corpus->bytes[which];
	size_t edits = 1 + below(state, MAX_EDITS), i;
	char *text = malloc(bytes + 64 * (edits + 1));
	bool fine;

	if (!text)
		return false;
	memcpy(text, corpus->texts[which], bytes);
	for (i = 0; i < edits; i++)
		bytes = edit(text, bytes, state);
	fine = try_text(text, bytes);
	free(text);
	return fine;
}

static void add_file(struct corpus *corpus, const char *path)
{
	struct error err;

	if (corpus->count == MAX_SEEDS)
		return;
	if (file_read(path, &corpus->texts[corpus->count], &corpus->bytes[corpus->count], &err))
		fprintf(stderr, "%s\n", err.text);
	else
		corpus->count++;
}

int main(int argc, char **argv)
{
	struct corpus corpus = {
		.texts = {strdup(built_in)}, .bytes = {sizeof(built_in) - 1}, .count = 1};
	uint64_t state = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
	unsigned long rounds = argc > 1 ? strtoul(argv[1], NULL, 10) : 0, i, bad = 0;
	size_t text;
	int arg;

	if (!rounds) {
		fprintf(stderr, "usage: fuzz_fiojson ROUNDS [SEED [FILE...]]\n");
		return 2;
	}
	for (arg = 3; arg < argc; arg++)
		add_file(&corpus, argv[arg]);
	for (i = 0; i < rounds; i++)
		bad += !fuzz_round(&corpus, &state);
	for (text = 0; text < corpus.count; text++)
		free(corpus.texts[text]);
	printf("%lu texts tried, %lu neither read nor refused\n", rounds, bad);
	return bad ? 1 : 0;
}
