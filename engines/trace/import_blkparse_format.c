/* SPDX-License-Identifier: GPL-2.0-only */
/* Lines that blkparse wrote with -f: they do not describe themselves, the format has to be given.
 */
#include "engines/trace/import_blkparse.h"

static bool is_number(char c)
{
	return c >= '0' && c <= '9';
}

/* The next character of literal text: \n and \t as blkparse has them. 0 at a conversion or the end.
 */
static char literal_char(const char **at)
{
	char c = **at;

	if (!c || (c == '%' && (*at)[1] != '%'))
		return '\0';
	*at += c == '%' ? 2 : 1;
	if (c == '\\' && **at) {
		c = **at == 'n' ? '\n' : **at == 't' ? '\t' : **at;
		(*at)++;
	}
	return c;
}

static void read_literal(const char **at, char *literal, size_t room)
{
	size_t used = 0;
	char c;

	while ((c = literal_char(at)))
		if (used + 1 < room)
			literal[used++] = c;
	literal[used] = '\0';
}

static int read_conversion(const char **at, struct blkparse_format *format, struct error *err)
{
	static const char known[] = "aCcDdeMmNnPpSsTtUuz";
	struct blkparse_part *part = &format->part[format->parts];

	if (format->parts == BLKPARSE_PARTS)
		return error_set(err, "blkparse format: more than %d conversions", BLKPARSE_PARTS);
	for ((*at)++; is_number(**at) || **at == '-'; (*at)++)
		;
	if (!**at || !strchr(known, **at))
		return error_set(err,
				 "blkparse format: there is no conversion '%%%c'; known are "
				 "%s",
				 **at ? **at : ' ', known);
	part->conversion = *(*at)++;
	read_literal(at, part->literal, sizeof(part->literal));
	format->parts++;
	return 0;
}

static bool has(const struct blkparse_format *format, const char *any)
{
	for (unsigned i = 0; i < format->parts; i++)
		if (strchr(any, format->part[i].conversion))
			return true;
	return false;
}

int blkparse_format_parse(const char *text, struct blkparse_format *format, struct error *err)
{
	*format = (struct blkparse_format){0};
	read_literal(&text, format->before, sizeof(format->before));
	while (*text)
		if (read_conversion(&text, format, err))
			return -1;
	if (!has(format, "T") || !has(format, "S") || !has(format, "nN") || !has(format, "d"))
		return error_set(err, "blkparse format: it needs %%T (and .%%t), %%S, %%n or %%N, "
				      "and %%d, else its lines hold no whole I/O");
	format->has_action = has(format, "a");
	return 0;
}

/* The value goes up to the literal text behind it; blanks in that text stand for one or more. */
static struct piece cut_value(struct piece *rest, const char *literal)
{
	struct piece value;
	char stop = *literal;

	while (rest->at < rest->end && (*rest->at == ' ' || *rest->at == '\t'))
		rest->at++;
	value = (struct piece){rest->at, rest->at};
	if (!stop || stop == '\n')
		value.end = rest->end;
	while (value.end < rest->end && *value.end != stop && stop && stop != '\n' &&
	       !(stop == ' ' && *value.end == '\t'))
		value.end++;
	rest->at = value.end;
	return piece_trim(value);
}

static bool pass_literal(struct piece *rest, const char *literal)
{
	for (; *literal && *literal != '\n'; literal++) {
		bool blank = *literal == ' ' || *literal == '\t';

		if (blank)
			while (rest->at < rest->end && (*rest->at == ' ' || *rest->at == '\t'))
				rest->at++;
		else if (rest->at == rest->end || *rest->at++ != *literal)
			return false;
	}
	return true;
}

/* What the conversions of one line gave. */
struct values {
	struct piece action, rwbs;
	uint64_t seconds, ns, sectors, major, minor, pid;
	bool has_bytes, has_device;
};

static bool take_value(char conversion, struct piece value, struct values *values,
		       struct event *event)
{
	switch (conversion) {
	case 'a':
		values->action = value;
		return true;
	case 'd':
		values->rwbs = value;
		return true;
	case 'D':
		values->has_device = true;
		return event_set_device(event, value);
	case 'C':
		event_set_process(event, value);
		return true;
	case 'M':
		return piece_u64(value, &values->major);
	case 'm':
		return piece_u64(value, &values->minor);
	case 'N':
		values->has_bytes = true;
		return piece_u64(value, &event->bytes);
	case 'n':
		return piece_u64(value, &values->sectors);
	case 'p':
		return piece_u64(value, &values->pid);
	case 'S':
		return piece_u64(value, &event->sector);
	case 'T':
		return piece_scaled(value, 9, &values->seconds);
	case 't':
		return piece_u64(value, &values->ns);
	}
	return true;
}

static bool take_values(const struct blkparse_format *format, struct piece line,
			struct values *values, struct event *event)
{
	if (!pass_literal(&line, format->before))
		return false;
	for (unsigned i = 0; i < format->parts; i++) {
		const struct blkparse_part *part = &format->part[i];
		struct piece value = cut_value(&line, part->literal);

		if (!take_value(part->conversion, value, values, event) ||
		    !pass_literal(&line, part->literal))
			return false;
	}
	return true;
}

enum line_kind blkparse_formatted(const struct blkparse_format *format, enum event_class missing,
				  struct piece line, struct event *event, const char **reason)
{
	struct values values = {0};

	*event = (struct event){.class = missing};
	line = piece_trim(line);
	if (!take_values(format, line, &values, event)) {
		*reason = "line does not fit the blkparse format";
		return LINE_BAD;
	}
	*reason = "other event (merge, plug, ...)";
	if (format->has_action && !blkparse_class(values.action, &event->class))
		return LINE_OTHER;
	*reason = "time, device or size is out of range";
	if (__builtin_add_overflow(values.seconds, values.ns, &event->time_ns) ||
	    values.major > UINT32_MAX || values.minor > UINT32_MAX ||
	    values.sectors > UINT64_MAX / 512)
		return LINE_BAD;
	if (!values.has_bytes)
		event->bytes = values.sectors * 512;
	if (!values.has_device) {
		event->major = (uint32_t)values.major;
		event->minor = (uint32_t)values.minor;
	}
	event->pid = (int64_t)values.pid;
	return blkparse_op(values.rwbs, event, reason);
}
