/* SPDX-License-Identifier: GPL-2.0-only */
/* How a capture goes, on one line of the terminal. */
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/number.h"
#include "review/capture.h"

void capture_status_begin(struct capture_status *status, bool keys, uint64_t now_ns)
{
	*status = (struct capture_status){
		.terminal = isatty(STDERR_FILENO),
		.keys = keys,
		.begun_ns = now_ns,
		.shown_ns = now_ns,
	};
	fprintf(stderr, "Capturing; Ctrl-C stops.\n");
}

static double seconds(uint64_t from_ns, uint64_t to_ns)
{
	return (double)(to_ns - from_ns) / 1e9;
}

void capture_status_phase(struct capture_status *status, const char *name, uint64_t now_ns)
{
	snprintf(status->phase, sizeof(status->phase), "%s", name);
	fprintf(stderr, "%sphase %s begins at %.1f s\n", status->terminal ? "\r\033[K" : "", name,
		seconds(status->begun_ns, now_ns));
}

/* A line longer than the terminal would wrap, and stay behind. */
static int terminal_width(void)
{
	struct winsize size;

	if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) || size.ws_col < 20)
		return 79;
	return size.ws_col - 1;
}

void capture_status_show(struct capture_status *status, const struct trace_capture *counts,
			 const char *typed, uint64_t now_ns)
{
	double passed_s = seconds(status->shown_ns, now_ns);
	char total[NUMBER_ROOM], iops[NUMBER_ROOM], rate[NUMBER_ROOM], lost[NUMBER_ROOM];
	char line[640];

	if (!status->terminal)
		return;
	if (typed) {
		snprintf(line, sizeof(line), "phase, begins with Enter: %s", typed);
		fprintf(stderr, "\r\033[K%.*s", terminal_width(), line);
		return;
	}
	number_whole((double)counts->ios, total);
	number_whole((double)(counts->ios - status->ios) / passed_s, iops);
	number_mbps((double)(counts->bytes - status->bytes) / passed_s, rate);
	number_whole((double)status->lost, lost);
	snprintf(line, sizeof(line), "%.0f s  %s I/Os  %s IOPS  %s  %s lost%s%.30s%s",
		 seconds(status->begun_ns, now_ns), total, iops, rate, lost,
		 status->phase[0] ? "  " : "", status->phase,
		 status->keys ? "  (p phase, q stop)" : "");
	fprintf(stderr, "\r\033[K%.*s", terminal_width(), line);
	status->shown_ns = now_ns;
	status->ios = counts->ios;
	status->bytes = counts->bytes;
}

void capture_status_end(struct capture_status *status)
{
	if (status->terminal)
		fprintf(stderr, "\r\033[K");
	status->terminal = false;
}
