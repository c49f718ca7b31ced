/* SPDX-License-Identifier: GPL-2.0-only */
/* Where model files are found. */
#ifndef SSDREVIEW_SIM_MODEL_FIND_H
#define SSDREVIEW_SIM_MODEL_FIND_H

#include "base/base.h"

#define MODEL_SUFFIX ".model"

/*
 * The path of a model file: word_or_path itself when it has a '/' or holds .model and exists,
 * else WORD.model in the drives folder. An unknown word is answered with the nearest one.
 */
int model_find(const char *word_or_path, char *path, size_t room, struct error *err);

#endif
