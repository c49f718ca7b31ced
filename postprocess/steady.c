/* SPDX-License-Identifier: GPL-2.0-only */
/* Steady state by range and slope of a window of rounds. */
#include <math.h>
#include <stdio.h>

#include "base/number.h"
#include "postprocess/steady.h"

static bool all_above_zero(const double *values, unsigned count)
{
	unsigned i;

	for (i = 0; i < count; i++)
		if (!isfinite(values[i]) || !(values[i] > 0))
			return false;
	return true;
}

static double sum_of(const double *values, unsigned count)
{
	double sum = 0;
	unsigned i;

	for (i = 0; i < count; i++)
		sum += values[i];
	return sum;
}

static double range_of(const double *values, unsigned count)
{
	double largest = values[0], smallest = values[0];
	unsigned i;

	for (i = 1; i < count; i++) {
		largest = fmax(largest, values[i]);
		smallest = fmin(smallest, values[i]);
	}
	return largest - smallest;
}

/*
 * Least squares over rounds 0 ... n-1, by deviations from the middle round: slope = sum of
 * d * y over sum of d * d, of which the latter is n (n * n - 1) / 12. Twice the deviations are
 * whole numbers, so that whole values lose no digits.
 */
static double twice_moment(const double *values, unsigned count)
{
	double moment = 0;
	unsigned i;

	for (i = 0; i < count; i++)
		moment += (2.0 * i - (count - 1.0)) * values[i];
	return moment;
}

static void fit_line(const double *values, unsigned count, struct steady_fit *fit)
{
	double n = count, sum = sum_of(values, count), moment = twice_moment(values, count);

	fit->mean = sum / n;
	fit->slope_per_round = 6 * moment / (n * (n * n - 1));
	fit->fit_first = fit->mean - fit->slope_per_round * (n - 1) / 2;
	fit->fit_last = fit->mean + fit->slope_per_round * (n - 1) / 2;
	/* One division each: a share that is exactly the limit is found to be it. */
	fit->range_share = range_of(values, count) * n / sum;
	fit->excursion_share = fabs(6 * moment) / ((n + 1) * sum);
}

void steady_fit(const double *values, unsigned count, const struct steady_rule *rule,
		struct steady_fit *fit)
{
	*fit = (struct steady_fit){.mean = NAN,
				   .range_share = NAN,
				   .slope_per_round = NAN,
				   .excursion_share = NAN,
				   .fit_first = NAN,
				   .fit_last = NAN};
	if (rule->window < 2 || count < rule->window)
		return;
	values += count - rule->window;
	if (!all_above_zero(values, rule->window))
		return;
	fit_line(values, rule->window, fit);
	fit->steady = fit->range_share <= rule->range && fit->excursion_share <= rule->slope;
}

enum steady_end steady_end(bool all_steady, double fills, unsigned rounds,
			   const struct steady_rule *rule)
{
	if (all_steady && fills >= rule->at_least_fills)
		return STEADY_REACHED;
	return rounds >= rule->at_most_rounds ? STEADY_GIVEN_UP : STEADY_NOT_YET;
}

void steady_words(const struct steady_fit *fit, const struct steady_rule *rule, char *text,
		  size_t room)
{
	if (isnan(fit->mean)) {
		snprintf(text, room, "a round without a value");
		return;
	}
	snprintf(text, room, "range %.1f %% of the mean (%s %g %%), slope %.1f %% of it (%s %g %%)",
		 100 * fit->range_share, fit->range_share <= rule->range ? "within" : "over",
		 100 * rule->range, 100 * fit->excursion_share,
		 fit->excursion_share <= rule->slope ? "within" : "over", 100 * rule->slope);
}
