/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What is known of a drive, one fact a key of a JSON object. A fact that is missing is the text
 * "n/a (reason)": never 0, never left out.
 */
#ifndef SSDREVIEW_FACTS_H
#define SSDREVIEW_FACTS_H

#include <jansson.h>

#include "base/base.h"

/* The reason where root alone may ask; the page sums these up in its last line. */
#define NEEDS_ROOT "needs root"

/* A text; "" is missing. What is no UTF-8 is missing too. */
void fact_text(json_t *facts, const char *key, const char *value, const char *reason);
void fact_missing(json_t *facts, const char *key, const char *reason);
/* A number, whole when it is; NAN is missing. */
void fact_number(json_t *facts, const char *key, double value, const char *reason);
void fact_flag(json_t *facts, const char *key, bool value);
/* For printing: is it "n/a (...)"? */
bool fact_is_missing(const json_t *fact);
/* "n/a (needs root)"? */
bool fact_needs_root(const json_t *fact);
/* NAN when it is no number, or not there. */
double fact_value(const json_t *facts, const char *key);
/* "" when it is no text, or not there. */
const char *fact_words(const json_t *facts, const char *key);

/* "16.0 GT/s x4" of the PCIe link as it is ("current") or can be ("max"); "" when not known. */
void link_words(const json_t *facts, const char *which, char *text, size_t room);

#endif
