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

/* One array of all kinds of records. */
static int write_json(const struct loaded *loaded, const struct ranking *rankings, size_t count,
		      FILE *out)
{
	json_t *array = json_array();
	int status = !array || json_add(rankings, count, array) ||
		     capacity_json_add(loaded->capacities, loaded->capacity_count, array) ||
		     cache_json_add(&loaded->caches, array) ||
		     enterprise_json_add(&loaded->enterprise, array) || json_print(array, out);

	json_decref(array);
	return status;
}

/* Each kind has columns of its own: an empty line between them. */
static int write_csv(const struct loaded *loaded, const struct ranking *rankings, size_t count,
		     FILE *out)
{
	csv_write(rankings, count, out);
	if (count && loaded->capacity_count)
		fputc('\n', out);
	capacity_csv_write(loaded->capacities, loaded->capacity_count, out);
	if ((count || loaded->capacity_count) && loaded->caches.count)
		fputc('\n', out);
	cache_csv_write(&loaded->caches, out);
	if ((count || loaded->capacity_count || loaded->caches.count) &&
	    !enterprise_is_empty(&loaded->enterprise))
		fputc('\n', out);
	enterprise_csv_write(&loaded->enterprise, out);
	return 0;
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
