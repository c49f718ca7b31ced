/* SPDX-License-Identifier: GPL-2.0-only */
/* What a purge did, as JSON: purge.json of a review, and `ssdreview purge --json`. */
#include <math.h>
#include <string.h>
#include <time.h>

#include "review/purge.h"

/* A name that firmware gave need not be UTF-8. */
static json_t *text_or_null(const char *text)
{
	json_t *value = text[0] ? json_string(text) : NULL;

	return value ? value : json_null();
}

static json_t *number_or_null(double value)
{
	return isnan(value) ? json_null() : json_real(value);
}

static json_t *describe_target(const struct target *target, const char *asked, const char *method)
{
	json_t *root = json_object();

	json_object_set_new(root, "version", json_integer(1));
	json_object_set_new(root, "target", text_or_null(target->path));
	json_object_set_new(root, "target_kind", json_string(target_kind_word(target)));
	json_object_set_new(root, "model", text_or_null(target->model));
	json_object_set_new(root, "serial", text_or_null(target->serial));
	json_object_set_new(root, "firmware", text_or_null(target->firmware));
	json_object_set_new(root, "asked", json_string(asked));
	json_object_set_new(root, "method", json_string(method));
	json_object_set_new(root, "ended", time_json(time(NULL)));
	return root;
}

static json_t *geometry(const struct purge_geometry *geometry)
{
	json_t *object;

	if (!geometry->bytes)
		return json_null();
	object = json_object();
	json_object_set_new(object, "bytes", json_integer((json_int_t)geometry->bytes));
	json_object_set_new(object, "block_bytes", json_integer(geometry->block_bytes));
	return object;
}

static json_t *sanitize(const struct sanitize_status *status)
{
	static const char *const states[] = {"never", "done", "running", "failed"};
	json_t *object = json_object();

	json_object_set_new(object, "state", json_string(states[status->state]));
	json_object_set_new(object, "sstat", json_integer(status->sstat));
	json_object_set_new(object, "global_data_erased", json_boolean(status->global_data_erased));
	return object;
}

static json_t *check(const struct purge_check *check)
{
	json_t *object;

	if (!check->samples)
		return json_null();
	object = json_object();
	json_object_set_new(object, "passed", json_boolean(check->passed));
	json_object_set_new(object, "samples", json_integer(check->samples));
	json_object_set_new(object, "zeroes", json_integer(check->zeroes));
	json_object_set_new(object, "ones", json_integer(check->ones));
	json_object_set_new(object, "other", json_integer(check->other));
	json_object_set_new(object, "unchanged", json_integer(check->unchanged));
	json_object_set_new(object, "unreadable", json_integer(check->unreadable));
	json_object_set_new(object, "blank_before", json_integer(check->blank));
	json_object_set_new(object, "text", json_string(check->text));
	return object;
}

/* Who else was erased: nobody, when the method reaches this namespace alone. */
static json_t *others(const struct purge_drive *drive, enum purge_method method)
{
	json_t *list = json_array();
	unsigned i;

	for (i = 0; drive->hits_others[method] && i < drive->other_count; i++) {
		const struct purge_namespace *other = &drive->others[i];

		json_array_append_new(list, other->name[0]
						    ? json_string(other->name)
						    : json_sprintf("namespace %u", other->nsid));
	}
	return list;
}

static const char *note(const struct target *target, const struct purge_drive *drive)
{
	if (drive->is_file)
		return "holes were punched; whether a drive below hears of it is its file system's "
		       "affair";
	if (target->is_loop)
		return "a loop device: its file was emptied, no drive erased";
	return drive->is_nvme ? "" : "ATA secure erase was not done: the drive was trimmed";
}

json_t *purge_record(const struct target *target, const struct purge_drive *drive,
		     enum purge_method asked, const struct purge_result *result, const char *failed)
{
	json_t *root = describe_target(target, purge_method_word(asked),
				       purge_method_word(result->method));

	json_object_set_new(root, "seconds", json_real(result->seconds));
	json_object_set_new(root, "estimate_s", number_or_null(drive->estimate_s[result->method]));
	json_object_set_new(root, "refused", json_array());
	json_object_set_new(root, "was_running", json_boolean(result->was_running));
	json_object_set_new(root, "also_erased", others(drive, result->method));
	json_object_set_new(root, "before", geometry(&result->before));
	json_object_set_new(root, "after", geometry(&result->after));
	json_object_set_new(root, "sanitize",
			    result->has_sanitize ? sanitize(&result->sanitize) : json_null());
	json_object_set_new(root, "check", check(&result->check));
	json_object_set_new(root, "note", text_or_null(note(target, drive)));
	json_object_set_new(root, "failed", text_or_null(failed ? failed : ""));
	return root;
}

json_t *purge_record_simulated(const struct target *target)
{
	json_t *root = describe_target(target, purge_method_word(PURGE_AUTO), PURGE_SIMULATED);

	json_object_set_new(root, "failed", json_null());
	return root;
}
