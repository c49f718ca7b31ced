/* SPDX-License-Identifier: GPL-2.0-only */
/* `ssdreview trace`: one more word chooses what is done with a trace. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/number.h"
#include "review/cmd_trace.h"

static const struct command commands[] = {
	{"import", trace_import_command, "make a .vdt of a capture in any common format"},
	{"capture", trace_capture_command, "trace the disks of this machine"},
	{"gen", trace_gen_command, "make a synthetic trace of virtual desktops"},
	{"merge", trace_merge_command, "join traces, stream beside stream"},
	{"cut", trace_cut_command, "take a part of a trace"},
	{"info", trace_info_command, "characterise a trace on one page"},
	{"export", trace_export_command, "write a trace as text for other tools"},
	{"check", trace_check_command, "read all of a trace and say whether it is whole"},
};

int cmd_trace(int argc, char **argv)
{
	return commands_run("ssdreview trace", commands, COUNT(commands), argc, argv);
}

int say_written(const char *path, struct error *err)
{
	const struct trace_header *header;
	char records[NUMBER_ROOM], time[NUMBER_ROOM];
	struct trace *trace;

	if (trace_open(path, &trace, err))
		return -1;
	header = trace_header(trace);
	printf("%s: %s record%s of %u stream%s, %s\n", path,
	       number_whole((double)header->records, records), header->records == 1 ? "" : "s",
	       header->streams, header->streams == 1 ? "" : "s",
	       number_duration((double)header->duration_ns / 1e9, time));
	trace_close(trace);
	return 0;
}

/* Are both one file, by whatever name? */
static bool is_same_file(const char *one, const char *two)
{
	struct stat a, b;

	return !stat(one, &a) && !stat(two, &b) && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

int output_check(const char *output, const char *const *inputs, unsigned count, struct error *err)
{
	unsigned i;

	for (i = 0; output && i < count; i++)
		if (is_same_file(output, inputs[i]))
			return error_set(err,
					 "-o %s: that would replace the file that is read; give "
					 "another name",
					 output);
	return 0;
}

int text_check(const char *text, const char *option, size_t room, struct error *err)
{
	if (!text || strlen(text) < room)
		return 0;
	return error_set(err, "%s: a trace holds no more than %zu bytes", option, room - 1);
}

int seconds_parse(const char *text, const char *option, uint64_t *ns, struct error *err)
{
	char *end;
	double seconds;

	errno = 0;
	seconds = strtod(text, &end);
	if (end == text || *end || errno || !(seconds >= 0 && seconds < 9e9))
		return error_set(err, "%s: \"%s\" is not a number of seconds", option, text);
	*ns = (uint64_t)(seconds * 1e9 + 0.5);
	return 0;
}

static int range_parse(const char *text, struct trace_cut *cut, struct error *err)
{
	const char *dash = strchr(text, '-');
	char from[64];

	if (!dash || dash == text || (size_t)(dash - text) >= sizeof(from))
		return error_set(err, "--range: \"%s\" is not FROM-TO, such as 0-20G", text);
	snprintf(from, sizeof(from), "%.*s", (int)(dash - text), text);
	if ((strcmp(from, "0") && size_parse(from, &cut->from_byte, err)) ||
	    size_parse(dash + 1, &cut->to_byte, err))
		return error_prefix(err, "--range");
	return cut->from_byte < cut->to_byte
		       ? 0
		       : error_set(err, "--range: \"%s\" ends before it begins", text);
}

bool cut_wanted(const struct cut_options *options)
{
	return options->phase || options->from || options->to || options->range;
}

int cut_parse(const struct cut_options *options, struct trace_cut *cut, struct error *err)
{
	cut->phase = options->phase;
	if (options->from && seconds_parse(options->from, "--from", &cut->from_ns, err))
		return -1;
	if (options->to && seconds_parse(options->to, "--to", &cut->to_ns, err))
		return -1;
	if (options->to && cut->to_ns <= cut->from_ns)
		return error_set(err, "--to must come after --from");
	return options->range ? range_parse(options->range, cut, err) : 0;
}
