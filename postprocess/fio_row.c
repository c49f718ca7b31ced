/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One direction of one job: rates, sizes and latencies. What changed between releases: io_bytes
 * counts KiB before 2.21 (then io_kbytes stands beside it); latencies are us before 3.0 ("clat")
 * and ns since ("clat_ns"); bw is KiB/s, bw_bytes came with 3.2; histogram bins have durations as
 * keys since 2.20 only.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "postprocess/fiojson_internal.h"
#include "postprocess/grow.h"

/* What one row says about sizes, before it is known which release wrote it. */
struct raw_sizes {
	double io_bytes, io_kbytes, bw_kib, bw_bytes;
};

static const struct latency unknown_latency = {
	.mean_us = NAN,
	.stddev_us = NAN,
	.p50_us = NAN,
	.p99_us = NAN,
	.p99_9_us = NAN,
	.max_us = NAN,
};

static bool version_before(const struct fio_output *output, unsigned major, unsigned minor)
{
	return output->major < major || (output->major == major && output->minor < minor);
}

static double key_value(struct json_span key)
{
	char text[32];

	span_text(key, text, sizeof(text));
	return atof(text);
}

/* Old releases end the list with several keys "0.00" of value 0: only the wanted keys are taken. */
static void parse_percentiles(struct json_reader *reader, double unit_us, struct latency *latency)
{
	struct json_span key;
	double percent, value;

	if (!reader_enter(reader, '{'))
		return;
	while (reader_member(reader, &key)) {
		percent = key_value(key);
		value = reader_number(reader).value * unit_us;
		if (percent == 50 && isnan(latency->p50_us))
			latency->p50_us = value;
		else if (percent == 99 && isnan(latency->p99_us))
			latency->p99_us = value;
		else if (percent == 99.9 && isnan(latency->p99_9_us))
			latency->p99_9_us = value;
	}
}

static int parse_bins(struct json_reader *reader, double unit_us, struct fio_latency *latency)
{
	struct json_span key;
	struct fio_bin *larger;

	if (!reader_enter(reader, '{'))
		return 0;
	while (reader_member(reader, &key)) {
		struct json_number count = reader_number(reader);

		if (!count.integer || key.text[0] < '0' || key.text[0] > '9')
			continue; /* the FIO_IO_U_PLAT_* keys of old releases */
		larger = list_grow(latency->bins, latency->bin_count, sizeof(*larger));
		if (!larger)
			return -1;
		latency->bins = larger;
		larger[latency->bin_count++] =
			(struct fio_bin){key_value(key) * unit_us, count.integer};
	}
	return 0;
}

static int parse_latency(struct json_reader *reader, double unit_us, struct fio_latency *latency)
{
	struct latency *summary = &latency->summary;
	struct json_span key;
	double n = NAN;
	int status = 0;

	*summary = unknown_latency;
	if (!reader_enter(reader, '{'))
		return 0;
	while (status == 0 && reader_member(reader, &key)) {
		if (span_is(key, "mean"))
			summary->mean_us = reader_number(reader).value * unit_us;
		else if (span_is(key, "stddev"))
			summary->stddev_us = reader_number(reader).value * unit_us;
		else if (span_is(key, "max"))
			summary->max_us = reader_number(reader).value * unit_us;
		else if (span_is(key, "N"))
			n = (double)(summary->count = reader_number(reader).integer);
		else if (span_is(key, "percentile"))
			parse_percentiles(reader, unit_us, summary);
		else if (span_is(key, "bins"))
			status = parse_bins(reader, unit_us, latency);
		else
			reader_skip(reader);
	}
	if (isnan(n))
		summary->count = UINT64_MAX; /* the row's count, once it is known */
	return status;
}

/* A latency that fio was told not to measure is printed as zeros: it is not known. */
static void settle_latency(const struct fio_output *output, struct fio_latency *latency,
			   uint64_t ios)
{
	struct latency *summary = &latency->summary;

	if (summary->count == UINT64_MAX)
		summary->count = ios;
	if (!ios || !summary->count || isnan(summary->mean_us) ||
	    (summary->mean_us == 0 && !(summary->max_us > 0))) {
		*summary = unknown_latency;
		latency->bin_count = 0;
	}
	if (version_before(output, 2, 20))
		latency->bin_count = 0; /* the keys are indexes there */
}

static void settle_row(const struct fio_output *output, struct fio_row *row,
		       const struct raw_sizes *sizes)
{
	bool kib = isnan(sizes->io_kbytes) && version_before(output, 2, 21);

	row->bytes = (uint64_t)fmax(0, isnan(sizes->io_bytes) ? 0 : sizes->io_bytes);
	if (kib)
		row->bytes *= 1024;
	row->bytes_per_s = isnan(sizes->bw_bytes) ? sizes->bw_kib * 1024 : sizes->bw_bytes;
	if (row->ios == 0 && row->iops > 0 && row->runtime_ms > 0)
		row->ios = (uint64_t)(row->iops * row->runtime_ms / 1000 + 0.5);
	settle_latency(output, &row->slat, row->ios);
	settle_latency(output, &row->clat, row->ios);
	settle_latency(output, &row->lat, row->ios);
}

/* A latency by its key, and the unit the key stands for; NULL for other keys. */
static struct fio_latency *latency_of(struct fio_row *row, struct json_span key, double *unit_us)
{
	size_t length = key.bytes;

	*unit_us = 1;
	if (length > 3 && !memcmp(key.text + length - 3, "_ns", 3)) {
		*unit_us = 1e-3;
		key.bytes -= 3;
	}
	if (span_is(key, "slat"))
		return &row->slat;
	if (span_is(key, "clat"))
		return &row->clat;
	return span_is(key, "lat") ? &row->lat : NULL;
}

static double *size_of(struct raw_sizes *sizes, struct fio_row *row, struct json_span key)
{
	if (span_is(key, "io_bytes"))
		return &sizes->io_bytes;
	if (span_is(key, "io_kbytes"))
		return &sizes->io_kbytes;
	if (span_is(key, "bw_bytes"))
		return &sizes->bw_bytes;
	if (span_is(key, "bw"))
		return &sizes->bw_kib;
	if (span_is(key, "iops"))
		return &row->iops;
	return span_is(key, "runtime") ? &row->runtime_ms : NULL;
}

int fio_row_parse(struct json_reader *reader, const struct fio_output *output, struct fio_row *row)
{
	struct raw_sizes sizes = {NAN, NAN, NAN, NAN};
	struct fio_latency *latency;
	struct json_span key;
	double unit_us, *number;
	int status = 0;

	if (row->present || !reader_enter(reader, '{'))
		return 0;
	row->present = true;
	row->slat.summary = row->clat.summary = row->lat.summary = unknown_latency;
	while (status == 0 && reader_member(reader, &key)) {
		if ((latency = latency_of(row, key, &unit_us)) && !latency->bins)
			status = parse_latency(reader, unit_us, latency);
		else if ((number = size_of(&sizes, row, key)))
			*number = reader_number(reader).value;
		else if (span_is(key, "total_ios"))
			row->ios = reader_number(reader).integer;
		else
			reader_skip(reader);
	}
	settle_row(output, row, &sizes);
	return status;
}
