/* SPDX-License-Identifier: GPL-2.0-only */
/* Completions become windows. */
#include <stdlib.h>
#include <string.h>

#include "engines/qlc/plan_internal.h"

double window_speed(const struct qlc_window *window)
{
	return (double)window->bytes * 1e9 / (double)window->duration_ns;
}

void meter_begin(struct meter *meter, uint64_t now_ns)
{
	if (!meter->start_ns)
		meter->start_ns = now_ns;
}

static void open_next(struct meter *meter, uint64_t start_ns)
{
	meter->start_ns = start_ns;
	meter->bytes = 0;
	memset(&meter->writes, 0, sizeof(meter->writes));
	if (meter->reads.count)
		memset(&meter->reads, 0, sizeof(meter->reads));
}

void meter_drop(struct meter *meter)
{
	open_next(meter, 0);
}

static struct qlc_window *new_window(struct meter *meter)
{
	size_t room = meter->room ? 2 * meter->room : 1024;
	struct qlc_window *larger;

	if (meter->count == meter->room) {
		larger = realloc(meter->windows, room * sizeof(*larger));
		if (!larger) {
			meter->is_short = true;
			return NULL;
		}
		meter->windows = larger;
		meter->room = room;
	}
	return &meter->windows[meter->count++];
}

struct qlc_window *meter_close(struct meter *meter, uint64_t now_ns, uint64_t origin_ns)
{
	struct qlc_window *window = new_window(meter);

	if (window)
		*window = (struct qlc_window){
			.start_ns = meter->start_ns - origin_ns,
			.duration_ns = now_ns - meter->start_ns,
			.bytes = meter->bytes,
			.reads = meter->reads.count,
			.mean_ns = histogram_mean_ns(&meter->writes),
			.p99_ns = histogram_percentile_ns(&meter->writes, 0.99),
			.max_ns = meter->writes.max_ns,
			.read_mean_ns = histogram_mean_ns(&meter->reads),
			.read_p99_ns = histogram_percentile_ns(&meter->reads, 0.99),
		};
	open_next(meter, now_ns);
	return window;
}

void meter_add_read(struct meter *meter, uint64_t latency_ns)
{
	histogram_add(&meter->reads, latency_ns);
}

bool meter_add_write(struct meter *meter, uint64_t bytes, uint64_t latency_ns, uint64_t now_ns)
{
	histogram_add(&meter->writes, latency_ns);
	meter->bytes += bytes;
	return now_ns > meter->start_ns && (meter->bytes >= meter->window_bytes ||
					    now_ns - meter->start_ns >= meter->window_ns);
}
