/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Preloaded, NVMe drives that know sanitize, as QEMU's do not: one takes SANITIZE_S seconds, and
 * ends as SANITIZE says: "well", "failed", "refused" (it is not begun). The drive's memory is the
 * file SANITIZE_STATE, which outlives the process. Meanwhile, and after a failure, reads fail.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <linux/nvme_ioctl.h>

#define OPCODE_GET_LOG	0x02
#define OPCODE_IDENTIFY 0x06
#define OPCODE_SANITIZE 0x84
#define CNS_CONTROLLER	1
#define LOG_SANITIZE	0x81
#define SANICAP_AT	328 /* of Identify Controller */
#define OP_DENIED	0x15
#define NEVER		0
#define DONE		0x101
#define RUNNING		2
#define FAILED		3

/* What the drive keeps: when it began, how long it takes, how it ends, what was asked. */
struct memory {
	double began_s, takes_s;
	int fails, is_erased;
	uint32_t cdw10;
};

static double now_s(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static int (*real_ioctl(void))(int, unsigned long, ...)
{
	return (int (*)(int, unsigned long, ...))dlsym(RTLD_NEXT, "ioctl");
}

static int recall(struct memory *memory)
{
	FILE *in = fopen(getenv("SANITIZE_STATE"), "re");
	int found = in && fread(memory, sizeof(*memory), 1, in) == 1;

	if (in)
		fclose(in);
	return found;
}

static void keep(const struct memory *memory)
{
	FILE *out = fopen(getenv("SANITIZE_STATE"), "we");

	fwrite(memory, sizeof(*memory), 1, out);
	fclose(out);
}

static int status_of(const struct memory *memory)
{
	if (now_s() < memory->began_s + memory->takes_s)
		return RUNNING;
	return memory->fails ? FAILED : DONE;
}

/* The data goes when the sanitize ends. */
static void erase(int fd)
{
	uint64_t range[2] = {0, 0};
	char path[64];
	int own;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	own = open(path, O_RDWR | O_CLOEXEC);
	real_ioctl()(own, BLKGETSIZE64, &range[1]);
	real_ioctl()(own, BLKDISCARD, range);
	close(own);
}

static void write_log(int fd, unsigned char *log, uint32_t bytes)
{
	struct memory memory = {0};
	uint32_t estimates[3] = {7200, 3, UINT32_MAX}; /* overwrite, block, crypto */
	uint16_t sprog = 0xffff, sstat = NEVER;

	memset(log, 0, bytes);
	if (recall(&memory))
		sstat = (uint16_t)status_of(&memory);
	if (sstat == RUNNING)
		sprog = (uint16_t)((now_s() - memory.began_s) / memory.takes_s * 65536);
	if (sstat == DONE && !memory.is_erased) {
		erase(fd);
		memory.is_erased = 1;
		keep(&memory);
	}
	memcpy(log, &sprog, 2);
	memcpy(log + 2, &sstat, 2);
	memcpy(log + 4, &memory.cdw10, 4);
	memcpy(log + 8, estimates, sizeof(estimates));
}

static int sanitize(uint32_t cdw10)
{
	const char *how = getenv("SANITIZE"), *seconds = getenv("SANITIZE_S");
	struct memory memory = {.began_s = now_s(), .cdw10 = cdw10};

	if (how && !strcmp(how, "refused"))
		return OP_DENIED;
	memory.fails = how && !strcmp(how, "failed");
	memory.takes_s = seconds ? atof(seconds) : 1;
	keep(&memory);
	return 0;
}

static int admin(int fd, unsigned long request, struct nvme_passthru_cmd *command)
{
	unsigned char *data = (unsigned char *)(uintptr_t)command->addr;
	const uint32_t sanicap = 7;
	int status;

	if (command->opcode == OPCODE_SANITIZE)
		return sanitize(command->cdw10);
	if (command->opcode == OPCODE_GET_LOG && (command->cdw10 & 0xff) == LOG_SANITIZE) {
		write_log(fd, data, command->data_len);
		return 0;
	}
	status = real_ioctl()(fd, request, command);
	if (!status && command->opcode == OPCODE_IDENTIFY && command->cdw10 == CNS_CONTROLLER)
		memcpy(data + SANICAP_AT, &sanicap, sizeof(sanicap));
	return status;
}

int ioctl(int fd, unsigned long request, ...)
{
	va_list args;
	void *argument;

	va_start(args, request);
	argument = va_arg(args, void *);
	va_end(args);
	if (request == NVME_IOCTL_ADMIN_CMD || request == NVME_IOCTL_ADMIN64_CMD)
		return admin(fd, request, argument);
	return real_ioctl()(fd, request, argument);
}

static int answers_reads(int fd)
{
	struct memory memory;
	struct stat st;

	return fstat(fd, &st) || !S_ISBLK(st.st_mode) || !recall(&memory) ||
	       status_of(&memory) == DONE;
}

ssize_t pread(int fd, void *data, size_t bytes, off_t at)
{
	ssize_t (*real)(int, void *, size_t, off_t) = dlsym(RTLD_NEXT, "pread");

	errno = EIO;
	return answers_reads(fd) ? real(fd, data, bytes, at) : -1;
}

ssize_t pread64(int fd, void *data, size_t bytes, off64_t at)
{
	return pread(fd, data, bytes, at);
}

ssize_t read(int fd, void *data, size_t bytes)
{
	ssize_t (*real)(int, void *, size_t) = dlsym(RTLD_NEXT, "read");

	errno = EIO;
	return answers_reads(fd) ? real(fd, data, bytes) : -1;
}
