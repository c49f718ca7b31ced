/* SPDX-License-Identifier: GPL-2.0-only */
/* All tables of preconditioning, main tests and ladders, with what is said below them. */
#include <stdio.h>

#include "postprocess/enterprise_internal.h"
#include "postprocess/table_internal.h"

void enterprise_table_begin(const char *title, const char *protocol, const char *const *headings,
			    size_t columns, unsigned texts, struct table *table)
{
	*table = (struct table){.rows = 0};
	enterprise_heading(title, protocol, table->title, sizeof(table->title));
	table_head(table, headings, columns, texts);
}

/* ---- all ------------------------------------------------------------------------------------- */

/* What is said further of a drive stands below its first sentence. */
static void put_sentence(const char *text, bool further, enum table_format format, FILE *out)
{
	if (!text[0])
		return;
	fputs(further ? "  " : "", out);
	fputs(format == FORMAT_MD ? "- " : "  ", out);
	if (format == FORMAT_MD)
		md_text(text, out);
	else
		fputs(text, out);
	fputc('\n', out);
}

static void run_sentences(const struct precondition_ranking *ranking, enum table_format format,
			  FILE *out)
{
	char text[2048];
	unsigned number;
	size_t i;

	for (i = 0; i < ranking->count; i++)
		for (number = 0;
		     precondition_sentence(ranking, &ranking->runs[i], number, text, sizeof(text));
		     number++)
			put_sentence(text, number > 0, format, out);
	fputc('\n', out);
}

static void lead_sentences(const struct ladder_ranking *ranking, enum table_format format,
			   FILE *out)
{
	char text[1024];
	unsigned number;

	for (number = 0; ladder_sentence(ranking, number, text, sizeof(text)); number++)
		put_sentence(text, false, format, out);
	fputc('\n', out);
}

int enterprise_tables_write(const struct enterprise *enterprise, enum table_format format,
			    FILE *out)
{
	struct table table;
	size_t i;

	for (i = 0; i < enterprise->precondition_count; i++) {
		if (precondition_table_make(&enterprise->preconditions[i], &table))
			return -1;
		table_write(&table, format, out);
		table_free(&table);
		if (format != FORMAT_HTML)
			run_sentences(&enterprise->preconditions[i], format, out);
	}
	for (i = 0; i < enterprise->ladder_count; i++) {
		if (ladder_table_make(&enterprise->ladders[i], &table))
			return -1;
		table_write(&table, format, out);
		table_free(&table);
		if (format != FORMAT_HTML)
			lead_sentences(&enterprise->ladders[i], format, out);
	}
	if (loads_tables_write(enterprise->loads, enterprise->load_count, format, out))
		return -1;
	if (!enterprise_is_empty(enterprise) && format != FORMAT_HTML)
		fprintf(out, "%s\n\n", enterprise_note());
	return 0;
}
