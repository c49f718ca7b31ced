/* SPDX-License-Identifier: GPL-2.0-only */
/* The options of a job of qlc_writer, read. */
#ifndef SSDREVIEW_WRITER_OPTIONS_H
#define SSDREVIEW_WRITER_OPTIONS_H

#include "engines/writer/writer_load.h"

/* The plan that a job asks for; checked by qlc_plan_open(). 0, or -1 with err. */
int writer_make_options(struct thread_data *td, uint64_t seed, struct qlc_options *options,
			struct error *err);

#endif
