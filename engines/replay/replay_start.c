/* SPDX-License-Identifier: GPL-2.0-only */
/* The common start of the jobs that share a replay. */
#include <time.h>

#include "engines/replay/replay_load.h"

/* All are at their first I/O by then, and nobody is late from the beginning. */
#define HEAD_START_NS (2 * NS_PER_MSEC)

/* A job that has not begun by then is not waited for. */
#define LONGEST_WAIT_NS NS_PER_SEC

#define POLL_NS (200 * NS_PER_USEC)

/*
 * The latest moment at which one of the jobs began (td->epoch, in memory that processes share
 * too); *missing: some have not begun yet, and will.
 */
static uint64_t latest_begin_ns(struct thread_data *td, unsigned jobs, bool *missing)
{
	unsigned first = core_first_clone(td), i;
	uint64_t latest_ns = 0;

	*missing = false;
	for (i = 0; i < jobs; i++) {
		const struct thread_data *job = tnumber_to_td(first + i);
		uint64_t begin_ns = timespec_to_ns(&job->epoch);
		int state = *(volatile const int *)&job->runstate;

		if (!begin_ns && state > TD_NOT_CREATED && state < TD_FINISHING)
			*missing = true;
		if (begin_ns > latest_ns)
			latest_ns = begin_ns;
	}
	return latest_ns;
}

/*
 * Every job finds the same moment by itself. It must stand for a while: another process may be
 * writing a time just then.
 */
uint64_t replay_common_start_ns(struct thread_data *td, unsigned jobs, uint64_t now_ns)
{
	const struct timespec pause = ns_to_timespec(POLL_NS);
	uint64_t give_up_ns = now_ns + LONGEST_WAIT_NS, latest_ns, before_ns;
	bool missing;

	if (jobs < 2)
		return now_ns;
	latest_ns = latest_begin_ns(td, jobs, &missing);
	do {
		before_ns = latest_ns;
		nanosleep(&pause, NULL);
		latest_ns = latest_begin_ns(td, jobs, &missing);
	} while ((missing || latest_ns != before_ns) && fio_now_ns() < give_up_ns &&
		 !td->terminate);
	return latest_ns + HEAD_START_NS;
}
