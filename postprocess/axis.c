/* SPDX-License-Identifier: GPL-2.0-only */
/* Axes of charts. */
#include <math.h>
#include <string.h>

#include "postprocess/axis.h"
#include "base/number.h"

#define LOG_FROM_FACTOR 30.0
#define MS_FROM_US	20000.0
#define MIN_FROM_S	900.0
#define GB_FROM_BYTES	2e9
#define TICS		6
#define MOST_LETTERS	56 /* of all numbers below an axis: more run into each other */
#define STEP_C		5

void axis_include(struct axis *axis, double value)
{
	if (!isfinite(value))
		return;
	axis->lowest = fmin(axis->lowest, value);
	axis->highest = fmax(axis->highest, value);
}

/* The round step, 1, 2 or 5 times a power of ten, that gives about TICS tics. */
static double round_step(double span)
{
	double power = pow(10, floor(log10(span / TICS))), rest = span / TICS / power;

	if (rest > 7)
		return 10 * power;
	if (rest > 3.5)
		return 5 * power;
	return rest > 1.5 ? 2 * power : power;
}

static void from_zero(struct axis *axis)
{
	double top = axis->highest / axis->divisor;

	axis->from = 0;
	axis->to = top > 0 ? top * 1.06 : 1;
}

void axis_finish_rate(struct axis *axis, bool by_bytes)
{
	axis->divisor = by_bytes ? 1e6 : 1;
	axis->unit = by_bytes ? "MB/s" : "IOPS";
	from_zero(axis);
}

void axis_finish_temperature(struct axis *axis)
{
	axis->divisor = 1;
	axis->unit = "C";
	axis->from = floor(axis->lowest / STEP_C - 0.5) * STEP_C;
	axis->to = ceil(axis->highest / STEP_C + 0.5) * STEP_C;
}

void axis_finish_time(struct axis *axis)
{
	bool in_minutes = axis->highest >= MIN_FROM_S;

	axis->divisor = in_minutes ? 60 : 1;
	axis->unit = in_minutes ? "min" : "s";
	axis->from = 0;
	axis->to = axis->highest > 0 ? axis->highest / axis->divisor : 1;
}

/* Down and up to 1, 2 or 5 times a power of ten. */
static double round_log(double value, bool up)
{
	static const double factors[] = {1, 2, 5, 10};
	double power = pow(10, floor(log10(value))), found = up ? 10 * power : power;
	int i;

	for (i = 0; i < 4; i++) {
		double candidate = factors[up ? 3 - i : i] * power;

		if (up ? candidate >= value : candidate <= value)
			found = candidate;
	}
	return found;
}

void axis_finish_latency(struct axis *axis)
{
	bool in_ms = axis->highest >= MS_FROM_US;

	axis->divisor = in_ms ? 1000 : 1;
	axis->unit = in_ms ? "ms" : "us";
	from_zero(axis);
	axis_make_logarithmic(axis, LOG_FROM_FACTOR);
}

void axis_finish_bytes(struct axis *axis)
{
	bool in_gb = axis->highest >= GB_FROM_BYTES;

	axis->divisor = in_gb ? 1e9 : 1e6;
	axis->unit = in_gb ? "GB" : "MB";
	from_zero(axis);
}

void axis_make_logarithmic(struct axis *axis, double factor)
{
	axis->logarithmic = axis->lowest > 0 && axis->highest > factor * axis->lowest;
	if (!axis->logarithmic)
		return;
	/* A hair beyond the round values, or gnuplot leaves their tics out. */
	axis->from = round_log(axis->lowest / axis->divisor, false) * 0.999;
	axis->to = round_log(axis->highest / axis->divisor * 1.05, true) * 1.001;
}

static void put_tic(double value, const char *before, FILE *out)
{
	char text[NUMBER_ROOM];

	/* Round steps leave dust behind the point; %g and the separators hide it. */
	if (value >= 1000)
		number_count(value, text);
	else
		snprintf(text, sizeof(text), "%.6g", value);
	fprintf(out, "%s'%s' %.10g", before, text, value);
}

/* Numbers below an axis stand side by side: with long ones every second or so is left out. */
static double linear_step(double span, char letter)
{
	double step = round_step(span), largest;
	char text[NUMBER_ROOM];

	if (letter != 'x')
		return step;
	largest = floor(span / step);
	number_count(largest * step, text);
	return largest * (double)strlen(text) > MOST_LETTERS ? round_step(2 * span) : step;
}

static void linear_tics(const struct axis *axis, char letter, FILE *out)
{
	double step = linear_step(axis->to - axis->from, letter);
	long i, count = (long)floor((axis->to - axis->from) / step);

	for (i = 0; i <= count; i++)
		put_tic(axis->from + (double)i * step, i ? ", " : "", out);
}

static void log_tics(const struct axis *axis, FILE *out)
{
	static const double factors[] = {1, 2, 5};
	double power = pow(10, floor(log10(axis->from * 1.01))), value;
	const char *before = "";
	int i;

	for (; power <= axis->to; power *= 10)
		for (i = 0; i < 3; i++) {
			value = power * factors[i];
			if (value < axis->from || value > axis->to)
				continue;
			put_tic(value, before, out);
			before = ", ";
		}
}

void axis_write(const struct axis *axis, char letter, FILE *out)
{
	if (axis->logarithmic)
		fprintf(out, "set logscale %c 10\n", letter);
	fprintf(out, "set %crange [%.10g:%.10g]\nset %ctics (", letter, axis->from, axis->to,
		letter);
	if (axis->logarithmic)
		log_tics(axis, out);
	else
		linear_tics(axis, letter, out);
	fputs(")\n", out);
}
