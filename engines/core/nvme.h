/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The parts of the way to a drive by NVMe commands: its rings (nvme_ring.c), its namespaces
 * (nvme_file.c), how an I/O becomes commands (nvme_io.c), what it counts (nvme_count.c). All belong
 * to one clone of a job.
 *
 * A command without data on a polled ring crashes kernels up to at least Linux 6.1, which leave the
 * cookie of such a request unset. So there are two rings where completions are polled for: reads,
 * writes and compares take the polled one, all else one that interrupts.
 */
#ifndef SSDREVIEW_NVME_H
#define SSDREVIEW_NVME_H

#include <errno.h>
#include <liburing.h>

#include "device/nvme_names.h"
#include "engines/core/core.h"
#include "device/heat.h"
#include "engines/core/nvme_command.h"
#include "engines/core/nvme_count.h"
#include "engines/core/nvme_options.h"
#include "engines/core/nvme_protect.h"

#define NVME_RANGES_MAX 256
#define NVME_IDS_MAX	128

#define NVME_PATH_BYTES 64

struct nvme;

/* An entry of the rings, with the command in its second half and the end of its first. */
struct nvme_entry {
	struct io_uring_sqe sqe;
	uint8_t more[64];
} __attribute__((aligned(64)));

/* One namespace of the job. */
struct nvme_file {
	struct nvme *nvme;
	int fd;
	char path[NVME_PATH_BYTES]; /* "/dev/ng0n1" */
	dev_t block_number;	    /* of its block device */
	struct nvme_geometry geometry;
	struct nvme_wire wire;
	bool moves_metadata;		    /* the host sends and receives it */
	struct nvme_protection *protection; /* NULL: the host makes and checks none */
	uint32_t piece_bytes;		    /* of data in one command */
	uint32_t read_control, write_control;
	uint16_t ids[NVME_IDS_MAX]; /* as the drive numbers them */
	unsigned id_count, next_id;
	struct nvme_entry read, write; /* of one block, with all that stays the same */
};

/* An I/O on its way; one a place in flight, by io_u->index. */
struct nvme_place {
	struct io_u *io_u;
	struct nvme_file *file;
	enum nvme_kind kind;
	uint64_t first;	  /* block */
	uint32_t blocks;  /* of the whole I/O */
	uint32_t control; /* of its commands */
	uint16_t directive;
	unsigned pieces_left; /* commands that are not complete */
	int result;	      /* of the first that failed: status above 0, -errno below */
	uint64_t compare_ns;  /* when the compare after a read left; 0: none has */
	uint8_t *wire;	      /* data and metadata in turn, for extended blocks; NULL: io_u's */
	uint8_t *metadata;    /* NULL: none in a buffer of its own */
	struct nvme_range *ranges; /* of a trim */
	unsigned range_count;
	struct nvme_place *next; /* trims that go in the same command */
};

struct nvme {
	struct engine *engine;
	const struct nvme_options *options;
	struct io_uring data, quiet; /* quiet: only when data is polled */
	bool is_polled, has_fixed_buffers, has_fixed_files, has_sq_thread;
	bool has_pieces; /* an I/O may be more than one command */
	unsigned polled_in_flight;
	struct nvme_file *files; /* by fileno */
	unsigned file_count;
	struct nvme_place *places;
	uint8_t *buffers;  /* wire and metadata buffers of all places */
	size_t wire_bytes; /* of each wire buffer */
	struct nvme_range *ranges;
	struct nvme_place *open_trim; /* takes more ranges until it is sent */
	struct nvme_place **refused;  /* never sent: to be handed back with the next reap */
	unsigned refused_count;
	struct nvme_count *count;
	struct heat heat;
	uint64_t random; /* of the order of placement identifiers */
};

/* ---- rings ---- */

/* Opens the rings for so many commands at once. 0, or -1 with err. */
int nvme_rings_open(struct nvme *nvme, unsigned commands, struct error *err);
void nvme_rings_close(struct nvme *nvme);
/* Files and buffers are registered, or a line says why not; then one read shows what works. */
int nvme_rings_register(struct nvme *nvme, struct error *err);

/* The ring of a command of that kind. */
static inline struct io_uring *nvme_ring_of(struct nvme *nvme, enum nvme_kind kind)
{
	return nvme->is_polled && !nvme_moves_blocks(kind) ? &nvme->quiet : &nvme->data;
}

/* Completions that the kernel has not put on the ring yet: it does when it is asked. */
static inline bool nvme_has_pending_tasks(const struct io_uring *ring)
{
	return IO_URING_READ_ONCE(*ring->sq.kflags) & IORING_SQ_TASKRUN;
}

/* ---- namespaces ---- */

/*
 * The character device of the namespace that a target is, by either of its devices, and what it
 * tells of itself. 0, or -1 with err.
 */
int nvme_file_find(const struct thread_data *td, const char *target, struct nvme_names *names,
		   struct nvme_geometry *geometry, struct error *err);
/* Is what the job asks for possible on it? 0, or -1 with err: unaligned, too large. */
int nvme_file_check(const struct thread_data *td, const struct nvme_geometry *geometry,
		    struct error *err);
/* Opens it for the job. 0, or -1 with err; nvme_file_close() in either case. */
int nvme_file_open(struct nvme_file *file, const struct fio_file *f, struct error *err);
void nvme_file_close(struct nvme_file *file);
/* Data placement as the options ask for; a line says when the drive has none. -1 with err. */
int nvme_placement_open(struct nvme_file *file, struct error *err);

#ifdef FIO_HAS_PLACEMENT
/* Where fio chooses placement identifiers itself: it asks the drive for them through this. */
int nvme_fetch_handles(struct thread_data *td, struct fio_file *f, struct fio_ruhs_info *info);
#endif
/* Buffers beside those of fio, where metadata travels. 0, or -1 with err. */
int nvme_buffers_open(struct nvme *nvme, struct error *err);

/* ---- I/Os ---- */

/* Commands that an I/O of so many bytes takes at most. */
unsigned nvme_io_most_commands(const struct nvme *nvme, uint64_t bytes);
/* The commands of an I/O on the rings. False: no room. */
bool nvme_io_prepare(struct nvme *nvme, struct io_u *io_u, bool fua);
/*
 * The same for an I/O that is one read or write of blocks that travel as they are: of which
 * nvme_io_is_simple() is true, in a job without pieces, metadata or placement.
 */
void nvme_io_prepare_simple(struct nvme *nvme, struct io_u *io_u);
static inline bool nvme_io_is_simple(const struct nvme *nvme, const struct io_u *io_u)
{
	const struct nvme_file *file = &nvme->files[io_u->file->fileno];

	return (io_u->ddir == DDIR_READ ||
		(io_u->ddir == DDIR_WRITE && nvme->options->write_mode == WRITE_DATA)) &&
	       !((io_u->offset | io_u->xfer_buflen) & (file->geometry.block_bytes - 1));
}
/* What stays the same in the entries of simple I/Os. */
void nvme_io_make_entries(struct nvme *nvme, struct nvme_file *file);
/* Room for the ranges is there; -EINVAL: they are more than one command takes. */
int nvme_trim_prepare(struct nvme *nvme, struct nvme_place *place);
/* Trims held back to share a command go to their ring. */
void nvme_trim_flush(struct nvme *nvme);
/*
 * What fio is told of a result: a status is no errno, it sees EIO, with which continue_on_error=
 * works, and asks for more. EINTR is the kernel's word for what it cancelled when the controller
 * was reset or went away.
 */
static inline unsigned nvme_error_of(int result)
{
	return result > 0 || result == -EINTR ? EIO : (unsigned)-result;
}
/* One command is complete. True: so is its I/O, and the others chained to it (place->next). */
bool nvme_io_completed(struct nvme *nvme, struct nvme_place *place, int result);

#endif
