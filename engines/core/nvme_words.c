/* SPDX-License-Identifier: GPL-2.0-only */
/* The words and lists in options of NVMe commands. */
#include "engines/core/nvme_words.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engines/core/nvme_command.h"

int nvme_parse_checks(const char *words, uint32_t *control, struct error *err)
{
	static const char *const known[] = {"GUARD", "REFTAG", "APPTAG"};
	static const uint32_t bits[] = {NVME_CONTROL_CHECK_GUARD, NVME_CONTROL_CHECK_REF,
					NVME_CONTROL_CHECK_APP};
	char word[32];
	size_t length, i;

	*control = 0;
	while (words && *words) {
		length = strcspn(words, ", ");
		snprintf(word, sizeof(word), "%.*s", (int)length, words);
		words += length + strspn(words + length, ", ");
		if (!word[0])
			continue;
		for (i = 0; i < COUNT(known) && strcasecmp(word, known[i]) != 0; i++)
			;
		if (i == COUNT(known))
			return error_unknown(err, "pi_chk=", word, known, COUNT(known));
		*control |= bits[i];
	}
	return 0;
}

int nvme_parse_ids(const char *words, uint16_t *ids, unsigned room, unsigned *count,
		   struct error *err)
{
	char *end;

	*count = 0;
	while (words && *words) {
		unsigned long id;

		errno = 0;
		id = strtoul(words, &end, 0);
		if (end == words || errno || id > UINT16_MAX || (*end && !strchr(":,", *end)))
			return error_set(err,
					 "plids=...%s is no list of identifiers: give numbers from "
					 "0 to 65,535, as 0:1:2",
					 words);
		if (*count == room)
			return error_set(err, "plids= names more than %u identifiers", room);
		ids[(*count)++] = (uint16_t)id;
		words = end + (*end != '\0');
	}
	return 0;
}
