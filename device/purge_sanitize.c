/* SPDX-License-Identifier: GPL-2.0-only */
/* A sanitize goes on in the drive by itself; log page 81h says how far it is and how it ended. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "device/purge_internal.h"

#define POLL_S 1.0
#define MOST_UNREAD_LOGS                                                                           \
	60 /* in a row: a drive may reset itself, or take no commands for a while */
#define SPROG_WHOLE	    65536.0
#define SCDW10_ACTION	    0x7
#define SCDW10_UNRESTRICTED 0x8
#define SSTAT_GLOBAL_ERASED NVME_SANITIZE_SSTAT_GLOBAL_DATA_ERASED

static enum purge_method method_of(uint32_t scdw10)
{
	switch (scdw10 & SCDW10_ACTION) {
	case NVME_SANITIZE_SANACT_START_BLOCK_ERASE:
		return PURGE_SANITIZE_BLOCK;
	case NVME_SANITIZE_SANACT_START_OVERWRITE:
		return PURGE_SANITIZE_OVERWRITE;
	case NVME_SANITIZE_SANACT_START_CRYPTO_ERASE:
		return PURGE_SANITIZE_CRYPTO;
	}
	return PURGE_AUTO;
}

static double estimate_of(const struct nvme_sanitize_log_page *log, enum purge_method method)
{
	uint32_t seconds = method == PURGE_SANITIZE_BLOCK	? le32toh(log->etbe)
			   : method == PURGE_SANITIZE_OVERWRITE ? le32toh(log->eto)
			   : method == PURGE_SANITIZE_CRYPTO	? le32toh(log->etce)
								: UINT32_MAX;

	return seconds == UINT32_MAX ? NAN : seconds;
}

void sanitize_read_log(const struct nvme_sanitize_log_page *log, struct sanitize_status *status)
{
	unsigned sstat = le16toh(log->sstat);

	memset(status, 0, sizeof(*status));
	switch (sstat & NVME_SANITIZE_SSTAT_STATUS_MASK) {
	case NVME_SANITIZE_SSTAT_STATUS_COMPLETE_SUCCESS:
	case NVME_SANITIZE_SSTAT_STATUS_ND_COMPLETE_SUCCESS:
		status->state = SANITIZE_DONE;
		break;
	case NVME_SANITIZE_SSTAT_STATUS_IN_PROGESS:
		status->state = SANITIZE_RUNNING;
		status->share = le16toh(log->sprog) / SPROG_WHOLE;
		break;
	case NVME_SANITIZE_SSTAT_STATUS_COMPLETED_FAILED:
		status->state = SANITIZE_FAILED;
		break;
	default:
		status->state = SANITIZE_NEVER;
	}
	status->sstat = sstat;
	status->method = method_of(le32toh(log->scdw10));
	status->estimate_s = estimate_of(log, status->method);
	status->global_data_erased = sstat & SSTAT_GLOBAL_ERASED;
	status->unrestricted = le32toh(log->scdw10) & SCDW10_UNRESTRICTED;
}

/*
 * One that fails may be left again (unrestricted), or the drive would be lost with it; after one
 * that may not be left, only another such one is taken.
 */
int sanitize_begin(const struct purge_drive *drive, enum purge_method method, struct error *err)
{
	struct nvme_sanitize_request request = {.unrestricted = !drive->restricted};

	request.action = method == PURGE_SANITIZE_BLOCK	   ? NVME_SANITIZE_SANACT_START_BLOCK_ERASE
			 : method == PURGE_SANITIZE_CRYPTO ? NVME_SANITIZE_SANACT_START_CRYPTO_ERASE
							   : NVME_SANITIZE_SANACT_START_OVERWRITE;
	if (method == PURGE_SANITIZE_OVERWRITE)
		request.passes = 1;
	return admin_sanitize(&drive->admin, &request, err);
}

static void tell(const struct purge_hooks *hooks, const struct sanitize_status *status,
		 uint64_t began_ns, double estimate_s)
{
	struct purge_progress progress = {.share = status->share};

	progress.doing = purge_method_word(status->method);
	progress.elapsed_s = (double)(monotonic_ns() - began_ns) / 1e9;
	progress.left_s = purge_left(status->share, progress.elapsed_s, estimate_s);
	hooks->progress(hooks->user, &progress);
}

enum purge_end sanitize_await(const struct nvme_admin *admin, double estimate_s,
			      const struct purge_hooks *hooks, struct sanitize_status *status,
			      struct error *err)
{
	uint64_t began_ns = monotonic_ns();
	struct nvme_sanitize_log_page log;
	unsigned unread = 0;

	for (;;) {
		int answer = admin_sanitize_log(admin, &log, err);

		if (!answer) {
			unread = 0;
			sanitize_read_log(&log, status);
			if (status->state != SANITIZE_RUNNING)
				return PURGE_DONE;
			tell(hooks, status, began_ns, estimate_s);
		} else if (answer == -ENODEV || ++unread == MOST_UNREAD_LOGS) {
			error_prefix(err, "the sanitize was begun, and its end cannot be seen; the "
					  "same command looks again");
			return PURGE_FAILED;
		}
		if (hooks->wait(hooks->user, POLL_S))
			return PURGE_STOPPED;
	}
}

int sanitize_check(const struct purge_drive *drive, const struct sanitize_status *status,
		   struct error *err)
{
	if (status->state == SANITIZE_DONE)
		return 0;
	if (status->state == SANITIZE_NEVER)
		return error_set(err,
				 "%s took the sanitize and its log says that none was ever done "
				 "(SSTAT 0x%04x)",
				 drive->path, status->sstat);
	return error_set(err,
			 "the %s of %s has failed (SSTAT 0x%04x), and the drive takes no I/O until "
			 "one ends well: purge it again, by another --method, %s",
			 purge_method_word(status->method), drive->path, status->sstat,
			 status->unrestricted
				 ? "or leave the failure mode (nvme sanitize --sanact=1), after "
				   "which old data may still be there"
				 : "for it was begun so that the failure mode cannot be left "
				   "otherwise");
}
