/* SPDX-License-Identifier: GPL-2.0-only */
/* What the tests of the simulated drive share: a model's state in memory, loads, written models. */
#ifndef SSDREVIEW_TESTS_SIM_FIXTURE_H
#define SSDREVIEW_TESTS_SIM_FIXTURE_H

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "engines/sim/load.h"

#define MIB (1ULL << 20)

struct lab {
	struct sim_model *model;
	struct sim_state *state;
	struct sim_info info;
	uint64_t now, random;
};

/* The machine's own drive models, wherever the test is started. */
static inline struct lab lab_make(const char *word, unsigned scale, uint64_t seed)
{
	struct lab lab = {.random = 7};
	struct error err;

	ck_assert_msg(!sim_model_load(word, &lab.model, &err), "%s", err.text);
	sim_model_info(lab.model, scale, &lab.info);
	lab.state = calloc(1, sim_state_bytes(lab.model, scale));
	ck_assert_ptr_nonnull(lab.state);
	ck_assert_msg(!sim_state_init(lab.state, lab.model, scale, seed, &err), "%s", err.text);
	return lab;
}

static inline void lab_free(struct lab *lab)
{
	free(lab->state);
	sim_model_free(lab->model);
}

/* One I/O at the lab's time; returns its latency and moves time to its completion. */
static inline uint64_t lab_io(struct lab *lab, enum sim_op op, uint64_t offset, uint64_t bytes)
{
	uint64_t begin = lab->now;

	lab->now = sim_state_submit(lab->state, lab->model, op, offset, bytes, begin, &lab->random);
	return lab->now - begin;
}

static inline void lab_fill(struct lab *lab, uint64_t bytes)
{
	sim_load_fill(lab->state, lab->model, 0, bytes, &lab->now);
}

static inline struct sim_status lab_status(const struct lab *lab)
{
	struct sim_status status;

	sim_state_status(lab->state, lab->model, &status);
	return status;
}

static inline struct sim_load_result lab_run(struct lab *lab, const struct sim_load *load)
{
	struct sim_load_result result;
	struct error err;

	ck_assert(!sim_load_run(lab->state, lab->model, load, &lab->now, &result, &err));
	return result;
}

/* 4K random, the whole drive or `bytes` of it, half a second after a tenth. */
static inline struct sim_load load_4k(unsigned read_percent, uint64_t bytes, unsigned in_flight)
{
	return (struct sim_load){
		.block_bytes = 4096,
		.read_percent = read_percent,
		.region_bytes = bytes,
		.in_flight = in_flight,
		.wait_ns = NS_PER_SEC / 10,
		.measure_ns = NS_PER_SEC / 2,
		.seed = 3,
	};
}

static inline void write_text(const char *path, const char *text)
{
	FILE *file = fopen(path, "w");

	ck_assert_ptr_nonnull(file);
	ck_assert_int_ge(fputs(text, file), 0);
	ck_assert_int_eq(fclose(file), 0);
}

/* A folder of the test's own. */
static inline void folder_for_test(char *folder, size_t room)
{
	const char *tmp = getenv("TMPDIR");

	snprintf(folder, room, "%s/sim.XXXXXX", tmp ? tmp : "/tmp");
	ck_assert_ptr_nonnull(mkdtemp(folder));
}

#endif
