/* SPDX-License-Identifier: GPL-2.0-only */
/* The command line: a table of options a command, read by one loop that names the nearest word. */
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "device/facts.h"
#include "review/review.h"

#define MAX_OPTIONS 32

static int unknown_option(const char *word, const struct option_spec *specs, size_t count,
			  struct error *err)
{
	const char *words[MAX_OPTIONS];
	size_t i;

	for (i = 0; i < count && i < MAX_OPTIONS; i++)
		words[i] = specs[i].name;
	return error_unknown(err, "option", word, words, i);
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
		return count_parse(value, place, err) ? error_prefix(err, "%s", spec->name) : 0;
	case OPTION_SIZE:
		return size_parse(value, place, err) ? error_prefix(err, "%s", spec->name) : 0;
	case OPTION_LIST:
		if (list->count == COUNT(list->items))
			return error_set(err, "%s stands too often", spec->name);
		list->items[list->count++] = value;
		return 0;
	}
	return -1;
}

static const struct option_spec *find_option(const struct option_spec *specs, size_t count,
					     const char *word, size_t length)
{
	size_t i;

	for (i = 0; i < count; i++)
		if (strlen(specs[i].name) == length && !strncmp(specs[i].name, word, length))
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
		return unknown_option(word, specs, count, err);
	if (spec->kind == OPTION_FLAG && value)
		return error_set(err, "%s takes no value", spec->name);
	if (spec->kind != OPTION_FLAG && value)
		value++;
	else if (spec->kind != OPTION_FLAG && *at + 1 < argc)
		value = argv[++*at];
	if (spec->kind != OPTION_FLAG && (!value || !*value))
		return error_set(err, "%s needs a value: %s", spec->name, spec->value);
	return store(spec, values, value, err);
}

int options_parse(int argc, char **argv, const struct option_spec *specs, size_t count,
		  void *values, const char **words, unsigned words_wanted, bool *help,
		  struct error *err)
{
	unsigned used = 0;
	int i;

	for (i = 1; i < argc; i++) {
		if (!strcmp(argv[i], "--help") || !strcmp(argv[i], "-h")) {
			*help = true;
			return 0;
		}
		if (argv[i][0] == '-' && argv[i][1]) {
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

/* ---- ssdreview run ------------------------------------------------------------------------- */

#define AT(member) offsetof(struct run_options, member)

static const struct option_spec run_specs[] = {
	{"--target", OPTION_TEXT, AT(target), "TARGET",
	 "a block device, a file, sim:MODEL, or a simulated drive's state file"},
	{"--name", OPTION_TEXT, AT(name), "NAME", "name of the review: its folder below --out"},
	{"--out", OPTION_TEXT, AT(out), "DIR", "where reviews are kept (results)"},
	{"--size", OPTION_SIZE, AT(size_bytes), "SIZE",
	 "size of the file, or region of a drive in place of the profile's"},
	{"--rows", OPTION_TEXT, AT(rows), "ROW,ROW", "only these rows of the profile"},
	{"--quick", OPTION_FLAG, AT(quick), NULL, "0.5 s wait and 1 s measured a point; marked"},
	{"--repeat", OPTION_COUNT, AT(repeat), "N", "measure every row N times"},
	{"--jobs", OPTION_COUNT, AT(jobs), "N", "spread the random rows over N fio jobs"},
	{"--scale", OPTION_COUNT, AT(scale), "N",
	 "simulated drives: 1/N of the capacity, caches and times"},
	{"--fixed-time", OPTION_FLAG, AT(fixed_time), NULL,
	 "precondition for the profile's time (6 h), not until the drive is steady"},
	{"--read-only", OPTION_FLAG, AT(read_only), NULL,
	 "only the rows that read, on whatever is there; writes nothing"},
	{"--destroy", OPTION_TEXT, AT(destroy), "SERIAL",
	 "allow writing over the drive with this serial number"},
	{"--stated-threads", OPTION_FLAG, AT(stated_threads), NULL,
	 "the thread counts the reviews state, not those their figures imply"},
	{"--sla", OPTION_TEXT, AT(sla), "PROMISE",
	 "vdi-capacity: the promise, such as 1ms@p95 or 1ms@mean,5ms@p99.9"},
	{"--stagger", OPTION_TEXT, AT(stagger), "TIME",
	 "vdi-capacity: desktops begin at random within this time, such as 20s"},
	{"--max-desktops", OPTION_COUNT, AT(max_desktops), "N", "vdi-capacity: try no more"},
	{"--own-places", OPTION_FLAG, AT(own_places), NULL,
	 "vdi-capacity: end before desktops share places of the region"},
	{"--precision", OPTION_COUNT, AT(precision), "N",
	 "vdi-capacity: end when N desktops lie between holding and failing (2 %)"},
	{"--dry-run", OPTION_FLAG, AT(dry_run), NULL, "print the plan only"},
};

/* The name goes into tables, JSON files and pages. */
static bool is_unprintable(const char *name)
{
	bool is_text = fact_is_utf8(name);

	for (; *name; name++)
		is_text &= (unsigned char)*name >= ' ' && *name != 0x7f;
	return !is_text;
}

static int check_name(const char *name, struct error *err)
{
	if (!name || !*name)
		return error_set(err, "--name NAME is needed: what to call this review");
	if (is_unprintable(name))
		return error_set(err, "--name holds a control character, or is not UTF-8");
	if (strchr(name, '/') || name[0] == '.' || strlen(name) > 127)
		return error_set(err, "--name \"%s\" cannot be the name of a folder", name);
	return 0;
}

int run_options_parse(int argc, char **argv, struct run_options *options, bool *help,
		      struct error *err)
{
	const char *words[1] = {NULL};

	memset(options, 0, sizeof(*options));
	options->out = "results";
	options->repeat = 1;
	options->jobs = 1;
	options->scale = 1;
	*help = false;
	if (options_parse(argc, argv, run_specs, COUNT(run_specs), options, words, 1, help, err))
		return -1;
	if (*help)
		return 0;
	options->profile = words[0];
	if (!options->profile)
		return error_set(err, "name a profile: ssdreview run client-qlc --target ...");
	if (!options->target)
		return error_set(err, "--target is needed: a device, a file or sim:MODEL");
	return check_name(options->name, err);
}

void run_options_print(FILE *out)
{
	options_print(run_specs, COUNT(run_specs), out);
}
