/* SPDX-License-Identifier: GPL-2.0-only */
/* Records as CSV and JSON. */
#include <math.h>
#include <string.h>

#include "postprocess/json_reader.h"
#include "postprocess/records.h"

struct field text_field(const char *name, const char *text)
{
	return (struct field){name, text, NAN};
}

struct field number_field(const char *name, double number)
{
	return (struct field){name, NULL, number};
}

static bool is_whole(double number)
{
	return floor(number) == number && fabs(number) < 1e15;
}

/* ---- CSV ------------------------------------------------------------------------------------- */

static void csv_text(const char *text, FILE *out)
{
	if (!strpbrk(text, ",\"\r\n")) {
		fputs(text, out);
		return;
	}
	fputc('"', out);
	for (; *text; text++) {
		if (*text == '"')
			fputc('"', out);
		fputc(*text, out);
	}
	fputc('"', out);
}

static void csv_heading(const struct field *fields, size_t count, FILE *out)
{
	size_t i;

	for (i = 0; i < count; i++)
		fprintf(out, "%s%s", i ? "," : "", fields[i].name);
	fputc('\n', out);
}

static void csv_record(const struct field *fields, size_t count, FILE *out)
{
	size_t i;

	for (i = 0; i < count; i++) {
		if (i)
			fputc(',', out);
		if (fields[i].text)
			csv_text(fields[i].text, out);
		else if (isfinite(fields[i].number))
			fprintf(out, is_whole(fields[i].number) ? "%.0f" : "%.10g",
				fields[i].number);
	}
	fputc('\n', out);
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static json_t *clean_string(const char *text)
{
	char clean[1024];

	text_clean(text, strlen(text), clean, sizeof(clean));
	return json_string(clean);
}

/* Whole numbers stay whole, so that a place is 1 and not 1.0. */
static json_t *json_value(const struct field *field)
{
	double number = field->number;

	if (field->text)
		return clean_string(field->text);
	if (!isfinite(number))
		return json_null();
	if (is_whole(number))
		return json_integer((json_int_t)number);
	return json_real(number);
}

/* A new object, NULL when memory is short. */
static json_t *json_record(const struct field *fields, size_t count)
{
	json_t *object = json_object();
	size_t i;

	for (i = 0; object && i < count; i++)
		if (json_object_set_new(object, fields[i].name, json_value(&fields[i]))) {
			json_decref(object);
			return NULL;
		}
	return object;
}

/* ---- both ------------------------------------------------------------------------------------ */

void records_begin(struct records *records)
{
	records->headed = false;
}

int records_add(struct records *records, const struct field *fields, size_t count)
{
	if (!records->csv)
		return json_array_append_new(records->array, json_record(fields, count));
	if (!records->headed) {
		fputs(records->any ? "\n" : "", records->csv);
		csv_heading(fields, count, records->csv);
	}
	csv_record(fields, count, records->csv);
	records->any = records->headed = true;
	return 0;
}
