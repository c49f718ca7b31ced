/* SPDX-License-Identifier: GPL-2.0-only */
/* Every key of a profile: where it has an effect, which values it takes, what the manual says. */
#include "review/profile_internal.h"
#include "tests/unit/profile_fixture.h"
#include "tests/unit/suite.h"

#define MANUAL "docs/ssdreview-profile.5"

/* What each kind of row needs; a search stands alone, the others may follow a curve. */
static const char *const reviews[ROW_KINDS] = {
	[ROW_CURVE] = "[review]\nregion = 5 %\npurge = yes\nsteps = 10\nmeasure_s = 1\n",
	[ROW_SEARCH] = "[review]\nregion = 5 %\nsearch = clones\nsla = 1ms@p95\nstagger_s = 1\n"
		       "measure_s = 1\n",
	[ROW_ONCE] = "[review]\nregion = 5 %\n",
	[ROW_ROUNDS] = "[review]\nregion = 5 %\npurge = yes\n",
	[ROW_SEQUENCE] = "[review]\nregion = 5 %\npurge = yes\n",
	[ROW_LADDER] = "[review]\nregion = 5 %\n",
};
static const char *const rows[ROW_KINDS] = {
	[ROW_CURVE] = "jobfile = j.fio\nin_flight = 1\n",
	[ROW_SEARCH] = "jobfile = j.fio\nin_flight = 1\ndesktops = 1\n",
	[ROW_ONCE] = "jobfile = j.fio\nin_flight = 1\nsteps = once\n",
	[ROW_ROUNDS] = "jobfile = j.fio\nsteps = rounds\nthreads = 1\nqueue = 1\nload_s = 60\n",
	[ROW_SEQUENCE] = "jobfile = j.fio\nsteps = sequence\nthreads = 1\nqueue = 1\n",
	[ROW_LADDER] = "jobfile = j.fio\nsteps = ladder\nladder = 1T/1Q\nmeasure_s = 1\n",
};

/* Of the two keys whose values go by the kind. */
static const char *const quicks[ROW_KINDS] = {"a=1",	 "a=1",	     "a=1",
					      "title=x", "divide=2", "wait_s=1"};
static const char *const steps[ROW_KINDS] = {"once",   "once",	   "once",
					     "rounds", "sequence", "ladder"};

/* A value that is fine, what it needs beside it, and a row before. */
static const struct sample {
	const char *word, *value, *with, *before;
} samples[] = {
	{"jobfile", "j.fio", "", ""},
	{"steps", NULL, "", ""},
	{"stand_in", "yes", "", ""},
	{"in_flight", "32768", "", ""},
	{"in_flight_stated", "2", "", ""},
	{"mix", "100:randread:4k", "", ""},
	{"desktops", "10000", "", ""},
	{"verb", "boots", "", ""},
	{"cache_from", "b", "", "[b]\njobfile = j.fio\nin_flight = 1\nsteps = once\n"},
	{"threads", "64", "", ""},
	{"queue", "32768", "", ""},
	{"region", "100 %", "", ""},
	{"purge", "yes", "", ""},
	{"fill", "whole", "", ""},
	{"fill_passes", "10", "fill = region\n", ""},
	{"title", "A row", "", ""},
	{"load_s", "120", "", ""},
	{"sample_s", "30", "", ""},
	{"track", "iops mean", "", ""},
	{"until", "time", "", ""},
	{"time_s", "2592000", "", ""},
	{"window", "3", "", ""},
	{"range", "100 %", "", ""},
	{"slope", "5%", "", ""},
	{"fills", "100", "", ""},
	{"rounds", "10000", "", ""},
	{"divide", "1.5", "", ""},
	{"ladder", "64T/32768Q 1T/1Q", "", ""},
	{"wait_s", "0", "", ""},
	{"measure_s", "86400", "", ""},
	{"after", "b", "",
	 "[b]\njobfile = j.fio\nsteps = rounds\nthreads = 1\nqueue = 1\nload_s = 60\n"},
	{"quick", NULL, "", ""},
};

static const struct sample *find_sample(const char *word)
{
	size_t i;

	for (i = 0; i < COUNT(samples) && strcmp(samples[i].word, word); i++)
		;
	ck_assert_msg(i < COUNT(samples), "no sample of %s", word);
	return &samples[i];
}

static unsigned lines_of(const char *text)
{
	unsigned lines = 0;

	for (; (text = strchr(text, '\n')); text++)
		lines++;
	return lines;
}

/* The keys that a row needs, without the one that is tried. */
static void add_others(char *text, size_t room, const char *all, const char *word)
{
	const char *line;

	for (line = all; *line; line = strchr(line, '\n') + 1) {
		size_t length = strcspn(line, " ");

		if (strlen(word) != length || strncmp(line, word, length))
			text_append(text, room, "%.*s\n", (int)strcspn(line, "\n"), line);
	}
}

/* A row of this kind with one more key; where: its line, as an error has it. */
static int load_key(enum row_kind kind, const struct profile_key *key, char *where, size_t room)
{
	const struct sample *sample = find_sample(key->word);
	bool is_taken = key->takers & 1U << kind;
	char text[1024] = "";

	text_append(text, sizeof(text), "%s%s[p]\n", reviews[kind], is_taken ? sample->before : "");
	add_others(text, sizeof(text), rows[kind], key->word);
	text_append(text, sizeof(text), "%s", is_taken ? sample->with : "");
	snprintf(where, room, ".profile:%u: ", lines_of(text) + 1);
	text_append(text, sizeof(text), "%s = %s\n", key->word,
		    sample->value		  ? sample->value
		    : !strcmp(key->word, "steps") ? steps[kind]
						  : quicks[kind]);
	return load_with("j.fio", "[j]\na=0\n", text);
}

START_TEST(a_key_has_an_effect_or_is_refused)
{
	enum row_kind kind;
	char where[64];
	size_t i;

	for (i = 0; i < profile_row_key_count; i++)
		for (kind = 0; kind < ROW_KINDS; kind++) {
			const struct profile_key *key = &profile_row_keys[i];
			bool is_kind = kind == ROW_CURVE && !strcmp(key->word, "steps");
			int failed = load_key(kind, key, where, sizeof(where));

			if (is_kind) /* a curve with steps is none */
				continue;
			if (key->takers & 1U << kind) {
				ck_assert_msg(!failed, "%s: %s", key->word, err.text);
				continue;
			}
			ck_assert_msg(failed, "%s in %s", key->word, profile_kind_word(kind));
			error_has(where);
			error_has(key->word);
			if (strcmp(key->word, "steps"))
				error_has(profile_kind_word(kind));
		}
}
END_TEST

/* A row without the key. */
static void expect_needed(enum row_kind kind, const struct profile_key *key)
{
	char text[1024] = "", where[64];

	text_append(text, sizeof(text), "%s[p]\n", reviews[kind]);
	snprintf(where, sizeof(where), ".profile:%u: ", lines_of(text));
	add_others(text, sizeof(text), rows[kind], key->word);
	ck_assert_int_eq(load_with("j.fio", "", text), -1);
	error_has(where);
	error_has("needs ");
	error_has(key->word);
}

START_TEST(a_key_that_is_needed_is_missed)
{
	enum row_kind kind;
	size_t i;

	for (i = 0; i < profile_row_key_count; i++)
		for (kind = 0; kind < ROW_KINDS; kind++)
			if (profile_row_keys[i].needed && profile_row_keys[i].takers & 1U << kind)
				expect_needed(kind, &profile_row_keys[i]);
}
END_TEST

/* ---- values --------------------------------------------------------------------------------- */

static void expect_refused(bool is_of_row, const char *key, const char *value, const char *words)
{
	char text[1024] = "", where[64];

	if (is_of_row)
		text_append(text, sizeof(text), "%s", reviews[ROW_CURVE]);
	text_append(text, sizeof(text), "%s\n", is_of_row ? "[p]" : "[review]");
	snprintf(where, sizeof(where), ".profile:%u: ", lines_of(text) + 1);
	text_append(text, sizeof(text), "%s = %s\n", key, value);
	ck_assert_msg(load_with("j.fio", "", text), "%s = %s", key, value);
	error_has(where);
	error_has(key);
	error_has(words);
}

/* What no number may be; 0 where a key allows no 0. */
static void try_numbers(const struct profile_key *key, bool is_of_row)
{
	static const char *const values[] = {
		"-1", "99999999999999999999", "1e300", "inf", "nan", "five", "5x", "5 6", "0"};
	char range[256], *words;
	size_t i;

	profile_key_summary(key, range, sizeof(range));
	words = strstr(range, "; ") + 2;
	words[strcspn(words, ";")] = '\0';
	for (i = 0; i < COUNT(values) - (key->lowest <= 0 && key->kind != VALUE_SHARE); i++)
		expect_refused(is_of_row, key->word, values[i],
			       key->kind == VALUE_SHARE ? "is no percentage from above 0 to 100"
							: words);
	if (key->kind == VALUE_WHOLE)
		expect_refused(is_of_row, key->word, "1.5", words);
}

static void try_values(const struct profile_key *keys, size_t count, bool is_of_row)
{
	char longer[191];
	size_t i;

	for (i = 0; i < count; i++) {
		expect_refused(is_of_row, keys[i].word, "", " has no value");
		if (keys[i].kind <= VALUE_SHARE)
			try_numbers(&keys[i], is_of_row);
		if (keys[i].kind == VALUE_YES_NO)
			expect_refused(is_of_row, keys[i].word, "Yes", "neither yes nor no");
		if (keys[i].kind != VALUE_TEXT)
			continue;
		snprintf(longer, sizeof(longer), "%0*d", (int)keys[i].highest, 0);
		expect_refused(is_of_row, keys[i].word, longer, "it is longer than");
	}
}

START_TEST(impossible_values)
{
	try_values(profile_row_keys, profile_row_key_count, true);
	try_values(profile_review_keys, profile_review_key_count, false);
}
END_TEST

START_TEST(values_of_their_own)
{
	static const struct {
		const char *key, *value, *words;
	} wrong[] = {
		{"steps", "twice", "unknown steps of a row \"twice\""},
		{"mix", "50:randread:4k", "come to 50 percent"},
		{"region", "0 %", "no percentage from above 0 to 100"},
		{"region", "20", "no percentage"},
		{"fill", "hole", "did you mean \"whole\""},
		{"track", "iops iops", "iops stands twice"},
		{"track", ",", "nothing to follow"},
		{"track", "a:b:c", "unknown measure"},
		{"until", "tired", "unknown end"},
		{"ladder", "99T", "is no step such as 16T/16Q: 1 to 64 threads"},
		{"ladder", "65T/1Q", "1 to 64 threads"},
		{"ladder", "1T/32769Q", "1 to 32,768 in flight"},
		{"ladder", "1T/0Q", "is no step"},
		{"ladder", "-1T/1Q", "is no step"},
		{"ladder", "99999999999T/1Q", "is no step"},
		{"ladder", "1T/99999999999Q", "is no step"},
		{"ladder", "1T/1QQ", "is no step"},
		{"ladder", "1T/1Q 2T/2Q 1T/1Q", "1T/1Q stands twice"},
		{"ladder", ",", "no step; name some"},
		{"jobfile", "k.fio", "\"k.fio\""},
	};
	static const struct {
		const char *key, *value, *words;
	} wrong_in_review[] = {
		{"region", "0", "less than 1 MiB"},
		{"region", "1048575", "less than 1 MiB (1048576), the least"},
		{"region", "99999999999999999999", "more than any drive has"},
		{"region", "20G", "nor bytes in plain digits"},
		{"region", "-5", "nor bytes in plain digits"},
		{"region", "100.1 %", "no percentage from above 0 to 100"},
		{"steps", "0", "not a whole number from 1 to 999"},
		{"steps", "1000", "not a whole number from 1 to 999"},
		{"steps", "10 10", "10 does not follow 10"},
		{"steps", ",", "no step; name some"},
		{"search", "clone", "did you mean \"clones\""},
		{"sla", "1ms", "is no promise"},
	};
	size_t i;

	for (i = 0; i < COUNT(wrong); i++)
		expect_refused(true, wrong[i].key, wrong[i].value, wrong[i].words);
	for (i = 0; i < COUNT(wrong_in_review); i++)
		expect_refused(false, wrong_in_review[i].key, wrong_in_review[i].value,
			       wrong_in_review[i].words);
}
END_TEST

/* ---- what does not fit together ------------------------------------------------------------- */

#define LOADS	 "[p]\njobfile = j.fio\nthreads = 1\nqueue = 1\n"
#define PURGE	 "[review]\nregion = 5 %\npurge = yes\n"
#define CURVES	 "[review]\nregion = 5 %\nsteps = 10\nmeasure_s = 1\n"
#define A_CURVE	 "[p]\njobfile = j.fio\nin_flight = 1\n"
#define A_SINGLE "[p]\njobfile = j.fio\nin_flight = 1\nsteps = once\n"

static const struct {
	const char *text, *words;
} misfits[] = {
	{PURGE LOADS "steps = rounds\nload_s = 9\nsample_s = 9\nfill_passes = 2\n",
	 ":11: [p] fill_passes has no effect without fill"},
	{PURGE LOADS "steps = rounds\nload_s = 60\nuntil = time\nrounds = 9\n",
	 ":11: [p] rounds has no effect with until = time"},
	{PURGE LOADS "steps = rounds\nload_s = 60\npurge = no\nfill = whole\n",
	 ":10: [p] purge = no has no effect"},
	{PURGE LOADS "steps = rounds\nload_s = 600\ntime_s = 60\n",
	 ":10: [p] time_s 60 is shorter than a load of 600 s"},
	{PURGE LOADS "steps = rounds\nload_s = 600\nsample_s = 0.1\n",
	 ":10: [p] a load of 600 s has more than 1000 samples"},
	{PURGE LOADS "steps = rounds\nload_s = 60\n[q]\njobfile = j.fio\nthreads = 1\n"
		     "queue = 1\nsteps = sequence\nafter = p\nfill = whole\n",
	 ":15: [q] fill and purge would undo the state in which p leaves the drive"},
	{PURGE LOADS "steps = rounds\nload_s = 60\nquick = steps=once\n",
	 ":10: quick: steps cannot be changed"},
	{PURGE LOADS "steps = rounds\nload_s = 60\nquick = foo=1\n",
	 ":10: quick: unknown key \"foo\""},
	{PURGE LOADS "steps = rounds\nload_s = 60\nquick = rounds\n",
	 ":10: quick: \"rounds\" is not KEY=VALUE"},
	{PURGE LOADS "steps = rounds\nload_s = 60\nquick = rounds=6 rounds=7\n",
	 ":10: quick: rounds stands twice"},
	{PURGE LOADS "steps = rounds\nload_s = 60\nquick = divide=2\n",
	 ":10: quick: [p] is a row of rounds, where divide has no effect"},
	{"[review]\nregion = 5 %\n" A_SINGLE "quick = foo=1\n",
	 "unknown option of its job file \"foo\""},
	{"[review]\nregion = 5 %\n" A_SINGLE "quick = a\n", ":7: quick: "},
	{"[review]\nregion = 5 %\n" A_SINGLE "quick = a=\n", "a has no value"},
	{"[review]\nregion = 5 %\n" A_SINGLE "fill = whole\n",
	 ":7: [p] is a single run, where fill has no effect"},
	{"[review]\nregion = 5 %\nfill = region\n" A_SINGLE,
	 ":3: [review] fill has no effect: it is for curves, searches, ladders"},
	{"[review]\nregion = 5 %\nsteps = 10\n" A_SINGLE,
	 ":3: [review] steps has no effect: it is for curves, and no row is such"},
	{"[review]\nregion = 5 %\nfill = whole\n" LOADS
	 "steps = rounds\nload_s = 60\n[l]\njobfile = j.fio\nsteps = ladder\n"
	 "ladder = 1T/1Q\nmeasure_s = 1\nafter = p\n",
	 ":3: [review] fill has no effect: rows of rounds and the ladders after them"},
	{CURVES "sla = 1ms@p95\n" A_CURVE, ":5: [review] sla has no effect"},
	{CURVES "refill = yes\n" A_CURVE, ":5: [review] refill has no effect without fill"},
	{CURVES "longest_pause_s = 9\n" A_CURVE, ":5: [review] longest_pause_s has no"},
	{"[review]\nregion = 2097151\nregion_files = 2\nsteps = 10\nmeasure_s = 1\n" A_CURVE,
	 ":2: [review] region: 2097151 bytes are less than 1 MiB for each of 2"},
	{CURVES A_CURVE "idle_s = 3\n", ":8: idle_s is a key of [review]"},
	{CURVES "in_flight = 3\n" A_CURVE, ":5: in_flight is a key of rows"},
	{CURVES A_CURVE "in_flight = 2\n", ":8: in_flight stands on line 7 too"},
	{CURVES A_CURVE A_CURVE, ":9: the section [p] stands on line 5 too"},
	{CURVES A_CURVE CURVES, ":9: the section [review] stands on line 1 too"},
	{CURVES "[q]\n" A_CURVE, ":5: the section has no keys"},
	{CURVES A_CURVE "[q]\n", ":8: the section has no keys"},
	{CURVES A_CURVE " stand_in = yes\n", ":8: the line begins with a space"},
	{CURVES "[p] in_flight = 1\n", ":5: a key follows the [section] on its line"},
	{CURVES "[../p]\nin_flight = 1\n", ":6: [../p] cannot be the name of a row"},
	{CURVES "[a,b]\nin_flight = 1\n", "cannot be the name of a row"},
	{CURVES "[fill]\nin_flight = 1\n", "[fill] cannot be the name of a row"},
	{CURVES "nonsense\n[a]\nin_flight = 0\n", ":5: neither a [section] nor"},
};

START_TEST(what_does_not_fit_is_named_by_line)
{
	size_t i;

	for (i = 0; i < COUNT(misfits); i++) {
		ck_assert_msg(load_with("j.fio", "[j]\na=0\n", misfits[i].text), "%s",
			      misfits[i].text);
		error_has(misfits[i].words);
	}
}
END_TEST

START_TEST(what_looks_odd_is_fine)
{
	ck_assert_msg(!load_with("j.fio", "",
				 "\xEF\xBB\xBF[review] # all\r\nregion = 5 %\r\n"
				 "steps = 10\nmeasure_s = 1\n\n  # a comment\n"
				 "[p]\njobfile = j.fio\nin_flight = 1"),
		      "%s", err.text);
	ck_assert_uint_eq(profile.rows[0].line, 7);
	ck_assert_msg(!load_with("j.fio", "",
				 PURGE LOADS "steps = rounds\nload_s = 0.3\nsample_s = 0.1\n"),
		      "%s", err.text);
}
END_TEST

/* ---- the manual ----------------------------------------------------------------------------- */

/* The line of the manual, and that it stands in this part. */
static void expect_described(const char *part, const struct profile_key *key)
{
	char summary[256], line[320];

	profile_key_summary(key, summary, sizeof(summary));
	snprintf(line, sizeof(line), ".BR %s \" (%s)\"\n", key->word, summary);
	ck_assert_msg(strstr(part, line) != NULL, "%s does not have: %s", MANUAL, line);
}

static size_t described(const char *part)
{
	size_t count = 0;

	for (; (part = strstr(part, "\n.BR ")); part++) {
		size_t word = strspn(part + 5, "abcdefghijklmnopqrstuvwxyz_");

		count += !strncmp(part + 5 + word, " \" (", 4);
	}
	return count;
}

static void drop_backslashes(char *text)
{
	char *to = text;

	for (; *text; text++)
		if (*text != '\\')
			*to++ = *text;
	*to = '\0';
}

START_TEST(the_manual_has_every_key)
{
	char *text, *of_rows;
	size_t i;

	ck_assert_msg(!file_read_text(MANUAL, &text, &err), "%s", err.text);
	drop_backslashes(text);
	of_rows = strstr(text, ".SH KEYS OF ROWS");
	ck_assert_ptr_nonnull(of_rows);
	for (i = 0; i < profile_row_key_count; i++)
		expect_described(of_rows, &profile_row_keys[i]);
	ck_assert_uint_eq(described(of_rows), profile_row_key_count);
	*of_rows = '\0';
	for (i = 0; i < profile_review_key_count; i++)
		expect_described(text, &profile_review_keys[i]);
	ck_assert_uint_eq(described(text), profile_review_key_count);
	free(text);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		a_key_has_an_effect_or_is_refused,
		a_key_that_is_needed_is_missed,
		impossible_values,
		values_of_their_own,
		what_does_not_fit_is_named_by_line,
		what_looks_odd_is_fine,
		the_manual_has_every_key,
	};

	return RUN_TESTS("profile: every key", tests, 60, NULL, NULL);
}
