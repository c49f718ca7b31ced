/* SPDX-License-Identifier: GPL-2.0-only */
/* `ssdreview trace` merge, cut, info, export and check: what works on .vdt files. */
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "review/cmd_trace.h"

struct file_options {
	const char *output, *format, *filename, *charts;
	struct option_list streams;
	struct cut_options cut;
	bool by_clock;
};

#define AT(member) offsetof(struct file_options, member)

static const struct option_spec merge_specs[] = {
	{"-o", OPTION_TEXT, AT(output), "FILE", "the trace to write"},
	{"--by-clock", OPTION_FLAG, AT(by_clock), NULL,
	 "at the time of day of their captures, not all at once"},
};

static const struct option_spec cut_specs[] = {
	{"-o", OPTION_TEXT, AT(output), "FILE", "the trace to write"},
	{"--stream", OPTION_LIST, AT(streams), "NAME",
	 "only this stream, by name or number; several may stand"},
	{"--phase", OPTION_TEXT, AT(cut.phase), "NAME", "only this phase"},
	CUT_SPECS(struct file_options, cut, "from here on; in the phase when one is named"),
};

static const struct option_spec info_specs[] = {
	{"--charts", OPTION_TEXT, AT(charts), "FOLDER", "draw IOPS and MB/s over time into it"},
};

static const struct option_spec export_specs[] = {
	{"-o", OPTION_TEXT, AT(output), "FILE",
	 "the file to write; - (the default) is standard output"},
	{"--format", OPTION_TEXT, AT(format), "NAME", "iolog (of fio, version 3), csv or blkparse"},
	{"--filename", OPTION_TEXT, AT(filename), "PATH",
	 "in an iolog: the target, in place of the streams' names"},
};

/* One sub-command: its options, and what it does with the files. */
struct file_command {
	const char *usage;
	const struct option_spec *specs;
	size_t spec_count;
	bool needs_output, several;
	int (*run)(struct trace *const *traces, const char *const *paths, unsigned count,
		   const struct file_options *options, struct error *err);
};

static int open_all(const char *const *paths, unsigned count, struct trace **traces,
		    struct error *err)
{
	unsigned i;

	for (i = 0; i < count; i++)
		if (trace_open(paths[i], &traces[i], err))
			return -1;
	return 0;
}

/* Opens the files and runs the command on them. */
static int run_on(const struct file_command *command, const char *const *paths, unsigned count,
		  const struct file_options *options, struct error *err)
{
	struct trace **traces = calloc(count, sizeof(*traces));
	unsigned i;
	int failed;

	if (!traces)
		return error_set(err, "out of memory");
	failed = open_all(paths, count, traces, err) ||
		 command->run(traces, paths, count, options, err);
	for (i = 0; i < count; i++)
		if (traces[i])
			trace_close(traces[i]);
	free(traces);
	return failed ? -1 : 0;
}

static int check_words(const struct file_command *command, const char *const *paths, unsigned count,
		       const struct file_options *options, struct error *err)
{
	struct trace_cut cut = {0};

	if (!count)
		return error_set(err, "name a trace: %s", command->usage);
	if (count > 1 && !command->several)
		return error_set(err, "one trace at a time: %s", command->usage);
	if (command->needs_output && !options->output)
		return error_set(err, "name the trace to write: -o FILE.vdt");
	if (output_check(options->output, paths, count, err))
		return -1;
	return cut_parse(&options->cut, &cut, err);
}

static int file_command(const struct file_command *command, int argc, char **argv)
{
	struct file_options options = {0};
	struct error err;
	unsigned count;
	bool help;
	const char **paths = options_parse_words(argc, argv, command->specs, command->spec_count,
						 &options, &count, &help, &err);
	int code = EXIT_FINE;

	if (!paths)
		return complain(&err, EXIT_USAGE);
	if (help) {
		printf("Usage: %s\n\n", command->usage);
		options_print(command->specs, command->spec_count, stdout);
	} else if (check_words(command, paths, count, &options, &err)) {
		code = complain(&err, EXIT_USAGE);
	} else if (run_on(command, paths, count, &options, &err)) {
		code = complain(&err, EXIT_FAILED);
	}
	free(paths);
	return code;
}

static int merge(struct trace *const *traces, const char *const *paths, unsigned count,
		 const struct file_options *options, struct error *err)
{
	(void)paths;
	stop_removes_parts(options->output);
	return trace_merge(traces, count, options->by_clock, options->output, err) ||
	       say_written(options->output, err);
}

int trace_merge_command(int argc, char **argv)
{
	static const struct file_command command = {
		"ssdreview trace merge FILE.vdt... -o FILE.vdt [OPTION...]",
		merge_specs,
		COUNT(merge_specs),
		true,
		true,
		merge};

	return file_command(&command, argc, argv);
}

static int cut(struct trace *const *traces, const char *const *paths, unsigned count,
	       const struct file_options *options, struct error *err)
{
	struct trace_cut wanted = {.streams = options->streams.items,
				   .stream_count = options->streams.count};

	(void)paths;
	(void)count;
	if (cut_parse(&options->cut, &wanted, err))
		return -1;
	stop_removes_parts(options->output);
	return trace_cut(traces[0], &wanted, options->output, err) ||
	       say_written(options->output, err);
}

int trace_cut_command(int argc, char **argv)
{
	static const struct file_command command = {
		"ssdreview trace cut FILE.vdt -o FILE.vdt [OPTION...]",
		cut_specs,
		COUNT(cut_specs),
		true,
		false,
		cut};

	return file_command(&command, argc, argv);
}

static int info(struct trace *const *traces, const char *const *paths, unsigned count,
		const struct file_options *options, struct error *err)
{
	struct trace_info found;
	unsigned i;

	for (i = 0; i < count; i++) {
		if (trace_info_collect(traces[i], &found, err))
			return -1;
		if (i)
			printf("\n");
		trace_info_print(traces[i], &found, stdout);
		trace_info_free(&found);
		if (options->charts && trace_chart(traces[i], paths[i], options->charts, err))
			return -1;
	}
	return 0;
}

int trace_info_command(int argc, char **argv)
{
	static const struct file_command command = {
		"ssdreview trace info FILE.vdt... [--charts FOLDER]",
		info_specs,
		COUNT(info_specs),
		false,
		true,
		info};

	return file_command(&command, argc, argv);
}

/* What an export could not say as it is, each with its count. */
static void print_export(const struct trace_export *counts)
{
	char text[NUMBER_ROOM];

	fprintf(stderr, "%s records exported\n", number_whole((double)counts->records, text));
	if (counts->empty)
		fprintf(stderr, "%s records of 0 bytes left out\n",
			number_whole((double)counts->empty, text));
	if (counts->pieces)
		fprintf(stderr, "%s more lines for records over 2 GiB\n",
			number_whole((double)counts->pieces, text));
	if (counts->rounded)
		fprintf(stderr, "%s records widened to whole sectors of 512 B\n",
			number_whole((double)counts->rounded, text));
	if (counts->zeroes)
		fprintf(stderr, "%s writes of zeroes exported as writes\n",
			number_whole((double)counts->zeroes, text));
	if (counts->phases)
		fprintf(stderr, "%s phase%s left out: only a .vdt file has phases\n",
			number_whole(counts->phases, text), counts->phases == 1 ? "" : "s");
	if (counts->latencies)
		fprintf(stderr, "%s latencies left out: only csv has them\n",
			number_whole((double)counts->latencies, text));
}

static int export(struct trace *const *traces, const char *const *paths, unsigned count,
		  const struct file_options *options, struct error *err)
{
	const char *path = options->output ? options->output : "-";
	const char *format = options->format ? options->format : "csv";
	struct trace_export counts;
	int failed;

	(void)paths;
	(void)count;
	if (strcmp(path, "-"))
		stop_removes_parts(path);
	if (strcmp(path, "-"))
		failed =
			trace_export_file(traces[0], format, options->filename, path, &counts, err);
	else
		failed = trace_export(traces[0], format, options->filename, stdout, &counts, err);
	if (!failed)
		print_export(&counts);
	return failed;
}

int trace_export_command(int argc, char **argv)
{
	static const struct file_command command = {
		"ssdreview trace export FILE.vdt --format iolog|csv|blkparse [-o FILE]",
		export_specs,
		COUNT(export_specs),
		false,
		false,
		export};

	return file_command(&command, argc, argv);
}

static int check_trace(struct trace *trace, const char *path, struct error *err)
{
	const struct trace_header *header = trace_header(trace);
	char text[NUMBER_ROOM];

	if (trace_verify(trace, err))
		return -1;
	printf("%s is whole: %s records\n", path, number_whole((double)header->records, text));
	if (header->lost)
		return error_set(err,
				 "%s: its capture lost %s events: figures taken from it are "
				 "invalid",
				 path, number_whole((double)header->lost, text));
	return 0;
}

static int check_one(const char *path)
{
	struct trace *trace;
	struct error err;
	int failed;

	if (trace_open(path, &trace, &err))
		return complain(&err, EXIT_FAILED);
	failed = check_trace(trace, path, &err);
	trace_close(trace);
	return failed ? complain(&err, EXIT_FAILED) : EXIT_FINE;
}

/* One that is damaged does not keep the others from being looked at. */
static int check_all(const char *const *paths)
{
	int code = EXIT_FINE;

	for (; *paths; paths++)
		if (check_one(*paths) != EXIT_FINE)
			code = EXIT_FAILED;
	return code;
}

int trace_check_command(int argc, char **argv)
{
	struct error err;
	unsigned count;
	bool help;
	const char **paths = options_parse_words(argc, argv, NULL, 0, NULL, &count, &help, &err);
	int code = EXIT_FINE;

	if (!paths)
		return complain(&err, EXIT_USAGE);
	if (help) {
		printf("Usage: ssdreview trace check FILE.vdt...\n");
	} else if (!count) {
		error_set(&err, "name a trace: ssdreview trace check FILE.vdt...");
		code = complain(&err, EXIT_USAGE);
	} else {
		code = check_all(paths);
	}
	free(paths);
	return code;
}
