/* SPDX-License-Identifier: GPL-2.0-only */
/* A characterisation as one page of text. */
#include <time.h>

#include "engines/trace/text_internal.h"

#define MOST_STREAMS 16 /* that get a line of their own */

/* The time of day at which it was captured. */
static void print_date(const struct trace_header *header, FILE *out)
{
	time_t seconds = (time_t)(header->start_ns / NS_PER_SEC);
	struct tm utc;
	char date[32];

	if (header->clock == TRACE_CLOCK_UNIX && gmtime_r(&seconds, &utc) &&
	    strftime(date, sizeof(date), "%Y-%m-%d %H:%M:%S", &utc))
		fprintf(out, "%-14s %s UTC\n", "Captured", date);
}

static uint64_t all_records(const struct trace_figures *figures)
{
	uint64_t sum = 0;
	unsigned op;

	for (op = 0; op < TRACE_OPS; op++)
		sum += figures->records[op];
	return sum;
}

static double percent(double part, double whole)
{
	return whole > 0 ? 100 * part / whole : 0;
}

/* Mean length of the records of one operation; "-" when there are none. */
static const char *mean_length(const struct trace_figures *figures, enum trace_op op,
			       struct trace_text *text)
{
	double records = (double)figures->records[op];

	return records > 0 ? trace_text_mean(text, (double)figures->bytes[op] / records) : "-";
}

static void print_origin(const struct trace *trace, FILE *out)
{
	const struct trace_header *header = trace_header(trace);
	const struct trace_provenance *from = &header->provenance;
	struct trace_text text;

	fprintf(out, "%-14s %s\n", "Source", from->source[0] ? from->source : "not said");
	fprintf(out, "%-14s %s%s%s\n", "Format", from->format[0] ? from->format : "not said",
		from->event_class[0] ? ", " : "", from->event_class);
	print_date(header, out);
	if (from->note[0])
		fprintf(out, "%-14s %s\n", header->synthetic ? "SYNTHETIC" : "Note", from->note);
	if (header->lost)
		fprintf(out, "%-14s %s events: the capture is not whole\n", "LOST",
			trace_text_count(&text, header->lost));
	if (from->converter[0])
		fprintf(out, "%-14s %s\n", "Made by", from->converter);
	fprintf(out, "%-14s %s, %s, ", "File", trace_path(trace),
		trace_text_bytes(&text, (double)header->file_bytes));
	fprintf(out, "%s, version %u\n", header->compressed ? "zstd frames" : "plain records",
		header->version);
}

static void print_mix(const struct trace_figures *figures, FILE *out)
{
	struct trace_text count, bytes, size;
	unsigned op;

	for (op = 0; op < TRACE_OPS; op++) {
		uint64_t records = figures->records[op];

		if (!records)
			continue;
		fprintf(out, "  %-12s %12s  %5.1f %%", trace_op_name(op),
			trace_text_count(&count, records),
			percent((double)records, (double)all_records(figures)));
		if (figures->bytes[op])
			fprintf(out, "  %9s  mean %s",
				trace_text_bytes(&bytes, (double)figures->bytes[op]),
				mean_length(figures, op, &size));
		fprintf(out, "\n");
	}
}

static void print_rates(const struct trace *trace, const struct trace_info *info, FILE *out)
{
	const struct trace_header *header = trace_header(trace);
	double seconds = (double)header->duration_ns / 1e9, bytes = 0;
	struct trace_text one, two;
	unsigned op;

	for (op = 0; op < TRACE_OPS; op++)
		if (op == TRACE_READ || op == TRACE_WRITE)
			bytes += (double)info->all.bytes[op];
	fprintf(out, "%-14s %s I/Os in %s", "Records", trace_text_count(&one, header->records),
		trace_text_seconds(&two, seconds));
	if (seconds > 0)
		fprintf(out, ", mean %s IOPS, %s/s",
			trace_text_count(&one, (uint64_t)((double)header->records / seconds + 0.5)),
			trace_text_bytes(&two, bytes / seconds));
	fprintf(out, "\n");
	print_mix(&info->all, out);
}

static void print_sizes(const struct trace_info *info, FILE *out)
{
	double data = (double)(info->all.records[TRACE_READ] + info->all.records[TRACE_WRITE]);
	struct trace_text size;
	unsigned i;

	if (data == 0)
		return;
	fprintf(out, "%-14s", "Sizes");
	for (i = 0; i < TRACE_COMMON_SIZES && info->common[i].records; i++)
		fprintf(out, "%s %s %.1f %%", i ? "," : "",
			trace_text_size(&size, info->common[i].bytes),
			percent((double)info->common[i].records, data));
	fprintf(out, "\n%-14s %.1f %% sequential, %.1f %% not on 4 KiB\n", "Pattern",
		percent((double)info->all.sequential, data),
		percent((double)info->unaligned, data));
}

static void print_blocks(const struct trace_info *info, FILE *out)
{
	struct trace_text touched, read, written, interval;

	if (info->touched_bytes == 0)
		return;
	fprintf(out, "%-14s %s touched: %s read, %s written", "Footprint",
		trace_text_bytes(&touched, info->touched_bytes),
		trace_text_bytes(&read, info->read_bytes),
		trace_text_bytes(&written, info->written_bytes));
	if (info->sample_share < 1)
		fprintf(out, " (from 1 block in %.0f)", 1 / info->sample_share);
	fprintf(out, "\n");
	if (info->written_bytes == 0)
		return;
	fprintf(out, "%-14s %.1f %% of block writes", "Rewrites", 100 * info->rewrite_share);
	if (info->rewrite_share > 0)
		fprintf(out, ", median interval %s",
			trace_text_seconds(&interval, info->rewrite_median_s));
	fprintf(out, "; the hottest 1 %% of blocks take %.1f %%\n", 100 * info->hot_share);
}

static void print_bursts(const struct trace_info *info, FILE *out)
{
	struct trace_text width, count, dispersion;
	unsigned i;

	if (info->gap_mean_s == 0)
		return;
	fprintf(out, "%-14s mean %s, squared variation %.2f (Poisson: 1)\n", "Gaps",
		trace_text_seconds(&width, info->gap_mean_s), info->gap_cv2);
	for (i = 0; i < TRACE_BURST_SCALES; i++) {
		const struct trace_burst *burst = &info->bursts[i];

		if (burst->bins < 2)
			break;
		fprintf(out, "  in %-8s peak %12s IOPS, dispersion %s\n",
			trace_text_seconds(&width, (double)burst->bin_ns / 1e9),
			trace_text_count(&count, (uint64_t)((double)burst->most * 1e9 /
							    (double)burst->bin_ns)),
			number_count(burst->dispersion, dispersion.bytes));
	}
}

static void print_latencies(const struct trace *trace, const struct trace_info *info, FILE *out)
{
	struct trace_text at, p50, p99;
	unsigned op;

	if (!trace_header(trace)->latency_records) {
		fprintf(out, "%-14s not known: the trace has no latencies\n", "In flight");
		return;
	}
	fprintf(out, "%-14s mean %.2f, most %s\n", "In flight", info->in_flight_mean,
		trace_text_count(&at, info->in_flight_most));
	for (op = 0; op < TRACE_OPS; op++)
		if (info->latency_mean_s[op] > 0)
			fprintf(out, "  %-12s latency mean %s, p50 %s, p99 %s\n", trace_op_name(op),
				trace_text_seconds(&at, info->latency_mean_s[op]),
				trace_text_seconds(&p50, info->latency_p50_s[op]),
				trace_text_seconds(&p99, info->latency_p99_s[op]));
}

static void print_row(const char *name, const struct trace_figures *figures, double seconds,
		      FILE *out)
{
	double data = (double)(figures->records[TRACE_READ] + figures->records[TRACE_WRITE]);
	struct trace_text count, rate, read, written;

	fprintf(out, "  %-22.40s %12s %9s %6.1f %% %10s %10s %6.1f %%\n", name,
		trace_text_count(&count, all_records(figures)),
		seconds > 0
			? trace_text_count(&rate,
					   (uint64_t)((double)all_records(figures) / seconds + 0.5))
			: "-",
		percent((double)figures->records[TRACE_READ], (double)all_records(figures)),
		mean_length(figures, TRACE_READ, &read),
		mean_length(figures, TRACE_WRITE, &written),
		percent((double)figures->sequential, data));
}

static void print_rows_head(const char *what, FILE *out)
{
	fprintf(out, "%-24s %12s %9s %8s %10s %10s %8s\n", what, "records", "IOPS", "reads",
		"mean read", "mean write", "seq.");
}

static void print_phases(const struct trace *trace, const struct trace_info *info, FILE *out)
{
	const struct trace_header *header = trace_header(trace);
	unsigned i;

	if (!header->phases)
		return;
	print_rows_head("Phases", out);
	for (i = 0; i < header->phases; i++) {
		uint64_t start_ns = trace_phase(trace, i)->start_ns;
		uint64_t end_ns = i + 1 < header->phases ? trace_phase(trace, i + 1)->start_ns
							 : header->duration_ns;

		print_row(trace_phase(trace, i)->name, &info->phases[i],
			  ((double)end_ns - (double)start_ns) / 1e9, out);
	}
}

static void print_streams(const struct trace *trace, const struct trace_info *info, FILE *out)
{
	const struct trace_header *header = trace_header(trace);
	unsigned i, count = header->streams < MOST_STREAMS ? header->streams : MOST_STREAMS;
	struct trace_text text;

	print_rows_head("Streams", out);
	for (i = 0; i < count; i++)
		print_row(trace_stream(trace, i)->name, &info->streams[i],
			  (double)header->duration_ns / 1e9, out);
	if (count < header->streams)
		fprintf(out, "  and %s more\n", trace_text_count(&text, header->streams - count));
}

void trace_info_print(const struct trace *trace, const struct trace_info *info, FILE *out)
{
	print_origin(trace, out);
	print_rates(trace, info, out);
	print_sizes(info, out);
	print_blocks(info, out);
	print_bursts(info, out);
	print_latencies(trace, info, out);
	print_phases(trace, info, out);
	print_streams(trace, info, out);
}
