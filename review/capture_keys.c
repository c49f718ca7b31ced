/* SPDX-License-Identifier: GPL-2.0-only */
/* Keys at a terminal, lines from a script. */
#include <unistd.h>

#include "review/capture.h"

#define KEY_BACKSPACE 0x08
#define KEY_DELETE    0x7f
#define KEY_ESCAPE    0x1b

/* Single keys, unseen. Ctrl-C stays a signal; Ctrl-Z would leave the kernel tracing unread. */
static void take_single_keys(struct capture_keys *keys)
{
	struct termios now = keys->before;

	now.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
	now.c_cc[VMIN] = 1;
	now.c_cc[VTIME] = 0;
	now.c_cc[VSUSP] = _POSIX_VDISABLE;
	tcsetattr(STDIN_FILENO, TCSADRAIN, &now);
}

/* In the background of a shell a terminal may be neither read nor set. */
void capture_keys_open(struct capture_keys *keys)
{
	*keys = (struct capture_keys){.open = true};
	keys->terminal = isatty(STDIN_FILENO);
	if (!keys->terminal)
		return;
	keys->open =
		tcgetpgrp(STDIN_FILENO) == getpgrp() && tcgetattr(STDIN_FILENO, &keys->before) == 0;
	keys->terminal = keys->open;
	if (keys->open)
		take_single_keys(keys);
}

void capture_keys_close(struct capture_keys *keys)
{
	if (keys->terminal)
		tcsetattr(STDIN_FILENO, TCSADRAIN, &keys->before);
	keys->terminal = keys->open = false;
}

/* The bytes of a UTF-8 character go together. */
static void take_back(struct capture_keys *keys)
{
	while (keys->used && ((unsigned char)keys->line[keys->used - 1] & 0xc0) == 0x80)
		keys->used--;
	if (keys->used)
		keys->used--;
	keys->line[keys->used] = '\0';
}

static enum capture_key take_command(struct capture_keys *keys, char byte)
{
	if (byte == 'q' || byte == 'Q')
		return CAPTURE_STOP;
	keys->asking = byte == 'p' || byte == 'P';
	keys->used = 0;
	keys->line[0] = '\0';
	return CAPTURE_NOTHING;
}

static enum capture_key end_line(struct capture_keys *keys)
{
	bool named = keys->used > 0;

	keys->asking = false;
	keys->used = 0; /* line stays until the next byte */
	return named ? CAPTURE_PHASE : CAPTURE_NOTHING;
}

enum capture_key capture_keys_take(struct capture_keys *keys, char byte)
{
	if (keys->terminal && !keys->asking)
		return take_command(keys, byte);
	if (byte == '\n' || byte == '\r')
		return end_line(keys);
	if (byte == KEY_ESCAPE) {
		keys->used = 0;
		keys->asking = false;
	} else if (byte == KEY_BACKSPACE || byte == KEY_DELETE) {
		take_back(keys);
	} else if ((unsigned char)byte >= ' ' && keys->used + 1 < sizeof(keys->line)) {
		keys->line[keys->used++] = byte;
		keys->line[keys->used] = '\0';
	}
	return CAPTURE_NOTHING;
}
