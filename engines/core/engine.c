/* SPDX-License-Identifier: GPL-2.0-only */
/* The life of an engine in one clone of a job: load, options, init, cleanup. */
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "engines/core/core.h"
#include "engines/core/nvme_options.h"

/* Of stats_interval=; fio's times are microseconds. */
#define SHORTEST_INTERVAL_US 1000ULL
#define LONGEST_INTERVAL_US  (86400ULL * 1000 * 1000)

struct ioengine_ops *core_engine_ops(struct ioengine_ops *ops)
{
	if (!strcmp(fio_version_string, FIO_COMPILED_VERSION))
		return ops;
	log_err("fio: engine %s was compiled against %s and cannot run in %s: rebuild it with "
		"'./start build' in its source folder\n",
		ops->name, FIO_COMPILED_VERSION, fio_version_string);
	return NULL;
}

int core_refuse_first(const struct core_forbidden *options, size_t count, struct error *err)
{
	size_t i;

	for (i = 0; i < count; i++) {
		if (options[i].is_set)
			return error_set(err, "%s= %s; remove it", options[i].option,
					 options[i].why);
	}
	return 0;
}

/* fio keeps rates an array of one value a direction, of more than one type. */
#define ANY_SET(values) ((values)[DDIR_READ] || (values)[DDIR_WRITE] || (values)[DDIR_TRIM])

static int check_always(const struct thread_options *o, struct error *err)
{
	static const char rate[] = "is a second schedule beside iorate=";
	static const char replay[] = "brings or records a load of its own, with fio's own timing";
	const struct core_forbidden options[] = {
		{ANY_SET(o->rate), "rate", rate},
		{ANY_SET(o->ratemin), "rate_min", rate},
		{ANY_SET(o->rate_iops), "rate_iops", rate},
		{ANY_SET(o->rate_iops_min), "rate_iops_min", rate},
		{o->rate_process != RATE_PROCESS_LINEAR, "rate_process",
		 "is fio's own pacing; arrival= is the one here"},
		{o->latency_target > 0, "latency_target",
		 "changes the number in flight on its own"},
		{o->read_iolog_file != NULL, "read_iolog", replay},
		{o->write_iolog_file != NULL, "write_iolog", replay},
		{o->io_submit_mode == IO_MODE_OFFLOAD, "io_submit_mode=offload, io_submit_mode",
		 "sends I/Os from other threads"},
	};

	return core_refuse_first(options, COUNT(options), err);
}

static int check_paced(const struct thread_options *o, struct error *err)
{
	static const char why[] = "makes I/Os or completions wait for others, beside iorate=";
	const struct core_forbidden options[] = {
		{o->thinktime > 0, "thinktime", "holds I/Os back beyond their due time"},
		{o->iodepth_batch > 1, "iodepth_batch", why},
		{o->iodepth_batch_complete_min > 1, "iodepth_batch_complete_min", why},
		{o->iodepth_low && o->iodepth_low < o->iodepth, "iodepth_low", why},
	};

	return core_refuse_first(options, COUNT(options), err);
}

/* fio copies a job (numjobs=) as so many jobs behind each other. */
unsigned core_first_clone(const struct thread_data *td)
{
	unsigned number = td->thread_number - 1;

	while (number && tnumber_to_td(number)->subjob_number)
		number--;
	return number;
}

/* Only the first keeps the number. */
static unsigned count_clones(const struct thread_data *td)
{
	unsigned clones = tnumber_to_td(core_first_clone(td))->o.numjobs;

	return clones ? clones : 1;
}

static int parse_seed(const char *text, uint64_t *seed, struct error *err)
{
	char *end;

	*seed = 1;
	if (!text)
		return 0;
	errno = 0;
	*seed = strtoull(text, &end, 0);
	if (end == text || *end || errno || strchr(text, '-'))
		return error_set(err, "seed=%s is no seed: give a whole number from 0 to 2^64 - 1",
				 text);
	return 0;
}

static int check_interval(unsigned long long interval_us, struct error *err)
{
	if (interval_us >= SHORTEST_INTERVAL_US && interval_us <= LONGEST_INTERVAL_US)
		return 0;
	return error_set(err, "stats_interval=%lluus is not from 1 ms to 1 day; give 1s or 60s",
			 interval_us);
}

int core_run(struct thread_data *td, struct stats_run *run, struct error *err)
{
	const struct core_options *options = td->eo;

	*run = (struct stats_run){
		.engine = td->io_ops->name,
		.job = td->o.name,
		.clone = td->subjob_number + 1,
		.clones = count_clones(td),
		.in_flight_limit = td->o.iodepth,
		.interval_ns = options->stats_interval_us * NS_PER_USEC,
	};
	if (check_interval(options->stats_interval_us, err))
		return -1;
	return parse_seed(options->seed, &run->seed, err);
}

int core_check_options(struct thread_data *td, bool paced, struct error *err)
{
	if (check_always(&td->o, err))
		return -1;
	return paced ? check_paced(&td->o, err) : 0;
}

char *core_clone_path(const char *path, unsigned clone, unsigned clones)
{
	size_t stem = strlen(path);
	char *result;

	if (clones < 2)
		return strdup(path);
	if (stem > 5 && !strcmp(path + stem - 5, ".json"))
		stem -= 5;
	if (asprintf(&result, "%.*s.%u%s", (int)stem, path, clone, path + stem) < 0)
		return NULL;
	return result;
}

static void free_engine(struct engine *engine)
{
	engine->load->ops->free(engine->load);
	free(engine->slots);
	free(engine->prepared);
	free(engine->done);
	free(engine->stats_path);
	free(engine);
}

static bool allocate_places(struct engine *engine)
{
	engine->slots = calloc(engine->depth, sizeof(*engine->slots));
	engine->prepared = calloc(engine->depth, sizeof(*engine->prepared));
	engine->done = calloc(engine->depth, sizeof(*engine->done));
	return engine->slots && engine->prepared && engine->done;
}

static struct engine *new_engine(struct thread_data *td, struct load *load,
				 const struct stats_run *run, struct error *err)
{
	const struct core_options *options = td->eo;
	struct engine *engine = calloc(1, sizeof(*engine));

	if (!engine)
		goto no_memory;
	engine->td = td;
	engine->load = load;
	engine->is_watched = load->ops->completed != NULL;
	engine->depth = td->o.iodepth;
	if (options->stats_file)
		engine->stats_path = core_clone_path(options->stats_file, run->clone, run->clones);
	if (!allocate_places(engine) || (options->stats_file && !engine->stats_path))
		goto no_memory;
	engine->stats = stats_open(engine->stats_path, run, err);
	if (engine->stats)
		return engine;
	free_engine(engine);
	return NULL;
no_memory:
	error_set(err, "no memory for %u I/Os in flight; lower iodepth=", td->o.iodepth);
	if (engine)
		free_engine(engine);
	else
		load->ops->free(load);
	return NULL;
}

int core_report(struct thread_data *td, const struct error *err)
{
	log_err("fio: %s: job %s: %s\n", td->io_ops->name, td->o.name, err->text);
	td_verror(td, EINVAL, td->io_ops->name);
	return 1;
}

void core_say(const struct thread_data *td, const char *format, ...)
{
	/* fio's status line is written over, not into. */
	const char *clear = isatty(STDERR_FILENO) ? "\r\033[K" : "";
	unsigned clones = count_clones(td);
	char text[1024], which[64] = "";
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	if (clones > 1)
		snprintf(which, sizeof(which), " (%u of %u)", td->subjob_number + 1, clones);
	dprintf(STDERR_FILENO, "%s%s: job %s%s: %s\n", clear, td->io_ops->name, td->o.name, which,
		text);
}

static char *explain_error(struct engine *engine, const struct io_u *io_u)
{
	char *text = NULL;

	if (engine && engine->drive && engine->drive_ops->explain)
		text = engine->drive_ops->explain(engine, io_u);
	return text ? text : strdup(strerror((int)io_u->error));
}

#ifdef FIO_ERRDETAILS_TAKES_TD
char *core_errdetails(struct thread_data *td, struct io_u *io_u)
{
	return explain_error(td->io_ops_data, io_u);
}
#else
/* Who asks can only be told by what the drive left in the file. */
char *core_errdetails(struct io_u *io_u)
{
	return explain_error(FILE_ENG_DATA(io_u->file), io_u);
}
#endif

/* One job, one way to the drive. */
static int check_kinds(struct thread_data *td, enum drive_kind kind, struct error *err)
{
	unsigned i;

	for (i = 1; i < td->o.nr_files; i++) {
		if (core_target_kind(td, td->files[i]) != kind)
			return error_set(err,
					 "%s and %s are reached in different ways: give each a job "
					 "of its own",
					 td->files[0]->file_name, td->files[i]->file_name);
	}
	return 0;
}

int core_init(struct thread_data *td, struct load *load, const struct stats_run *run)
{
	static const struct drive_ops *const drives[] = {
		[DRIVE_BLOCK] = &drive_block,
		[DRIVE_NVME] = &drive_nvme,
		[DRIVE_SIM] = &drive_sim,
	};
	enum drive_kind kind = core_target_kind(td, td->files[0]);
	struct engine *engine;
	struct error err;

	if (check_kinds(td, kind, &err)) {
		load->ops->free(load);
		return core_report(td, &err);
	}
	engine = new_engine(td, load, run, &err);
	if (!engine)
		return core_report(td, &err);
	/* fio aligns buffers for direct I/O alone; a command's off its pages would cost more. */
	if (kind == DRIVE_NVME && !td->o.mem_align)
		td->o.mem_align = (unsigned)sysconf(_SC_PAGESIZE);
	engine->drive_ops = drives[kind];
	engine->nvme_options = &nvme_options_default;
	td->io_ops_data = engine;
	return 0;
}

int core_post_init(struct thread_data *td)
{
	struct engine *engine = td->io_ops_data;
	struct error err;

	/* Sleeps end when they should, not up to 50 us later. */
	prctl(PR_SET_TIMERSLACK, 1);
	return engine->drive_ops->open(engine, &err) ? core_report(td, &err) : 0;
}

/*
 * The end of the measured window, and what was due in it and never left. A job that came to its end
 * by size has sent all there was: nothing more was due. So only a run that was ended by time, or
 * from outside, has unsent I/Os.
 */
static uint64_t count_unsent(struct engine *engine, uint64_t end_ns, uint64_t *oldest_due_ns)
{
	if (!engine->td->terminate || !engine->load_runs)
		return 0;
	return engine->load->ops->count_unsent(engine->load, engine->stats->window_start_ns, end_ns,
					       oldest_due_ns);
}

static uint64_t window_end_ns(const struct engine *engine)
{
	uint64_t limit_ns = engine->stats->window_limit_ns;

	if (limit_ns && engine->last_seen_ns > limit_ns)
		return limit_ns;
	return engine->last_seen_ns;
}

static void write_statistics(struct engine *engine)
{
	struct stats_description description = {0};
	struct run_end end = {.engine = engine, .window_end_ns = window_end_ns(engine)};
	struct error err;

	engine->drive_ops->describe(engine, &description);
	end.oldest_due_ns = end.window_end_ns;
	end.unsent = count_unsent(engine, end.window_end_ns, &end.oldest_due_ns);
	if (engine->load->ops->conclude)
		engine->load->ops->conclude(engine->load, &end, &description);
	if (stats_finish(engine->stats, end.window_end_ns, end.unsent, end.oldest_due_ns,
			 &description, &err))
		core_report(engine->td, &err);
}

void core_cleanup(struct thread_data *td)
{
	struct engine *engine = td->io_ops_data;

	if (!engine)
		return;
	/* fio cleans up too when it fails between init() and post_init(), or in it. */
	if (engine->drive) {
		write_statistics(engine);
		engine->drive_ops->close(engine);
	} else {
		stats_discard(engine->stats);
	}
	free_engine(engine);
	td->io_ops_data = NULL;
}
