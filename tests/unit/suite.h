/* SPDX-License-Identifier: GPL-2.0-only */
/* How a test program runs its tests; what is returned is for main() to return. */
#ifndef SSDREVIEW_TESTS_SUITE_H
#define SSDREVIEW_TESTS_SUITE_H

#include <check.h>
#include <stdlib.h>

#include "base/base.h"

static inline int run_suite(Suite *suite)
{
	SRunner *runner = srunner_create(suite);
	int failed;

	srunner_run_all(runner, CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

/* A suite of one case. */
static inline int run_case(const char *name, TCase *tests)
{
	Suite *suite = suite_create(name);

	suite_add_tcase(suite, tests);
	return run_suite(suite);
}

/* A suite of one case of plain tests; without a setup there is no teardown. */
static inline int run_tests(const char *name, const TTest *const *tests, size_t count,
			    double timeout_s, void (*setup)(void), void (*teardown)(void))
{
	TCase *tcase = tcase_create(name);
	size_t i;

	tcase_set_timeout(tcase, timeout_s);
	if (setup)
		tcase_add_checked_fixture(tcase, setup, teardown);
	for (i = 0; i < count; i++)
		tcase_add_test(tcase, tests[i]);
	return run_case(name, tcase);
}
#define RUN_TESTS(name, tests, timeout_s, setup, teardown)                                         \
	run_tests(name, tests, COUNT(tests), timeout_s, setup, teardown)

#endif
