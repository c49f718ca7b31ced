/* SPDX-License-Identifier: GPL-2.0-only */
/* Loads whose I/Os come from elsewhere, and reads that a drive does or does not foresee. */
#include "tests/unit/sim_fixture.h"
#include "tests/unit/suite.h"

/* `left` reads of 16 KiB one after the other, 100 us apart, and after each a flush. */
struct reads {
	struct sim_source source;
	unsigned left, sent;
	bool breaks;
};

static int next_read(struct sim_source *source, struct sim_request *request, struct error *err)
{
	struct reads *reads = (struct reads *)source;
	unsigned number = reads->sent / 2;

	if (number == reads->left)
		return reads->breaks ? error_set(err, "the source broke") : 0;
	*request = (struct sim_request){.op = reads->sent % 2 ? SIM_FLUSH : SIM_READ,
					.offset = reads->sent % 2 ? 0 : number * 16384ULL,
					.bytes = reads->sent % 2 ? 0 : 16384,
					.due_ns = number * 100000ULL};
	reads->sent++;
	return 1;
}

static struct sim_load load_from(struct reads *reads, double offered_iops)
{
	return (struct sim_load){.source = &reads->source,
				 .in_flight = 4,
				 .offered_iops = offered_iops,
				 .measure_ns = NS_PER_SEC,
				 .seed = 3};
}

START_TEST(a_source_is_counted_without_its_flushes)
{
	static const double offered[] = {0, 10000};
	size_t i;

	for (i = 0; i < 2; i++) {
		struct lab lab = lab_make("p4510-2tb", 1000, 5);
		struct reads reads = {.source = {.is_timed = true, .next = next_read},
				      .left = 1000};
		struct sim_load load = load_from(&reads, offered[i]);
		struct sim_load_result result;

		lab_fill(&lab, 64 * MIB);
		result = lab_run(&lab, &load);
		ck_assert_uint_eq(reads.sent, 2000);
		ck_assert_uint_eq(result.drive_latency.count, 1000);
		ck_assert_double_eq_tol(result.bandwidth_mbps, 1000 * 16384 / 1e6, 1e-6);
		ck_assert_uint_eq(result.offered, i ? 1000 : 0);
		lab_free(&lab);
	}
}
END_TEST

START_TEST(a_source_that_breaks_is_reported)
{
	struct lab lab = lab_make("p4510-2tb", 1000, 5);
	struct reads reads = {.source.next = next_read, .left = 10, .breaks = true};
	struct sim_load load = load_from(&reads, 0);
	struct sim_load_result result;
	struct error err;

	ck_assert_int_eq(sim_load_run(lab.state, lab.model, &load, &lab.now, &result, &err), -1);
	ck_assert_str_eq(err.text, "the source broke");
	lab_free(&lab);
}
END_TEST

/* Time that `count` reads of `pages` take with plenty in flight, each `stride` pages on. */
static double read_all(struct lab *lab, unsigned readers, uint64_t pages, uint64_t stride)
{
	uint64_t begin = lab->now, last = begin, done, i, reader;

	for (i = 0; i < 256; i++)
		for (reader = 0; reader < readers; reader++) {
			done = sim_state_submit(lab->state, lab->model, SIM_READ,
						(reader * 4096 + i * stride) * 4096, pages * 4096,
						begin, &lab->random);
			last = done > last ? done : last;
		}
	lab->now = last;
	return (double)(last - begin) / (256.0 * readers);
}

/* One reader in order and several are read ahead; one that jumps is not, nor is one too many. */
START_TEST(reads_that_jump_cost_more)
{
	struct lab lab = lab_make("670p-2tb", 1, 5);
	double one, several, jumping, too_many;

	lab_fill(&lab, 512 * MIB);
	one = read_all(&lab, 1, 4, 4);
	several = read_all(&lab, 16, 4, 4);
	jumping = read_all(&lab, 1, 4, 5);
	too_many = read_all(&lab, 17, 4, 4);
	ck_assert_double_eq_tol(several, one, 0.1 * one);
	ck_assert_double_gt(jumping, 1.5 * one);
	ck_assert_double_eq_tol(too_many, jumping, 0.1 * jumping);
	lab_free(&lab);
}
END_TEST

START_TEST(reads_of_one_page_may_jump)
{
	struct lab lab = lab_make("670p-2tb", 1, 5);
	double in_order, jumping;

	lab_fill(&lab, 64 * MIB);
	in_order = read_all(&lab, 1, 1, 1);
	jumping = read_all(&lab, 1, 1, 5);
	ck_assert_double_eq_tol(jumping, in_order, 0.1 * in_order);
	lab_free(&lab);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		a_source_is_counted_without_its_flushes,
		a_source_that_breaks_is_reported,
		reads_that_jump_cost_more,
		reads_of_one_page_may_jump,
	};

	return RUN_TESTS("sim_load", tests, 60, NULL, NULL);
}
