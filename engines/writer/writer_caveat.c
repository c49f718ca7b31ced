/* SPDX-License-Identifier: GPL-2.0-only */
/* What stands between a writer and its drive: page cache, file system. */
#include "engines/writer/writer_caveat.h"

#include <linux/magic.h>
#include <sys/vfs.h>

/* Not in linux/magic.h of every release, or not in Linux at all. */
#define ZFS_MAGIC      0x2fc12fc1
#define BCACHEFS_MAGIC 0xca451a4e

const char *writer_caveat(struct thread_data *td)
{
	const struct fio_file *f = td->files[0];
	struct statfs fs;

	if (core_target_is_simulated(td, td->files[0]))
		return NULL;
	if (!td->o.odirect)
		return "The page cache is written to, not the drive: set direct=1.";
	if (f->filetype != FIO_TYPE_FILE || statfs(f->file_name, &fs))
		return NULL;
	switch ((unsigned long)fs.f_type) {
	case BTRFS_SUPER_MAGIC:
	case ZFS_MAGIC:
	case BCACHEFS_MAGIC:
	case F2FS_SUPER_MAGIC:
		return "The file lies on a file system that may compress and never writes in "
		       "place: its speed is not the drive's.";
	default:
		return "The target is a file: where it lies on the drive is up to the file system.";
	}
}
