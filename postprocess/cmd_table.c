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
	if (count)
		fprintf(out, "%s\n\n", table_note(rankings[0].metric));
	if (rankings_have_stand_in(rankings, count))
		fprintf(out, "%s\n\n", table_stand_in_note());
	remarks_write(loaded->results, loaded->own, format, out);
}

/* Of all kinds. */
static int add_records(const struct loaded *loaded, const struct ranking *rankings, size_t count,
		       struct records *records)
{
	return ranking_records(rankings, count, records) ||
	       capacity_records(loaded->capacities, loaded->capacity_count, records) ||
	       cache_records(&loaded->caches, records) ||
	       enterprise_records(&loaded->enterprise, records);
}

static int write_csv(const struct loaded *loaded, const struct ranking *rankings, size_t count,
		     FILE *out)
{
	struct records records = {.csv = out};

	return add_records(loaded, rankings, count, &records);
}

static int write_json(const struct loaded *loaded, const struct ranking *rankings, size_t count,
		      FILE *out)
{
	struct records records = {.array = json_array()};
	int status = !records.array || add_records(loaded, rankings, count, &records) ||
		     json_dumpf(records.array, out, JSON_INDENT(2) | JSON_REAL_PRECISION(10));

	if (!status)
		fputc('\n', out);
	json_decref(records.array);
	return status;
}

static int write_format(const struct loaded *loaded, const struct ranking *rankings, size_t count,
			enum table_format format, FILE *out)
{
	if (format == FORMAT_CSV)
		return write_csv(loaded, rankings, count, out);
	if (format == FORMAT_JSON)
		return write_json(loaded, rankings, count, out);
	if (tables_write(rankings, count, format, out) ||
	    capacity_tables_write(loaded->capacities, loaded->capacity_count, format, out) ||
	    enterprise_tables_write(&loaded->enterprise, format, out))
		return -1;
	return cache_tables_write(&loaded->caches, format, out);
}

static int write_tables(const struct command_options *options, const struct loaded *loaded,
			const struct ranking *rankings, size_t count)
{
	struct error err;

	if (write_format(loaded, rankings, count, options->format, stdout)) {
		error_set(&err, "not enough memory to write the tables");
		return complain(&err, EXIT_FAILED);
	}
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
