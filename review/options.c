/* SPDX-License-Identifier: GPL-2.0-only */
/* The options of `ssdreview run`. */
#include <stddef.h>
#include <string.h>

#include "base/utf8.h"
#include "review/review.h"

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
	bool is_text = utf8_is(name);

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
