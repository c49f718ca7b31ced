/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A controller for tests: answers each command from a script. A script line names the command in
 * words, as canned_ask() writes them:
 *
 *	"identify 01"           "identify 00 nsid 1"     "identify 05 nsid 1"
 *	"log 02"                "log 09 lsi 1"           "log c0"
 *	"feature 06"            "feature 04 cdw11 65536" "feature 0c bytes 256"
 *	"format nsid 1 lbaf 0 ses 2"                     "sanitize action 4"
 *
 * In order: every command must be the next one of the script. Otherwise the first line not used of
 * that command answers, the last one for ever; a command without a line is refused as an invalid
 * field. canned_end() fails the test unless every line was asked for.
 */
#ifndef SSDREVIEW_NVME_CANNED_H
#define SSDREVIEW_NVME_CANNED_H

#include <stdio.h>
#include <string.h>

#include "device/nvme_admin.h"

#include <check.h>

struct canned_answer {
	const char *command;
	int status;	  /* 0, an NVMe status, -errno */
	const void *data; /* NULL: zeroes */
	size_t bytes;	  /* of data; what is asked for beyond them is 0 */
	uint32_t value;	  /* of a feature */
	unsigned asked;	  /* how often; counted here */
};

struct canned {
	struct canned_answer *answers;
	size_t count;
	bool in_order;
	size_t next;	 /* in order: the line that must come */
	unsigned closed; /* how often */
};

#define CANNED_INVALID_FIELD (NVME_SC_INVALID_FIELD | NVME_SC_DNR)

static inline struct canned_answer *canned_find(struct canned *script, const char *command)
{
	struct canned_answer *found = NULL;
	size_t i;

	if (script->in_order) {
		ck_assert_msg(script->next < script->count, "asked \"%s\" after the script's end",
			      command);
		ck_assert_str_eq(command, script->answers[script->next].command);
		return &script->answers[script->next++];
	}
	for (i = 0; i < script->count; i++) {
		if (strcmp(script->answers[i].command, command))
			continue;
		found = &script->answers[i];
		if (!found->asked)
			break;
	}
	return found;
}

static inline int canned_answer(struct canned *script, const char *command, uint32_t *value,
				void *data, size_t bytes)
{
	struct canned_answer *answer = canned_find(script, command);
	size_t known;

	if (!answer)
		return CANNED_INVALID_FIELD;
	answer->asked++;
	if (value)
		*value = answer->value;
	if (data && !answer->status) {
		known = answer->data && answer->bytes < bytes ? answer->bytes : bytes;
		memset(data, 0, bytes);
		if (answer->data)
			memcpy(data, answer->data, known);
	}
	return answer->status;
}

static inline int canned_identify(void *context, const struct nvme_identify_request *request,
				  void *data)
{
	char command[64] = "";

	text_append(command, sizeof(command), "identify %02x", request->cns);
	if (request->nsid)
		text_append(command, sizeof(command), " nsid %u", request->nsid);
	return canned_answer(context, command, NULL, data, NVME_IDENTIFY_BYTES);
}

static inline int canned_get_log(void *context, const struct nvme_log_request *request, void *data,
				 uint32_t bytes)
{
	char command[64] = "";

	text_append(command, sizeof(command), "log %02x", request->lid);
	if (request->lsi)
		text_append(command, sizeof(command), " lsi %u", request->lsi);
	return canned_answer(context, command, NULL, data, bytes);
}

static inline int canned_get_feature(void *context, const struct nvme_feature_request *request,
				     uint32_t *value, void *data, uint32_t bytes)
{
	char command[64] = "";

	text_append(command, sizeof(command), "feature %02x", request->fid);
	if (request->select)
		text_append(command, sizeof(command), " select %u", request->select);
	if (request->cdw11)
		text_append(command, sizeof(command), " cdw11 %u", request->cdw11);
	if (bytes)
		text_append(command, sizeof(command), " bytes %u", bytes);
	return canned_answer(context, command, value, data, bytes);
}

static inline int canned_format(void *context, const struct nvme_format_request *request)
{
	char command[64] = "";

	text_append(command, sizeof(command), "format nsid %u lbaf %u ses %u", request->nsid,
		    request->lbaf, request->erase);
	return canned_answer(context, command, NULL, NULL, 0);
}

static inline int canned_sanitize(void *context, const struct nvme_sanitize_request *request)
{
	char command[64] = "";

	text_append(command, sizeof(command), "sanitize action %u", request->action);
	return canned_answer(context, command, NULL, NULL, 0);
}

static inline void canned_close(void *context)
{
	((struct canned *)context)->closed++;
}

/* The controller that answers from the script, which must outlive it. */
static inline struct nvme_admin canned_admin(struct canned *script, uint32_t nsid)
{
	static const struct nvme_admin_ops ops = {
		.identify = canned_identify,
		.get_log = canned_get_log,
		.get_feature = canned_get_feature,
		.format = canned_format,
		.sanitize = canned_sanitize,
		.close = canned_close,
	};
	struct nvme_admin admin = {.ops = &ops, .context = script, .nsid = nsid};

	snprintf(admin.name, sizeof(admin.name), "/dev/canned");
	return admin;
}

/* Was every line of the script asked for? */
static inline void canned_end(const struct canned *script)
{
	size_t i;

	if (script->in_order)
		ck_assert_uint_eq(script->next, script->count);
	for (i = 0; i < script->count; i++)
		ck_assert_msg(script->answers[i].asked, "nobody asked \"%s\"",
			      script->answers[i].command);
}

#endif
