/* SPDX-License-Identifier: GPL-2.0-only */
/* A column map: words to what a column means. */
#include "engines/trace/import_columns.h"

struct map_word {
	const char *word;
	struct column column;
};

#define TIME_WORDS(name, kind)                                                                     \
	{name "_s", {kind, CODE_DECIMAL, 9}}, {name "_ms", {kind, CODE_DECIMAL, 6}},               \
		{name "_us", {kind, CODE_DECIMAL, 3}}, {name "_ns", {kind, CODE_DECIMAL, 0}},      \
	{                                                                                          \
		name "_100ns",                                                                     \
		{                                                                                  \
			kind, CODE_DECIMAL, 2                                                      \
		}                                                                                  \
	}
#define SIZE_WORDS(name, kind)                                                                     \
	{name "_b", {kind, CODE_DECIMAL, 1}}, {name "_sector", {kind, CODE_DECIMAL, 512}},         \
		{name "_kib", {kind, CODE_DECIMAL, 1024}},                                         \
	{                                                                                          \
		name "_hex",                                                                       \
		{                                                                                  \
			kind, CODE_HEX, 1                                                          \
		}                                                                                  \
	}

static const struct map_word map_words[] = {
	TIME_WORDS("time", COLUMN_TIME),
	{"time_filetime", {COLUMN_TIME, CODE_FILETIME, 2}},
	TIME_WORDS("end", COLUMN_END),
	{"end_filetime", {COLUMN_END, CODE_FILETIME, 2}},
	TIME_WORDS("gap", COLUMN_GAP),
	TIME_WORDS("latency", COLUMN_LATENCY),
	SIZE_WORDS("offset", COLUMN_OFFSET),
	SIZE_WORDS("len", COLUMN_LENGTH),
	{"op", {COLUMN_OP, CODE_WORD, 0}},
	{"op_rwbs", {COLUMN_OP, CODE_RWBS, 0}},
	{"op_scsi", {COLUMN_OP, CODE_SCSI, 0}},
	{"op_read1", {COLUMN_OP, CODE_READ1, 0}},
	{"op_write1", {COLUMN_OP, CODE_WRITE1, 0}},
	{"flags", {COLUMN_FLAGS, CODE_DECIMAL, 0}},
	{"stream", {COLUMN_STREAM, CODE_WORD, 0}},
	{"process", {COLUMN_PROCESS, CODE_WORD, 0}},
	{"pid", {COLUMN_PID, CODE_DECIMAL, 0}},
	{"-", {COLUMN_SKIP, CODE_WORD, 0}},
};

#define MAP_WORDS (sizeof(map_words) / sizeof(map_words[0]))

static int unknown_word(struct piece word, struct error *err)
{
	const char *words[MAP_WORDS];
	char name[64];
	size_t used;

	snprintf(name, sizeof(name), "%.*s", (int)piece_length(word), word.at);
	for (size_t i = 0; i < MAP_WORDS; i++)
		words[i] = map_words[i].word;
	error_unknown(err, "column", name, words, MAP_WORDS);
	for (size_t i = 0; err && i < MAP_WORDS; i++) {
		used = strlen(err->text);
		snprintf(err->text + used, sizeof(err->text) - used, "%s%s",
			 i ? ", " : "; the columns are ", words[i]);
	}
	return -1;
}

static int add_column(struct columns *columns, struct piece word, struct error *err)
{
	if (columns->count == COLUMNS_MAX)
		return error_set(err, "column map: more than %d columns", COLUMNS_MAX);
	for (size_t i = 0; i < MAP_WORDS; i++)
		if (piece_is(word, map_words[i].word)) {
			columns->column[columns->count++] = map_words[i].column;
			return 0;
		}
	return unknown_word(word, err);
}

static unsigned kinds_named(const struct columns *columns)
{
	unsigned kinds = 0;

	for (unsigned i = 0; i < columns->count; i++)
		kinds |= 1U << columns->column[i].kind;
	return kinds;
}

static int check_complete(const struct columns *columns, struct error *err)
{
	unsigned kinds = kinds_named(columns);

	if (!(kinds & (1U << COLUMN_TIME | 1U << COLUMN_END | 1U << COLUMN_GAP)))
		return error_set(err, "column map: no time column: name one time_us, end_us or "
				      "gap_us (or _s, _ms, _ns, _100ns, _filetime)");
	if (!(kinds & 1U << COLUMN_OP))
		return error_set(err, "column map: no column says what is done: name one op, "
				      "op_rwbs, op_scsi, op_read1 or op_write1");
	if (!(kinds & 1U << COLUMN_OFFSET))
		return error_set(err, "column map: no offset column: name one offset_b, "
				      "offset_sector, offset_kib or offset_hex");
	if (!(kinds & 1U << COLUMN_LENGTH))
		return error_set(err, "column map: no length column: name one len_b, len_sector, "
				      "len_kib or len_hex");
	return 0;
}

static char separator_of(const char *map)
{
	static const char separators[] = ";\t, ";
	size_t i;

	for (i = 0; separators[i]; i++)
		if (strchr(map, separators[i]))
			return separators[i];
	return ',';
}

int columns_parse(const char *map, struct columns *columns, struct error *err)
{
	struct piece rest = piece_of(map);

	*columns = (struct columns){.separator = separator_of(map), .join = ','};
	while (rest.at < rest.end) {
		struct piece word = columns->separator == ' '
					    ? piece_word(&rest)
					    : piece_field(&rest, columns->separator);

		columns->more = piece_is(word, "...");
		if (columns->more && rest.at == rest.end)
			break;
		if (add_column(columns, word, err))
			return -1;
	}
	return check_complete(columns, err);
}
