/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The table of functions over libnvme 1.x (1.3 and later), and nothing else of it elsewhere but
 * types: its next major version renames every call, and then this file is the one to change.
 */
#include "device/nvme_admin.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#define NVME_CHUNK_BYTES 4096

/* libnvme: 0, a status, or -1 with errno. Ours: 0, a status, or -errno. */
static int result(int returned)
{
	return returned < 0 ? -errno : returned;
}

static int fd_of(void *context)
{
	return (int)(intptr_t)context;
}

static int libnvme_identify(void *context, const struct nvme_identify_request *request, void *data)
{
	struct nvme_identify_args args = {
		.args_size = sizeof(args),
		.fd = fd_of(context),
		.data = data,
		.cns = request->cns,
		.csi = request->csi,
		.nsid = request->nsid,
		.cntid = NVME_CNTLID_NONE,
		.cns_specific_id = NVME_CNSSPECID_NONE,
		.uuidx = NVME_UUID_NONE,
	};

	return result(nvme_identify(&args));
}

static int libnvme_get_log(void *context, const struct nvme_log_request *request, void *data,
			   uint32_t bytes)
{
	struct nvme_get_log_args args = {
		.args_size = sizeof(args),
		.fd = fd_of(context),
		.log = data,
		.len = bytes,
		.lid = request->lid,
		.lsp = request->lsp,
		.lsi = request->lsi,
		.csi = request->csi,
		.nsid = request->nsid,
		.lpo = request->offset,
		.rae = request->keep_events,
		.uuidx = NVME_UUID_NONE,
	};

	return result(nvme_get_log_page(fd_of(context), NVME_CHUNK_BYTES, &args));
}

static int libnvme_get_feature(void *context, const struct nvme_feature_request *request,
			       uint32_t *value, void *data, uint32_t bytes)
{
	struct nvme_get_features_args args = {
		.args_size = sizeof(args),
		.fd = fd_of(context),
		.fid = request->fid,
		.sel = request->select,
		.nsid = request->nsid,
		.cdw11 = request->cdw11,
		.uuidx = NVME_UUID_NONE,
		.data = data,
		.data_len = bytes,
		.result = value,
	};

	return result(nvme_get_features(&args));
}

static int libnvme_format(void *context, const struct nvme_format_request *request)
{
	struct nvme_format_nvm_args args = {
		.args_size = sizeof(args),
		.fd = fd_of(context),
		.timeout = request->timeout_ms,
		.nsid = request->nsid,
		.mset = request->metadata,
		.pi = request->pi,
		.pil = request->pi_place,
		.ses = request->erase,
		.lbaf = request->lbaf & 0xf,
		.lbafu = request->lbaf >> 4,
	};

	return result(nvme_format_nvm(&args));
}

static int libnvme_sanitize(void *context, const struct nvme_sanitize_request *request)
{
	struct nvme_sanitize_nvm_args args = {
		.args_size = sizeof(args),
		.fd = fd_of(context),
		.sanact = request->action,
		.ovrpat = request->pattern,
		.owpass = request->passes,
		.oipbp = request->invert,
		.nodas = request->no_deallocate,
		.ause = request->unrestricted,
	};

	return result(nvme_sanitize_nvm(&args));
}

static void libnvme_close(void *context)
{
	close(fd_of(context));
}

static const struct nvme_admin_ops libnvme_ops = {
	.identify = libnvme_identify,
	.get_log = libnvme_get_log,
	.get_feature = libnvme_get_feature,
	.format = libnvme_format,
	.sanitize = libnvme_sanitize,
	.close = libnvme_close,
};

static int cannot_open(const char *path, struct error *err)
{
	int failed = errno;
	const char *denied = denied_because(failed, "it needs root, or the group that owns it");

	if (denied)
		error_set(err, "%s may not be opened: %s; %s", path, strerror(failed), denied);
	else
		error_set(err, "%s cannot be opened: %s", path, strerror(failed));
	return -failed;
}

/* A controller's own device is one of class "nvme". */
static bool is_controller(int fd)
{
	char link[64], class[PATH_MAX];
	struct stat status;

	if (fstat(fd, &status) || !S_ISCHR(status.st_mode))
		return false;
	snprintf(link, sizeof(link), "/sys/dev/char/%u:%u/subsystem", major(status.st_rdev),
		 minor(status.st_rdev));
	return realpath(link, class) && !strcmp(basename(class), "nvme");
}

static int find_namespace(int fd, const char *path, uint32_t *nsid, struct error *err)
{
	*nsid = NVME_NSID_NONE;
	if (is_controller(fd))
		return 0;
	if (!nvme_get_nsid(fd, nsid))
		return 0;
	error_set(err, "%s is no NVMe controller or namespace", path);
	return -EINVAL;
}

int admin_open(const char *path, struct nvme_admin *admin, struct error *err)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC), failed;

	if (fd < 0)
		return cannot_open(path, err);
	failed = find_namespace(fd, path, &admin->nsid, err);
	if (failed) {
		close(fd);
		return failed;
	}
	admin->ops = &libnvme_ops;
	admin->context = (void *)(intptr_t)fd;
	snprintf(admin->name, sizeof(admin->name), "%s", path);
	return 0;
}

const char *admin_status_words(int status)
{
	return nvme_status_to_string(status, false);
}
