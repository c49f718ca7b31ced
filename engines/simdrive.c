/* SPDX-License-Identifier: GPL-2.0-only */
/* simdrive: a simulated drive under fio's own control. filename= names its state file. */
#include "engines/core/core.h"

struct simdrive_options {
	struct core_options core;
};

static struct fio_option options[] = {
	CORE_OPTIONS(struct simdrive_options, core),
	{
		.name = NULL,
	},
};

/* In the parent, before anything else: this engine knows no other way to a drive. */
static int fio_simdrive_get_file_size(struct thread_data *td, struct fio_file *f)
{
	struct simdrive_options *o = td->eo;

	o->core.drive = DRIVE_SIM;
	return core_get_file_size(td, f);
}

static int fio_simdrive_init(struct thread_data *td)
{
	struct stats_run run;
	struct load *unpaced;
	struct error err;

	if (core_run(td, &run, &err))
		return core_report(td, &err);
	unpaced = load_schedule(ARRIVAL_CONSTANT, 0.0, 0, 0, 1, &err);
	return unpaced ? core_init(td, unpaced, &run) : core_report(td, &err);
}

static struct ioengine_ops ops = {
	.name = "simdrive",
	CORE_HOOKS,
	.queue = core_queue,
	.flags = FIO_ASYNCIO_SETS_ISSUE_TIME | FIO_NO_OFFLOAD | FIO_NODISKUTIL,
	.init = fio_simdrive_init,
	.get_file_size = fio_simdrive_get_file_size,
	.options = options,
	.option_struct_size = sizeof(struct simdrive_options),
};

SSDREVIEW_ENGINE(&ops)
