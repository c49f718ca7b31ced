/* SPDX-License-Identifier: GPL-2.0-only */
/* What a job's target is: asked in fio's parent process, before anything is opened. */
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>

#include "engines/core/core.h"
#include "engines/core/guard.h"
#include "engines/sim/sim.h"
#include "engines/trace/trace.h"

bool core_target_is_simulated(struct thread_data *td, struct fio_file *f)
{
	const struct core_options *options = td->eo;

	return options->drive != DRIVE_BLOCK && sim_is_state_file(f->file_name);
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

static int check_block_target(struct thread_data *td, struct fio_file *f, struct error *err)
{
	const struct core_options *options = td->eo;

	if (sim_is_state_file(f->file_name))
		return error_set(err,
				 "%s is the state file of a simulated drive, not a drive: "
				 "use drive=auto or drive=sim",
				 f->file_name);
	if (sim_is_model_file(f->file_name))
		return error_set(err,
				 "%s is the model of a simulated drive, not a target: make a "
				 "drive of it with 'ssdreview sim new'",
				 f->file_name);
	if (trace_is_file(f->file_name))
		return error_set(err,
				 "%s is a trace, not a target: name it with trace= of vdi_replay",
				 f->file_name);
	if (options->drive == DRIVE_SIM)
		return error_set(err,
				 "%s is not the state file of a simulated drive: make one with "
				 "'ssdreview sim new MODEL -o FILE'",
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

	if (check_block_target(td, f, &err) || check_read_target(td, f, &err))
		return core_report(td, &err);
	return generic_get_file_size(td, f);
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
	failed = core_target_is_simulated(td, f) ? size_simulated(td, f) : size_block(td, f);
	return failed ? failed : check_offset(td, f);
}

/* Once the job runs, its files stay what they are, also when somebody removes them. */
static bool is_simulated(struct thread_data *td, struct fio_file *f)
{
	const struct engine *engine = td->io_ops_data;

	return engine ? engine->drive_ops == &drive_sim : core_target_is_simulated(td, f);
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

/* A simulated drive is attached in post_init(); fio only needs to believe that it is open. */
int core_open_file(struct thread_data *td, struct fio_file *f)
{
	return is_simulated(td, f) ? 0 : open_block(td, f);
}

int core_close_file(struct thread_data *td, struct fio_file *f)
{
	if (!is_simulated(td, f))
		return generic_close_file(td, f);
	f->fd = -1;
	return 0;
}
