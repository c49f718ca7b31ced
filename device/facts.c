/* SPDX-License-Identifier: GPL-2.0-only */
/* Facts in JSON, and what is missing. */
#include "device/facts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define LARGEST_EXACT 9007199254740992.0 /* 2^53: beyond it a double skips whole numbers */

void fact_missing(json_t *facts, const char *key, const char *reason)
{
	json_object_set_new(facts, key, json_sprintf("n/a (%s)", reason));
}

void fact_text(json_t *facts, const char *key, const char *value, const char *reason)
{
	json_t *text = value[0] ? json_string(value) : NULL;

	if (text)
		json_object_set_new(facts, key, text);
	else
		fact_missing(facts, key, value[0] ? "not readable as text" : reason);
}

void fact_number(json_t *facts, const char *key, double value, const char *reason)
{
	if (!isfinite(value))
		fact_missing(facts, key, reason);
	else if (value == floor(value) && fabs(value) <= LARGEST_EXACT)
		json_object_set_new(facts, key, json_integer((json_int_t)value));
	else
		json_object_set_new(facts, key, json_real(value));
}

void fact_flag(json_t *facts, const char *key, bool value)
{
	json_object_set_new(facts, key, json_boolean(value));
}

bool fact_is_missing(const json_t *fact)
{
	const char *text = json_string_value(fact);

	return text && !strncmp(text, "n/a (", strlen("n/a ("));
}

bool fact_needs_root(const json_t *fact)
{
	const char *text = json_string_value(fact);

	return text && !strcmp(text, "n/a (" NEEDS_ROOT ")");
}

double fact_value(const json_t *facts, const char *key)
{
	const json_t *fact = json_object_get(facts, key);

	return json_is_number(fact) ? json_number_value(fact) : NAN;
}

const char *fact_words(const json_t *facts, const char *key)
{
	const char *text = json_string_value(json_object_get(facts, key));

	return text ? text : "";
}

void link_words(const json_t *facts, const char *which, char *text, size_t room)
{
	char speed[32], width[32];
	const char *words;

	snprintf(speed, sizeof(speed), "%s_link_speed", which);
	snprintf(width, sizeof(width), "%s_link_width", which);
	words = fact_words(facts, speed);
	text[0] = '\0';
	if (words[0] && !fact_is_missing(json_object_get(facts, speed)))
		snprintf(text, room, "%.*s x%s",
			 (int)strcspn(words, "P") - (strstr(words, " P") != NULL), words,
			 fact_words(facts, width));
}
