/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A drive in use: the state file mapped, one lock, and CLOCK_MONOTONIC.
 *
 * Two locks on bytes of the file (open file description locks: they belong to one opening, and the
 * kernel drops them when its owner dies) tell who is there. DOOR is held while somebody comes or
 * goes; USERS is shared by all who are attached, so that whoever gets it alone is the first.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "engines/sim/drive_file.h"

/* Who holds a drive for itself waits so long for those that are attached. */
#define USERS_TRIES    50
#define USERS_PAUSE_NS (20 * NS_PER_MSEC)

enum lock_byte { DOOR, USERS, HOLDER };

struct sim_drive {
	int fd;
	struct drive_file *file;
	struct sim_state *state;
	struct sim_model model;
	struct sim_info info;
	uint64_t bytes;
};

static int lock_byte(int fd, enum lock_byte byte, short type, bool wait)
{
	struct flock lock = {.l_type = type, .l_whence = SEEK_SET, .l_start = byte, .l_len = 1};
	int failed;

	do
		failed = fcntl(fd, wait ? F_OFD_SETLKW : F_OFD_SETLK, &lock);
	while (failed && errno == EINTR);
	return failed;
}

static int init_mutex(pthread_mutex_t *mutex)
{
	pthread_mutexattr_t kind;
	int failed;

	memset(mutex, 0, sizeof(*mutex));
	pthread_mutexattr_init(&kind);
	pthread_mutexattr_setpshared(&kind, PTHREAD_PROCESS_SHARED);
	pthread_mutexattr_setrobust(&kind, PTHREAD_MUTEX_ROBUST);
	failed = pthread_mutex_init(mutex, &kind);
	pthread_mutexattr_destroy(&kind);
	return failed;
}

/* Whoever died in a call left clocks that only ran forward; the FTL's tables are built again. */
static void repair(struct sim_drive *drive)
{
	state_repair(drive->state);
	drive->file->shared.busy = 0;
}

static void enter(struct sim_drive *drive)
{
	pthread_mutex_t *mutex = &drive->file->shared.mutex;

	if (pthread_mutex_lock(mutex) == EOWNERDEAD) {
		repair(drive);
		pthread_mutex_consistent(mutex);
	}
	drive->file->shared.busy = 1;
}

static void leave(struct sim_drive *drive)
{
	drive->file->shared.busy = 0;
	pthread_mutex_unlock(&drive->file->shared.mutex);
}

/*
 * Inside the lock, so that drive time never goes back between users. A drive may have lived longer
 * than the machine is up: base_ns then lies before 0 and wraps.
 */
static uint64_t drive_now(struct sim_drive *drive, uint64_t *clock)
{
	struct drive_shared *shared = &drive->file->shared;
	uint64_t now;

	*clock = monotonic_ns();
	now = *clock - shared->base_ns;
	if ((int64_t)(now - shared->drive_ns) > 0)
		shared->drive_ns = now;
	return shared->drive_ns;
}

/* Unmaps all granules by a hole in the file; false where files have no holes. */
static bool punch_granules(struct sim_drive *drive)
{
	uint64_t at = STATE_AT + drive->state->mapped_at;

	return drive->bytes > at &&
	       !fallocate(drive->fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)at,
			  (off_t)(drive->bytes - at));
}

/* With nobody else attached. A purge that is killed is finished by the next user. */
static void purge(struct sim_drive *drive)
{
	drive->file->shared.purging = 1;
	if (punch_granules(drive))
		state_restart(drive->state);
	else
		sim_state_purge(drive->state);
	drive->file->shared.busy = 0;
	drive->file->shared.purging = 0;
}

static int check_state(struct sim_drive *drive, const char *path, struct error *err)
{
	uint64_t offset;

	if (state_is_sound(drive->state, &drive->model, drive->info.scale, &offset))
		return 0;
	return error_set(err,
			 "%s is damaged at byte %" PRIu64 ": the drive's state cannot be; make a "
			 "new one with `ssdreview sim new`",
			 path, STATE_AT + offset);
}

/* The first user finds what the last one left: a stopped clock, perhaps a call cut short. */
static int first_attach(struct sim_drive *drive, const char *path, struct error *err)
{
	struct drive_shared *shared = &drive->file->shared;

	if (!shared->busy && !shared->purging && check_state(drive, path, err))
		return -1;
	if (shared->purging)
		purge(drive);
	if (shared->busy)
		repair(drive);
	if (check_state(drive, path, err))
		return -1;
	if (init_mutex(&shared->mutex))
		return error_set(err, "%s: no lock can be made in it", path);
	shared->base_ns = monotonic_ns() - shared->drive_ns;
	return 0;
}

/* Asked first, so that a file system too small is not left full. */
static int check_room(const struct sim_drive *drive, const char *path, struct error *err)
{
	struct statvfs room;
	struct stat info;
	uint64_t there, needed, free_bytes;

	if (fstat(drive->fd, &info) || fstatvfs(drive->fd, &room))
		return error_set(err, "%s cannot be read: %s", path, strerror(errno));
	there = (uint64_t)info.st_blocks * 512;
	needed = there < drive->bytes ? drive->bytes - there : 0;
	free_bytes = (uint64_t)room.f_bavail * room.f_frsize;
	if (needed <= free_bytes)
		return 0;
	return error_set(err, "%s may grow by %.0f MB, but its file system has only %.0f MB free",
			 path, (double)needed / 1e6, (double)free_bytes / 1e6);
}

/*
 * Holes would be filled as the drive fills; a disk that others have filled meanwhile would then
 * kill the process by SIGBUS. Where room cannot be reserved there must at least be enough of it.
 */
static int reserve_room(const struct sim_drive *drive, const char *path, struct error *err)
{
	if (check_room(drive, path, err))
		return -1;
	if (!fallocate(drive->fd, 0, 0, (off_t)drive->bytes) || errno == EOPNOTSUPP)
		return 0;
	return error_set(err, "%s cannot reserve the room it may need: %s", path, strerror(errno));
}

static int attach(struct sim_drive *drive, const char *path, struct error *err)
{
	int failed = 0;

	if (lock_byte(drive->fd, DOOR, F_WRLCK, true))
		return error_set(err, "%s cannot be locked: %s", path, strerror(errno));
	if (!lock_byte(drive->fd, USERS, F_WRLCK, false))
		failed = first_attach(drive, path, err);
	if (!failed)
		failed = reserve_room(drive, path, err);
	if (!failed && lock_byte(drive->fd, USERS, F_RDLCK, true))
		failed = error_set(err, "%s cannot be locked: %s", path, strerror(errno));
	lock_byte(drive->fd, DOOR, F_UNLCK, true);
	return failed;
}

static int map_file(struct sim_drive *drive, const char *path, struct error *err)
{
	struct drive_header header;

	if (drive_header_read(path, drive->fd, &header, err))
		return -1;
	memcpy(&drive->model.params, &header.params, sizeof(header.params));
	sim_model_info(&drive->model, (unsigned)header.scale, &drive->info);
	drive->info.seed = header.seed;
	drive->bytes = header.file_bytes;
	drive->file = mmap(NULL, drive->bytes, PROT_READ | PROT_WRITE, MAP_SHARED, drive->fd, 0);
	if (drive->file == MAP_FAILED) {
		drive->file = NULL;
		return error_set(err, "%s cannot be mapped: %s", path, strerror(errno));
	}
	drive->state = (struct sim_state *)((char *)drive->file + STATE_AT);
	return 0;
}

static void detach(struct sim_drive *drive)
{
	if (drive->file)
		munmap(drive->file, drive->bytes);
	if (drive->fd >= 0)
		close(drive->fd);
	free(drive);
}

/* Opened and mapped, not yet attached. */
static struct sim_drive *open_file(const char *path, struct error *err)
{
	struct sim_drive *drive = calloc(1, sizeof(*drive));

	if (!drive) {
		error_set(err, "no memory to open %s", path);
		return NULL;
	}
	drive->fd = open(path, O_RDWR | O_CLOEXEC);
	if (drive->fd < 0)
		error_set(err, "%s cannot be opened: %s", path, strerror(errno));
	else if (!map_file(drive, path, err))
		return drive;
	detach(drive);
	return NULL;
}

int sim_drive_open(const char *path, struct sim_drive **drive, struct error *err)
{
	*drive = open_file(path, err);
	if (!*drive)
		return -1;
	if (!attach(*drive, path, err))
		return 0;
	detach(*drive);
	*drive = NULL;
	return -1;
}

void sim_drive_close(struct sim_drive *drive)
{
	uint64_t clock;

	if (!drive)
		return;
	enter(drive);
	drive_now(drive, &clock);
	leave(drive);
	detach(drive);
}

const struct sim_info *sim_drive_get_info(const struct sim_drive *drive)
{
	return &drive->info;
}

uint64_t sim_drive_submit(struct sim_drive *drive, enum sim_op op, uint64_t offset, uint64_t bytes,
			  uint64_t *random, uint64_t *issued_ns)
{
	uint64_t now, done;

	enter(drive);
	now = drive_now(drive, issued_ns);
	done = sim_state_submit(drive->state, &drive->model, op, offset, bytes, now, random);
	leave(drive);
	return *issued_ns + (done - now);
}

void sim_drive_status(struct sim_drive *drive, struct sim_status *status)
{
	uint64_t clock;

	enter(drive);
	drive_now(drive, &clock);
	sim_state_status(drive->state, &drive->model, status);
	status->drive_time_ns = drive->file->shared.drive_ns;
	leave(drive);
}

static int purge_alone(struct sim_drive *drive, const char *path, struct error *err)
{
	int failed = 0;

	if (lock_byte(drive->fd, DOOR, F_WRLCK, true))
		return error_set(err, "%s cannot be locked: %s", path, strerror(errno));
	if (lock_byte(drive->fd, USERS, F_WRLCK, false))
		failed = error_set(err, "%s is in use; purge it when nothing runs on it", path);
	else
		purge(drive);
	lock_byte(drive->fd, DOOR, F_UNLCK, true);
	return failed;
}

int sim_drive_purge(const char *path, struct error *err)
{
	struct sim_drive *drive = open_file(path, err);
	int failed;

	if (!drive)
		return -1;
	failed = purge_alone(drive, path, err);
	detach(drive);
	return failed;
}

/* Attached are also those that end at this moment: asked for a while. */
static int wait_until_unused(int fd, const char *path, struct error *err)
{
	struct timespec pause = {.tv_nsec = USERS_PAUSE_NS};
	int try = 0;

	while (lock_byte(fd, USERS, F_WRLCK, false) && ++try < USERS_TRIES)
		nanosleep(&pause, NULL);
	if (try == USERS_TRIES)
		return error_set(err, "%s is in use by another program; end that first", path);
	return lock_byte(fd, USERS, F_UNLCK, true);
}

int sim_drive_hold(const char *path, struct error *err)
{
	int fd = open(path, O_RDWR | O_CLOEXEC), failed;

	if (fd < 0)
		return error_set(err, "%s cannot be opened: %s", path, strerror(errno));
	if (lock_byte(fd, HOLDER, F_WRLCK, false))
		failed = error_set(err,
				   "%s is held by another review; wait until that ends or name "
				   "another drive",
				   path);
	else
		failed = wait_until_unused(fd, path, err);
	if (!failed)
		return fd;
	close(fd);
	return -1;
}
