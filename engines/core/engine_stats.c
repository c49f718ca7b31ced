/* SPDX-License-Identifier: GPL-2.0-only */
/* The statistics file. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engines/core/engine_stats_internal.h"

static char *path_with(const char *path, const char *ending)
{
	char *longer;

	return asprintf(&longer, "%s%s", path, ending) < 0 ? NULL : longer;
}

/* What came before the lock is another job's: it is not touched until the lock is there. */
static FILE *open_part(const char *path, const char *part)
{
	struct stat st;
	FILE *file = NULL;
	int fd, failure;

	if (!stat(path, &st) && S_ISDIR(st.st_mode)) {
		errno = EISDIR;
		return NULL;
	}
	fd = open(part, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
	if (fd < 0)
		return NULL;
	if (!flock(fd, LOCK_EX | LOCK_NB) && !ftruncate(fd, 0))
		file = fdopen(fd, "r+");
	if (!file) {
		failure = errno;
		close(fd);
		errno = failure;
	}
	return file;
}

static int explain_part(const char *path, struct error *err)
{
	if (errno == EWOULDBLOCK)
		return error_set(err, "stats_file=%s is written by another job; give each its own",
				 path);
	return error_set(err,
			 "stats_file=%s cannot be written: %s; name a file in a folder that exists "
			 "and can be written to",
			 path, strerror(errno));
}

struct engine_stats *stats_open(const char *path, const struct stats_run *run, struct error *err)
{
	struct engine_stats *stats = calloc(1, sizeof(*stats));
	char *part = path ? path_with(path, ".part") : NULL;

	if (!stats || (path && !part)) {
		error_set(err, "no memory for the statistics");
		goto failed;
	}
	stats->run = *run;
	if (!stats->run.interval_ns)
		stats->run.interval_ns = STATS_INTERVAL_NS;
	stats->path = path;
	if (path) {
		stats->part = open_part(path, part);
		if (!stats->part) {
			explain_part(path, err);
			goto failed;
		}
	}
	free(part);
	return stats;
failed:
	free(part);
	free(stats);
	return NULL;
}

/*
 * How long this thread has been ready to run and had no CPU; 0 where the kernel does not count it
 * (/proc/thread-self/schedstat: time on the CPU, time waiting for one, time slices).
 */
static struct cpu_wait cpu_wait_now(void)
{
	FILE *file = fopen("/proc/thread-self/schedstat", "re");
	unsigned long long wait_ns = 0;

	if (file && fscanf(file, "%*u %llu", &wait_ns) != 1)
		wait_ns = 0;
	if (file)
		fclose(file);
	return (struct cpu_wait){.wait_ns = wait_ns, .at_ns = monotonic_ns()};
}

void stats_note_window_end(struct engine_stats *stats)
{
	stats->cpu_wait_end = cpu_wait_now();
}

void stats_start_window(struct engine_stats *stats, uint64_t now_ns, uint64_t limit_ns)
{
	struct engine_stats fresh = {
		.run = stats->run,
		.path = stats->path,
		.part = stats->part,
		.window_start_ns = now_ns,
		.interval_start_ns = now_ns,
		.window_limit_ns = limit_ns,
		.cpu_wait_start = cpu_wait_now(),
		.interval_late = stats->interval_late,
	};

	*stats = fresh;
	if (stats->interval_late)
		memset(stats->interval_late, 0, sizeof(*stats->interval_late));
	if (!stats->part)
		return;
	rewind(stats->part);
	if (ftruncate(fileno(stats->part), 0))
		clearerr(stats->part);
}

static void write_buckets(FILE *file, const struct histogram *h)
{
	const char *separator = "";
	unsigned i;

	for (i = 0; i < HISTOGRAM_BUCKETS; i++) {
		if (!h->buckets[i])
			continue;
		fprintf(file, "%s[%llu,%u]", separator, (unsigned long long)histogram_upper_ns(i),
			h->buckets[i]);
		separator = ",";
	}
}

static void write_late(FILE *file, const struct histogram *late)
{
	fprintf(file,
		",\"late_count\":%llu,\"late_mean_ns\":%.1f,\"late_p99_ns\":%llu,"
		"\"late_max_ns\":%llu",
		(unsigned long long)late->count, histogram_mean_ns(late),
		(unsigned long long)histogram_percentile_ns(late, 0.99),
		(unsigned long long)late->max_ns);
}

static void write_directions(const struct engine_stats *stats)
{
	static const char *const words[] = {"read", "write"};
	unsigned i;

	for (i = 0; i < COUNT(words); i++) {
		const struct histogram *h = &stats->interval[i];

		fprintf(stats->part,
			",\"%s\":{\"count\":%llu,\"bytes\":%llu,\"mean_ns\":%.3f,"
			"\"m2_ns2\":%.9e,\"max_ns\":%llu}",
			words[i], (unsigned long long)h->count,
			(unsigned long long)stats->interval_bytes[i], histogram_mean_ns(h),
			histogram_m2_ns2(h), (unsigned long long)h->max_ns);
	}
}

/* One interval as a line of JSON; the file is read back only to be copied. */
static void write_interval(struct engine_stats *stats, const struct histogram *h,
			   uint64_t length_ns)
{
	fprintf(stats->part,
		"%s\n{\"start_ns\":%llu,\"length_ns\":%llu,\"count\":%llu,\"mean_ns\":%.1f,"
		"\"m2_ns2\":%.6e,\"max_ns\":%llu,\"histogram\":[",
		stats->part_has_interval ? "," : "",
		(unsigned long long)(stats->interval_start_ns - stats->window_start_ns),
		(unsigned long long)length_ns, (unsigned long long)h->count, histogram_mean_ns(h),
		histogram_m2_ns2(h), (unsigned long long)h->max_ns);
	write_buckets(stats->part, h);
	fputs("]", stats->part);
	write_directions(stats);
	if (stats->interval_late)
		write_late(stats->part, stats->interval_late);
	fputs("}", stats->part);
	if (fflush(stats->part) && !stats->part_errno)
		stats->part_errno = errno; /* rewind() would forget it */
	stats->part_has_interval = true;
}

static void keep_sum(struct stats_sum *sum, const struct histogram *h, uint64_t bytes)
{
	sum->count += h->count;
	sum->bytes += bytes;
	sum->sum_ns += h->sum_ns;
	sum->sum_squares_ns2 += h->sum_squares_ns2;
	if (h->max_ns > sum->max_ns)
		sum->max_ns = h->max_ns;
}

/* All directions together: in `room`, or the only one there is. */
static const struct histogram *all_directions(const struct engine_stats *stats,
					      struct histogram *room)
{
	uint64_t count = stats_count(stats) - stats->response.count;
	unsigned i;

	for (i = 0; i < STATS_DIRECTIONS; i++)
		if (stats->interval[i].count == count)
			return &stats->interval[i];
	memset(room, 0, sizeof(*room));
	for (i = 0; i < STATS_DIRECTIONS; i++)
		histogram_merge(room, &stats->interval[i]);
	return room;
}

static void keep_direction(struct engine_stats *stats, unsigned direction)
{
	struct histogram *h = &stats->interval[direction];

	if (!h->count)
		return;
	keep_sum(&stats->closed[direction], h, stats->interval_bytes[direction]);
	stats->interval_bytes[direction] = 0;
	memset(h, 0, sizeof(*h));
}

static void close_interval(struct engine_stats *stats, uint64_t length_ns)
{
	struct histogram room;
	const struct histogram *all = all_directions(stats, &room);
	unsigned i;

	if (stats->part)
		write_interval(stats, all, length_ns);
	if (all->count)
		histogram_merge(&stats->response, all);
	for (i = 0; i < STATS_DIRECTIONS; i++)
		keep_direction(stats, i);
	if (stats->interval_late)
		memset(stats->interval_late, 0, sizeof(*stats->interval_late));
	stats->interval_start_ns += length_ns;
}

uint64_t stats_count(const struct engine_stats *stats)
{
	uint64_t count = stats->response.count;
	unsigned i;

	for (i = 0; i < STATS_DIRECTIONS; i++)
		count += stats->interval[i].count;
	return count;
}

void stats_close_intervals(struct engine_stats *stats, uint64_t now_ns)
{
	while (stats_interval_ended(stats, now_ns))
		close_interval(stats, stats->run.interval_ns);
}

/* The summary without its closing brace, the intervals, the rest: one JSON document. */
static int assemble(FILE *file, const char *text, FILE *part)
{
	char buffer[65536];
	size_t got;

	fprintf(file, "%.*s,\n  \"intervals\": [", (int)(strlen(text) - 2), text);
	rewind(part);
	while ((got = fread(buffer, 1, sizeof(buffer), part)) > 0)
		fwrite(buffer, 1, got, file);
	fputs("\n  ]\n}\n", file);
	return ferror(file) || ferror(part) || fflush(file) ? -1 : 0;
}

static int write_file(struct engine_stats *stats, const char *text, struct error *err)
{
	char *part = path_with(stats->path, ".part"), *whole = path_with(stats->path, ".new");
	FILE *file = part && whole && !stats->part_errno ? fopen(whole, "we") : NULL;
	int failed = -1;

	if (file) {
		failed = assemble(file, text, stats->part);
		failed |= fclose(file);
	}
	if (file && !failed)
		failed = rename(whole, stats->path);
	if (stats->part_errno)
		errno = stats->part_errno;
	if (failed)
		error_set(err, "stats_file=%s cannot be written: %s; the intervals are in %s.part",
			  stats->path, strerror(errno), stats->path);
	else
		unlink(part);
	if (file && failed)
		unlink(whole);
	free(part);
	free(whole);
	return failed ? -1 : 0;
}

static void free_stats(struct engine_stats *stats)
{
	if (stats->part)
		fclose(stats->part);
	free(stats);
}

int stats_finish(struct engine_stats *stats, uint64_t window_end_ns, uint64_t unsent,
		 uint64_t oldest_due_ns, const struct stats_description *description,
		 struct error *err)
{
	json_t *root;
	char *text;
	int failed = 0;

	if (!stats->cpu_wait_end.at_ns)
		stats_note_window_end(stats);
	stats_close_intervals(stats, window_end_ns);
	if (stats_count(stats) > stats->response.count || !stats->part_has_interval)
		close_interval(stats, window_end_ns > stats->interval_start_ns
					      ? window_end_ns - stats->interval_start_ns
					      : 0);
	root = stats_summarise(stats, window_end_ns, unsent, oldest_due_ns, description);
	text = json_dumps(root, JSON_INDENT(2) | JSON_REAL_PRECISION(9));
	if (stats->path)
		failed = text ? write_file(stats, text, err)
			      : error_set(err, "no memory for the statistics");
	json_decref(root);
	free(text);
	free_stats(stats);
	return failed;
}

void stats_discard(struct engine_stats *stats)
{
	char *part = stats->path ? path_with(stats->path, ".part") : NULL;

	if (part)
		unlink(part);
	free(part);
	free_stats(stats);
}

int stats_read_achieved(const char *path, double *iops, struct error *err)
{
	json_error_t where;
	json_t *root = json_load_file(path, 0, &where);
	json_t *achieved = json_object_get(root, "achieved_iops");

	if (!root)
		return error_set(err, "%s:%d: %s; run the job that writes it first", path,
				 where.line, where.text);
	*iops = json_number_value(achieved);
	json_decref(root);
	if (*iops <= 0)
		return error_set(err,
				 "%s holds no achieved_iops above 0; run the job at the "
				 "maximum again",
				 path);
	return 0;
}
