/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What differs between fio releases, asked by the name of the feature. Features are derived once,
 * here, from the version of fio's engine interface; no other file looks at that number.
 */
#ifndef SSDREVIEW_FIO_COMPAT_H
#define SSDREVIEW_FIO_COMPAT_H

#include "fio.h"
#include "optgroup.h"

/* ioengine_ops.errdetails(td, io_u) from 3.38 on, errdetails(io_u) before. */
#if FIO_IOOPS_VERSION >= 36
#define FIO_ERRDETAILS_TAKES_TD 1
#endif

/* io_u carries a directive (dtype, dspec) from 3.34 on. */
#if FIO_IOOPS_VERSION >= 32
#define FIO_HAS_DIRECTIVES 1
#endif

/* fio's own num_range= (an io_u of several trim ranges) and dataplacement=, from 3.38 on. */
#if FIO_IOOPS_VERSION >= 36
#include "dataplacement.h"
#define FIO_HAS_TRIM_RANGES  1
#define FIO_TRIM_RANGES_FLAG FIO_MULTI_RANGE_TRIM
#define FIO_HAS_PLACEMENT    1
#else
#define FIO_TRIM_RANGES_FLAG 0
#endif

/* clang-format off */

/* What every option of an engine has; the rest of its entry stands behind it. */
#define ENGINE_OPTION(word, long_name, kind, owner, member, what)              \
	.name = word,                                                          \
	.lname = long_name,                                                    \
	.type = kind,                                                          \
	.off1 = offsetof(owner, member),                                       \
	.help = what,                                                          \
	.category = FIO_OPT_C_ENGINE,                                          \
	.group = FIO_OPT_G_INVALID

/* clang-format on */

/*
 * For every engine's ops table: the symbol that fio looks for. fio compares the number of its
 * engine interface itself; core_engine_ops() compares the release too, because structures change
 * between releases and configurations although that number stays.
 */
#define SSDREVIEW_ENGINE(ops)                                                                      \
	void get_ioengine(struct ioengine_ops **result);                                           \
	__attribute__((visibility("default"))) void get_ioengine(struct ioengine_ops **result)     \
	{                                                                                          \
		*result = core_engine_ops(ops);                                                    \
	}

#endif
