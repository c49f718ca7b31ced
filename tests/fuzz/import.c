/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * An importer under libFuzzer: SSDREVIEW_FORMAT names it (none: whichever recognises the bytes).
 * Built and run by `make fuzz`.
 */
#include <stdlib.h>

#include "tests/tools/import_one.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
	static struct memory_file file = {.fd = -1};
	const char *wrong;

	if (file.fd < 0 && memory_file_open(&file))
		abort();
	if (memory_file_write(&file, bytes, length))
		abort();
	wrong = import_one(file.path, getenv("SSDREVIEW_FORMAT"), length % 3 == 0, length % 2 == 0);
	if (wrong) {
		fprintf(stderr, "%s\n", wrong);
		abort();
	}
	return 0;
}
