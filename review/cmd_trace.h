/* SPDX-License-Identifier: GPL-2.0-only */
/* `ssdreview trace`: what its sub-commands share. */
#ifndef SSDREVIEW_CMD_TRACE_H
#define SSDREVIEW_CMD_TRACE_H

#include "engines/trace/trace.h"
#include "review/review.h"

#define CONVERTER "ssdreview " SSDREVIEW_VERSION

/* Filters on time and place, as several sub-commands have them. */
struct cut_options {
	const char *phase, *from, *to, *range;
};

#define CUT_SPECS(type, member, from_help)                                                         \
	{"--from", OPTION_TEXT, offsetof(type, member.from), "SECONDS", from_help},                \
		{"--to", OPTION_TEXT, offsetof(type, member.to), "SECONDS", "to here"},            \
	{                                                                                          \
		"--range", OPTION_TEXT, offsetof(type, member.range), "FROM-TO",                   \
			"only what begins in these bytes, such as 0-20G"                           \
	}

bool cut_wanted(const struct cut_options *options);
int cut_parse(const struct cut_options *options, struct trace_cut *cut, struct error *err);

/* A text for the provenance, in a field of so many bytes; NULL is none and fits. */
#define PROVENANCE_BYTES(member) sizeof(((struct trace_provenance *)NULL)->member)
int text_check(const char *text, const char *option, size_t room, struct error *err);

/* "12.5" as nanoseconds. */
int seconds_parse(const char *text, const char *option, uint64_t *ns, struct error *err);

/* Sub-commands; argv[0] is their word. Exit codes as those of commands. */
int trace_import_command(int argc, char **argv);
int trace_capture_command(int argc, char **argv);
int trace_gen_command(int argc, char **argv);
int trace_merge_command(int argc, char **argv);
int trace_cut_command(int argc, char **argv);
int trace_info_command(int argc, char **argv);
int trace_export_command(int argc, char **argv);
int trace_check_command(int argc, char **argv);

/* From here on a signal that ends the process removes the parts of a trace for path. */
void stop_removes_parts(const char *path);

/* Refuses an output (NULL: none) that is one of the inputs, by whatever name. */
int output_check(const char *output, const char *const *inputs, unsigned count, struct error *err);

/* One line about a trace just written: "boot.vdt: 12,345 records of 10 streams, 34 s". */
int say_written(const char *path, struct error *err);

/*
 * Draws the load of the trace at path over its time: FOLDER/NAME.svg, with .gp and .dat, and says
 * so.
 */
int trace_chart(struct trace *trace, const char *path, const char *folder, struct error *err);

#endif
