/* SPDX-License-Identifier: GPL-2.0-only */
/* The measures of a load, by direction, combined exactly. */
#include <math.h>
#include <string.h>

#include "postprocess/measures.h"

void moments_merge(double *mean, double *m2, double count, double from_mean, double from_m2,
		   double from_count)
{
	double all = count + from_count, apart = from_mean - *mean;

	*mean += apart * from_count / all;
	*m2 += from_m2 + apart * apart * count * from_count / all;
}

static void merge(struct measure *into, const struct measure *from)
{
	if (!from->count)
		return;
	moments_merge(&into->mean_ns, &into->m2_ns2, (double)into->count, from->mean_ns,
		      from->m2_ns2, (double)from->count);
	into->count += from->count;
	into->bytes += from->bytes;
	if (from->max_ns > into->max_ns)
		into->max_ns = from->max_ns;
}

double measure_stddev_ns(const struct measure *measure)
{
	return measure->count ? sqrt(measure->m2_ns2 / (double)measure->count) : 0;
}

struct measure measures_both(const struct measures *measures)
{
	struct measure both = measures->read;

	merge(&both, &measures->write);
	return both;
}

static void merge_directions(struct measures *into, const struct measures *from)
{
	merge(&into->read, &from->read);
	merge(&into->write, &from->write);
}

void measures_merge(struct measures *into, const struct measures *from)
{
	merge_directions(into, from);
	into->seconds = fmax(into->seconds, from->seconds);
}

void measures_append(struct measures *into, const struct measures *from)
{
	merge_directions(into, from);
	into->seconds += from->seconds;
}

/* ---- by word -------------------------------------------------------------------------------- */

static const char *const figure_words[] = {"iops", "bytes_per_s", "mean", "max", "stddev"};

/* What the word asks of: "read_", "write_" or both. Returns the rest of the word. */
static const char *split_word(const char *word, const struct measures *measures,
			      struct measure *measure)
{
	if (!strncmp(word, "read_", 5)) {
		*measure = measures->read;
		return word + 5;
	}
	if (!strncmp(word, "write_", 6)) {
		*measure = measures->write;
		return word + 6;
	}
	*measure = measures_both(measures);
	return word;
}

double measures_value(const struct measures *measures, const char *word)
{
	struct measure measure;

	word = split_word(word, measures, &measure);
	if (!measure.count || measures->seconds <= 0)
		return NAN;
	if (!strcmp(word, "iops"))
		return (double)measure.count / measures->seconds;
	if (!strcmp(word, "bytes_per_s"))
		return (double)measure.bytes / measures->seconds;
	if (!strcmp(word, "mean"))
		return measure.mean_ns;
	return !strcmp(word, "max") ? (double)measure.max_ns : measure_stddev_ns(&measure);
}

int measure_word_check(const char *word, struct error *err)
{
	const struct measures none = {0};
	struct measure unused;
	const char *figure = split_word(word, &none, &unused);
	size_t i;

	for (i = 0; i < COUNT(figure_words); i++)
		if (!strcmp(figure, figure_words[i]))
			return 0;
	return error_unknown(err, "measure", figure, figure_words, COUNT(figure_words));
}

/* ---- as JSON -------------------------------------------------------------------------------- */

static json_t *measure_json(const struct measure *measure, double seconds)
{
	if (!measure->count)
		return json_null();
	return json_pack("{s:I, s:I, s:f, s:f, s:f, s:f, s:I}", "count", (json_int_t)measure->count,
			 "bytes", (json_int_t)measure->bytes, "iops",
			 seconds > 0 ? (double)measure->count / seconds : 0.0, "bytes_per_s",
			 seconds > 0 ? (double)measure->bytes / seconds : 0.0, "mean_ns",
			 measure->mean_ns, "stddev_ns", measure_stddev_ns(measure), "max_ns",
			 (json_int_t)measure->max_ns);
}

json_t *measures_json(const struct measures *measures)
{
	struct measure both = measures_both(measures);

	return json_pack("{s:f, s:o, s:o, s:o}", "seconds", measures->seconds, "read",
			 measure_json(&measures->read, measures->seconds), "write",
			 measure_json(&measures->write, measures->seconds), "both",
			 measure_json(&both, measures->seconds));
}
