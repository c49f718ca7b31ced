/* SPDX-License-Identifier: GPL-2.0-only */
/* Tables for programs: CSV and JSON, plain numbers without separators. */
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "postprocess/json_reader.h"
#include "postprocess/table_internal.h"

#define FIELDS 23

struct field text_field(const char *name, const char *text)
{
	return (struct field){name, text, NAN};
}

struct field number_field(const char *name, double number)
{
	return (struct field){name, NULL, number};
}

/* Whether the peak is the peak, or only the highest of the points that count. */
static const char *peak_known(const struct entry *entry)
{
	if (!entry->peak)
		return "";
	return entry->above_peak ? "no" : "yes";
}

static void peak_fields(const struct ranking *ranking, const struct entry *entry,
			struct field *fields)
{
	const struct point *peak = entry->peak ? &entry->peak->point : NULL;
	double to_iops = ranking->by_bytes && peak ? peak->block_bytes : 1;
	double one_ms = isinf(entry->one_ms) ? NAN : entry->one_ms / to_iops;

	fields[0] = number_field("peak_iops", peak ? peak->iops : NAN);
	fields[1] = number_field("peak_bytes_per_s", peak ? peak->bytes_per_s : NAN);
	fields[2] = text_field("peak_point", peak ? peak->name : "");
	fields[3] = text_field("latency", ranking->metric == METRIC_LAT ? "lat" : "clat");
	fields[4] = number_field("latency_us", entry->latency_us);
	fields[5] = number_field("p99_us", entry->p99_us);
	fields[6] = number_field("gap_to_first", entry->gap);
	fields[7] = number_field("gap_percent", entry->gap_share * 100);
	fields[8] = number_field("one_ms_iops", one_ms);
	fields[9] = text_field("below_1ms", isinf(entry->one_ms)   ? "whole run"
					    : entry->one_ms == 0   ? "never"
					    : isnan(entry->one_ms) ? ""
								   : "up to one_ms_iops");
	fields[10] = number_field("fall_percent", entry->fall_share * 100);
	fields[11] = number_field("fall_to_iops", entry->fall_to / to_iops);
}

static void record(const struct ranking *ranking, const struct entry *entry, struct field *fields)
{
	const struct point *peak = entry->peak ? &entry->peak->point : NULL;

	fields[0] = text_field("row", ranking->row);
	fields[1] = text_field("protocol", ranking->protocol);
	fields[2] = number_field("place", entry->place ? entry->place : NAN);
	fields[3] = text_field("drive", entry->result->drive);
	peak_fields(ranking, entry, fields + 4);
	fields[16] = text_field("kind", entry_origin(entry));
	fields[17] = text_field("marks", entry->marks);
	fields[18] = text_field("not_ranked", entry->missing);
	fields[19] = text_field("peak_known", peak_known(entry));
	fields[20] = number_field("temperature_mean_c", peak ? peak->temperature_mean_c : NAN);
	fields[21] = number_field("temperature_max_c", peak ? peak->temperature_max_c : NAN);
	fields[22] = number_field("write_amplification", peak ? peak->write_amplification : NAN);
}

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

void csv_heading(const struct field *fields, size_t count, FILE *out)
{
	size_t i;

	for (i = 0; i < count; i++)
		fprintf(out, "%s%s", i ? "," : "", fields[i].name);
	fputc('\n', out);
}

static bool is_whole(double number)
{
	return floor(number) == number && fabs(number) < 1e15;
}

void csv_record(const struct field *fields, size_t count, FILE *out)
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

void csv_write(const struct ranking *rankings, size_t count, FILE *out)
{
	struct field fields[FIELDS];
	size_t i, j;
	bool headed = false;

	for (i = 0; i < count; i++)
		for (j = 0; j < rankings[i].count; j++) {
			record(&rankings[i], &rankings[i].entries[j], fields);
			if (!headed)
				csv_heading(fields, FIELDS, out);
			headed = true;
			csv_record(fields, FIELDS, out);
		}
}

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

json_t *json_record(const struct field *fields, size_t count)
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

int json_add(const struct ranking *rankings, size_t count, json_t *array)
{
	struct field fields[FIELDS];
	size_t i, j;

	for (i = 0; i < count; i++)
		for (j = 0; j < rankings[i].count; j++) {
			record(&rankings[i], &rankings[i].entries[j], fields);
			if (json_array_append_new(array, json_record(fields, FIELDS)))
				return -1;
		}
	return 0;
}

int json_print(json_t *array, FILE *out)
{
	int status = json_dumpf(array, out, JSON_INDENT(2) | JSON_REAL_PRECISION(10));

	if (status == 0)
		fputc('\n', out);
	return status;
}
