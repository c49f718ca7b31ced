/* SPDX-License-Identifier: GPL-2.0-only */
/* A capture from its start to its stop. */
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/sysmacros.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "review/capture.h"
#include "review/review.h"

#define DRAIN_MS  50 /* the kernel's buffers hold seconds */
#define STATUS_NS (500 * NS_PER_MSEC)

/* ---- phases --------------------------------------------------------------------------------- */

/* Now, on the clock of the records. */
static int begin_phase(struct capture *capture, const char *name, struct error *err)
{
	uint64_t now_ns = monotonic_ns();

	capture->phases++;
	capture_status_phase(&capture->status, name, now_ns);
	return capture_spool_message(&capture->spool, now_ns, err, TRACE_MESSAGE_PHASE "%s", name);
}

static int begin_numbered_phase(struct capture *capture, struct error *err)
{
	char name[32];

	snprintf(name, sizeof(name), "phase-%u", capture->phases + 1);
	return begin_phase(capture, name, err);
}

/* ---- while it runs -------------------------------------------------------------------------- */

static int take_signal(struct capture *capture, struct error *err)
{
	struct signalfd_siginfo signal;

	if (read(capture->signals, &signal, sizeof(signal)) != (ssize_t)sizeof(signal))
		return 0;
	if (signal.ssi_signo == SIGUSR1)
		return begin_numbered_phase(capture, err);
	capture->stopped = true;
	return 0;
}

static int take_input(struct capture *capture, struct error *err)
{
	char bytes[256];
	ssize_t got = read(STDIN_FILENO, bytes, sizeof(bytes)), i;

	if (got <= 0)
		capture->keys.open = false;
	for (i = 0; i < got; i++) {
		enum capture_key key = capture_keys_take(&capture->keys, bytes[i]);

		capture->stopped |= key == CAPTURE_STOP;
		if (key == CAPTURE_PHASE && begin_phase(capture, capture->keys.line, err))
			return -1;
	}
	return 0;
}

/* Waits a moment for keys and signals; not at all in a hurry. */
static int take_events(struct capture *capture, bool hurry, struct error *err)
{
	struct pollfd from[] = {
		{.fd = capture->signals, .events = POLLIN},
		{.fd = capture->keys.open ? STDIN_FILENO : -1, .events = POLLIN},
	};

	if (poll(from, COUNT(from), hurry ? 0 : DRAIN_MS) <= 0)
		return 0;
	if (from[0].revents && take_signal(capture, err))
		return -1;
	return from[1].revents ? take_input(capture, err) : 0;
}

static void show_status(struct capture *capture, uint64_t now_ns)
{
	bool asking = capture->keys.asking;

	if (now_ns - capture->status.shown_ns < STATUS_NS && !asking)
		return;
	capture->status.lost = capture_tracer_lost(&capture->tracer);
	capture_status_show(&capture->status, &capture->spool.counts,
			    asking ? capture->keys.line : NULL, now_ns);
}

static int record(struct capture *capture, struct error *err)
{
	uint64_t begun_ns = monotonic_ns(), now_ns;
	int more = 0;

	capture_status_begin(&capture->status, capture->keys.terminal, begun_ns);
	if (capture->first_phase && begin_phase(capture, capture->first_phase, err))
		return -1;
	while (!capture->stopped) {
		if (take_events(capture, more > 0, err))
			return -1;
		more = capture_spool_drain(&capture->spool, err);
		if (more < 0)
			return -1;
		now_ns = monotonic_ns();
		show_status(capture, now_ns);
		if (capture->length_ns && now_ns - begun_ns >= capture->length_ns)
			return 0;
	}
	return 0;
}

/* ---- before and after ----------------------------------------------------------------------- */

/* "/dev/nvme0n1 (Samsung SSD 980), /dev/sda" */
static void describe_disks(const struct capture *capture, char *text, size_t room)
{
	size_t used = 0;
	unsigned i;

	for (i = 0; i < capture->disk_count && used < room; i++) {
		const struct capture_disk *disk = &capture->disks[i];
		bool known = disk->model[0] != '\0';

		used += (size_t)snprintf(text + used, room - used, "%s%s%s%s%s", i ? ", " : "",
					 disk->path, known ? " (" : "", disk->model,
					 known ? ")" : "");
	}
}

static int introduce_disks(struct capture *capture, struct error *err)
{
	unsigned i;

	for (i = 0; i < capture->disk_count; i++) {
		const struct capture_disk *disk = &capture->disks[i];

		if (capture_spool_message(&capture->spool, 0, err,
					  TRACE_MESSAGE_DISK "%u,%u %llu %llu %s",
					  major(disk->device), minor(disk->device),
					  (unsigned long long)disk->start_bytes,
					  (unsigned long long)disk->size_bytes, disk->name))
			return -1;
	}
	return 0;
}

/* Unless something else is to stand there: "/dev/sda of server, Linux 6.1.0". */
static int introduce_source(struct capture *capture, struct error *err)
{
	struct utsname host;
	char disks[320];

	if (capture->source)
		return capture_spool_message(&capture->spool, 0, err, TRACE_MESSAGE_SOURCE "%s",
					     capture->source);
	uname(&host);
	describe_disks(capture, disks, sizeof(disks));
	return capture_spool_message(&capture->spool, 0, err,
				     TRACE_MESSAGE_SOURCE "%s of %.64s, Linux %.64s", disks,
				     host.nodename, host.release);
}

/* What the records do not say stands before them, at time 0. */
static int introduce(struct capture *capture, struct error *err)
{
	struct timespec wall;

	clock_gettime(CLOCK_REALTIME, &wall);
	if (capture_spool_message(&capture->spool, 0, err, TRACE_MESSAGE_CLOCK "%llu",
				  (unsigned long long)((uint64_t)wall.tv_sec * NS_PER_SEC +
						       (uint64_t)wall.tv_nsec - monotonic_ns())))
		return -1;
	if (introduce_source(capture, err))
		return -1;
	if (capture->note &&
	    capture_spool_message(&capture->spool, 0, err, TRACE_MESSAGE_NOTE "%s", capture->note))
		return -1;
	return introduce_disks(capture, err);
}

static int set_up(struct capture *capture, struct error *err)
{
	struct capture_tracer *tracer = &capture->tracer;

	if (capture_journal_folder(&tracer->journal, capture->spool.folder, err) ||
	    introduce(capture, err) ||
	    capture_tracer_prepare(tracer, capture->disks, capture->disk_count, capture->event,
				   err) ||
	    capture_spool_attach(&capture->spool, tracer, err))
		return -1;
	return capture_tracer_start(tracer, err);
}

/* What the kernel still has, and what it lost. */
static int take_rest(struct capture *capture, struct error *err)
{
	int more;

	do
		more = capture_spool_drain(&capture->spool, err);
	while (more > 0);
	capture->status.lost = capture_tracer_lost(&capture->tracer);
	if (more < 0)
		return -1;
	return capture_spool_message(&capture->spool, monotonic_ns(), err,
				     TRACE_MESSAGE_LOST "%llu",
				     (unsigned long long)capture->status.lost);
}

int capture_run(struct capture *capture, struct error *err)
{
	int failed = set_up(capture, err);

	if (!failed) {
		capture_keys_open(&capture->keys);
		failed = record(capture, err);
		capture_tracer_stop(&capture->tracer);
		if (!failed)
			failed = take_rest(capture, err);
		capture_keys_close(&capture->keys);
		capture_status_end(&capture->status);
	}
	capture_spool_detach(&capture->spool);
	capture_tracer_close(&capture->tracer);
	return failed;
}
