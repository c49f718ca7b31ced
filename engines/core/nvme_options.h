/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The options of NVMe commands, named as fio's own io_uring_cmd names them where it has them. An
 * engine without such options sends commands by nvme_options_default.
 */
#ifndef SSDREVIEW_NVME_OPTIONS_H
#define SSDREVIEW_NVME_OPTIONS_H

#include "engines/core/fio_compat.h"

#include "base/base.h"
#include "engines/core/nvme_command.h"

enum nvme_write_mode { WRITE_DATA, WRITE_UNCORRECTABLE, WRITE_ZEROES, WRITE_VERIFY };
enum nvme_verify_mode { VERIFY_READ, VERIFY_COMPARE };
enum nvme_placement { PLACE_NONE, PLACE_FDP, PLACE_STREAMS };
enum nvme_placement_order { PLACE_ROUND_ROBIN, PLACE_RANDOM };

struct nvme_options {
	unsigned hipri, fixedbufs, registerfiles, sqthread_poll;
	int sqthread_poll_cpu; /* -1: any */
	unsigned readfua, writefua, limited_retry, deac;
	unsigned write_mode, verify_mode;
	unsigned md_per_io_size; /* 0: as large as needed */
	unsigned pi_act;
	char *pi_chk;
	unsigned apptag, apptag_mask;
	unsigned num_range;
	unsigned dataplacement, plid_select;
	char *plids;
};

extern const struct nvme_options nvme_options_default;

/* clang-format off */
#define NVME_RING_OPTIONS(owner, member)                                       \
	{                                                                      \
		ENGINE_OPTION("hipri", "High priority", FIO_OPT_STR_SET, owner, \
			    member.hipri,                                      \
			    "Poll for completions; needs nvme.poll_queues"),   \
	},                                                                     \
	{                                                                      \
		ENGINE_OPTION("fixedbufs", "Fixed buffers", FIO_OPT_STR_SET,   \
			    owner, member.fixedbufs, "Map the buffers once"),  \
	},                                                                     \
	{                                                                      \
		ENGINE_OPTION("registerfiles", "Register files",               \
			    FIO_OPT_STR_SET, owner, member.registerfiles,      \
			    "Look the device up once"),                        \
	},                                                                     \
	{                                                                      \
		ENGINE_OPTION("sqthread_poll", "Submission thread",            \
			    FIO_OPT_STR_SET, owner, member.sqthread_poll,      \
			    "A kernel thread submits"),                        \
	},                                                                     \
	{                                                                      \
		ENGINE_OPTION("sqthread_poll_cpu", "Its CPU", FIO_OPT_INT,     \
			    owner, member.sqthread_poll_cpu,                   \
			    "CPU of the submission thread"),                   \
		.def = "-1",                                                   \
	}

#define NVME_COMMAND_OPTIONS(owner, member)                                    \
	{                                                                      \
		ENGINE_OPTION("readfua", "FUA reads", FIO_OPT_BOOL, owner,     \
			    member.readfua, "Reads come from the medium"),     \
		.def = "0",                                                    \
	},                                                                     \
	{                                                                      \
		ENGINE_OPTION("writefua", "FUA writes", FIO_OPT_BOOL, owner,   \
			    member.writefua,                                   \
			    "Writes are on the medium when they complete"),    \
		.def = "0",                                                    \
	},                                                                     \
	{                                                                      \
		ENGINE_OPTION("limited_retry", "Limited retry", FIO_OPT_BOOL,  \
			    owner, member.limited_retry,                       \
			    "The drive tries less hard before it fails"),      \
		.def = "0",                                                    \
	},                                                                     \
	{                                                                      \
		ENGINE_OPTION("write_mode", "Write mode", FIO_OPT_STR, owner,  \
			    member.write_mode, "The command of a write"),      \
		.def = "write",                                                \
		.posval = {                                                    \
			{.ival = "write", .oval = WRITE_DATA,                  \
			 .help = "Write"},                                     \
			{.ival = "uncor", .oval = WRITE_UNCORRECTABLE,         \
			 .help = "Write uncorrectable"},                       \
			{.ival = "zeroes", .oval = WRITE_ZEROES,               \
			 .help = "Write zeroes"},                              \
			{.ival = "verify", .oval = WRITE_VERIFY,               \
			 .help = "Verify"},                                    \
		},                                                             \
	},                                                                     \
	{                                                                      \
		ENGINE_OPTION("verify_mode", "Verify mode", FIO_OPT_STR, owner, \
			    member.verify_mode, "What follows a read"),        \
		.def = "read",                                                 \
		.posval = {                                                    \
			{.ival = "read", .oval = VERIFY_READ,                  \
			 .help = "Nothing"},                                   \
			{.ival = "compare", .oval = VERIFY_COMPARE,            \
			 .help = "A compare with what was read"},              \
		},                                                             \
	},                                                                     \
	{                                                                      \
		ENGINE_OPTION("deac", "Deallocate", FIO_OPT_BOOL, owner,       \
			    member.deac, "Write zeroes deallocates as well"),  \
		.def = "0",                                                    \
	}

#define NVME_METADATA_OPTIONS(owner, member)                                   \
	{                                                                      \
		ENGINE_OPTION("md_per_io_size", "Metadata of an I/O",          \
			    FIO_OPT_INT, owner, member.md_per_io_size,         \
			    "Bytes of its metadata buffer (0: as needed)"),    \
		.def = "0",                                                    \
	},                                                                     \
	{                                                                      \
		ENGINE_OPTION("pi_act", "PI action", FIO_OPT_BOOL, owner,      \
			    member.pi_act,                                     \
			    "The drive makes and takes off protection "        \
			    "information (0: the host does)"),                 \
		.def = "1",                                                    \
	},                                                                     \
	{                                                                      \
		ENGINE_OPTION("pi_chk", "PI checks", FIO_OPT_STR_STORE, owner, \
			    member.pi_chk, "Of GUARD, REFTAG, APPTAG"),        \
	},                                                                     \
	{                                                                      \
		ENGINE_OPTION("apptag", "Application tag", FIO_OPT_INT, owner, \
			    member.apptag, "Of the protection information"),   \
		.def = "0x1234",                                               \
		.maxval = 0xffff,                                              \
	},                                                                     \
	{                                                                      \
		ENGINE_OPTION("apptag_mask", "Its mask", FIO_OPT_INT, owner,   \
			    member.apptag_mask, "Bits of it that are checked"), \
		.def = "0xffff",                                               \
		.maxval = 0xffff,                                              \
	}

/* A fio that has these of its own keeps them; the engine then follows what fio decides. */
#ifdef FIO_HAS_TRIM_RANGES
#define NVME_RANGE_OPTION(owner, member)
#else
#define NVME_RANGE_OPTION(owner, member)                                       \
	{                                                                      \
		ENGINE_OPTION("num_range", "Ranges of a trim", FIO_OPT_INT,    \
			    owner, member.num_range,                           \
			    "So many trims that leave together are one "       \
			    "command"),                                        \
		.def = "1",                                                    \
		.minval = 1,                                                   \
		.maxval = 256,                                                 \
	},
#endif

#ifdef FIO_HAS_PLACEMENT
#define NVME_PLACEMENT_OPTIONS(owner, member)
#else
#define NVME_PLACEMENT_OPTIONS(owner, member)                                  \
	{                                                                      \
		ENGINE_OPTION("dataplacement", "Data placement", FIO_OPT_STR,  \
			    owner, member.dataplacement,                       \
			    "Tell the drive which writes belong together"),    \
		.def = "none",                                                 \
		.posval = {                                                    \
			{.ival = "none", .oval = PLACE_NONE,                   \
			 .help = "Do not"},                                    \
			{.ival = "fdp", .oval = PLACE_FDP,                     \
			 .help = "By placement identifiers"},                  \
			{.ival = "streams", .oval = PLACE_STREAMS,             \
			 .help = "By the streams directive"},                  \
		},                                                             \
	},                                                                     \
	{                                                                      \
		ENGINE_OPTION("plids", "Placement identifiers",                \
			    FIO_OPT_STR_STORE, owner, member.plids,            \
			    "Indices of reclaim unit handles, or streams"),    \
	},                                                                     \
	{                                                                      \
		ENGINE_OPTION("plid_select", "Their order", FIO_OPT_STR, owner, \
			    member.plid_select, "Which one a write takes"),    \
		.def = "roundrobin",                                           \
		.posval = {                                                    \
			{.ival = "random", .oval = PLACE_RANDOM,               \
			 .help = "Any"},                                       \
			{.ival = "roundrobin", .oval = PLACE_ROUND_ROBIN,      \
			 .help = "One after the other"},                       \
		},                                                             \
	},
#endif
/* clang-format on */

#endif
