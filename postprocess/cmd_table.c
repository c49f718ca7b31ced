/* SPDX-License-Identifier: GPL-2.0-only */
/* ssdreview table */
#include <errno.h>
#include <string.h>

#include "postprocess/command.h"

/* Notes, sentences and remarks belong to what people read, not to CSV, JSON or a bare table. */
static bool has_words(enum table_format format)
{
	return format == FORMAT_TERM || format == FORMAT_MD;
}

static void write_words(const struct loaded *loaded, const struct ranking *rankings, size_t count,
			enum table_format format, FILE *out)
{
	fprintf(out, "%s\n\n", table_note(rankings[0].metric));
	if (rankings_have_stand_in(rankings, count))
		fprintf(out, "%s\n\n", table_stand_in_note());
	remarks_write(loaded->results, loaded->own, format, out);
}

static int write_tables(const struct command_options *options, const struct loaded *loaded,
			const struct ranking *rankings, size_t count)
{
	struct error err;

	if (tables_write(rankings, count, options->format, stdout, &err))
		return complain(&err, EXIT_FAILED);
	if (has_words(options->format))
		write_words(loaded, rankings, count, options->format, stdout);
	if (fflush(stdout) && errno != EPIPE) {
		error_set(&err, "the tables cannot be written: %s", strerror(errno));
		return complain(&err, EXIT_FAILED);
	}
	return EXIT_FINE;
}

int cmd_table(int argc, char **argv)
{
	return command_run(COMMAND_TABLE, argc, argv, write_tables);
}
