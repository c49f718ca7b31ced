/* SPDX-License-Identifier: GPL-2.0-only */
/* What a job's target is: asked in fio's parent process, before anything is opened. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#include "device/nvme_names.h"
#include "engines/core/core.h"
#include "engines/core/guard.h"
#include "engines/core/nvme.h"
#include "engines/sim/sim.h"
#include "engines/trace/trace.h"

static bool is_generic(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && nvme_is_generic("/sys", st.st_mode, st.st_rdev);
}

/* What is neither is refused by size_block(), in words. */
enum drive_kind core_target_kind(struct thread_data *td, struct fio_file *f)
{
	const struct core_options *options = td->eo;

	if (options->drive == DRIVE_BLOCK || options->drive == DRIVE_NVME)
		return (enum drive_kind)options->drive;
	if (sim_is_state_file(f->file_name))
		return DRIVE_SIM;
	return options->drive == DRIVE_AUTO && is_generic(f->file_name) ? DRIVE_NVME : DRIVE_BLOCK;
}

bool core_target_is_simulated(struct thread_data *td, struct fio_file *f)
{
	return core_target_kind(td, f) == DRIVE_SIM;
}

/* A state file looks like a device to fio: it must never lay out or extend it. */
static int size_simulated(struct thread_data *td, struct fio_file *f)
{
	struct sim_info info;
	struct error err;

	if (sim_drive_info(f->file_name, &info, &err))
		return core_report(td, &err);
	f->filetype = FIO_TYPE_CHAR;
	f->real_file_size = info.capacity_bytes;
	fio_file_set_size_known(f);
	return 0;
}

/* Does the engine let a job choose its way to the drive? */
static bool has_drive_option(const struct thread_data *td)
{
	const struct fio_option *option = td->io_ops->options;

	while (option && option->name && strcmp(option->name, "drive"))
		option++;
	return option && option->name;
}

const char *core_block_way(const struct thread_data *td)
{
	return has_drive_option(td) ? "drive=block" : "the engine openloop";
}

static int check_no_store(const struct thread_data *td, const struct fio_file *f, struct error *err)
{
	const struct core_options *options = td->eo;

	if (!options->store_data)
		return 0;
	return error_set(err, "store_data= is for simulated drives, and %s is none; remove it",
			 f->file_name);
}

/* Files that must not be written over, whatever drive= says. */
static int check_no_own_file(const struct thread_data *td, const struct fio_file *f,
			     struct error *err)
{
	if (sim_is_state_file(f->file_name))
		return error_set(err,
				 "%s is the state file of a simulated drive, not a drive: "
				 "use %s",
				 f->file_name,
				 has_drive_option(td) ? "drive=auto or drive=sim"
						      : "the engine simdrive or openloop");
	if (sim_is_model_file(f->file_name))
		return error_set(err,
				 "%s is the model of a simulated drive, not a target: make a "
				 "drive of it with 'ssdreview sim new'",
				 f->file_name);
	if (trace_is_file(f->file_name))
		return error_set(err,
				 "%s is a trace, not a target: name it with trace= of vdi_replay",
				 f->file_name);
	return 0;
}

static int check_block_target(struct thread_data *td, struct fio_file *f, struct error *err)
{
	const struct core_options *options = td->eo;

	if (check_no_own_file(td, f, err))
		return -1;
	if (options->drive == DRIVE_SIM)
		return error_set(err,
				 "%s is not the state file of a simulated drive: make one with "
				 "'ssdreview sim new MODEL -o FILE'",
				 f->file_name);
	if (is_generic(f->file_name))
		return error_set(err,
				 "%s takes NVMe commands, not reads and writes: use drive=auto or "
				 "drive=nvme",
				 f->file_name);
	return guard_check(f->file_name, err);
}

/*
 * fio writes a target out to its full size before a job that only reads. Here it would turn the
 * user's own file into a test file, so a file that is too short is refused.
 */
static int check_read_target(struct thread_data *td, struct fio_file *f, struct error *err)
{
	uint64_t wanted = td->o.size / td->o.nr_files + td->o.start_offset;
	struct stat st;

	if (td_write(td) || td_trim(td) || f->filetype != FIO_TYPE_FILE)
		return 0;
	if (stat(f->file_name, &st))
		return error_set(err,
				 "%s cannot be read: %s; a read job never makes its target: "
				 "fill it first",
				 f->file_name, strerror(errno));
	if ((uint64_t)st.st_size < wanted)
		return error_set(err,
				 "%s has %llu bytes and the job reads %llu: a read job never "
				 "extends its target, fill it first",
				 f->file_name, (unsigned long long)st.st_size,
				 (unsigned long long)wanted);
	return 0;
}

static int size_block(struct thread_data *td, struct fio_file *f)
{
	struct error err;

	if (check_block_target(td, f, &err) || check_no_store(td, f, &err) ||
	    check_read_target(td, f, &err))
		return core_report(td, &err);
	return generic_get_file_size(td, f);
}

/* A namespace looks like a character device to fio, also when its block device was named. */
static int size_nvme(struct thread_data *td, struct fio_file *f)
{
	struct nvme_geometry geometry;
	struct nvme_names names;
	struct error err;

	if (check_no_own_file(td, f, &err) ||
	    nvme_file_find(td, f->file_name, &names, &geometry, &err) ||
	    guard_check(f->file_name, &err) || check_no_store(td, f, &err) ||
	    nvme_file_check(td, &geometry, &err))
		return core_report(td, &err);
	f->filetype = FIO_TYPE_CHAR;
	f->real_file_size = geometry.blocks << geometry.block_shift;
	fio_file_set_size_known(f);
	return 0;
}

/* fio would do nothing there, and call that a success. */
static int check_offset(struct thread_data *td, const struct fio_file *f)
{
	struct error err;

	if (f->filetype == FIO_TYPE_FILE || td->o.start_offset < f->real_file_size)
		return 0;
	error_set(&err, "offset=%llu lies behind the end of %s, which has %llu bytes",
		  td->o.start_offset, f->file_name, (unsigned long long)f->real_file_size);
	return core_report(td, &err);
}

int core_get_file_size(struct thread_data *td, struct fio_file *f)
{
	int failed;

	if (fio_file_size_known(f))
		return 0;
	switch (core_target_kind(td, f)) {
	case DRIVE_SIM:
		failed = size_simulated(td, f);
		break;
	case DRIVE_NVME:
		failed = size_nvme(td, f);
		break;
	default:
		failed = size_block(td, f);
	}
	return failed ? failed : check_offset(td, f);
}

/* Does fio open the file? Once the job runs, it stays what it is, also when somebody removes it. */
static bool fio_opens(struct thread_data *td, struct fio_file *f)
{
	const struct engine *engine = td->io_ops_data;

	return engine ? engine->drive_ops == &drive_block : core_target_kind(td, f) == DRIVE_BLOCK;
}

/*
 * fio opens what is trimmed for buffered I/O, and so the reads and writes of a job that also trims
 * would go to the page cache against direct=1.
 */
static int open_block(struct thread_data *td, struct fio_file *f)
{
	int failed = generic_open_file(td, f), flags;

	if (failed || !td_trim(td) || !td->o.odirect)
		return failed;
	flags = fcntl(f->fd, F_GETFL);
	if (flags >= 0 && !fcntl(f->fd, F_SETFL, flags | O_DIRECT))
		return 0;
	td_verror(td, errno, "direct=1");
	return 1; /* the job ends, and with it the descriptor */
}

/* Others are opened in post_init(); fio only needs to believe that they are open. */
int core_open_file(struct thread_data *td, struct fio_file *f)
{
	FILE_SET_ENG_DATA(f, td->io_ops_data); /* core_errdetails() asks for it */
	return fio_opens(td, f) ? open_block(td, f) : 0;
}

int core_close_file(struct thread_data *td, struct fio_file *f)
{
	if (fio_opens(td, f))
		return generic_close_file(td, f);
	f->fd = -1;
	return 0;
}
