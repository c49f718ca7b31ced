/* SPDX-License-Identifier: GPL-2.0-only */
/* What the parts of the fio reader share among themselves. */
#ifndef SSDREVIEW_FIOJSON_INTERNAL_H
#define SSDREVIEW_FIOJSON_INTERNAL_H

#include "postprocess/fiojson.h"
#include "postprocess/json_reader.h"

/* One document, the reader standing at its brace. -1 when memory is short; faults stay in reader.
 */
int fio_document_parse(struct json_reader *reader, struct fio_output *output);

/* One direction of a job; output->version is known by then. -1 when memory is short. */
int fio_row_parse(struct json_reader *reader, const struct fio_output *output, struct fio_row *row);

/* An object of options. -1 when memory is short. */
int fio_options_parse(struct json_reader *reader, struct fio_options *options);
void fio_options_free(struct fio_options *options);

#endif
