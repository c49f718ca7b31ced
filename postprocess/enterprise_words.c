/* SPDX-License-Identifier: GPL-2.0-only */
/* Preconditioning in words, and what all tables and charts of enterprise reviews share. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "postprocess/enterprise_internal.h"

#define MOST_SPIKES 12 /* named one by one in a sentence */

const char *measure_title(enum minute_measure measure)
{
	static const char *const titles[MINUTE_MEASURES] = {
		"IOPS", "average latency", "maximum latency", "standard deviation of latency"};

	return titles[measure];
}

char *measure_text(enum minute_measure measure, double value, char *text)
{
	return measure == MINUTE_IOPS ? number_count(value, text) : number_us(value, text);
}

const char *enterprise_note(void)
{
	return "Latencies count from the moment an I/O was due. Reads and writes are taken "
	       "together as one population: rates are added, averages are weighted by the number "
	       "of I/Os, the standard deviation is that of all I/Os about that average, and of two "
	       "maxima the larger one counts. * is the best of its column; what is invalid, in "
	       "brackets or a cross, was measured on a machine too busy for it, or by a drive that "
	       "was reset or answered with errors, and does not count. Ours: the "
	       "level is steady by SNIA's rule (five rounds, range within 20 % of the mean and "
	       "slope within 10 %); a burst is over where the rate falls below half way to that "
	       "level; a spike is a minute of 1.5 times what is usual around it and more; even is "
	       "the share of minutes since the burst within 10 % of the level.";
}

/* "4K write", "8K 70/30"; "" where the load is not known. */
static void load_words(const struct precondition *run, char *text, size_t room)
{
	double percent = run->read_percent;

	text[0] = '\0';
	if (!(run->block_bytes > 0) || isnan(percent))
		return;
	text_append(text, room, "%gK ", run->block_bytes / 1024);
	if (percent == 0 || percent == 100)
		text_append(text, room, "%s", percent == 0 ? "write" : "read");
	else
		text_append(text, room, "%g/%g", percent, 100 - percent);
}

/* "4K write, preconditioning", "write-saturation: 4K write", "iops: r0-4k" */
static void run_title(const struct precondition_ranking *ranking, char *text, size_t room)
{
	const struct precondition *first = &ranking->runs[0];
	const char *name = first->title[0] ? first->title : ranking->row;
	char load[64];

	load_words(first, load, sizeof(load));
	if (first->result->minutes_file)
		snprintf(text, room, "Runs by minutes");
	else if (ranking->several_loads)
		snprintf(text, room, "%.120s: %s", name, first->load);
	else if (!load[0])
		snprintf(text, room, "%s", name);
	else if (strstr(ranking->row, "precondition"))
		snprintf(text, room, "%s, preconditioning", load);
	else
		snprintf(text, room, "%.120s: %s", name, load);
}

void precondition_title(struct precondition_ranking *ranking)
{
	const struct precondition *first = &ranking->runs[0];

	ranking->several_loads = first->load[0];
	run_title(ranking, ranking->title, sizeof(ranking->title));
	if (first->threads && first->queue)
		text_append(ranking->title, sizeof(ranking->title), ", %uT/%uQ", first->threads,
			    first->queue);
}

void enterprise_heading(const char *title, const char *protocol, char *text, size_t room)
{
	snprintf(text, room, "%s%s%.50s%s", title, protocol[0] ? " (" : "", protocol,
		 protocol[0] ? ")" : "");
}

/* ---- a run ----------------------------------------------------------------------------------- */

/* "20 min, 1.02 drive fills" */
static void append_time(double at_s, double fills, char *text, size_t room)
{
	text_append(text, room, "%.0f min", at_s / 60);
	if (!isnan(fills))
		text_append(text, room, ", %.2f drive fills", fills);
}

static void append_place(unsigned place, size_t count, char *text, size_t room)
{
	if (place && count > 1)
		text_append(text, room, " (place %u of %zu)", place, count);
}

static unsigned ranked(const struct precondition_ranking *ranking, bool at_start)
{
	unsigned count = 0;
	size_t i;

	for (i = 0; i < ranking->count; i++)
		count += (at_start ? ranking->runs[i].place_at_start : ranking->runs[i].place) > 0;
	return count;
}

/* From head to tail: how it began, until when, where it settled. */
static bool head_to_tail(const struct precondition_ranking *ranking, const struct precondition *run,
			 char *text, size_t room)
{
	const struct findings *findings = &run->findings;
	double start = precondition_start_iops(run);
	char number[NUMBER_ROOM];

	text_append(text, room, "%s%s: ", run->result->drive,
		    run->result->kind == RESULT_PUBLISHED ? " (published)" : "");
	if (isnan(start) && isnan(findings->steady[MINUTE_IOPS])) {
		text_append(text, room, "nothing that counts was recorded.");
		return true;
	}
	if (!isnan(start)) {
		text_append(text, room, "began with %s%s IOPS", run->about_burst ? "about " : "",
			    number_count(start, number));
		append_place(run->place_at_start, ranked(ranking, true), text, room);
	}
	if (!isnan(findings->burst_end_s)) {
		text_append(text, room, ", until ");
		append_time(findings->burst_end_s, findings->burst_end_fills, text, room);
	}
	if (isnan(findings->steady[MINUTE_IOPS])) {
		text_append(text, room, "%s.",
			    run->result->kind == RESULT_PUBLISHED ? "" : ", and found no level");
		return true;
	}
	text_append(text, room, "%ssettled at %s%s IOPS", isnan(start) ? "" : ", ",
		    run->about_steady ? "about " : "",
		    number_count(findings->steady[MINUTE_IOPS], number));
	append_place(run->place, ranked(ranking, false), text, room);
	if (!isnan(findings->steady_since_s)) {
		text_append(text, room, " from ");
		append_time(findings->steady_since_s, findings->steady_since_fills, text, room);
		text_append(text, room, " on");
	}
	text_append(text, room, ".");
	return true;
}

static void append_spike(const struct precondition *run, const struct spike *spike, char *text,
			 size_t room)
{
	char number[NUMBER_ROOM];
	double at_min = (double)spike->minute;

	if (spike->minute < run->minutes.count)
		at_min = run->minutes.list[spike->minute].start_s / 60;
	text_append(text, room, "%s at %.0f min", measure_title(spike->measure), at_min);
	if (!isnan(spike->us))
		text_append(text, room, " (%s, %.1f times the usual)", number_us(spike->us, number),
			    spike->us / spike->usual);
}

static bool spikes(const struct precondition *run, char *text, size_t room)
{
	const struct findings *findings = &run->findings;
	size_t i;

	if (!run->minutes.count && !findings->spike_count)
		return false;
	text_append(text, room, "Spikes: ");
	for (i = 0; i < findings->spike_count && i < MOST_SPIKES; i++) {
		text_append(text, room, "%s", i ? ", " : "");
		append_spike(run, &findings->spikes[i], text, room);
	}
	if (i < findings->spike_count)
		text_append(text, room, " and %zu more", findings->spike_count - i);
	text_append(text, room, "%s.", findings->spike_count ? "" : "none");
	return true;
}

static bool evenness_words(const struct precondition_ranking *ranking,
			   const struct precondition *run, char *text, size_t room)
{
	char share[NUMBER_ROOM];
	size_t i, count = 0;

	if (isnan(run->findings.near_share))
		return false;
	for (i = 0; i < ranking->count; i++)
		count += ranking->runs[i].place_even > 0;
	text_append(text, room,
		    "Consistency: %s of the minutes since the burst within 10 %% of the level, ",
		    number_percent(run->findings.near_share, share));
	if (run->findings.spike_times)
		text_append(text, room, "spikes at %zu time%s", run->findings.spike_times,
			    run->findings.spike_times == 1 ? "" : "s");
	else
		text_append(text, room, "no spikes");
	append_place(run->place_even, count, text, room);
	text_append(text, room, ".");
	return true;
}

/* The verdict in the review's own words, and the lines that the chart shows. */
static bool steady_words_of(const struct precondition *run, char *text, size_t room)
{
	if (run->verdict[0])
		text_append(text, room, "%s", run->verdict);
	else if (run->round_count)
		text_append(text, room, "Still at work: %zu rounds, no verdict yet.",
			    run->round_count);
	return text[0];
}

/* "3, 5 to 9" */
static void append_invalid_rounds(const struct precondition *run, char *text, size_t room)
{
	size_t i, end;
	bool is_first = true;

	for (i = 0; i < run->round_count; i = end + 1) {
		for (end = i; end < run->round_count && run->rounds[end].invalid; end++)
			;
		if (end == i)
			continue;
		text_append(text, room, "%s%u", is_first ? "" : ", ", run->rounds[i].number);
		if (end > i + 1)
			text_append(text, room, " to %u", run->rounds[end - 1].number);
		is_first = false;
	}
}

static bool invalid_words(const struct precondition *run, char *text, size_t room)
{
	if (!run->invalid_rounds)
		return false;
	text_append(text, room, "Invalid, and part of no level: round%s ",
		    run->invalid_rounds == 1 ? "" : "s");
	append_invalid_rounds(run, text, room);
	text_append(text, room, "; %s.", run->invalid_why);
	if (run->window.invalid)
		text_append(text, room,
			    " Such rounds lie in the window that was judged, so that "
			    "its verdict does not hold.");
	return true;
}

static bool fill_sentence(const struct precondition *run, char *text, size_t room)
{
	if (run->filled[0])
		text_append(text, room, "Filled before: %s.", run->filled);
	return run->filled[0];
}

static bool gaps(const struct precondition *run, char *text, size_t room)
{
	const struct findings *findings = &run->findings;
	char time[NUMBER_ROOM];
	size_t i;

	for (i = 0; i < findings->gap_count; i++) {
		text_append(text, room, "%s at %.0f min",
			    i ? "," : "Gaps:", findings->gaps[i].at_s / 60);
		if (findings->gaps[i].seconds > 0)
			text_append(text, room, " (%s)",
				    number_duration(findings->gaps[i].seconds, time));
	}
	if (findings->gap_count)
		text_append(text, room, ".");
	return findings->gap_count > 0;
}

bool precondition_sentence(const struct precondition_ranking *ranking,
			   const struct precondition *run, unsigned number, char *text, size_t room)
{
	text[0] = '\0';
	if (ranking->several_loads) {
		text_append(text, room, "%s: ", run->result->drive);
		if (!number)
			return steady_words_of(run, text, room);
		text[0] = '\0';
		return number == 1   ? invalid_words(run, text, room) || true
		       : number == 2 ? fill_sentence(run, text, room)
				     : false;
	}
	switch (number) {
	case 0:
		return head_to_tail(ranking, run, text, room);
	case 1:
		return steady_words_of(run, text, room) || true;
	case 2:
		return spikes(run, text, room) || true;
	case 3:
		return evenness_words(ranking, run, text, room) || true;
	case 4:
		return gaps(run, text, room) || true;
	case 5:
		return invalid_words(run, text, room) || true;
	case 6:
		return fill_sentence(run, text, room);
	default:
		return false;
	}
}
