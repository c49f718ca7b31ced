/* SPDX-License-Identifier: GPL-2.0-only */
/* Models by their words, in the drives folder ($SSDREVIEW_DRIVES, the tree's, the installed one).
 */
#include "base/shipped.h"
#include "engines/sim/model_find.h"
#include "engines/sim/sim.h"

static const struct shipped_folder drives = {
	.what = "drive model",
	.suffix = MODEL_SUFFIX,
	.variable = "SSDREVIEW_DRIVES",
	.in_tree = "engines/sim/drives",
	.installed = SSDREVIEW_DATADIR "/drives",
};

int sim_model_list(char ***words, size_t *count, struct error *err)
{
	return shipped_words(&drives, words, count, err);
}

int model_find(const char *word_or_path, char *path, size_t room, struct error *err)
{
	return shipped_find(&drives, word_or_path, path, room, err);
}
