/* SPDX-License-Identifier: GPL-2.0-only */
/* The state file on disk: made, checked, named. Nothing here knows a clock. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engines/sim/drive_file.h"
#include "engines/sim/model_find.h"

/* FNV-1a by Fowler, Noll and Vo. */
static uint64_t drive_hash(const void *data, size_t bytes)
{
	const unsigned char *byte = data;
	uint64_t hash = 0xcbf29ce484222325ULL;

	while (bytes--)
		hash = (hash ^ *byte++) * 0x100000001b3ULL;
	return hash;
}

static uint64_t header_hash(const struct drive_header *header)
{
	return drive_hash(header, offsetof(struct drive_header, header_hash));
}

static void fill_header(struct drive_header *header, const struct sim_model *model, unsigned scale,
			uint64_t seed)
{
	memset(header, 0, sizeof(*header));
	memcpy(header->magic, DRIVE_MAGIC, sizeof(DRIVE_MAGIC));
	header->version = DRIVE_VERSION;
	header->params_bytes = sizeof(struct sim_params);
	header->state_bytes = sim_state_bytes(model, scale);
	header->file_bytes = STATE_AT + header->state_bytes;
	header->scale = scale;
	header->seed = seed;
	memcpy(&header->params, &model->params, sizeof(header->params));
	header->params_hash = drive_hash(&header->params, sizeof(header->params));
	header->header_hash = header_hash(header);
}

/* Writes a new drive into an empty file. */
static int write_drive(int fd, const struct sim_model *model, unsigned scale, uint64_t seed,
		       struct error *err)
{
	uint64_t bytes = STATE_AT + sim_state_bytes(model, scale);
	struct sim_state *state;
	int failed;
	char *map;

	if (ftruncate(fd, (off_t)bytes))
		return error_set(err, "it cannot be made %" PRIu64 " bytes long: %s", bytes,
				 strerror(errno));
	/* Later, a full disk could only be reported by SIGBUS. */
	errno = posix_fallocate(fd, 0, (off_t)(STATE_AT + state_solid_bytes(model, scale)));
	if (errno)
		return error_set(err, "there is no room for it: %s", strerror(errno));
	map = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (map == MAP_FAILED)
		return error_set(err, "it cannot be mapped: %s", strerror(errno));
	state = (struct sim_state *)(map + STATE_AT);
	failed = sim_state_init(state, model, scale, seed, err);
	if (!failed)
		fill_header((struct drive_header *)map, model, scale, seed);
	munmap(map, bytes);
	return failed;
}

/* The file appears under its name complete, or not at all; an existing one is never replaced. */
static int create_file(const char *path, const struct sim_model *model, unsigned scale,
		       uint64_t seed, struct error *err)
{
	char temporary[PATH_MAX];
	int fd, failed;

	if (!access(path, F_OK))
		return error_set(err, "it exists already; give another name or remove it");
	if (snprintf(temporary, sizeof(temporary), "%s.XXXXXX", path) >= (int)sizeof(temporary))
		return error_set(err, "the name is too long");
	fd = mkostemp(temporary, O_CLOEXEC);
	if (fd < 0)
		return error_set(err, "it cannot be made: %s", strerror(errno));
	fchmod(fd, 0644);
	failed = write_drive(fd, model, scale, seed, err);
	close(fd);
	if (!failed && link(temporary, path))
		failed = error_set(err, "it cannot be made: %s", strerror(errno));
	unlink(temporary);
	return failed;
}

int sim_drive_create(const char *path, const char *model_word, unsigned scale, uint64_t seed,
		     const struct sim_event *events, size_t event_count, struct error *err)
{
	struct sim_model *model;
	int failed = 0;
	size_t i;

	if (!scale)
		return error_set(err, "scale must be 1 or more");
	if (sim_model_load(model_word, &model, err))
		return -1;
	for (i = 0; i < event_count && !failed; i++)
		failed = sim_model_add_event(model, &events[i], err);
	if (!failed && create_file(path, model, scale, seed, err))
		failed = error_prefix(err, "%s", path);
	sim_model_free(model);
	return failed;
}

static int damaged(const char *path, size_t offset, const char *reason, struct error *err)
{
	return error_set(err,
			 "%s is damaged at byte %zu: %s; make a new one with `ssdreview sim new`",
			 path, offset, reason);
}

#define AT(field) offsetof(struct drive_header, field)

static int check_header(const char *path, const struct drive_header *header, uint64_t file_bytes,
			struct error *err)
{
	if (memcmp(header->magic, DRIVE_MAGIC, sizeof(DRIVE_MAGIC)))
		return error_set(err,
				 "%s is not the state file of a simulated drive: byte 0 has not "
				 "its mark",
				 path);
	if (header->version != DRIVE_VERSION)
		return error_set(err,
				 "%s is a state file of version %u at byte %zu, but this is "
				 "version %d; make a new one with `ssdreview sim new`",
				 path, header->version, AT(version), DRIVE_VERSION);
	if (header->params_bytes != sizeof(struct sim_params))
		return damaged(path, AT(params_bytes), "the parameters have a wrong size", err);
	if (header->file_bytes != file_bytes)
		return error_set(err,
				 "%s is damaged at byte %" PRIu64 ": it ends there, but should "
				 "have %" PRIu64 " bytes; make a new one with `ssdreview sim new`",
				 path, file_bytes, header->file_bytes);
	if (header->state_bytes != file_bytes - STATE_AT)
		return damaged(path, AT(state_bytes), "the state has a wrong size", err);
	if (!header->scale || header->scale > UINT32_MAX)
		return damaged(path, AT(scale), "the scale cannot be", err);
	if (header->params_hash != drive_hash(&header->params, sizeof(header->params)))
		return damaged(path, AT(params), "the model's parameters do not match their sum",
			       err);
	if (header->header_hash != header_hash(header))
		return damaged(path, AT(header_hash), "the header does not match its sum", err);
	return 0;
}

int drive_header_read(const char *path, int fd, struct drive_header *header, struct error *err)
{
	struct stat info;
	ssize_t got;

	if (!fstat(fd, &info) && !S_ISREG(info.st_mode))
		return error_set(
			err, "%s is not the state file of a simulated drive: it is no file", path);
	got = pread(fd, header, sizeof(*header), 0);
	if (got < 0)
		return error_set(err, "%s cannot be read: %s", path, strerror(errno));
	if (got >= (ssize_t)sizeof(DRIVE_MAGIC) &&
	    memcmp(header->magic, DRIVE_MAGIC, sizeof(DRIVE_MAGIC)))
		got = sizeof(*header);
	if (got < (ssize_t)sizeof(*header))
		return error_set(err,
				 "%s is damaged at byte %zd: it ends inside the header; make a "
				 "new one with `ssdreview sim new`",
				 path, got);
	return check_header(path, header, (uint64_t)info.st_size, err);
}

int sim_drive_info(const char *path, struct sim_info *info, struct error *err)
{
	/* A FIFO would make open() wait for a writer. */
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK), failed;
	struct drive_header header;
	struct sim_model model = {0};

	if (fd < 0)
		return error_set(err, "%s cannot be opened: %s", path, strerror(errno));
	failed = drive_header_read(path, fd, &header, err);
	close(fd);
	if (failed)
		return -1;
	memcpy(&model.params, &header.params, sizeof(model.params));
	sim_model_info(&model, (unsigned)header.scale, info);
	info->seed = header.seed;
	return 0;
}

/* The first bytes of a file as a string; false when it cannot be read. Never blocks on a FIFO. */
static bool first_bytes(const char *path, char *text, size_t room)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct stat info;
	ssize_t got = -1;

	if (fd < 0)
		return false;
	if (!fstat(fd, &info) && S_ISREG(info.st_mode))
		got = read(fd, text, room - 1);
	close(fd);
	text[got < 0 ? 0 : got] = '\0';
	return got > 0;
}

bool sim_is_state_file(const char *path)
{
	char text[sizeof(DRIVE_MAGIC) + 1];

	return first_bytes(path, text, sizeof(text)) && !strcmp(text, DRIVE_MAGIC);
}

bool sim_is_model_file(const char *path)
{
	char text[8192];

	if (!first_bytes(path, text, sizeof(text)))
		return false;
	return strstr(text, "[drive]") && strstr(text, "capacity_gb");
}
