/* SPDX-License-Identifier: GPL-2.0-only */
/* A trace as text for other tools. */
#include <errno.h>
#include <unistd.h>

#include "engines/trace/vdt_internal.h"

#define NS_PER_IOLOG_UNIT NS_PER_USEC
#define IOLOG_MAX_LENGTH  (1ULL << 31) /* fio reads lengths of 32 bits */
#define SECTOR_BYTES	  512
#define BLKPARSE_MAJOR	  259

struct exporter {
	struct trace *trace;
	const char *filename;
	FILE *out;
	struct trace_export *counts;
};

struct export_format {
	const char *name;
	bool has_all; /* of a record: its latency, and that it writes zeroes */
	void (*begin)(struct exporter *exporter);
	void (*record)(struct exporter *exporter, const struct trace_record *record);
	void (*end)(struct exporter *exporter);
};

static void nothing(struct exporter *exporter)
{
	(void)exporter;
}

/* ---- fio's iolog, version 3 ---------------------------------------------------------------- */

/* A stream's name as one word, for blanks separate words. */
static void iolog_name(const struct exporter *exporter, unsigned stream, char *name)
{
	char *at;

	if (exporter->filename) {
		snprintf(name, TRACE_NAME_BYTES, "%s", exporter->filename);
		return;
	}
	memcpy(name, trace_stream(exporter->trace, stream)->name, TRACE_NAME_BYTES);
	for (at = name; *at; at++)
		if (*at == ' ')
			*at = '_';
}

static void iolog_files(struct exporter *exporter, uint64_t time_us, const char *action)
{
	unsigned i, count = exporter->filename ? 1 : trace_header(exporter->trace)->streams;
	char name[TRACE_NAME_BYTES];

	for (i = 0; i < count; i++) {
		iolog_name(exporter, i, name);
		fprintf(exporter->out, "%llu %s %s\n", (unsigned long long)time_us, name, action);
	}
}

static void iolog_begin(struct exporter *exporter)
{
	fprintf(exporter->out, "fio version 3 iolog\n");
	iolog_files(exporter, 0, "add");
	iolog_files(exporter, 0, "open");
}

static void iolog_end(struct exporter *exporter)
{
	iolog_files(exporter, trace_header(exporter->trace)->duration_ns / NS_PER_IOLOG_UNIT,
		    "close");
}

static void iolog_line(struct exporter *exporter, const struct trace_record *record,
		       const char *action, uint64_t offset, uint64_t length)
{
	char name[TRACE_NAME_BYTES];

	iolog_name(exporter, record->stream, name);
	fprintf(exporter->out, "%llu %s %s %llu %llu\n",
		(unsigned long long)(record->time_ns / NS_PER_IOLOG_UNIT), name, action,
		(unsigned long long)offset, (unsigned long long)length);
}

/* PREFLUSH and FUA have no word in an iolog: a sync before, and one after the data. */
static void iolog_record(struct exporter *exporter, const struct trace_record *record)
{
	static const char *const actions[TRACE_OPS] = {"read", "write", "trim", "sync", "write"};
	uint64_t done = 0;

	if (record->op == TRACE_FLUSH || (record->flags & TRACE_PREFLUSH))
		iolog_line(exporter, record, "sync", 0, 0);
	for (; record->op != TRACE_FLUSH && done < record->length; done += IOLOG_MAX_LENGTH) {
		uint64_t left = record->length - done;

		exporter->counts->pieces += done > 0;
		iolog_line(exporter, record, actions[record->op], record->offset + done,
			   left < IOLOG_MAX_LENGTH ? left : IOLOG_MAX_LENGTH);
	}
	if (record->op != TRACE_FLUSH && (record->flags & TRACE_FUA))
		iolog_line(exporter, record, "sync", 0, 0);
}

/* ---- CSV ----------------------------------------------------------------------------------- */

static void csv_begin(struct exporter *exporter)
{
	fprintf(exporter->out, TRACE_CSV_HEADER "\n");
}

/* A name with a comma or a quote stands in quotes, its own quotes doubled (RFC 4180). */
static void csv_name(const char *name, FILE *out)
{
	const char *at;

	if (!strpbrk(name, ",\"")) {
		fputs(name, out);
		return;
	}
	putc('"', out);
	for (at = name; *at; at++) {
		if (*at == '"')
			putc('"', out);
		putc(*at, out);
	}
	putc('"', out);
}

static void csv_record(struct exporter *exporter, const struct trace_record *record)
{
	FILE *out = exporter->out;

	fprintf(out, "%llu,", (unsigned long long)record->time_ns);
	csv_name(trace_stream(exporter->trace, record->stream)->name, out);
	fprintf(out, ",%s,%llu,%llu,%u,", trace_op_name(record->op),
		(unsigned long long)record->offset, (unsigned long long)record->length,
		record->flags);
	if (record->latency_ns != TRACE_NO_LATENCY)
		fprintf(out, "%llu", (unsigned long long)record->latency_ns);
	putc('\n', out);
}

/* ---- blkparse's default text --------------------------------------------------------------- */

/* Operation and flags in blkparse's letters, in its order. */
static void rwbs(const struct trace_record *record, char *letters)
{
	static const char ops[TRACE_OPS + 1] = "RWDFW";

	if ((record->flags & TRACE_PREFLUSH) && record->op != TRACE_FLUSH)
		*letters++ = 'F';
	*letters++ = ops[record->op];
	if ((record->flags & TRACE_READAHEAD) && record->op != TRACE_FLUSH)
		*letters++ = 'A';
	if (record->flags & TRACE_FUA)
		*letters++ = 'F';
	if (record->flags & TRACE_SYNC)
		*letters++ = 'S';
	if (record->flags & TRACE_META)
		*letters++ = 'M';
	*letters = '\0';
}

static void blkparse_record(struct exporter *exporter, const struct trace_record *record)
{
	uint64_t first = record->offset / SECTOR_BYTES;
	uint64_t end = (record->offset + record->length + SECTOR_BYTES - 1) / SECTOR_BYTES;
	char letters[8];

	rwbs(record, letters);
	exporter->counts->rounded += ((record->offset | record->length) % SECTOR_BYTES) != 0;
	fprintf(exporter->out, "%3d,%-3u %2d %8llu %5llu.%09llu %5d  D %3s ", BLKPARSE_MAJOR,
		record->stream, 0, (unsigned long long)exporter->counts->records + 1,
		(unsigned long long)(record->time_ns / NS_PER_SEC),
		(unsigned long long)(record->time_ns % NS_PER_SEC), 0, letters);
	if (record->length)
		fprintf(exporter->out, "%llu + %llu ", (unsigned long long)first,
			(unsigned long long)(end - first));
	fprintf(exporter->out, "[ssdreview]\n");
}

/* -------------------------------------------------------------------------------------------- */

static const struct export_format formats[] = {
	{"iolog", false, iolog_begin, iolog_record, iolog_end},
	{"csv", true, csv_begin, csv_record, nothing},
	{"blkparse", false, nothing, blkparse_record, nothing},
};

static const struct export_format *find_format(const char *name, struct error *err)
{
	const char *names[COUNT(formats)];
	size_t i;

	for (i = 0; i < COUNT(formats); i++) {
		names[i] = formats[i].name;
		if (!strcmp(name, names[i]))
			return &formats[i];
	}
	error_unknown(err, "format", name, names, COUNT(formats));
	return NULL;
}

static int export_all(struct exporter *exporter, const struct export_format *format,
		      struct trace_cursor *cursor, struct error *err)
{
	struct trace_record record;
	int got;

	format->begin(exporter);
	while ((got = trace_next(cursor, &record)) > 0) {
		if (!record.length && record.op != TRACE_FLUSH &&
		    !(record.flags & TRACE_PREFLUSH)) {
			exporter->counts->empty++;
			continue;
		}
		if (!format->has_all) {
			exporter->counts->zeroes += record.op == TRACE_WRITE_ZEROES;
			exporter->counts->latencies += record.latency_ns != TRACE_NO_LATENCY;
		}
		format->record(exporter, &record);
		exporter->counts->records++;
	}
	if (got < 0)
		*err = cursor->error;
	if (got < 0)
		return -1;
	format->end(exporter);
	if (fflush(exporter->out) || ferror(exporter->out))
		return error_set(err, "the export cannot be written: %s", strerror(errno));
	return 0;
}

int trace_export(struct trace *trace, const char *format_name, const char *filename, FILE *out,
		 struct trace_export *counts, struct error *err)
{
	struct exporter exporter = {
		.trace = trace, .filename = filename, .out = out, .counts = counts};
	const struct export_format *format = find_format(format_name, err);
	struct trace_cursor cursor;
	int failed;

	memset(counts, 0, sizeof(*counts));
	counts->phases = trace_header(trace)->phases;
	if (!format)
		return -1;
	trace_cursor_open(trace, &cursor);
	failed = export_all(&exporter, format, &cursor, err);
	trace_cursor_close(&cursor);
	return failed;
}

int trace_export_file(struct trace *trace, const char *format_name, const char *filename,
		      const char *path, struct trace_export *counts, struct error *err)
{
	struct new_file file;
	FILE *out = NULL;
	int failed = new_file_open(&file, path, NEW_FILE_PART, err);

	if (!failed) {
		int fd = dup(file.fd);

		out = fd < 0 ? NULL : fdopen(fd, "w");
		if (!out)
			failed = error_set(err, "%s cannot be written: %s", path, strerror(errno));
	}
	if (!failed)
		failed = trace_export(trace, format_name, filename, out, counts, err);
	if (out && fclose(out) && !failed)
		failed = error_set(err, "%s cannot be written: %s", path, strerror(errno));
	if (!failed)
		failed = new_file_publish(&file, err);
	new_file_close(&file);
	return failed;
}
