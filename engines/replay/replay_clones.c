/* SPDX-License-Identifier: GPL-2.0-only */
/* How many clones a job plays: as many as it says, or as the region holds. */
#include <string.h>

#include "engines/replay/replay_load.h"
#include "engines/replay/replay_number.h"

/* Jobs that share a replay have equal shares of the region, and of linked clones each a base. */
static int count_held(struct replay_load *replay, struct replay_options *chosen, struct error *err)
{
	struct replay_options share = *chosen;

	share.region_bytes /= chosen->parts;
	if (chosen->fit != REPLAY_COMPACT)
		return error_set(err, "clones=auto needs fit=compact: only then is it known what a "
				      "clone takes");
	if (replay_footprint(replay->trace, &share, &replay->footprint, err))
		return -1;
	chosen->clones = replay_clones_held(&replay->footprint, share.region_bytes) * chosen->parts;
	return 0;
}

int replay_choose_clones(struct replay_load *replay, struct replay_options *chosen,
			 struct error *err)
{
	const char *text = replay->options->clones;

	chosen->clones = 1;
	replay->is_auto = text && !strcmp(text, "auto");
	if (replay->is_auto)
		return count_held(replay, chosen, err);
	if (replay_parse_count("clones", text, REPLAY_CLONES_LIMIT, &chosen->clones, NULL))
		return error_set(err,
				 "clones=%s is no number of clones: give 1 to %d, or auto for as "
				 "many as the region holds",
				 text, REPLAY_CLONES_LIMIT);
	return 0;
}
