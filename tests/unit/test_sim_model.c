/* SPDX-License-Identifier: GPL-2.0-only */
/* Model files: what they may say, what is said about mistakes in them, and where they are found. */
#include <sys/stat.h>

#include "tests/unit/sim_fixture.h"
#include "tests/unit/suite.h"

static char folder[256], path[512];

#define SMALLEST                                                                                   \
	"[drive]\nname = Test drive\ncapacity_gb = 1\n[dies]\ncount = 8\nread_us = 50\n"           \
	"[buffer]\nrandom_mbps = 500\nsequential_mbps = 600\n"

static void make_folder(void)
{
	folder_for_test(folder, sizeof(folder));
	snprintf(path, sizeof(path), "%s/test.model", folder);
}

static void remove_folder(void)
{
	unlink(path);
	rmdir(folder);
}

/* The sentence a text gives, without the folder. */
static const char *complaint(const char *text)
{
	static struct error err;
	struct sim_model *model;

	write_text(path, text);
	ck_assert_int_eq(sim_model_load(path, &model, &err), -1);
	ck_assert_ptr_null(model);
	ck_assert_msg(!strncmp(err.text, folder, strlen(folder)), "%s", err.text);
	return err.text + strlen(folder) + 1;
}

static struct sim_model *load(const char *text)
{
	struct sim_model *model;
	struct error err;

	write_text(path, text);
	ck_assert_msg(!sim_model_load(path, &model, &err), "%s", err.text);
	return model;
}

START_TEST(the_smallest_model_is_read)
{
	struct sim_model *model = load(SMALLEST);
	struct sim_info info;

	sim_model_info(model, 10, &info);
	ck_assert_str_eq(info.model, "test");
	ck_assert_str_eq(info.drive, "Test drive");
	ck_assert_uint_eq(info.capacity_bytes, (1000000000 & ~4095ULL) / 10 & ~4095ULL);
	ck_assert_uint_eq(info.block_bytes, 512);
	ck_assert_double_eq(info.rated_endurance_bytes, 0);
	sim_model_free(model);
}
END_TEST

START_TEST(published_points_are_read)
{
	const struct sim_published *points;
	struct sim_model *model = load(
		SMALLEST "[published 4k-randread]\nprotocol = client\niops = 5000 ; note\n"
			 "latency_us = 20.5\n[published blackmagic-read]\nprotocol = blackmagic\n"
			 "in_flight = 4\nbandwidth_mbps = 500\niops_tolerance_percent = 7\n");

	ck_assert_uint_eq(sim_model_published(model, &points), 2);
	ck_assert_str_eq(points[0].workload, "4k-randread");
	ck_assert_str_eq(points[0].protocol, "client");
	ck_assert_double_eq(points[0].iops, 5000);
	ck_assert_double_eq(points[0].latency_us, 20.5);
	ck_assert_double_eq(points[0].iops_tolerance, 0.05);
	ck_assert_uint_eq(points[1].in_flight, 4);
	ck_assert_double_eq(points[1].iops_tolerance, 0.07);
	sim_model_free(model);
}
END_TEST

START_TEST(mistakes_are_named_with_their_line)
{
	ck_assert_str_eq(complaint("[drive]\nname = x\ncapacity_gp = 1\n"),
			 "test.model:3: [drive]: unknown key \"capacity_gp\"; did you mean "
			 "\"capacity_gb\"?");
	ck_assert_str_eq(complaint("[driv]\nname = x\n"),
			 "test.model:2: unknown section \"driv\"; did you mean \"drive\"?");
	ck_assert_str_eq(complaint("[drive]\nname = x\nnonsense\n"),
			 "test.model:3: neither a [section] nor a key = value line");
	ck_assert_str_eq(complaint("[drive]\ncapacity_gb = 1x\n"),
			 "test.model:2: capacity_gb is '1x', which is not a number");
	ck_assert_str_eq(complaint("[drive]\ncapacity_gb = nan\n"),
			 "test.model:2: capacity_gb is 'nan', which is not a number");
	ck_assert_str_eq(complaint("\n[dies]\ncount = 1000\n"),
			 "test.model:3: count is 1000, but it must lie between 1 and 256");
	ck_assert_str_eq(complaint("[dies]\nplacement = random\n"),
			 "test.model:2: placement is 'random', but it must be 'hash' or 'stripe'");
	ck_assert_str_eq(complaint("[event a]\nkind = pause\n"),
			 "test.model:2: kind is 'pause', but it must be 'stall' or 'throttle'");
}
END_TEST

START_TEST(what_does_not_fit_together_is_refused)
{
	ck_assert_str_eq(complaint("[drive]\nname = x\n"),
			 "test.model: [drive] needs name and capacity_gb");
	ck_assert_str_eq(complaint("[drive]\nname = x\ncapacity_gb = 1\n"),
			 "test.model: needed: [dies] count, [buffer] random_mbps, sequential_mbps");
	ck_assert_str_eq(complaint(SMALLEST "[slc]\nstatic_gb = 0.1\n"),
			 "test.model: [slc] needs after_mbps and fold_mbps");
	ck_assert_str_eq(complaint(SMALLEST "[dies]\nstripe_pages = 3\n"),
			 "test.model: [dies] stripe_pages must be a power of two");
	ck_assert_str_eq(complaint(SMALLEST "[event a]\nkind = stall\n"),
			 "test.model: an event needs duration_ms");
	ck_assert_ptr_nonnull(strstr(complaint(SMALLEST "[latency]\nread_tail_chance = 0.1\n"),
				     "read_tail_chance needs"));
}
END_TEST

START_TEST(events_are_counted)
{
	char text[4096] = SMALLEST;
	int i;

	for (i = 0; i < SIM_MAX_EVENTS + 1; i++)
		snprintf(text + strlen(text), sizeof(text) - strlen(text),
			 "[event %d]\nkind = stall\nat_s = %d\nduration_ms = 1\n", i, i);
	ck_assert_ptr_nonnull(strstr(complaint(text), "more than 16 events"));
}
END_TEST

START_TEST(an_event_is_read_from_a_word)
{
	struct sim_event event;
	struct error err;

	ck_assert(!sim_event_parse("throttle:at_s=2.5,duration_ms=100,every_s=10,factor=2,"
				   "temperature_c=80",
				   &event, &err));
	ck_assert_int_eq(event.kind, SIM_THROTTLE);
	ck_assert_uint_eq(event.at_ns, 2500 * NS_PER_MSEC);
	ck_assert_uint_eq(event.duration_ns, 100 * NS_PER_MSEC);
	ck_assert_uint_eq(event.every_ns, 10 * NS_PER_SEC);
	ck_assert_double_eq(event.factor, 2);
	ck_assert_int_eq(sim_event_parse("stal:at_s=1,duration_ms=1", &event, &err), -1);
	ck_assert_ptr_nonnull(strstr(err.text, "'stall' or 'throttle'"));
	ck_assert_int_eq(sim_event_parse("stall:at_s=1,duration=1", &event, &err), -1);
	ck_assert_ptr_nonnull(strstr(err.text, "did you mean \"duration_ms\"?"));
	ck_assert_int_eq(sim_event_parse("stall:at_s", &event, &err), -1);
	ck_assert_int_eq(sim_event_parse("", &event, &err), -1);
	ck_assert_int_eq(sim_event_parse(":", &event, &err), -1);
	ck_assert_ptr_nonnull(strstr(err.text, "no kind"));
	ck_assert_int_eq(sim_event_parse("stall:at_s=1,every_s=1,duration_ms=1000", &event, &err),
			 -1);
}
END_TEST

START_TEST(a_model_is_found_by_word)
{
	struct sim_model *model;
	struct error err;
	char **words;
	size_t count;

	write_text(path, SMALLEST);
	setenv("SSDREVIEW_DRIVES", folder, 1);
	ck_assert(!sim_model_list(&words, &count, &err));
	ck_assert_uint_eq(count, 1);
	ck_assert_str_eq(words[0], "test");
	free(words[0]);
	free(words);
	ck_assert(!sim_model_load("test", &model, &err));
	sim_model_free(model);
	ck_assert_int_eq(sim_model_load("tset", &model, &err), -1);
	ck_assert_str_eq(err.text, "unknown drive model \"tset\"; did you mean \"test\"?");
	setenv("SSDREVIEW_DRIVES", "/nonexistent", 1);
	ck_assert_int_eq(sim_model_load("test", &model, &err), -1);
	ck_assert_ptr_nonnull(strstr(err.text, "SSDREVIEW_DRIVES"));
	unsetenv("SSDREVIEW_DRIVES");
}
END_TEST

START_TEST(the_drives_of_the_project_are_all_read)
{
	struct sim_info info;
	struct sim_model *model;
	struct error err;
	char **words;
	size_t count, i;

	ck_assert_msg(!sim_model_list(&words, &count, &err), "%s", err.text);
	ck_assert_uint_ge(count, 9);
	for (i = 0; i < count; i++) {
		ck_assert_msg(!sim_model_load(words[i], &model, &err), "%s", err.text);
		sim_model_info(model, 1, &info);
		ck_assert_str_eq(info.model, words[i]);
		sim_model_free(model);
		free(words[i]);
	}
	free(words);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		the_smallest_model_is_read,
		published_points_are_read,
		mistakes_are_named_with_their_line,
		what_does_not_fit_together_is_refused,
		events_are_counted,
		an_event_is_read_from_a_word,
		a_model_is_found_by_word,
		the_drives_of_the_project_are_all_read,
	};

	return RUN_TESTS("sim model", tests, 30, make_folder, remove_folder);
}
