/* SPDX-License-Identifier: GPL-2.0-only */
/* The loads of rounds and ladders: a section of the job file each, with its times. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "review/mix_load.h"

#define SHORTEST_SAMPLE_S 0.02 /* shorter, and a simulated drive's samples are of too few I/Os */

/* ---- what a load does ----------------------------------------------------------------------- */

static bool is_write(const char *rw)
{
	return strstr(rw, "write") || strstr(rw, "rw");
}

static double read_share(const struct mix *mix)
{
	double share = 0;
	unsigned i;

	for (i = 0; i < mix->count; i++)
		if (mix->patterns[i].op == MIX_READ)
			share += mix->patterns[i].share;
	return share;
}

static void take_mix(const struct mix *mix, struct plan_load *load)
{
	load->block_bytes = (unsigned)mix_mean_bytes(mix);
	load->read_percent = (unsigned)(read_share(mix) * 100 + 0.5);
	load->random = true;
	load->writes = mix_does(mix, MIX_WRITE) || mix_does(mix, MIX_TRIM);
}

/* "iops.fio:31: [r65-4k] ...": where a key of the section stands. */
static int fault(const struct plan_row *row, const struct job_file *job, const char *section,
		 const char *key, struct error *err)
{
	const struct job_line *line = job_file_line(job, section, key);

	if (!line)
		return error_prefix(err, "%s: [%s]", row->row->jobfile, section);
	return error_prefix(err, "%s:%u: [%s]", row->row->jobfile, line->number, section);
}

static int read_name(const struct plan_row *row, const struct job_file *job, const char *section,
		     struct plan_load *load, struct error *err)
{
	if (snprintf(load->name, sizeof(load->name), "%s", section) < (int)sizeof(load->name))
		return 0;
	error_set(err, "the name of a load has at most %zu characters", sizeof(load->name) - 1);
	return fault(row, job, section, "", err);
}

static int read_block(const struct plan_row *row, const struct job_file *job, const char *section,
		      struct plan_load *load, struct error *err)
{
	const char *bs = job_file_get(job, section, "bs");
	uint64_t bytes = 4096;

	if (bs && size_parse(bs, &bytes, err)) {
		error_prefix(err, "bs");
		return fault(row, job, section, "bs", err);
	}
	load->block_bytes = (unsigned)bytes;
	return 0;
}

/* Of its I/Os, by their number: rwmixread, or what rwmixwrite leaves, else fio's 50. */
static int read_share_of_reads(const struct plan_row *row, const struct job_file *job,
			       const char *section, const char *rw, struct plan_load *load,
			       struct error *err)
{
	const char *key = job_file_get(job, section, "rwmixread") ? "rwmixread" : "rwmixwrite";
	const char *value = job_file_get(job, section, key);
	char *end;
	unsigned long percent;

	load->read_percent = strstr(rw, "write") ? 0 : 100;
	if (!strstr(rw, "rw"))
		return 0;
	load->read_percent = 50;
	if (!value)
		return 0;
	percent = strtoul(value, &end, 10);
	if (end == value || *end || value[0] == '-' || percent > 100) {
		error_set(err, "%s=%s is no whole number from 0 to 100", key, value);
		return fault(row, job, section, key, err);
	}
	load->read_percent = (unsigned)(!strcmp(key, "rwmixread") ? percent : 100 - percent);
	return 0;
}

static int read_load(const struct plan_row *row, const struct job_file *job, const char *section,
		     struct plan_load *load, struct error *err)
{
	const char *rw = job_file_get(job, section, "rw");
	struct mix mix;
	int mixed = row_mix(row->row, job, section, &mix, err);

	if (mixed < 0)
		return -1;
	if (!rw) {
		error_set(err, "names no rw");
		return fault(row, job, section, "", err);
	}
	if (read_name(row, job, section, load, err) || read_block(row, job, section, load, err) ||
	    read_share_of_reads(row, job, section, rw, load, err))
		return -1;
	load->random = !strncmp(rw, "rand", 4);
	load->writes = is_write(rw);
	if (mixed)
		take_mix(&mix, load);
	return 0;
}

/* ---- its times ------------------------------------------------------------------------------ */

/* A time of fio's, of which a number alone is of `unit` seconds; 0 where the key is missing. */
static int read_time(const struct plan_row *row, const struct job_file *job, const char *section,
		     const char *key, double unit, double *seconds, struct error *err)
{
	const char *value = job_file_get(job, section, key), *end;
	double us;

	*seconds = 0;
	if (!value)
		return 0;
	end = duration_parse(value, &us);
	if (end && !*end) {
		*seconds = us / 1e6 * (isalpha((unsigned char)end[-1]) ? 1 : unit);
		return 0;
	}
	error_set(err, "%s=%s is no time such as 30s", key, value);
	return fault(row, job, section, key, err);
}

static int read_times(const struct plan_row *row, const struct job_file *job,
		      struct plan_load *load, struct error *err)
{
	if (read_time(row, job, load->name, "runtime", 1, &load->load_s, err) ||
	    read_time(row, job, load->name, "stats_interval", 1, &load->sample_s, err) ||
	    read_time(row, job, load->name, "thinktime", 1e-6, &load->idle_s, err) ||
	    read_time(row, job, load->name, "thinktime_iotime", 1, &load->work_s, err))
		return -1;
	if (!(load->load_s > 0 && load->sample_s > 0 && load->load_s >= load->sample_s))
		error_set(err, "a load of a sequence needs runtime and a stats_interval no longer");
	else if ((load->idle_s > 0) != (load->work_s > 0))
		error_set(err, "thinktime and thinktime_iotime need each other here");
	else
		return 0;
	return fault(row, job, load->name, "runtime", err);
}

/* Of a sequence: those of the job file, with a sample each stats_interval. */
static int own_times(const struct plan *plan, const struct plan_row *row,
		     const struct job_file *job, struct plan_load *load, struct error *err)
{
	double scale = plan->target->scale, samples;

	if (read_times(row, job, load, err))
		return -1;
	samples = fmax(round(load->load_s / row->row->rounds.divide / load->sample_s), 1);
	load->sample_s = fmax(load->sample_s / scale, SHORTEST_SAMPLE_S);
	load->load_s = samples * load->sample_s;
	load->work_s /= scale;
	load->idle_s /= scale;
	return 0;
}

static int set_times(const struct plan *plan, struct plan_row *row, const struct job_file *job,
		     struct plan_load *load, struct error *err)
{
	const struct profile_rounds *rounds = &row->row->rounds;

	load->load_s = row->row->ladder.measure_s;
	if (row->row->steps != STEPS_ROUNDS)
		return 0;
	if (rounds->is_sequence)
		return own_times(plan, row, job, load, err);
	load->sample_s = fmax(rounds->sample_s / plan->target->scale, SHORTEST_SAMPLE_S);
	load->load_s = load->sample_s * round(rounds->load_s / rounds->sample_s);
	return 0;
}

/* ---- all of them ---------------------------------------------------------------------------- */

static void leave_out(struct plan_row *row, const struct plan_load *load)
{
	struct left_load *left = &row->rounds.left_out[row->rounds.left_count];

	if (row->rounds.left_count == PLAN_MAX_LOADS)
		return;
	snprintf(left->name, sizeof(left->name), "%s", load->name);
	left->block_bytes = load->block_bytes;
	row->rounds.left_count++;
}

int plan_loads(const struct plan *plan, struct plan_row *row, const struct job_file *job,
	       struct error *err)
{
	unsigned block_bytes = plan->target->block_bytes;
	const char *section = NULL;

	while ((section = job_file_next_section(job, section))) {
		struct plan_load load = {.block_bytes = 0};

		if (row->rounds.load_count == PLAN_MAX_LOADS)
			return error_set(err, "%s: more than %d loads", row->row->jobfile,
					 PLAN_MAX_LOADS);
		if (read_load(row, job, section, &load, err) ||
		    set_times(plan, row, job, &load, err))
			return -1;
		if (block_bytes && load.block_bytes % block_bytes) {
			leave_out(row, &load);
			continue;
		}
		row->writes |= load.writes;
		row->rounds.round_s += load.load_s;
		row->rounds.loads[row->rounds.load_count++] = load;
	}
	if (!row->rounds.load_count && row->rounds.left_count)
		return error_set(err,
				 "%s: all its blocks are smaller than those of the drive, %u bytes",
				 row->row->jobfile, block_bytes);
	return row->rounds.load_count
		       ? 0
		       : error_set(err, "%s: there is no section with a load", row->row->jobfile);
}
