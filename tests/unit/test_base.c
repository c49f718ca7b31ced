/* SPDX-License-Identifier: GPL-2.0-only */
/* The helpers of base/: sentences, words, files, folders, time. */
#include <check.h>
#include <errno.h>
#include <math.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/base.h"
#include "base/number.h"
#include "base/options.h"
#include "base/utf8.h"
#include "tests/unit/suite.h"
#include "tests/unit/user_fixture.h"

static char folder[64];

static void make_folder(void)
{
	const char *tmp = getenv("TMPDIR");

	snprintf(folder, sizeof(folder), "%s/base.XXXXXX", tmp && strlen(tmp) < 40 ? tmp : "/tmp");
	ck_assert_ptr_nonnull(mkdtemp(folder));
}

static const char *below(const char *name)
{
	static char path[128];

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	return path;
}

static void remove_folder(void)
{
	unlink(below("file"));
	unlink(below("pipe"));
	rmdir(below("a/b/c"));
	rmdir(below("a/b"));
	rmdir(below("a"));
	ck_assert_msg(rmdir(folder) == 0, "a temporary file stayed in %s", folder);
}

START_TEST(an_error_is_a_sentence)
{
	struct error err = {.text = "old"};

	ck_assert_int_eq(error_set(&err, "%s has %d faults", "it", 3), -1);
	ck_assert_str_eq(err.text, "it has 3 faults");
	ck_assert_int_eq(error_prefix(&err, "file %d", 7), -1);
	ck_assert_str_eq(err.text, "file 7: it has 3 faults");
	ck_assert_int_eq(error_set(NULL, "nobody listens"), -1);
	ck_assert_int_eq(error_prefix(NULL, "nobody listens"), -1);
}
END_TEST

START_TEST(a_long_sentence_is_cut)
{
	char words[3000];
	struct error err;

	memset(words, 'x', sizeof(words));
	words[sizeof(words) - 1] = '\0';
	error_set(&err, "%s", words);
	ck_assert_uint_eq(strlen(err.text), sizeof(err.text) - 1);
	error_prefix(&err, "%s", words);
	ck_assert_uint_eq(strlen(err.text), sizeof(err.text) - 1);
	error_set(&err, "short");
	error_prefix(&err, "%.1020s", words);
	ck_assert_uint_eq(strlen(err.text), sizeof(err.text) - 1);
}
END_TEST

START_TEST(the_nearest_word_is_found)
{
	const char *const words[] = {"client", "client-qlc", "enterprise"};
	const char *const drives[] = {"p4510-8tb", "670p-2tb"};

	ck_assert_str_eq(nearest_word("cleint", words, 3), "client");
	ck_assert_str_eq(nearest_word("client-qcl", words, 3), "client-qlc");
	ck_assert_str_eq(nearest_word("enterprize", words, 3), "enterprise");
	ck_assert_str_eq(nearest_word("client", words, 3), "client");
	ck_assert_ptr_null(nearest_word("zzzzzzzz", words, 3));
	ck_assert_ptr_null(nearest_word("client", words, 0));
	ck_assert_str_eq(nearest_word("ent", words, 3), "enterprise");
	ck_assert_str_eq(nearest_word("prise", words, 3), "enterprise");
	ck_assert_str_eq(nearest_word("67p", drives, 2), "670p-2tb");
	ck_assert_ptr_null(nearest_word("x", words, 3));
	ck_assert_ptr_null(nearest_word("xyz", words, 3));
}
END_TEST

START_TEST(an_unknown_word_is_named)
{
	const char *const words[] = {"client", "enterprise"};
	const char *const phases[] = {"boot", "initial login", "steady"};
	struct error err;

	ck_assert_int_eq(error_unknown(&err, "profile", "cleint", words, 2), -1);
	ck_assert_str_eq(err.text, "unknown profile \"cleint\"; did you mean \"client\"?");
	error_unknown(&err, "profile", "zzzzzzzz", words, 2);
	ck_assert_str_eq(err.text,
			 "unknown profile \"zzzzzzzz\"; there are \"client\", \"enterprise\"");
	ck_assert(err.unknown_word);
	error_unknown(&err, "phase", "logon", phases, 3);
	ck_assert_str_eq(err.text,
			 "unknown phase \"logon\"; there are \"boot\", \"initial login\", "
			 "\"steady\"");
	error_unknown(&err, "phase", "x", phases, 1);
	ck_assert_str_eq(err.text, "unknown phase \"x\"; there is \"boot\"");
	error_prefix(&err, "a.vdt");
	ck_assert(err.unknown_word);
	error_set(&err, "another");
	ck_assert(!err.unknown_word);
}
END_TEST

START_TEST(numbers_look_the_same_everywhere)
{
	char text[NUMBER_ROOM];

	ck_assert_str_eq(number_count(295132, text), "295,132");
	ck_assert_str_eq(number_count(-1234567, text), "-1,234,567");
	ck_assert_str_eq(number_count(999.6, text), "1,000");
	ck_assert_str_eq(number_count(9.431, text), "9.43");
	ck_assert_str_eq(number_count(99.96, text), "100");
	ck_assert_str_eq(number_count(0, text), "0");
	ck_assert_str_eq(number_count(NAN, text), "n/a");
	ck_assert_str_eq(number_us(421.3, text), "421 us");
	ck_assert_str_eq(number_mbps(2404123456, text), "2,404 MB/s");
	ck_assert_str_eq(number_percent(0.0123, text), "1.2 %");
	ck_assert_str_eq(number_bytes(20480000000, text), "20.5 GB");
	ck_assert_str_eq(number_bytes(999, text), "999 B");
	ck_assert_str_eq(number_bytes(5, text), "5 B");
	ck_assert_str_eq(number_bytes(2.048e12, text), "2.05 TB");
	ck_assert_str_eq(number_bytes(NAN, text), "n/a");
	ck_assert_str_eq(number_whole(12.4, text), "12");
	ck_assert_str_eq(number_duration(59.2, text), "1 min 00 s");
	ck_assert_str_eq(number_duration(3840, text), "1 h 04 min");
	ck_assert_str_eq(number_duration(-1, text), "0 s");
}
END_TEST

START_TEST(words_beyond_all_reason_have_no_neighbour)
{
	const char *const words[] = {"client"};
	const char *long_one[1];
	char word[200];

	memset(word, 'c', sizeof(word));
	word[sizeof(word) - 1] = '\0';
	long_one[0] = word;
	ck_assert_ptr_null(nearest_word(word, words, 1));
	ck_assert_ptr_null(nearest_word("client", long_one, 1));
}
END_TEST

START_TEST(a_file_comes_back_as_written)
{
	size_t bytes, length = 200000;
	char *written = malloc(length), *data;
	struct error err;
	struct stat st;

	for (size_t i = 0; i < length; i++)
		written[i] = (char)(i * 7);
	ck_assert_int_eq(file_write_atomic(below("file"), "old", 3, &err), 0);
	ck_assert_int_eq(file_write_atomic(below("file"), written, length, &err), 0);
	ck_assert_int_eq(file_read(below("file"), &data, &bytes, &err), 0);
	ck_assert_uint_eq(bytes, length);
	ck_assert_mem_eq(data, written, length);
	ck_assert_int_eq(data[length], '\0');
	ck_assert_int_eq(stat(below("file"), &st), 0);
	ck_assert_uint_eq(st.st_mode & 0777, 0644);
	free(data);
	free(written);
}
END_TEST

START_TEST(an_empty_file_is_read)
{
	struct error err;
	size_t bytes;
	char *data;

	ck_assert_int_eq(file_write_atomic(below("file"), "", 0, &err), 0);
	ck_assert_int_eq(file_read(below("file"), &data, &bytes, &err), 0);
	ck_assert_uint_eq(bytes, 0);
	ck_assert_int_eq(data[0], '\0');
	free(data);
}
END_TEST

START_TEST(a_file_without_a_size_is_read_whole)
{
	struct error err;
	size_t bytes;
	char *data;

	ck_assert_int_eq(file_read("/proc/self/status", &data, &bytes, &err), 0);
	ck_assert_ptr_nonnull(strstr(data, "VmRSS"));
	ck_assert_uint_eq(strlen(data), bytes);
	free(data);
}
END_TEST

START_TEST(what_has_no_end_is_refused)
{
	struct error err;
	char *text;
	size_t bytes;

	ck_assert_int_eq(file_read("/dev/zero", &text, &bytes, &err), -1);
	ck_assert_ptr_nonnull(strstr(err.text, "/dev/zero is a device"));
}
END_TEST

START_TEST(text_holds_text_alone)
{
	struct error err;
	char *text;

	ck_assert_int_eq(file_write_atomic(below("file"), "word", 4, NULL), 0);
	ck_assert_int_eq(file_read_text(below("file"), &text, &err), 0);
	ck_assert_str_eq(text, "word");
	free(text);
	ck_assert_int_eq(file_write_atomic(below("file"), "wo\0rd", 5, NULL), 0);
	ck_assert_int_eq(file_read_text(below("file"), &text, &err), -1);
	ck_assert_ptr_nonnull(strstr(err.text, "byte 2 is zero"));
	ck_assert_int_eq(file_write_atomic(below("file"), "w\xc3\xa9\xe9rd", 6, NULL), 0);
	ck_assert_int_eq(file_read_text(below("file"), &text, &err), -1);
	ck_assert_ptr_nonnull(strstr(err.text, "byte 3 is not UTF-8; save it as UTF-8"));
}
END_TEST

START_TEST(failures_name_the_file)
{
	struct error err;
	size_t bytes;
	char *data;

	ck_assert_int_eq(file_read(below("none"), &data, &bytes, &err), -1);
	ck_assert_ptr_nonnull(strstr(err.text, below("none")));
	ck_assert_int_eq(file_read(folder, &data, &bytes, &err), -1);
	ck_assert_ptr_nonnull(strstr(err.text, folder));
	ck_assert_int_eq(file_write_atomic(below("no/file"), "x", 1, &err), -1);
	ck_assert_ptr_nonnull(strstr(err.text, below("no/file")));
	ck_assert_int_eq(file_write_atomic(folder, "x", 1, &err), -1);
	/* remove_folder() finds the temporary file, if one stayed. */
}
END_TEST

START_TEST(folders_are_made_with_those_above)
{
	struct error err;
	struct stat st;

	ck_assert_int_eq(folder_make(below("a/b/c"), &err), 0);
	ck_assert_int_eq(stat(below("a/b/c"), &st), 0);
	ck_assert(S_ISDIR(st.st_mode));
	ck_assert_int_eq(folder_make(below("a/b/c"), &err), 0);
	ck_assert_int_eq(folder_make(below("a/b/c/"), &err), 0);
	ck_assert_int_eq(folder_make("/proc/none/x", &err), -1);
	ck_assert_ptr_nonnull(strstr(err.text, "/proc/none"));
}
END_TEST

START_TEST(a_file_in_the_way_of_a_folder_is_told)
{
	struct error err;

	ck_assert_int_eq(file_write_atomic(below("file"), "x", 1, &err), 0);
	ck_assert_int_eq(folder_make(below("file"), &err), -1);
	ck_assert_int_eq(folder_make(below("file/x"), &err), -1);
}
END_TEST

START_TEST(names_too_long_are_told)
{
	struct error err;
	char name[5000];

	memset(name, 'n', sizeof(name));
	name[sizeof(name) - 1] = '\0';
	ck_assert_int_eq(folder_make(name, &err), -1);
	ck_assert_ptr_nonnull(strstr(err.text, "n"));
	ck_assert_int_eq(file_write_atomic(name, "x", 1, &err), -1);
}
END_TEST

START_TEST(time_is_the_monotonic_clock)
{
	struct timespec before, after;
	uint64_t now;

	clock_gettime(CLOCK_MONOTONIC, &before);
	now = monotonic_ns();
	clock_gettime(CLOCK_MONOTONIC, &after);
	ck_assert_uint_ge(now, before.tv_sec * NS_PER_SEC + before.tv_nsec);
	ck_assert_uint_le(now, after.tv_sec * NS_PER_SEC + after.tv_nsec);
}
END_TEST

/* EACCES is for root to mend unless root met it; EPERM is not. */
START_TEST(who_is_denied_and_why)
{
	ck_assert_str_eq(denied_because(EACCES, "run as root"), "run as root");
	ck_assert_ptr_nonnull(strstr(denied_because(EPERM, "run as root"), "device rules"));
	ck_assert_ptr_null(denied_because(ENOENT, "run as root"));
	seen_as = ROOT;
	ck_assert_ptr_nonnull(strstr(denied_because(EACCES, "run as root"), "root lacks"));
	ck_assert_ptr_nonnull(strstr(denied_because(EPERM, "run as root"), "device rules"));
}
END_TEST

/* JSON takes any bytes: what is no UTF-8 (cut short, too long a form, a surrogate) is replaced. */
START_TEST(bytes_become_text)
{
	static const struct {
		const char *bytes, *text;
	} cases[] = {
		{"", ""},
		{"a\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80", "a\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80"},
		{"\xef\xbf\xbd", "\xef\xbf\xbd"},
		{"a\xff", "a\xef\xbf\xbd"},
		{"\xe9t\xe9", "\xef\xbf\xbdt\xef\xbf\xbd"},
		{"\xc3", "\xef\xbf\xbd"},
		{"\xc0\x80", "\xef\xbf\xbd\xef\xbf\xbd"},
		{"\xed\xa0\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"},
	};
	size_t i;

	for (i = 0; i < COUNT(cases); i++) {
		json_t *string = utf8_json(cases[i].bytes);

		ck_assert_str_eq(json_string_value(string), cases[i].text);
		ck_assert(utf8_is(cases[i].bytes) == !strcmp(cases[i].bytes, cases[i].text));
		json_decref(string);
	}
}
END_TEST

/* What a shell makes of the word is the word. */
START_TEST(words_are_quoted_for_a_shell)
{
	static const char *const words[] = {
		"nvme0n1", "",	"S4 EV'NX", "/a b/c$(d)`e`\"f\"", "~", "*",
		"a\\b",	   "'", "a\nb",	    "\xc3\xa9",
	};
	char quoted[SHELL_WORD_ROOM], command[SHELL_WORD_ROOM + 32], back[64];
	size_t i;

	ck_assert_str_eq(shell_word("/dev/nvme0n1", quoted), "/dev/nvme0n1");
	ck_assert_str_eq(shell_word("a b", quoted), "'a b'");
	for (i = 0; i < COUNT(words); i++) {
		FILE *shell;

		snprintf(command, sizeof(command), "printf '<%%s>' %s",
			 shell_word(words[i], quoted));
		shell = popen(command, "r");
		ck_assert_ptr_nonnull(shell);
		back[fread(back, 1, sizeof(back) - 1, shell)] = '\0';
		pclose(shell);
		ck_assert_int_eq(back[0], '<');
		ck_assert_int_eq(back[strlen(back) - 1], '>');
		back[strlen(back) - 1] = '\0';
		ck_assert_str_eq(back + 1, words[i]);
	}
}
END_TEST

START_TEST(durations_are_read)
{
	static const struct {
		const char *text, *rest;
		double us;
	} times[] = {{"500ms", "", 5e5}, {"2", "", 2e6},	  {"1.5h:x", ":x", 5400e6},
		     {".5m", "", 30e6},	 {"3us@", "@", 3},	  {"20 s", "", 20e6},
		     {"1min", "", 60e6}, {"2d", "", 2 * 86400e6}, {"2 -", " -", 2e6},
		     {"1x", NULL, 0},	 {"nan", NULL, 0},	  {"-1", NULL, 0},
		     {" 1", NULL, 0},	 {"", NULL, 0},		  {"s", NULL, 0},
		     {"0x1s", NULL, 0},	 {"1e999s", NULL, 0}};
	const char *rest;
	double us;
	size_t i;

	for (i = 0; i < COUNT(times); i++) {
		rest = duration_parse(times[i].text, &us);
		ck_assert_msg(!rest == !times[i].rest, "%s", times[i].text);
		if (!rest)
			continue;
		ck_assert_str_eq(rest, times[i].rest);
		ck_assert_double_eq(us, times[i].us);
	}
}
END_TEST

struct chosen {
	const char *out;
	bool all;
};

static const struct option_spec specs[] = {
	{"-o, --out", OPTION_TEXT, offsetof(struct chosen, out), "DIR", "where to"},
	{"--all", OPTION_FLAG, offsetof(struct chosen, all), NULL, "all of it"},
};

START_TEST(options_by_both_names_and_words_among_them)
{
	char *good[] = {"x", "one", "-o", "here", "--all", "--", "--out", NULL};
	char *equal[] = {"x", "--out=there", NULL}, *bare[] = {"x", "-o", NULL};
	char *wrong[] = {"x", "--uot=there", NULL};
	struct chosen chosen = {NULL, false};
	const char **words;
	struct error err;
	unsigned used;
	bool help;

	words = options_parse_words(7, good, specs, 2, &chosen, &used, &help, &err);
	ck_assert_msg(words != NULL, "%s", err.text);
	ck_assert(used == 2 && chosen.all && !help);
	ck_assert_str_eq(chosen.out, "here");
	ck_assert_str_eq(words[1], "--out");
	free(words);
	ck_assert(!options_parse(2, equal, specs, 2, &chosen, NULL, 0, &help, &err));
	ck_assert_str_eq(chosen.out, "there");
	ck_assert(options_parse(2, bare, specs, 2, &chosen, NULL, 0, &help, &err));
	ck_assert_str_eq(err.text, "--out needs a value: DIR");
	ck_assert(options_parse(2, wrong, specs, 2, &chosen, NULL, 0, &help, &err));
	ck_assert_str_eq(err.text, "unknown option \"--uot\"; did you mean \"--out\"?");
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("base");
	TCase *words = tcase_create("words"), *files = tcase_create("files");

	tcase_add_test(words, an_error_is_a_sentence);
	tcase_add_test(words, durations_are_read);
	tcase_add_test(words, options_by_both_names_and_words_among_them);
	tcase_add_test(words, words_are_quoted_for_a_shell);
	tcase_add_test(words, who_is_denied_and_why);
	tcase_add_test(words, bytes_become_text);
	tcase_add_test(words, a_long_sentence_is_cut);
	tcase_add_test(words, the_nearest_word_is_found);
	tcase_add_test(words, an_unknown_word_is_named);
	tcase_add_test(words, numbers_look_the_same_everywhere);
	tcase_add_test(words, words_beyond_all_reason_have_no_neighbour);
	tcase_add_test(words, time_is_the_monotonic_clock);
	tcase_add_checked_fixture(files, make_folder, remove_folder);
	tcase_add_test(files, a_file_comes_back_as_written);
	tcase_add_test(files, an_empty_file_is_read);
	tcase_add_test(files, a_file_without_a_size_is_read_whole);
	tcase_add_test(files, what_has_no_end_is_refused);
	tcase_add_test(files, text_holds_text_alone);
	tcase_add_test(files, failures_name_the_file);
	tcase_add_test(files, folders_are_made_with_those_above);
	tcase_add_test(files, a_file_in_the_way_of_a_folder_is_told);
	tcase_add_test(files, names_too_long_are_told);
	suite_add_tcase(suite, words);
	suite_add_tcase(suite, files);
	return run_suite(suite);
}
