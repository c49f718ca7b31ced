/* SPDX-License-Identifier: GPL-2.0-only */
/* Which event of an I/O is taken, and what its completion adds. */
#include <stdlib.h>

#include "engines/trace/import_events.h"

#define BUCKETS	   (2 * EVENTS_AHEAD)
#define NONE	   UINT32_MAX
#define STEPS_MAX  64  /* entries of a bucket looked at: a hostile file cannot make it slow */
#define KNOWN_MAX  256 /* devices whose number is remembered here */
#define SECTOR_MAX (1ULL << 54) /* 2^63 bytes */
#define UNDECIDED  EVENT_CLASSES

/* An event, and where it was read. */
struct waiting {
	struct event event;
	struct trace_source *source;
	uint64_t latency_ns;
	bool done;
	uint32_t next; /* in its bucket, later ones behind */
};

struct bucket {
	uint32_t first, last;
};

struct known_device {
	uint32_t major, minor;
	int number; /* of its stream; -1: nothing was given out yet */
	uint64_t start_bytes;
	uint64_t seen[EVENT_CLASSES];
};

struct events {
	struct trace_import *import;
	enum event_class taken; /* UNDECIDED at first */
	bool forced;
	uint64_t seen[EVENT_CLASSES], unmatched, completed;
	/* While undecided all events wait; then those taken do, for their completion. */
	struct waiting *ring;
	uint64_t head, tail; /* of the ring; they only grow */
	struct bucket *buckets;
	struct known_device known[KNOWN_MAX];
	unsigned known_count, known_last;
};

static const char *const class_names[EVENT_CLASSES] = {"queue (Q)", "issue (D)", "completion (C)"};

static const char *const class_skipped[EVENT_CLASSES] = {
	"queue event (Q); another class is taken",
	"issue event (D); another class is taken",
	"completion event (C)",
};

/* ---- the class ---------------------------------------------------------------------------- */

static int read_class(struct events *events, const char *word, struct error *err)
{
	static const char letters[EVENT_CLASSES] = "QDC";
	const char *letter;

	if (!word)
		return 0;
	letter = word[0] && !word[1] ? memchr(letters, word[0], EVENT_CLASSES) : NULL;
	if (!letter)
		return error_set(err,
				 "--event: '%s' is none of Q (queued), D (issued), C (completed)",
				 word);
	events->taken = (enum event_class)(letter - letters);
	events->forced = true;
	return 0;
}

struct events *events_begin(struct trace_import *import, struct error *err)
{
	struct events *events = calloc(1, sizeof(*events));

	if (events) {
		events->import = import;
		events->taken = UNDECIDED;
		events->ring = malloc(EVENTS_AHEAD * sizeof(events->ring[0]));
		events->buckets = malloc(BUCKETS * sizeof(events->buckets[0]));
	}
	if (!events || !events->ring || !events->buckets) {
		error_set(err, "no memory for the events that wait for their completion");
		events_free(events);
		return NULL;
	}
	memset(events->buckets, 0xff, BUCKETS * sizeof(events->buckets[0]));
	if (read_class(events, import->options->event, err)) {
		events_free(events);
		return NULL;
	}
	return events;
}

void events_free(struct events *events)
{
	if (!events)
		return;
	free(events->ring);
	free(events->buckets);
	free(events);
}

/* ---- rows go out in the order they came in ------------------------------------------------ */

static struct waiting *at(struct events *events, uint64_t index)
{
	return &events->ring[index % EVENTS_AHEAD];
}

/* NULL when more devices were seen than are remembered. */
static struct known_device *find_device(struct events *events, const struct event *event)
{
	struct known_device *known;

	for (unsigned i = 0; i < events->known_count; i++) {
		known = &events->known[(events->known_last + i) % events->known_count];
		if (known->major == event->major && known->minor == event->minor) {
			events->known_last = (unsigned)(known - events->known);
			return known;
		}
	}
	if (events->known_count == KNOWN_MAX)
		return NULL;
	known = &events->known[events->known_count++];
	*known = (struct known_device){event->major, event->minor, .number = -1};
	return known;
}

int events_name_disk(struct events *events, const struct event_disk *disk, struct error *err)
{
	struct event event = {.major = disk->major, .minor = disk->minor};
	struct known_device *known = find_device(events, &event);

	if (!known || known->number >= 0)
		return 0;
	known->start_bytes = disk->start_bytes;
	known->number = trace_import_device(events->import, disk->name, disk->size_bytes, err);
	return known->number < 0 ? -1 : 0;
}

/* Captures that do not tell the device give 0,0, which is none; its stream is named by the file. */
static int device_number(struct events *events, const struct waiting *waiting,
			 struct known_device *known, struct error *err)
{
	const struct event *event = &waiting->event;
	char name[TRACE_NAME_BYTES];
	int number;

	if (known && known->number >= 0)
		return known->number;
	if (event->major || event->minor)
		snprintf(name, sizeof(name), "%u,%u", event->major, event->minor);
	else
		op_file_name(waiting->source, name, sizeof(name));
	number = trace_import_device(events->import, name, 0, err);
	if (known)
		known->number = number;
	return number;
}

static int give(struct events *events, const struct waiting *waiting, struct error *err)
{
	const struct event *event = &waiting->event;
	bool flush = event->op.op == TRACE_FLUSH;
	struct known_device *known = find_device(events, event);
	uint64_t start_bytes = known ? known->start_bytes : 0;
	int device = device_number(events, waiting, known, err);
	struct trace_row row = {
		.record = {.time_ns = event->time_ns,
			   .offset = flush ? 0 : event->sector * 512 - start_bytes,
			   .length = flush ? 0 : event->bytes,
			   .latency_ns = waiting->latency_ns,
			   .stream = (uint16_t)device,
			   .op = event->op.op,
			   .flags = event->op.flags},
		.process = event->process[0] ? event->process : NULL,
		.pid = event->pid,
	};

	if (device < 0)
		return -1;
	return trace_import_row(events->import, waiting->source, &row, err);
}

/* ---- completions find their I/O ----------------------------------------------------------- */

static struct bucket *bucket_of(struct events *events, const struct event *event)
{
	uint64_t key = event->sector ^ (uint64_t)event->major << 52 ^ (uint64_t)event->minor << 40;

	return &events->buckets[(key * 0x9e3779b97f4a7c15ULL) >> 47];
}
_Static_assert(BUCKETS == 1 << 17, "bucket_of() takes the upper 17 bits");

static bool same_place(const struct event *one, const struct event *other)
{
	return one->sector == other->sector && one->major == other->major &&
	       one->minor == other->minor;
}

static void enter(struct events *events, uint32_t slot)
{
	struct bucket *bucket = bucket_of(events, &events->ring[slot].event);

	events->ring[slot].next = NONE;
	if (bucket->first == NONE)
		bucket->first = slot;
	else
		events->ring[bucket->last].next = slot;
	bucket->last = slot;
}

static void leave(struct events *events, struct bucket *bucket, uint32_t before, uint32_t slot)
{
	uint32_t next = events->ring[slot].next;

	if (before == NONE)
		bucket->first = next;
	else
		events->ring[before].next = next;
	if (bucket->last == slot)
		bucket->last = before;
}

/* The oldest I/O at the completion's place; NULL when its beginning was not captured. */
static struct waiting *find_begun(struct events *events, const struct event *completion)
{
	struct bucket *bucket = bucket_of(events, completion);
	uint32_t before = NONE, slot = bucket->first;

	for (unsigned steps = 0; slot != NONE && steps < STEPS_MAX; steps++) {
		if (same_place(&events->ring[slot].event, completion)) {
			leave(events, bucket, before, slot);
			return &events->ring[slot];
		}
		before = slot;
		slot = events->ring[slot].next;
	}
	return NULL;
}

static void complete(struct events *events, const struct event *completion)
{
	struct waiting *begun = find_begun(events, completion);

	if (!begun) {
		events->unmatched++;
		return;
	}
	begun->done = true;
	if (completion->time_ns < begun->event.time_ns)
		return;
	begun->latency_ns = completion->time_ns - begun->event.time_ns;
	events->completed++;
}

/* Gives the oldest out, completed or not: of its bucket it is the first. */
static int give_oldest(struct events *events, struct error *err)
{
	struct waiting *oldest = at(events, events->head);

	if (!oldest->done)
		leave(events, bucket_of(events, &oldest->event), NONE,
		      (uint32_t)(events->head % EVENTS_AHEAD));
	events->head++;
	return give(events, oldest, err);
}

static int take(struct events *events, struct trace_source *source, const struct event *event,
		struct error *err)
{
	struct waiting waiting = {
		.event = *event, .source = source, .latency_ns = TRACE_NO_LATENCY};

	if (events->taken == EVENT_COMPLETE)
		return give(events, &waiting, err);
	while (events->head < events->tail &&
	       (at(events, events->head)->done || events->tail - events->head == EVENTS_AHEAD))
		if (give_oldest(events, err))
			return -1;
	*at(events, events->tail) = waiting;
	enter(events, (uint32_t)(events->tail % EVENTS_AHEAD));
	events->tail++;
	return 0;
}

/* ---- events come in ----------------------------------------------------------------------- */

static int add_decided(struct events *events, struct trace_source *source,
		       const struct event *event, struct error *err)
{
	bool other = event->class != events->taken;
	const char *reason = NULL;

	if (other && event->class == EVENT_COMPLETE)
		complete(events, event);
	if (other)
		reason = class_skipped[event->class];
	else if (event->op.none)
		reason = "command that is no I/O (N)";
	else if (event->op.op != TRACE_FLUSH && !event->bytes)
		reason = "zero bytes, and no flush";
	if (!reason && event->op.op != TRACE_FLUSH && event->sector > SECTOR_MAX)
		return trace_import_bad(events->import, source, "sector beyond 2^54", err);
	if (!reason)
		return take(events, source, event, err);
	trace_import_skip(events->import, source, reason);
	return 0;
}

/* The events so far show which class there is; they go through again as decided ones. */
static int decide(struct events *events, struct error *err)
{
	uint64_t count = events->tail, i;
	struct waiting *early;
	int result = 0;

	events->taken = events->seen[EVENT_ISSUE]   ? EVENT_ISSUE
			: events->seen[EVENT_QUEUE] ? EVENT_QUEUE
						    : EVENT_COMPLETE;
	if (!count)
		return 0;
	early = malloc(count * sizeof(*early));
	if (!early)
		return error_set(err, "no memory for the first %llu events",
				 (unsigned long long)count);
	memcpy(early, events->ring, count * sizeof(*early));
	events->tail = 0;
	for (i = 0; i < count && !result; i++)
		result = add_decided(events, early[i].source, &early[i].event, err);
	free(early);
	return result;
}

int events_add(struct events *events, struct trace_source *source, const struct event *event,
	       struct error *err)
{
	struct known_device *known = find_device(events, event);

	if (known)
		known->seen[event->class]++;
	events->seen[event->class]++;
	if (events->taken != UNDECIDED)
		return add_decided(events, source, event, err);
	events->ring[events->tail++] = (struct waiting){.event = *event, .source = source};
	if (event->class == EVENT_ISSUE || events->tail == EVENTS_AHEAD)
		return decide(events, err);
	return 0;
}

/* Devices without a queue of requests (dm, md, zram) never issue: beside others they drop out. */
static void report_left_out(const struct events *events)
{
	for (unsigned i = 0; i < events->known_count; i++) {
		const struct known_device *known = &events->known[i];

		if (!known->seen[events->taken] && known->seen[EVENT_QUEUE])
			trace_report_note(events->import->report,
					  "device %u,%u was left out: it has %llu queue events (Q) "
					  "but none of the class that is taken",
					  known->major, known->minor,
					  (unsigned long long)known->seen[EVENT_QUEUE]);
	}
}

static void report_class(struct events *events)
{
	struct trace_report *report = events->import->report;
	unsigned long long seen = events->seen[EVENT_ISSUE];

	snprintf(report->event_class, sizeof(report->event_class), "%s%s",
		 class_names[events->taken], events->forced ? ", as said with --event" : "");
	snprintf(report->time_meaning, sizeof(report->time_meaning), "%s",
		 events->taken == EVENT_COMPLETE ? "completion; there is no issue time" : "issue");
	if (!events->forced && events->taken != EVENT_ISSUE && seen)
		trace_report_note(report,
				  "%llu issue events (D) came only after %u others and were left "
				  "out; take them with --event D",
				  seen, EVENTS_AHEAD);
	if (events->unmatched)
		trace_report_note(
			report,
			"%llu completions have no beginning in the capture (flushes around a "
			"write, merged I/Os, lost events, or a part of the CPUs only)",
			(unsigned long long)events->unmatched);
}

int events_finish(struct events *events, struct error *err)
{
	if (events->taken == UNDECIDED && decide(events, err))
		return -1;
	while (events->head < events->tail)
		if (give_oldest(events, err))
			return -1;
	report_class(events);
	report_left_out(events);
	return 0;
}

int events_import_lines(struct trace_import *import, const struct line_reader *reader,
			void *context, struct events **events, struct error *err)
{
	int result;

	*events = events_begin(import, err);
	if (!*events)
		return -1;
	result = lines_import(import, reader, context, err);
	if (!result)
		result = events_finish(*events, err);
	events_free(*events);
	return result;
}
