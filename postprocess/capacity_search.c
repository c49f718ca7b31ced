/* SPDX-License-Identifier: GPL-2.0-only */
/* The search for the largest number that holds: a function of the trials made so far. */
#include <string.h>

#include "postprocess/capacity.h"

#define GAP_SHARE   50 /* of the first that fails: 2 %. Ours, as are all numbers here. */
#define ABOVE_SHARE 10 /* one look at a tenth more */
#define NEAR_SHARE  4  /* a trial up to a quarter above does for that look */
#define MOST_TRIES  2

static unsigned spoilt_tries(const struct trial *trials, size_t count, unsigned copies)
{
	unsigned tries = 0;
	size_t i;

	for (i = 0; i < count; i++)
		tries += trials[i].copies == copies && trials[i].outcome == TRIAL_SPOILT;
	return tries;
}

static void find_limits(const struct trial *trials, size_t count, struct finding *finding)
{
	size_t i;

	for (i = 0; i < count; i++)
		if (trials[i].outcome == TRIAL_FAILS &&
		    (!finding->fails || trials[i].copies < finding->fails))
			finding->fails = trials[i].copies;
	for (i = 0; i < count; i++) {
		unsigned copies = trials[i].copies;
		unsigned *largest =
			finding->fails && copies > finding->fails ? &finding->odd : &finding->holds;

		if (trials[i].outcome == TRIAL_HOLDS && copies > *largest)
			*largest = copies;
	}
}

static unsigned allowed_gap(const struct search_rules *rules, unsigned fails)
{
	unsigned gap = rules->gap ? rules->gap : fails / GAP_SHARE;

	return gap ? gap : 1;
}

static unsigned smaller(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

/* A number a little above the first that fails; 0 when one was tried, or none may be. */
static unsigned number_above(const struct search_rules *rules, const struct trial *trials,
			     size_t count, unsigned fails)
{
	unsigned above = smaller(rules->most, fails + (fails + ABOVE_SHARE - 1) / ABOVE_SHARE);
	size_t i;

	for (i = 0; i < count; i++)
		if (trials[i].copies > fails && trials[i].outcome != TRIAL_SPOILT &&
		    trials[i].copies <= fails + fails / NEAR_SHARE + 1)
			return 0;
	return above > fails ? above : 0;
}

/* The machine spoilt the next number: once more, or the end. Above the limit nothing hangs on it.
 */
static void take_spoilt(const struct trial *trials, size_t count, bool is_above,
			struct finding *finding)
{
	unsigned tries = spoilt_tries(trials, count, finding->next);

	finding->repeat = tries + 1;
	if (tries < MOST_TRIES)
		return;
	finding->end = is_above ? SEARCH_FOUND : SEARCH_SPOILT;
	if (!is_above)
		finding->spoilt = finding->next;
	finding->next = finding->repeat = 0;
}

void search_look(const struct search_rules *rules, const struct trial *trials, size_t count,
		 struct finding *finding)
{
	bool is_above = false;

	memset(finding, 0, sizeof(*finding));
	find_limits(trials, count, finding);
	if (!finding->fails && finding->holds >= rules->most) {
		finding->end = SEARCH_NO_LIMIT;
		return;
	}
	if (!finding->fails) {
		finding->next = finding->holds ? smaller(finding->holds * 2, rules->most) : 1;
	} else if (finding->fails - finding->holds > allowed_gap(rules, finding->fails)) {
		finding->next = finding->holds + (finding->fails - finding->holds) / 2;
	} else {
		finding->next = number_above(rules, trials, count, finding->fails);
		is_above = true;
	}
	if (finding->next)
		take_spoilt(trials, count, is_above, finding);
	else
		finding->end = SEARCH_FOUND;
	if (finding->end == SEARCH_FOUND && !finding->holds)
		finding->end = SEARCH_NOT_ONE;
}
