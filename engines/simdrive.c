/* SPDX-License-Identifier: GPL-2.0-only */
/* simdrive: a simulated drive under fio's own control. filename= names its state file. */
#include "engines/core/core.h"

struct simdrive_options {
	struct core_options core;
	unsigned long long seed;
};

static struct fio_option options[] = {
    {
	.name = "seed",
	.lname = "Seed",
	.type = FIO_OPT_ULL,
	.off1 = offsetof(struct simdrive_options, seed),
	.help = "Random numbers of this job's I/Os; clones differ",
	.def = "1",
	.category = FIO_OPT_C_ENGINE,
	.group = FIO_OPT_G_INVALID,
    },
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
	const struct simdrive_options *o = td->eo;
	const struct schedule unpaced = {0};
	const struct stats_run run = {
	    .engine = "simdrive",
	    .job = td->o.name,
	    .clone = td->subjob_number + 1,
	    .clones = core_clones(td),
	    .seed = o->seed,
	    .in_flight_limit = td->o.iodepth,
	};

	return core_init(td, &unpaced, &run);
}

static struct ioengine_ops ops = {
    .name = "simdrive",
    .version = FIO_IOOPS_VERSION,
    .flags = FIO_ASYNCIO_SETS_ISSUE_TIME | FIO_NO_OFFLOAD | FIO_NODISKUTIL,
    .init = fio_simdrive_init,
    .post_init = core_post_init,
    .queue = core_queue,
    .commit = core_commit,
    .getevents = core_getevents,
    .event = core_event,
    .cleanup = core_cleanup,
    .open_file = core_open_file,
    .close_file = core_close_file,
    .get_file_size = fio_simdrive_get_file_size,
    .options = options,
    .option_struct_size = sizeof(struct simdrive_options),
};

SSDREVIEW_ENGINE(&ops)
