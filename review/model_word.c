/* SPDX-License-Identifier: GPL-2.0-only */
/* A model of a simulated drive where the drive itself is asked for: what to do. */
#include <string.h>
#include <unistd.h>

#include "engines/sim/sim.h"
#include "review/review.h"

static int refuse(const char *word, const char *model, struct error *err)
{
	char quoted[SHELL_WORD_ROOM];

	return error_set(err,
			 "%s is a model of a simulated drive, not a drive: make one with ssdreview "
			 "sim new %s -o FILE, and name FILE",
			 word, shell_word(model, quoted));
}

int model_word_refuse(const char *word, struct error *err)
{
	bool is_said = !strncmp(word, "sim:", 4);
	const char *name = is_said ? word + 4 : word;
	struct sim_model *model;

	if (!access(word, F_OK))
		return sim_is_model_file(word) ? refuse(word, word, err) : 0;
	if (sim_model_load(name, &model, is_said ? err : NULL))
		return is_said ? -1 : 0;
	sim_model_free(model);
	return refuse(word, name, err);
}
