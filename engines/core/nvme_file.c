/* SPDX-License-Identifier: GPL-2.0-only */
/* The namespaces of a job: found, checked against what the job asks for, opened. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "engines/core/explain.h"
#include "engines/core/nvme.h"
#include "engines/core/nvme_words.h"

#define PAGE_BYTES 4096

/* ---- which device -----------------------------------------------------------------------------
 */

int nvme_file_find(const struct thread_data *td, const char *target, struct nvme_names *names,
		   struct nvme_geometry *geometry, struct error *err)
{
	char path[NVME_PATH_BYTES];
	struct stat st;

	if (stat(target, &st))
		return error_set(err,
				 "%s: %s; NVMe namespaces are /dev/ngXnY (ls /dev/ng* shows those "
				 "there are)",
				 target, strerror(errno));
	if (!S_ISCHR(st.st_mode) && !S_ISBLK(st.st_mode))
		return error_set(err,
				 "%s is a file: NVMe commands need a namespace, /dev/ngXnY or "
				 "/dev/nvmeXnY; or use %s",
				 target, core_block_way(td));
	if (nvme_names_of_path(target, names, err))
		return -1;
	if (!names->generic_number)
		return error_set(err,
				 "%s: the kernel made no character device for its commands (from "
				 "Linux 5.13 on it is /dev/ng...): use %s",
				 target, core_block_way(td));
	snprintf(path, sizeof(path), "/dev/%s", names->generic);
	return nvme_geometry_read(path, names->block, geometry, err) ? -1 : 0;
}

/* ---- what the job asks for --------------------------------------------------------------------
 */

struct requirement {
	const char *option;
	uint64_t bytes;
};

static int check_alignment(const struct thread_data *td, const struct nvme_geometry *g,
			   struct error *err)
{
	const struct thread_options *o = &td->o;
	const struct requirement all[] = {
		{"bs", td_read(td) ? o->min_bs[DDIR_READ] : 0},
		{"bs", td_write(td) ? o->min_bs[DDIR_WRITE] : 0},
		{"bs", td_trim(td) ? o->min_bs[DDIR_TRIM] : 0},
		{"bs", td_read(td) ? o->max_bs[DDIR_READ] : 0},
		{"bs", td_write(td) ? o->max_bs[DDIR_WRITE] : 0},
		{"bs", td_trim(td) ? o->max_bs[DDIR_TRIM] : 0},
		{"blockalign", td_read(td) ? o->ba[DDIR_READ] : 0},
		{"blockalign", td_write(td) ? o->ba[DDIR_WRITE] : 0},
		{"blockalign", td_trim(td) ? o->ba[DDIR_TRIM] : 0},
		{"offset", o->start_offset},
	};
	size_t i;

	for (i = 0; i < COUNT(all); i++) {
		if (all[i].bytes & (g->block_bytes - 1))
			return error_set(
				err, "%s=%llu is no multiple of %u, the block of this namespace",
				all[i].option, (unsigned long long)all[i].bytes, g->block_bytes);
	}
	return 0;
}

int nvme_file_check(const struct thread_data *td, const struct nvme_geometry *geometry,
		    struct error *err)
{
	return check_alignment(td, geometry, err);
}

/* ---- opening ----------------------------------------------------------------------------------
 */

/* Data and segments, whichever ends first; a buffer may begin within a page. */
static uint32_t piece_bytes(const struct nvme_geometry *g)
{
	uint64_t bytes = g->most_bytes ? g->most_bytes : 1u << 20;
	uint64_t segments =
		(uint64_t)(g->most_segments > 1 ? g->most_segments - 1 : 1) * PAGE_BYTES;

	if (g->most_segments && segments < bytes)
		bytes = segments;
	if (bytes < g->block_bytes)
		return g->block_bytes;
	return (uint32_t)(bytes & ~(uint64_t)(g->block_bytes - 1));
}

static void choose_wire(struct nvme_file *file)
{
	const struct nvme_geometry *g = &file->geometry;
	/* Metadata that is protection and nothing else stays between controller and medium. */
	bool stripped =
		file->nvme->options->pi_act && g->pi_type && g->metadata_bytes == g->pi_bytes;

	file->moves_metadata = g->metadata_bytes && !stripped;
	file->wire = (struct nvme_wire){.nsid = g->nsid, .block_bytes = g->block_bytes};
	if (file->moves_metadata && g->is_extended)
		file->wire.block_bytes += g->metadata_bytes;
	else if (file->moves_metadata)
		file->wire.metadata_bytes = g->metadata_bytes;
}

/* What a compare is given, the drive does not make: protection must come from here. */
static int check_compare(const struct nvme_file *file, struct error *err)
{
	const struct nvme_options *o = file->nvme->options;

	if (o->verify_mode != VERIFY_COMPARE || !file->geometry.pi_type || !o->pi_act)
		return 0;
	return error_set(err,
			 "verify_mode=compare: the blocks of %s are protected, and a compare must "
			 "bring the protection: set pi_act=0",
			 file->path);
}

static int choose_protection(struct nvme_file *file, struct error *err)
{
	const struct nvme_options *o = file->nvme->options;
	const struct nvme_geometry *g = &file->geometry;
	uint32_t checks, control = 0;

	if (nvme_parse_checks(o->pi_chk, &checks, err))
		return -1;
	if (!g->pi_type) {
		if (checks)
			core_say(file->nvme->engine->td,
				 "pi_chk: the blocks of %s are not protected; nothing is checked",
				 file->path);
	} else {
		if (g->pi_type == 3)
			checks &= ~NVME_CONTROL_CHECK_REF;
		control = checks | (o->pi_act ? NVME_CONTROL_PRACT : 0);
	}
	if (g->pi_type && !o->pi_act) {
		file->protection = malloc(sizeof(*file->protection));
		if (!file->protection)
			return error_set(err, "no memory");
		if (nvme_protect_init(file->protection, g, checks, (uint16_t)o->apptag,
				      (uint16_t)o->apptag_mask, err))
			return -1;
	}
	if (o->limited_retry)
		control |= NVME_CONTROL_LIMITED_RETRY;
	file->read_control = control | (o->readfua ? NVME_CONTROL_FUA : 0);
	file->write_control = control | (o->writefua ? NVME_CONTROL_FUA : 0);
	return 0;
}

static int check_metadata_room(const struct nvme_file *file, struct error *err)
{
	struct thread_data *td = file->nvme->engine->td;
	uint64_t needed =
		td_max_bs(td) / file->geometry.block_bytes * file->geometry.metadata_bytes;
	unsigned given = file->nvme->options->md_per_io_size;

	if (!given || !file->moves_metadata || given >= needed)
		return 0;
	return error_set(err,
			 "md_per_io_size=%u is too small: %llu bytes of metadata go with bs=%llu",
			 given, (unsigned long long)needed, (unsigned long long)td_max_bs(td));
}

int nvme_file_open(struct nvme_file *file, const struct fio_file *f, struct error *err)
{
	struct thread_data *td = file->nvme->engine->td;
	bool writes = td_write(td) || td_trim(td);
	struct nvme_names names;

	file->fd = -1;
	if (nvme_file_find(td, f->file_name, &names, &file->geometry, err))
		return -1;
	snprintf(file->path, sizeof(file->path), "/dev/%s", names.generic);
	file->block_number = names.block_number;
	/* The size fio was told of is that before a format: nothing of it holds any more. */
	if (f->real_file_size != file->geometry.blocks << file->geometry.block_shift)
		return error_set(err, "%s was formatted or resized since the job began",
				 file->path);
	if (nvme_file_check(td, &file->geometry, err))
		return -1;
	file->piece_bytes = piece_bytes(&file->geometry);
	choose_wire(file);
	if (check_compare(file, err) || choose_protection(file, err) ||
	    check_metadata_room(file, err))
		return -1;
	file->fd = open(file->path, (writes ? O_RDWR : O_RDONLY) | O_CLOEXEC);
	return file->fd < 0 ? nvme_explain_open(file->path, errno, err) : 0;
}

void nvme_file_close(struct nvme_file *file)
{
	if (file->fd >= 0)
		close(file->fd);
	free(file->protection);
}
