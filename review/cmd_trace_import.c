/* SPDX-License-Identifier: GPL-2.0-only */
/* `ssdreview trace import`. */
#include <stdlib.h>
#include <string.h>

#include "review/cmd_trace.h"

struct import_options {
	const char *output, *format, *columns, *line_format, *event, *time_unit, *seconds, *note;
	struct option_list devices, processes, phases;
	struct cut_options cut;
	bool strict, dry_run, plain;
};

#define AT(member) offsetof(struct import_options, member)

static const struct option_spec specs[] = {
	{"-o", OPTION_TEXT, AT(output), "FILE", "the trace to write, such as morning.vdt"},
	{"--format", OPTION_TEXT, AT(format), "NAME",
	 "the capture's format; else its content says"},
	{"--columns", OPTION_TEXT, AT(columns), "LIST",
	 "a CSV's columns, such as time_us,op,offset_b,len_b; - skips one"},
	{"--line-format", OPTION_TEXT, AT(line_format), "TEXT", "what blkparse -f was given"},
	{"--event", OPTION_TEXT, AT(event), "Q|D|C", "the event to take (D, else Q, else C)"},
	{"--time-unit", OPTION_TEXT, AT(time_unit), "s|ms|us|ns",
	 "of the times, when judged wrongly"},
	{"--seconds", OPTION_TEXT, AT(seconds), "N",
	 "how long the capture took; 100 times that is refused"},
	{"--device", OPTION_LIST, AT(devices), "NAME",
	 "only this device or LUN; several may stand"},
	{"--process", OPTION_LIST, AT(processes), "NAME", "only I/O of this process or id"},
	{"--phase", OPTION_LIST, AT(phases), "NAME=SECONDS",
	 "a phase begins there; several may stand"},
	CUT_SPECS(struct import_options, cut, "from here on"),
	{"--note", OPTION_TEXT, AT(note), "TEXT",
	 "how the capture came about, for trace info to show"},
	{"--strict", OPTION_FLAG, AT(strict), NULL, "stop at the first damaged row (else at 1 %)"},
	{"--dry-run", OPTION_FLAG, AT(dry_run), NULL, "write nothing, only report"},
	{"--plain", OPTION_FLAG, AT(plain), NULL, "do not pack: larger, a little faster to read"},
};

static void print_help(void)
{
	unsigned i;

	printf("Usage: ssdreview trace import FILE... -o FILE.vdt [OPTION...]\n\n");
	options_print(specs, COUNT(specs), stdout);
	printf("\nFILE may be packed with gzip, xz or zstd; - is standard input. Formats:\n");
	for (i = 0; i < trace_importer_count; i++)
		printf("  %-18s %s\n", trace_importers[i]->name, trace_importers[i]->description);
}

/* "login=95.5" as a mark, in seconds from the first record. */
static int phase_parse(const char *text, struct trace_phase *phase, struct error *err)
{
	const char *equals = strrchr(text, '=');
	size_t length = equals ? (size_t)(equals - text) : 0;

	if (!length || length >= sizeof(phase->name))
		return error_set(err, "--phase: \"%s\" is not NAME=SECONDS, such as login=95.5",
				 text);
	memcpy(phase->name, text, length);
	return seconds_parse(equals + 1, "--phase", &phase->start_ns, err);
}

static int parse_phases(const struct option_list *texts, struct trace_phase *phases,
			struct error *err)
{
	unsigned i;

	for (i = 0; i < texts->count; i++)
		if (phase_parse(texts->items[i], &phases[i], err))
			return -1;
	return 0;
}

static int check_options(const struct import_options *options, unsigned files,
			 uint64_t *expected_ns, struct error *err)
{
	if (!files)
		return error_set(err, "name the files to import");
	if (!options->output && !options->dry_run)
		return error_set(err, "name the trace to write: -o FILE.vdt, or --dry-run");
	if (options->event && (!strchr("QDC", options->event[0]) || options->event[1]))
		return error_set(err, "--event is Q, D or C, not \"%s\"", options->event);
	if (text_check(options->note, "--note", PROVENANCE_BYTES(note), err))
		return -1;
	if (options->seconds && seconds_parse(options->seconds, "--seconds", expected_ns, err))
		return -1;
	if (options->seconds && !*expected_ns)
		return error_set(err, "--seconds: a capture of no time holds nothing");
	return 0;
}

static struct trace_import_options how_to_import(const struct import_options *options)
{
	return (struct trace_import_options){
		.format = options->format,
		.columns = options->columns,
		.line_format = options->line_format,
		.event = options->event,
		.time_unit = options->time_unit,
		.devices = options->devices.items,
		.device_count = options->devices.count,
		.processes = options->processes.items,
		.process_count = options->processes.count,
		.converter = CONVERTER,
		.note = options->note,
		.strict = options->strict,
		.dry_run = options->dry_run,
		.plain = options->plain,
	};
}

/* Imports and prints the report, in any case as far as it came. */
static int import_and_report(const char *const *files, unsigned count,
			     const struct import_options *options, struct error *err)
{
	struct trace_import_options how = how_to_import(options);
	struct trace_phase phases[COUNT(options->phases.items)] = {0};
	struct trace_cut cut = {.plain = options->plain};
	struct trace_report report = {0};
	int code;

	if (check_options(options, count, &how.expected_ns, err) ||
	    output_check(options->output, files, count, err) ||
	    cut_parse(&options->cut, &cut, err) || parse_phases(&options->phases, phases, err))
		return EXIT_USAGE;
	how.phases = phases;
	how.phase_count = options->phases.count;
	how.cut = cut_wanted(&options->cut) ? &cut : NULL;
	if (!options->dry_run)
		stop_removes_parts(options->output);
	code = trace_import_files(files, count, options->output, &how, &report, err) ? EXIT_FAILED
										     : EXIT_FINE;
	if (report.rows_in)
		trace_report_print(&report, code ? stderr : stdout);
	return code;
}

int trace_import_command(int argc, char **argv)
{
	struct import_options options = {0};
	struct error err;
	unsigned count;
	bool help;
	const char **files =
		options_parse_words(argc, argv, specs, COUNT(specs), &options, &count, &help, &err);
	int code = EXIT_FINE;

	if (!files)
		return complain(&err, EXIT_USAGE);
	if (help)
		print_help();
	else
		code = import_and_report(files, count, &options, &err);
	free(files);
	return code == EXIT_FINE ? code : complain(&err, code);
}
