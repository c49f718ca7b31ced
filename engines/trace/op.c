/* SPDX-License-Identifier: GPL-2.0-only */
#include "engines/trace/trace.h"

const char *trace_op_name(enum trace_op op)
{
	static const char *const names[TRACE_OPS] = {"read", "write", "trim", "flush",
						     "write zeroes"};

	return op < TRACE_OPS ? names[op] : "unknown";
}
