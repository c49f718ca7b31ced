/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * fuzz_import ROUNDS SEED FILE...: imports every file ROUNDS times, each time damaged in another
 * way: as it is recognised, as its own format and as any other. Same numbers, same damage. Stops
 * with exit code 1 where the result is none (neither records nor a sentence) or the counts do not
 * add up; a hang ends by SIGALRM, a crash by its own signal, too much memory by a refused
 * allocation.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

#include "base/random.h"
#include "tests/tools/import_one.h"

#define BYTES_MAX   (1 << 20)
#define LIMIT_S	    20		  /* of one import */
#define MEMORY_MAX  (512UL << 20) /* of address space; sanitizers need more and are left alone */
#define CHANGES_MAX 8

struct fuzz {
	uint64_t random;
	unsigned char *bytes;
	size_t length;
	struct memory_file file; /* the damaged copy */
};

static size_t below(struct fuzz *fuzz, size_t limit)
{
	return limit ? random_next(&fuzz->random) % limit : 0;
}

/* ---- damage ------------------------------------------------------------------------------- */

static void change_bit(struct fuzz *fuzz)
{
	if (fuzz->length)
		fuzz->bytes[below(fuzz, fuzz->length)] ^= (unsigned char)(1u << below(fuzz, 8));
}

static void cut_off(struct fuzz *fuzz)
{
	fuzz->length = below(fuzz, fuzz->length + 1);
}

static void take_out(struct fuzz *fuzz)
{
	size_t at = below(fuzz, fuzz->length), count = below(fuzz, fuzz->length - at) % 64;

	memmove(fuzz->bytes + at, fuzz->bytes + at + count, fuzz->length - at - count);
	fuzz->length -= count;
}

static void put_in(struct fuzz *fuzz, const void *bytes, size_t count)
{
	size_t at = below(fuzz, fuzz->length + 1);

	if (fuzz->length + count > BYTES_MAX)
		return;
	memmove(fuzz->bytes + at + count, fuzz->bytes + at, fuzz->length - at);
	memcpy(fuzz->bytes + at, bytes, count);
	fuzz->length += count;
}

static void repeat_part(struct fuzz *fuzz)
{
	unsigned char part[4096];
	size_t at = below(fuzz, fuzz->length), count = below(fuzz, fuzz->length - at + 1);

	if (count > sizeof(part))
		count = sizeof(part);
	memcpy(part, fuzz->bytes + at, count);
	for (size_t times = below(fuzz, 64); times; times--)
		put_in(fuzz, part, count);
}

static void put_word(struct fuzz *fuzz)
{
	static const char *const words[] = {
		"18446744073709551615",
		"18446744073709551616",
		"-1",
		"9223372036854775808",
		"1e308",
		"0x",
		"\n",
		"\r\n",
		",",
		";",
		" + ",
		"[",
		"]",
		"(",
		"block_rq_issue:",
		"%",
		"0.000000000",
		"fio version 3 iolog\n",
		"BeginHeader\n",
		"EndHeader\n",
		"R",
		"W",
		"FWFS",
		"\"",
		"99999999999999999999999999999999999999999999",
		"\x07tae",
		"eat\x08",
		"\xff\xff\xff\xff",
	};
	const char *word = words[below(fuzz, sizeof(words) / sizeof(words[0]))];

	put_in(fuzz, word, strlen(word));
}

static void write_extreme(struct fuzz *fuzz)
{
	static const uint64_t numbers[] = {
		0, 1, 0x7fffffffffffffff, 0xffffffffffffffff, 1ULL << 32, 0x80, 0xffff};
	size_t width = (size_t)1 << below(fuzz, 4);

	if (fuzz->length >= width)
		memcpy(fuzz->bytes + below(fuzz, fuzz->length - width + 1),
		       &numbers[below(fuzz, 7)], width);
}

static void damage(struct fuzz *fuzz)
{
	static void (*const changes[])(struct fuzz * fuzz) = {
		change_bit, change_bit, take_out,      repeat_part,
		put_word,   put_word,	write_extreme, cut_off,
	};

	for (size_t count = 1 + below(fuzz, CHANGES_MAX); count; count--)
		changes[below(fuzz, sizeof(changes) / sizeof(changes[0]))](fuzz);
}

/* ---- one import --------------------------------------------------------------------------- */

static int import_damaged(struct fuzz *fuzz, const char *format)
{
	bool strict = below(fuzz, 2), shaped = format && below(fuzz, 2);
	const char *wrong;

	alarm(LIMIT_S);
	wrong = import_one(fuzz->file.path, format, strict, shaped);
	alarm(0);
	if (wrong)
		fprintf(stderr, "fuzz_import: %s: %s\n", format ? format : "recognised", wrong);
	return wrong ? -1 : 0;
}

static int write_copy(struct fuzz *fuzz)
{
	if (!memory_file_write(&fuzz->file, fuzz->bytes, fuzz->length))
		return 0;
	perror("fuzz_import: the copy in memory");
	return -1;
}

/* The name of the importer that takes the whole file; "csv" when none does. */
static const char *format_of(const unsigned char *bytes, size_t length, const char *path)
{
	const char *format = NULL;
	int surest = 0;

	for (unsigned i = 0; i < trace_importer_count; i++) {
		int sure = trace_importers[i]->recognise(bytes, length, path);

		if (sure > surest) {
			surest = sure;
			format = trace_importers[i]->name;
		}
	}
	return format ? format : "csv";
}

static const char *any_format(struct fuzz *fuzz)
{
	return trace_importers[below(fuzz, trace_importer_count)]->name;
}

static int fuzz_file(struct fuzz *fuzz, const char *path, unsigned long rounds, uint64_t seed)
{
	const char *format;
	struct error err;
	size_t length;
	char *data;

	if (file_read(path, &data, &length, &err) || length > BYTES_MAX) {
		fprintf(stderr, "fuzz_import: %s\n", length > BYTES_MAX ? "too long" : err.text);
		return -1;
	}
	format = format_of((unsigned char *)data, length, path);
	for (unsigned long round = 0; round < rounds; round++) {
		fuzz->random = seed + round;
		memcpy(fuzz->bytes, data, length);
		fuzz->length = length;
		damage(fuzz);
		if (write_copy(fuzz) || import_damaged(fuzz, NULL) ||
		    import_damaged(fuzz, format) || import_damaged(fuzz, any_format(fuzz))) {
			fprintf(stderr, "fuzz_import: %s, round %lu\n", path, round);
			free(data);
			return -1;
		}
	}
	free(data);
	printf("%s: %lu rounds as %s\n", path, rounds, format);
	return 0;
}

static void limit_memory(void)
{
#ifndef __SANITIZE_ADDRESS__
	struct rlimit limit = {MEMORY_MAX, MEMORY_MAX};

	setrlimit(RLIMIT_AS, &limit);
#endif
}

int main(int argc, char **argv)
{
	struct fuzz fuzz = {.bytes = malloc(BYTES_MAX)};
	int failed = 0;

	if (argc < 4) {
		fprintf(stderr, "usage: fuzz_import ROUNDS SEED FILE...\n");
		return 2;
	}
	if (memory_file_open(&fuzz.file) || !fuzz.bytes) {
		perror("fuzz_import");
		return 1;
	}
	limit_memory();
	for (int i = 3; i < argc && !failed; i++)
		failed = fuzz_file(&fuzz, argv[i], strtoul(argv[1], NULL, 10),
				   strtoull(argv[2], NULL, 10));
	free(fuzz.bytes);
	close(fuzz.file.fd);
	return failed ? 1 : 0;
}
