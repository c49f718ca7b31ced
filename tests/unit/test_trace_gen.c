/* SPDX-License-Identifier: GPL-2.0-only */
/* The generator: every workload keeps its file's promises, the same seed makes the same trace. */
#include "tests/unit/suite.h"
#include "trace_fixture.h"

static const char *const workloads[] = {"boot", "initial-login", "monday-login", "steady"};

#define WORKLOADS (sizeof(workloads) / sizeof(workloads[0]))

static struct trace_gen_options options_of(unsigned number)
{
	return (struct trace_gen_options){
		.workload = workloads[number / 2],
		.linked = number & 1,
		.desktops = 3,
		.seed = 1,
		.stagger_s = -1,
	};
}

static struct trace *generate(const struct trace_gen_options *options, const char *name)
{
	ck_assert_msg(!trace_generate(options, below(name), &err), "%s", err.text);
	return open_trace(below(name));
}

START_TEST(promises_are_kept)
{
	struct trace_gen_options options = options_of((unsigned)_i);
	struct trace_info info;
	struct trace *trace;

	for (options.seed = 1; options.seed <= 3; options.seed++) {
		trace = generate(&options, "a.vdt");
		ck_assert_msg(!trace_verify(trace, &err), "%s", err.text);
		ck_assert_msg(!trace_info_collect(trace, &info, &err), "%s", err.text);
		ck_assert_msg(!trace_gen_check(&options, trace, &info, &err), "%s %s, seed %d: %s",
			      options.workload, options.linked ? "linked" : "full",
			      (int)options.seed, err.text);
		trace_info_free(&info);
		trace_close(trace);
	}
}
END_TEST

/* A two-phase hyper-exponential process: its variation is that of the file, for one desktop. */
START_TEST(arrivals_vary_as_the_file_says)
{
	struct trace_gen_options options = options_of(6);
	struct trace_info info;
	struct trace *trace;

	options.desktops = 1;
	trace = generate(&options, "a.vdt");
	ck_assert_msg(!trace_info_collect(trace, &info, &err), "%s", err.text);
	ck_assert_double_eq_tol(info.gap_cv2, 10, 2.5);
	trace_info_free(&info);
	trace_close(trace);
}
END_TEST

START_TEST(it_says_that_it_is_synthetic)
{
	struct trace_gen_options options = options_of(0);
	struct trace *trace;

	trace = generate(&options, "a.vdt");
	ck_assert(trace_header(trace)->synthetic);
	ck_assert_ptr_nonnull(
		strstr(trace_header(trace)->provenance.note, "synthetic, calibrated to published"));
	ck_assert_str_eq(trace_phase(trace, 0)->name, "boot");
	trace_close(trace);
}
END_TEST

START_TEST(streams_follow_the_kind_of_clone)
{
	struct trace_gen_options options = options_of(2);
	struct trace *trace = generate(&options, "a.vdt");
	unsigned i;

	ck_assert_uint_eq(trace_header(trace)->streams, 3);
	ck_assert_str_eq(trace_stream(trace, 2)->name, "desktop-3");
	trace_close(trace);
	options.linked = true;
	trace = generate(&options, "b.vdt");
	ck_assert_uint_eq(trace_header(trace)->streams, 4);
	ck_assert_str_eq(trace_stream(trace, 0)->name, "replica");
	ck_assert_str_eq(trace_stream(trace, 3)->name, "delta-3");
	for (i = 0; i < 4; i++)
		ck_assert_uint_le(trace_stream(trace, i)->end_bytes,
				  trace_stream(trace, i)->size_bytes);
	trace_close(trace);
}
END_TEST

/* The replica is only read. */
START_TEST(nobody_writes_to_the_replica)
{
	struct trace_gen_options options = options_of(5);
	struct trace *trace = generate(&options, "a.vdt");
	struct trace_info info;

	ck_assert_msg(!trace_info_collect(trace, &info, &err), "%s", err.text);
	ck_assert_uint_gt(info.streams[0].records[TRACE_READ], 0);
	ck_assert_uint_eq(info.streams[0].records[TRACE_WRITE], 0);
	trace_info_free(&info);
	trace_close(trace);
}
END_TEST

static bool same_records(struct trace *a, struct trace *b)
{
	struct trace_cursor first, second;
	struct trace_record left = {0}, right = {0};
	bool same = true;
	int got;

	trace_cursor_open(a, &first);
	trace_cursor_open(b, &second);
	do {
		got = trace_next(&first, &left);
		same = got == trace_next(&second, &right) &&
		       (got < 1 || (left.time_ns == right.time_ns && left.offset == right.offset &&
				    left.length == right.length && left.stream == right.stream &&
				    left.op == right.op));
	} while (same && got > 0);
	trace_cursor_close(&first);
	trace_cursor_close(&second);
	return same;
}

START_TEST(the_seed_decides)
{
	struct trace_gen_options options = options_of(4);
	struct trace *one = generate(&options, "a.vdt"), *same = generate(&options, "b.vdt"),
		     *other;

	options.seed = 2;
	other = generate(&options, "c.vdt");
	ck_assert(same_records(one, same));
	ck_assert(!same_records(one, other));
	trace_close(one);
	trace_close(same);
	trace_close(other);
}
END_TEST

/* With a stagger of 100 s, three desktops that act for 60 s are not all there at once. */
START_TEST(the_stagger_spreads_the_storm)
{
	struct trace_gen_options options = options_of(4);
	struct trace *close, *wide;

	options.stagger_s = 0;
	close = generate(&options, "a.vdt");
	options.stagger_s = 100;
	wide = generate(&options, "b.vdt");
	ck_assert_uint_lt(trace_header(close)->duration_ns, 90 * NS_PER_SEC);
	ck_assert_uint_gt(trace_header(wide)->duration_ns,
			  trace_header(close)->duration_ns + 10 * NS_PER_SEC);
	trace_close(close);
	trace_close(wide);
}
END_TEST

#define GOOD                                                                                       \
	"[workload]\nduration_s = 10\nios = 1000\ngap_cv2 = 1\nread_percent = 50\n"                \
	"image_size = 1G\ndelta_size = 1G\nread_sizes = 4K 100\nwrite_sizes = 4K 100\n"            \
	"rewrite_percent = 20\nhot_percent = 10\nrewrite_lag_s = 5\nstorm = bell\n"

START_TEST(a_file_of_ones_own)
{
	static const char text[] = GOOD "[linked]\nios = 10\n[full]\nmisaligned_percent = 100\n";
	struct trace_gen_options options = options_of(0);
	struct trace *trace;

	store_file(below("mine.ini"), text, sizeof(text) - 1);
	options.workload = below("mine.ini");
	options.desktops = 1;
	trace = generate(&options, "a.vdt");
	ck_assert_uint_eq(trace_header(trace)->records, 1000);
	ck_assert_uint_eq(trace_header(trace)->block_bytes, 512);
	ck_assert_str_eq(trace_phase(trace, 0)->name, "mine");
	trace_close(trace);
}
END_TEST

START_TEST(a_wrong_file_is_refused_with_its_line)
{
	static const struct {
		const char *text, *said;
	} wrong[] = {
		{"read_precent = 5\n",
		 "mine.ini:14: unknown key \"read_precent\"; did you mean \"read_percent\"?"},
		{"read_percent = 101\n", "it must be a number from 0 to 100"},
		{"read_percent = many\n", "it must be a number"},
		{"ios = 5 6\n", "it must be a number"},
		{"read_sizes = 4K 50, 8K 40\n", "percentages that make 100"},
		{"read_sizes = 1G 100\n", "sizes of up to 128K"},
		{"storm = square\n", "uniform, exponential or bell"},
		{"expect_ios = 9 5\n", "lowest and highest"},
		{"gap_cv2 = 0.5\n", "gap_cv2 must be 1"},
		{"hot_percent = 30\n", "hot_percent is a part"},
		{"image_size = 1M\n", "image_size and delta_size"},
		{"ios = 0\n", "how much a desktop does"},
		{"just words\n", "mine.ini:14: neither"},
	};
	struct trace_gen_options options = options_of(0);
	char text[1024];

	snprintf(text, sizeof(text), GOOD "%s", wrong[_i].text);
	store_file(below("mine.ini"), text, strlen(text));
	options.workload = below("mine.ini");
	ck_assert(trace_generate(&options, below("a.vdt"), &err));
	ck_assert_msg(strstr(err.text, wrong[_i].said) && strstr(err.text, "mine.ini"), "%s",
		      err.text);
	ck_assert_uint_eq(count_files(), 1);
}
END_TEST

START_TEST(an_unknown_word_gets_the_nearest)
{
	struct trace_gen_options options = options_of(0);

	options.workload = "boots";
	ck_assert(trace_generate(&options, below("a.vdt"), &err));
	ck_assert_ptr_nonnull(strstr(err.text, "did you mean \"boot\"?"));
}
END_TEST

static Suite *suite(void)
{
	Suite *all = suite_create("trace generator");
	TCase *test = tcase_create("gen");

	tcase_add_checked_fixture(test, make_folder, remove_folder);
	tcase_set_timeout(test, 120);
	tcase_add_loop_test(test, promises_are_kept, 0, 2 * WORKLOADS);
	tcase_add_test(test, arrivals_vary_as_the_file_says);
	tcase_add_test(test, it_says_that_it_is_synthetic);
	tcase_add_test(test, streams_follow_the_kind_of_clone);
	tcase_add_test(test, nobody_writes_to_the_replica);
	tcase_add_test(test, the_seed_decides);
	tcase_add_test(test, the_stagger_spreads_the_storm);
	tcase_add_test(test, a_file_of_ones_own);
	tcase_add_loop_test(test, a_wrong_file_is_refused_with_its_line, 0, 13);
	tcase_add_test(test, an_unknown_word_gets_the_nearest);
	suite_add_tcase(all, test);
	return all;
}

int main(void)
{
	return run_suite(suite());
}
