/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The reader of traces under libFuzzer. The input is a list of changes to a small good trace, each
 * of 12 bytes: where, what; all checksums are made right again. Built and run by `make fuzz`.
 */
#include <stdlib.h>

#include "tests/tools/import_one.h"
#include "tests/tools/vdt_checksums.h"

#define RECORDS 5000 /* two chunks */

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

/* A good trace, packed or not; the bytes stay until the end of the process. */
static char *good_trace(bool compress, size_t *bytes)
{
	struct trace_writer_options options = {.compress = compress};
	char path[] = "/tmp/good.XXXXXX", *data = NULL;
	struct trace_record record = {.length = 4096};
	int fd = mkstemp(path);
	struct trace_writer *writer;

	if (fd < 0 || trace_writer_open(path, &options, &writer, NULL) ||
	    trace_writer_stream(writer, "disk", 0, NULL) ||
	    trace_writer_phase(writer, "boot", 0, NULL))
		abort();
	for (; record.time_ns < RECORDS; record.time_ns++, record.offset += 7 * 4096)
		if (trace_writer_append(writer, &record, NULL))
			abort();
	if (trace_writer_finish(writer, NULL) || file_read(path, &data, bytes, NULL))
		abort();
	close(fd);
	unlink(path);
	return data;
}

static void change(unsigned char *data, size_t size, const uint8_t *bytes, size_t length)
{
	for (; length >= 12; length -= 12, bytes += 12) {
		uint32_t at;

		memcpy(&at, bytes, sizeof(at));
		memcpy(data + at % (size - 8), bytes + 4, 8);
	}
}

static void use(struct trace *trace)
{
	struct trace_info info;
	struct error err = {.text = ""};

	if (trace_verify(trace, &err) && !err.text[0])
		abort();
	if (!trace_info_collect(trace, &info, &err))
		trace_info_free(&info);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
	static struct memory_file file = {.fd = -1};
	static char *good[2];
	static size_t sizes[2];
	size_t kind = length % 2;
	struct error err = {.text = ""};
	struct trace *trace;
	unsigned char *data;

	if (file.fd < 0 && memory_file_open(&file))
		abort();
	if (!good[kind])
		good[kind] = good_trace(kind, &sizes[kind]);
	data = malloc(sizes[kind]);
	memcpy(data, good[kind], sizes[kind]);
	change(data, sizes[kind], bytes, length);
	make_checksums_right(data, sizes[kind]);
	if (memory_file_write(&file, data, sizes[kind]))
		abort();
	free(data);
	if (trace_open(file.path, &trace, &err)) {
		if (!err.text[0])
			abort();
		return 0;
	}
	use(trace);
	trace_close(trace);
	return 0;
}
