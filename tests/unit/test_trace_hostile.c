/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Files made to harm: damaged in a place chosen by a seed, with every checksum made right again, so
 * that only the checks behind the checksums are left. Whatever such a file says, it is refused with
 * a sentence or read to its end.
 */
#include "base/random.h"
#include "tests/tools/vdt_checksums.h"
#include "tests/unit/suite.h"
#include "trace_fixture.h"

#define SAMPLES 5000 /* two chunks */
#define ROUNDS	600

static uint64_t seed;

static size_t below_limit(size_t limit)
{
	return limit ? random_next(&seed) % limit : 0;
}

/* Numbers that break sums and comparisons. */
static uint64_t treacherous(void)
{
	static const uint64_t numbers[] = {
		0, 1, 255, 4096, UINT32_MAX, UINT64_MAX, 1ULL << 32, 1ULL << 48, 1ULL << 63};

	return numbers[below_limit(sizeof(numbers) / sizeof(numbers[0]))];
}

/* One change: in the header half of the time, for most of the numbers are there. */
static void damage(unsigned char *data, size_t bytes)
{
	size_t limit = below_limit(2) ? sizeof(struct vdt_header) : bytes;
	uint64_t number = treacherous();

	if (below_limit(2))
		data[below_limit(limit)] ^= (unsigned char)(1u << below_limit(8));
	else
		memcpy(data + below_limit(limit / 4) * 4, &number, below_limit(2) ? 4 : 8);
}

/* Opens, verifies, characterises and seeks; each may refuse, with a sentence. */
static bool use(const char *path)
{
	struct trace_cursor cursor;
	struct trace_record record;
	struct trace_info info;
	struct trace *trace;
	bool whole;

	err.text[0] = '\0';
	if (trace_open(path, &trace, &err)) {
		ck_assert_str_ne(err.text, "");
		return false;
	}
	whole = !trace_verify(trace, &err);
	ck_assert(whole || err.text[0]);
	if (!trace_info_collect(trace, &info, &err))
		trace_info_free(&info);
	trace_cursor_open(trace, &cursor);
	trace_seek_time(&cursor, trace_header(trace)->duration_ns / 2);
	trace_next(&cursor, &record);
	trace_cursor_close(&cursor);
	trace_close(trace);
	return whole;
}

START_TEST(a_hostile_file_does_no_harm)
{
	unsigned char *damaged;
	unsigned round, refused = 0;
	size_t bytes;
	char *data;

	seed = 1;
	write_samples(below("a.vdt"), _i, SAMPLES);
	ck_assert(!file_read(below("a.vdt"), &data, &bytes, &err));
	damaged = malloc(bytes + 8);
	for (round = 0; round < ROUNDS; round++) {
		size_t changes = 1 + below_limit(3);

		memcpy(damaged, data, bytes);
		while (changes--)
			damage(damaged, bytes);
		make_checksums_right(damaged, bytes);
		store_file(below("b.vdt"), damaged, bytes);
		refused += !use(below("b.vdt"));
	}
	/* Some changes are harmless: a note, a size, a latency. Most are not. */
	ck_assert_uint_gt(refused, ROUNDS / 3);
	ck_assert_uint_lt(refused, ROUNDS);
	free(damaged);
	free(data);
}
END_TEST

static Suite *suite(void)
{
	Suite *all = suite_create("hostile traces");
	TCase *test = tcase_create("hostile");

	tcase_add_checked_fixture(test, make_folder, remove_folder);
	tcase_set_timeout(test, 240);
	tcase_add_loop_test(test, a_hostile_file_does_no_harm, 0, 2);
	suite_add_tcase(all, test);
	return all;
}

int main(void)
{
	return run_suite(suite());
}
