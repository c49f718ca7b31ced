/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A format with a secure erase: one command that ends when the drive is done, which may take hours,
 * so it runs beside a loop that asks how far it is (FPI of Identify Namespace).
 */
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include "device/purge_internal.h"

#define FORMAT_TIMEOUT_MS (12 * 3600 * 1000)
#define FIRST_POLL_S	  0.1
#define POLL_S		  1.0

struct formatting {
	const struct purge_drive *drive;
	struct nvme_format_request request;
	struct error err;
	int status;
	atomic_bool is_done;
};

unsigned format_number(const struct nvme_id_ns *ns)
{
	return (ns->flbas & NVME_NS_FLBAS_LOWER_MASK) |
	       (((ns->flbas & NVME_NS_FLBAS_HIGHER_MASK) >> 5) << 4);
}

/* What the namespace has now: LBA format, metadata in its place, protection. */
static void keep_format(const struct nvme_id_ns *ns, struct nvme_format_request *request)
{
	request->lbaf = (uint8_t)format_number(ns);
	request->metadata = ns->flbas & NVME_NS_FLBAS_META_EXT ? NVME_FORMAT_MSET_EXTENDED
							       : NVME_FORMAT_MSET_SEPARATE;
	request->pi = (enum nvme_cmd_format_pi)(ns->dps & NVME_NS_DPS_PI_MASK);
	request->pi_place =
		ns->dps & NVME_NS_DPS_PI_FIRST ? NVME_FORMAT_PIL_FIRST : NVME_FORMAT_PIL_LAST;
}

static void *format(void *context)
{
	struct formatting *formatting = context;

	formatting->status =
		admin_format(&formatting->drive->admin, &formatting->request, &formatting->err);
	atomic_store(&formatting->is_done, true);
	return NULL;
}

/* The share done; NAN from drives that do not tell. */
static double share_done(const struct purge_drive *drive)
{
	struct nvme_id_ns ns;

	if (admin_identify_namespace(&drive->admin, drive->admin.nsid, &ns, NULL) ||
	    !(ns.fpi & NVME_NS_FPI_SUPPORTED))
		return NAN;
	return 1 - (ns.fpi & NVME_NS_FPI_REMAINING) / 100.0;
}

/* A stop that is asked for is answered by cannot_stop alone. */
static void watch(struct formatting *formatting, const char *doing, const struct purge_hooks *hooks)
{
	uint64_t began_ns = monotonic_ns();
	struct purge_progress progress = {.doing = doing};
	double poll_s = FIRST_POLL_S;

	while (!atomic_load(&formatting->is_done)) {
		if (hooks->wait(hooks->user, poll_s))
			progress.cannot_stop = true;
		poll_s = progress.elapsed_s > POLL_S ? POLL_S : FIRST_POLL_S;
		progress.elapsed_s = (double)(monotonic_ns() - began_ns) / 1e9;
		progress.share = share_done(formatting->drive);
		progress.left_s = purge_left(progress.share, progress.elapsed_s, NAN);
		hooks->progress(hooks->user, &progress);
	}
}

int format_run(const struct purge_drive *drive, enum purge_method method,
	       const struct purge_hooks *hooks, struct error *err)
{
	struct formatting formatting = {.drive = drive};
	pthread_t thread;
	int failed;

	keep_format(&drive->format, &formatting.request);
	formatting.request.nsid = drive->admin.nsid;
	formatting.request.erase = method == PURGE_FORMAT_CRYPTO ? NVME_FORMAT_SES_CRYPTO_ERASE
								 : NVME_FORMAT_SES_USER_DATA_ERASE;
	formatting.request.timeout_ms = FORMAT_TIMEOUT_MS;
	failed = pthread_create(&thread, NULL, format, &formatting);
	if (failed)
		return error_set(err, "no thread for the format: %s", strerror(failed));
	watch(&formatting, purge_method_word(method), hooks);
	pthread_join(thread, NULL);
	if (formatting.status && err)
		*err = formatting.err;
	return formatting.status;
}
