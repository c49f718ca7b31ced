/* SPDX-License-Identifier: GPL-2.0-only */
/* The options of a command line. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/options.h"

#define MAX_OPTIONS 32

/* The one to speak of: "--out" of "-o, --out". */
static const char *long_name(const struct option_spec *spec)
{
	const char *comma = strchr(spec->name, ',');

	return comma ? comma + 2 : spec->name;
}

static int unknown_option(const char *word, size_t length, const struct option_spec *specs,
			  size_t count, struct error *err)
{
	const char *words[MAX_OPTIONS];
	char name[64];
	size_t i;

	for (i = 0; i < count && i < MAX_OPTIONS; i++)
		words[i] = long_name(&specs[i]);
	snprintf(name, sizeof(name), "%.*s", (int)length, word);
	return error_unknown(err, "option", name, words, i);
}

int size_parse(const char *text, uint64_t *bytes, struct error *err)
{
	static const char letters[] = "KMGTP";
	char *end;
	double number = strtod(text, &end), base = 1024;
	const char *letter;

	end += strspn(end, " ");
	letter = *end ? strchr(letters, *end == 'k' ? 'K' : *end) : NULL;
	if (letter)
		end++;
	if (letter && !strcmp(end, "B"))
		base = 1000;
	if (end == text || (*end && strcmp(end, "B") && strcmp(end, "iB")))
		return error_set(err, "\"%s\" is not a size such as 20G, 20GB or 4096", text);
	for (; letter && letter >= letters; letter--)
		number *= base;
	if (!(number >= 1 && number < 9e18))
		return error_set(err, "\"%s\" is not a size such as 20G, 20GB or 4096", text);
	*bytes = (uint64_t)number;
	return 0;
}

static int count_parse(const char *text, unsigned *count, struct error *err)
{
	char *end;
	unsigned long number;

	errno = 0;
	number = strtoul(text, &end, 10);
	if (end == text || *end || errno || text[0] == '-' || !number || number > 1000000)
		return error_set(err, "\"%s\" is not a whole number from 1 to 1,000,000", text);
	*count = (unsigned)number;
	return 0;
}

static int store(const struct option_spec *spec, void *values, const char *value, struct error *err)
{
	void *place = (char *)values + spec->offset;
	struct option_list *list = place;

	switch (spec->kind) {
	case OPTION_FLAG:
		*(bool *)place = true;
		return 0;
	case OPTION_TEXT:
		*(const char **)place = value;
		return 0;
	case OPTION_COUNT:
		return count_parse(value, place, err) ? error_prefix(err, "%s", long_name(spec))
						      : 0;
	case OPTION_SIZE:
		return size_parse(value, place, err) ? error_prefix(err, "%s", long_name(spec)) : 0;
	case OPTION_LIST:
		if (list->count == COUNT(list->items))
			return error_set(err, "%s stands too often", long_name(spec));
		list->items[list->count++] = value;
		return 0;
	}
	return -1;
}

/* Does a name, up to the comma, stand in the first `length` bytes of word? */
static bool is_word(const char *name, const char *word, size_t length)
{
	return strcspn(name, ",") == length && !strncmp(name, word, length);
}

static const struct option_spec *find_option(const struct option_spec *specs, size_t count,
					     const char *word, size_t length)
{
	size_t i;

	for (i = 0; i < count; i++)
		if (is_word(specs[i].name, word, length) ||
		    is_word(long_name(&specs[i]), word, length))
			return &specs[i];
	return NULL;
}

/* Takes argv[*at] (and the value after it); *at ends on the last argument used. */
static int take_option(int argc, char **argv, int *at, const struct option_spec *specs,
		       size_t count, void *values, struct error *err)
{
	const char *word = argv[*at], *value = strchr(word, '=');
	size_t length = value ? (size_t)(value - word) : strlen(word);
	const struct option_spec *spec = find_option(specs, count, word, length);

	if (!spec)
		return unknown_option(word, length, specs, count, err);
	if (spec->kind == OPTION_FLAG && value)
		return error_set(err, "%s takes no value", long_name(spec));
	if (spec->kind != OPTION_FLAG && value)
		value++;
	else if (spec->kind != OPTION_FLAG && *at + 1 < argc)
		value = argv[++*at];
	if (spec->kind != OPTION_FLAG && (!value || !*value))
		return error_set(err, "%s needs a value: %s", long_name(spec), spec->value);
	return store(spec, values, value, err);
}

int options_parse(int argc, char **argv, const struct option_spec *specs, size_t count,
		  void *values, const char **words, unsigned words_wanted, bool *help,
		  struct error *err)
{
	bool only_words = false;
	unsigned used = 0;
	int i;

	for (i = 1; i < argc; i++) {
		if (!only_words && (!strcmp(argv[i], "--help") || !strcmp(argv[i], "-h"))) {
			*help = true;
			return 0;
		}
		if (!only_words && !strcmp(argv[i], "--")) {
			only_words = true;
		} else if (!only_words && argv[i][0] == '-' && argv[i][1]) {
			if (take_option(argc, argv, &i, specs, count, values, err))
				return -1;
		} else if (!argv[i][0]) {
			return error_set(err, "a word is empty: is a variable not set?");
		} else if (used == words_wanted) {
			return error_set(err, "\"%s\" is one word too many", argv[i]);
		} else {
			words[used++] = argv[i];
		}
	}
	return 0;
}

const char **options_parse_words(int argc, char **argv, const struct option_spec *specs,
				 size_t count, void *values, unsigned *used, bool *help,
				 struct error *err)
{
	const char **words = calloc((size_t)argc + 1, sizeof(*words));

	if (!words) {
		error_set(err, "out of memory");
		return NULL;
	}
	*help = false;
	if (options_parse(argc, argv, specs, count, values, words, (unsigned)argc, help, err)) {
		free(words);
		return NULL;
	}
	for (*used = 0; words[*used];)
		++*used;
	return words;
}

void options_print(const struct option_spec *specs, size_t count, FILE *out)
{
	size_t i;

	for (i = 0; i < count; i++) {
		char left[64];

		snprintf(left, sizeof(left), "%s %s", specs[i].name,
			 specs[i].value ? specs[i].value : "");
		fprintf(out, "  %-26s %s\n", left, specs[i].help);
	}
}
