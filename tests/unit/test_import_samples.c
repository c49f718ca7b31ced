/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Every sample trace against the figures of the samples' own list, MANIFEST.md: counts and bytes by
 * operation, range of addresses, first and last time, devices, sizes. The samples are no part of
 * the repository: SSDREVIEW_SAMPLES names their folder, and without them all is skipped.
 */
#include <jansson.h>
#include <math.h>

#include "tests/unit/import_fixture.h"
#include "tests/unit/suite.h"

struct sample {
	char path[512], name[256];
	struct imported imported;
};

static const char *samples_folder(void)
{
	const char *named = getenv("SSDREVIEW_SAMPLES");

	return named ? named : "../shared";
}

/* ---- figures of an import ----------------------------------------------------------------- */

static char letter_of(const struct trace_record *record)
{
	static const char letters[TRACE_OPS] = "RWDFZ";

	return letters[record->op];
}

/* Operations in the list that are called so here; zero-byte writes are left out of a trace. */
static bool is_called(const char *listed, char letter)
{
	if (!strcmp(listed, "N"))
		return letter == 'F';
	return listed[0] == letter;
}

static uint64_t listed_sum(json_t *by_op, char letter)
{
	const char *listed;
	uint64_t sum = 0;
	json_t *value;

	json_object_foreach(by_op, listed, value) if (is_called(listed, letter)) sum +=
		(uint64_t)json_integer_value(value);
	return sum;
}

static uint64_t found_rows(const struct imported *imported, char letter, uint64_t *bytes)
{
	uint64_t rows = 0, n;

	for (n = *bytes = 0; n < imported->count; n++)
		if (letter_of(&imported->records[n]) == letter) {
			*bytes += imported->records[n].length;
			rows++;
		}
	return rows;
}

static void check_ops(const struct sample *sample, json_t *figures)
{
	json_t *ops = json_object_get(figures, "ops"), *sizes = json_object_get(figures, "bytes");
	uint64_t empty = rows_with_reason(&sample->imported.report, "zero bytes"), bytes;
	static const char letters[] = "RWDFZ";

	for (const char *letter = letters; *letter; letter++) {
		uint64_t rows = found_rows(&sample->imported, *letter, &bytes);

		if (*letter == 'W')
			rows += empty;
		ck_assert_msg(rows == listed_sum(ops, *letter), "%s: %c: %llu rows, %llu listed",
			      sample->name, *letter, (unsigned long long)rows,
			      (unsigned long long)listed_sum(ops, *letter));
		ck_assert_msg(bytes == listed_sum(sizes, *letter), "%s: %c: %llu bytes",
			      sample->name, *letter, (unsigned long long)bytes);
	}
}

static void check_range(const struct sample *sample, json_t *figures)
{
	uint64_t from = UINT64_MAX, to = 0;

	for (uint64_t n = 0; n < sample->imported.count; n++) {
		const struct trace_record *record = &sample->imported.records[n];

		if (record->length && record->offset < from)
			from = record->offset;
		if (record->length && record->offset + record->length > to)
			to = record->offset + record->length;
	}
	ck_assert_msg(
		from == (uint64_t)json_integer_value(json_object_get(figures, "min_off")) &&
			to == (uint64_t)json_integer_value(json_object_get(figures, "max_end")),
		"%s: from byte %llu to %llu", sample->name, (unsigned long long)from,
		(unsigned long long)to);
}

/* Completion times in the list are issue times and latencies here. */
struct clock {
	double scale;	    /* listed seconds to real ones */
	double tolerance_s; /* of what whole seconds were spread over */
	double margin_s;    /* that the importer put on top */
	bool completion;
	double later_than_s; /* rows with no time of their own come before it */
};

static double time_of(const struct trace_record *record, const struct clock *clock)
{
	uint64_t ns = record->time_ns + (clock->completion ? record->latency_ns : 0);

	return (double)ns / 1e9 - clock->margin_s;
}

static void check_times(const struct sample *sample, json_t *figures, const struct clock *clock)
{
	double first = INFINITY, last = 0;

	for (uint64_t n = 0; n < sample->imported.count; n++) {
		double at = time_of(&sample->imported.records[n], clock);

		if (at < clock->later_than_s)
			continue;
		first = fmin(first, at);
		last = fmax(last, at);
	}
	first -= json_number_value(json_object_get(figures, "t_first")) * clock->scale;
	last -= json_number_value(json_object_get(figures, "t_last")) * clock->scale;
	/* The last of the list may be one of zero bytes, which is left out. */
	ck_assert_msg(fabs(first) < 1e-6 && last > -2e-6 && last < 1e-6 + clock->tolerance_s,
		      "%s: first time off by %.9f s, last by %.9f s", sample->name, first, last);
}

static uint64_t rows_of_size(const struct imported *imported, uint64_t size)
{
	uint64_t rows = 0;

	for (uint64_t n = 0; n < imported->count; n++)
		rows += imported->records[n].length == size;
	return rows;
}

static void check_sizes(const struct sample *sample, json_t *figures)
{
	uint64_t empty = rows_with_reason(&sample->imported.report, "zero bytes");
	const char *size;
	json_t *rows;

	json_object_foreach(json_object_get(figures, "size_hist"), size, rows)
	{
		uint64_t bytes = strtoull(size, NULL, 10);
		uint64_t found = rows_of_size(&sample->imported, bytes) + (bytes ? 0 : empty);

		ck_assert_msg(found == (uint64_t)json_integer_value(rows), "%s: %llu of size %s",
			      sample->name, (unsigned long long)found, size);
	}
}

/* A device of the list is called so here, or so behind a word such as "LUN"; fio's may have moved.
 */
static bool is_named(const char *listed, const char *name)
{
	size_t longer = strlen(name) - strlen(listed);

	return strlen(name) >= strlen(listed) && !strcmp(name + longer, listed);
}

static void check_devices(const struct sample *sample, json_t *figures)
{
	json_t *number = json_object_get(figures, "n_devices"), *rows;
	const struct imported *imported = &sample->imported;
	const char *device;
	uint64_t found;

	if (!number)
		return;
	ck_assert_uint_eq(imported->stream_count, (unsigned)json_integer_value(number));
	if (imported->stream_count == 1)
		return;
	json_object_foreach(json_object_get(figures, "devices"), device, rows)
	{
		found = 0;
		for (unsigned i = 0; i < imported->stream_count; i++)
			if (is_named(device, imported->streams[i].name))
				found += imported->streams[i].records;
		ck_assert_msg(found >= (uint64_t)json_integer_value(rows),
			      "%s: device %s: %llu rows", sample->name, device,
			      (unsigned long long)found);
	}
}

/* ---- one sample --------------------------------------------------------------------------- */

static void check_figures(struct sample *sample, json_t *figures, const char *event,
			  const struct clock *clock)
{
	struct trace_import_options options = {.event = event, .plain = true};
	const char *path = sample->path;
	struct imported *imported = &sample->imported;

	*imported = import_paths(&path, 1, &options);
	ck_assert_msg(!imported->result, "%s: %s", sample->name, imported->err.text);
	ck_assert_uint_eq(imported->count, imported->report.rows_out);
	ck_assert_uint_eq(imported->count + rows_with_reason(&imported->report, "zero bytes"),
			  (uint64_t)json_integer_value(json_object_get(figures, "ios")));
	check_ops(sample, figures);
	check_range(sample, figures);
	if (json_object_get(figures, "t_first"))
		check_times(sample, figures, clock);
	check_sizes(sample, figures);
	check_devices(sample, figures);
	printf("checked %s %s\n", sample->name, event ? event : "");
	imported_free(imported);
}

static struct clock clock_of(const char *name)
{
	struct clock clock = {.scale = 1};

	if (strstr(name, "cloudPhysicsIO.csv"))
		clock = (struct clock){.scale = 1e6, .tolerance_s = 1};
	if (strstr(name, "biosnoop"))
		clock = (struct clock){.scale = 1, .margin_s = 3600, .completion = true};
	if (strstr(name, "perf-tools_iosnoop"))
		clock.later_than_s = 1;
	return clock;
}

/* Captures of the block layer list each class of event; by itself the import takes D. */
static void check_classes(struct sample *sample, json_t *figures, const char *const *keys)
{
	static const char *const letters[] = {"Q", "D", "C"};
	struct clock clock = clock_of(sample->name);

	for (unsigned i = 0; i < 3; i++) {
		json_t *class = json_object_get(figures, keys[i]);

		if (class)
			check_figures(sample, class, letters[i], &clock);
	}
	check_figures(sample, json_object_get(figures, keys[1]), NULL, &clock);
}

static void check_sample(struct sample *sample, json_t *figures)
{
	static const char *const binary[] = {"Q", "D", "C"};
	static const char *const text[] = {"block_bio_queue", "block_rq_issue",
					   "block_rq_complete"};
	struct clock clock = clock_of(sample->name);

	if (json_object_get(figures, "D"))
		check_classes(sample, figures, binary);
	else if (json_object_get(figures, "block_rq_issue"))
		check_classes(sample, figures, text);
	else
		check_figures(sample, figures, NULL, &clock);
}

/* "## 39. captured-local/loop0.ftrace-blk.bin" to the name; false for other lines. */
static bool read_heading(const char *line, char *name, size_t room)
{
	unsigned number;
	int at = 0;

	if (sscanf(line, "## %u. %n", &number, &at) != 1 || !at)
		return false;
	snprintf(name, room, "%.*s", (int)strcspn(line + at, "\n"), line + at);
	return true;
}

START_TEST(test_manifest)
{
	static char line[16384];
	struct sample sample = {0};
	unsigned samples = 0;
	char path[512];
	json_t *figures;
	FILE *manifest;

	snprintf(path, sizeof(path), "%s/traces/MANIFEST.md", samples_folder());
	manifest = fopen(path, "r");
	ck_assert_ptr_nonnull(manifest);
	while (fgets(line, sizeof(line), manifest)) {
		if (read_heading(line, sample.name, sizeof(sample.name)) || line[0] != '{')
			continue;
		figures = json_loads(line, 0, NULL);
		ck_assert_ptr_nonnull(figures);
		snprintf(sample.path, sizeof(sample.path), "%s/traces/%s", samples_folder(),
			 sample.name);
		check_sample(&sample, figures);
		json_decref(figures);
		samples++;
	}
	fclose(manifest);
	ck_assert_uint_ge(samples, 20);
}
END_TEST

int main(void)
{
	char path[512];
	TCase *tests;

	snprintf(path, sizeof(path), "%s/traces/MANIFEST.md", samples_folder());
	if (access(path, R_OK)) {
		printf("skip sample traces: %s is not there\n", path);
		return 77;
	}
	tests = tcase_create("samples");
	tcase_add_test(tests, test_manifest);
	tcase_set_timeout(tests, 120);
	return run_case("import samples", tests);
}
