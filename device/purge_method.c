/* SPDX-License-Identifier: GPL-2.0-only */
/* The methods of a purge: their words, which of them a drive has, and which one is taken. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "device/purge_internal.h"

static const struct {
	const char *word, *meaning;
} methods[PURGE_METHODS] = {
	[PURGE_AUTO] = {"auto", "the best the drive has"},
	[PURGE_SANITIZE_CRYPTO] = {"sanitize-crypto", "the key of all that was written is changed"},
	[PURGE_SANITIZE_BLOCK] = {"sanitize-block",
				  "all flash is erased, also what no address leads to"},
	[PURGE_SANITIZE_OVERWRITE] = {"sanitize-overwrite",
				      "all flash is written over once, which wears it"},
	[PURGE_FORMAT_CRYPTO] = {"format-crypto", "the key of the namespace is changed"},
	[PURGE_FORMAT_USER] = {"format-user", "the namespace is erased by a format"},
	[PURGE_DEALLOCATE] =
		{"deallocate",
		 "every block is trimmed; what the drive then erases is its own affair"},
};

/*
 * Best first. Erased flash is what a new drive has; a changed key leaves that to be done later,
 * perhaps during the test. Writing over is never taken unasked: it wears the drive and leaves it
 * full. Deallocation is a hint.
 */
static const enum purge_method best_first[] = {
	PURGE_SANITIZE_BLOCK, PURGE_SANITIZE_CRYPTO, PURGE_FORMAT_USER,
	PURGE_FORMAT_CRYPTO,  PURGE_DEALLOCATE,	     PURGE_SANITIZE_OVERWRITE,
};

const char *purge_method_word(enum purge_method method)
{
	return methods[method].word;
}

const char *purge_method_meaning(enum purge_method method)
{
	return methods[method].meaning;
}

int purge_method_parse(const char *word, enum purge_method *method, struct error *err)
{
	const char *words[PURGE_METHODS];
	size_t i;

	for (i = 0; i < PURGE_METHODS; i++) {
		words[i] = methods[i].word;
		if (!strcmp(word, words[i])) {
			*method = (enum purge_method)i;
			return 0;
		}
	}
	return error_unknown(err, "method", word, words, PURGE_METHODS);
}

bool purge_is_sanitize(enum purge_method method)
{
	return method == PURGE_SANITIZE_CRYPTO || method == PURGE_SANITIZE_BLOCK ||
	       method == PURGE_SANITIZE_OVERWRITE;
}

/* ---- what a drive has ----------------------------------------------------------------------- */

static double estimate(const struct nvme_sanitize_log_page *log, const __le32 *seconds)
{
	return log && le32toh(*seconds) != UINT32_MAX ? le32toh(*seconds) : NAN;
}

/* A sanitize is the whole NVM subsystem's; FNA says whose a format is. */
static void read_reach(const struct nvme_id_ctrl *controller, struct purge_drive *drive)
{
	unsigned i;
	bool formats_all = controller->fna &
			   (NVME_CTRL_FNA_FMT_ALL_NAMESPACES | NVME_CTRL_FNA_SEC_ALL_NAMESPACES);

	for (i = 0; i < PURGE_METHODS; i++)
		drive->hits_others[i] = drive->other_count && purge_is_sanitize(i);
	drive->hits_others[PURGE_FORMAT_USER] = drive->other_count && formats_all;
	drive->hits_others[PURGE_FORMAT_CRYPTO] = drive->other_count && formats_all;
}

/* Until a sanitize ends well a drive takes nothing else. */
static void read_failure(const struct nvme_sanitize_log_page *log, struct purge_drive *drive)
{
	struct sanitize_status status;
	unsigned i;

	sanitize_read_log(log, &status);
	drive->sanitize_failed = status.state == SANITIZE_FAILED;
	drive->restricted = drive->sanitize_failed && !status.unrestricted;
	for (i = 0; drive->sanitize_failed && i < PURGE_METHODS; i++)
		drive->can[i] &= purge_is_sanitize(i);
}

void purge_read_abilities(const struct nvme_id_ctrl *controller, const struct nvme_id_ns *ns,
			  const struct nvme_sanitize_log_page *log, struct purge_drive *drive)
{
	uint32_t sanicap = le32toh(controller->sanicap);
	bool formats = le16toh(controller->oacs) & NVME_CTRL_OACS_FORMAT;
	unsigned reads = ns->dlfeat & NVME_NS_DLFEAT_RB;

	drive->can[PURGE_SANITIZE_CRYPTO] = sanicap & NVME_CTRL_SANICAP_CES;
	drive->can[PURGE_SANITIZE_BLOCK] = sanicap & NVME_CTRL_SANICAP_BES;
	drive->can[PURGE_SANITIZE_OVERWRITE] = sanicap & NVME_CTRL_SANICAP_OWS;
	drive->can[PURGE_FORMAT_USER] = formats;
	drive->can[PURGE_FORMAT_CRYPTO] = formats && controller->fna & NVME_CTRL_FNA_CRYPTO_ERASE;
	drive->estimate_s[PURGE_SANITIZE_CRYPTO] = estimate(log, log ? &log->etce : NULL);
	drive->estimate_s[PURGE_SANITIZE_BLOCK] = estimate(log, log ? &log->etbe : NULL);
	drive->estimate_s[PURGE_SANITIZE_OVERWRITE] = estimate(log, log ? &log->eto : NULL);
	drive->reads = reads == NVME_NS_DLFEAT_RB_ALL_0S   ? PURGE_READS_ZEROES
		       : reads == NVME_NS_DLFEAT_RB_ALL_FS ? PURGE_READS_ONES
							   : PURGE_READS_ANYTHING;
	drive->format = *ns;
	read_reach(controller, drive);
	if (log)
		read_failure(log, drive);
}

/* ---- lists in sentences --------------------------------------------------------------------- */

/* Joins with commas, and "and" before the last. */
static void list_add(char *text, size_t room, unsigned at, unsigned count, const char *word)
{
	text_append(text, room, "%s%s", at == 0 ? "" : at + 1 == count ? " and " : ", ", word);
}

void purge_list_methods(const struct purge_drive *drive, char *text, size_t room)
{
	unsigned count = 0, at = 0, i;

	text[0] = '\0';
	for (i = 0; i < COUNT(best_first); i++)
		count += drive->can[best_first[i]];
	for (i = 0; i < COUNT(best_first); i++)
		if (drive->can[best_first[i]])
			list_add(text, room, at++, count, methods[best_first[i]].word);
	if (!count)
		snprintf(text, room, "nothing");
}

void purge_list_others(const struct purge_drive *drive, char *text, size_t room)
{
	unsigned i;

	text[0] = '\0';
	for (i = 0; i < drive->other_count; i++) {
		const struct purge_namespace *other = &drive->others[i];
		char name[80];

		if (other->name[0])
			snprintf(name, sizeof(name), "%s", other->name);
		else
			snprintf(name, sizeof(name), "namespace %u (no block device here)",
				 other->nsid);
		list_add(text, room, i, drive->other_count, name);
	}
}

/* ---- the choice ----------------------------------------------------------------------------- */

/* The best method for this namespace, with or without the others. */
static enum purge_method best(const struct purge_drive *drive, bool all_namespaces)
{
	unsigned i;

	for (i = 0; i < COUNT(best_first); i++) {
		enum purge_method method = best_first[i];

		if (drive->can[method] && method != PURGE_SANITIZE_OVERWRITE &&
		    (all_namespaces || !drive->hits_others[method]))
			return method;
	}
	return PURGE_AUTO;
}

enum purge_method purge_left_out(const struct purge_drive *drive, enum purge_method chosen)
{
	enum purge_method better = best(drive, true);

	return better == chosen || !drive->hits_others[better] ? PURGE_AUTO : better;
}

static int refuse_missing(const struct purge_drive *drive, enum purge_method asked,
			  struct error *err)
{
	char has[160];

	purge_list_methods(drive, has, sizeof(has));
	if (drive->no_nvme[0])
		return error_set(err, "%s cannot be asked for %s: %s", drive->path,
				 methods[asked].word, drive->no_nvme);
	if (drive->is_partition && asked != PURGE_DEALLOCATE)
		return error_set(err,
				 "%s is a partition, and %s is for whole drives; name the drive",
				 drive->path, methods[asked].word);
	if (!drive->is_nvme && asked != PURGE_DEALLOCATE)
		return error_set(err,
				 "%s is for NVMe drives; %s is none, and has %s (ATA secure erase "
				 "is not done here)",
				 methods[asked].word, drive->path, has);
	return error_set(err, "%s has no %s; it has %s", drive->path, methods[asked].word, has);
}

static int refuse_others(const struct purge_drive *drive, enum purge_method asked,
			 struct error *err)
{
	enum purge_method alone = best(drive, false);
	char others[400], instead[64] = "";

	purge_list_others(drive, others, sizeof(others));
	if (alone != PURGE_AUTO)
		snprintf(instead, sizeof(instead), ", or --method %s", methods[alone].word);
	return error_set(err,
			 "%s of %s would erase %s too; if that is meant, say --all-namespaces%s",
			 methods[asked].word, drive->name, others, instead);
}

static int refuse_all(const struct purge_drive *drive, struct error *err)
{
	if (drive->can[PURGE_SANITIZE_OVERWRITE])
		return error_set(err,
				 "%s has sanitize-overwrite alone, which wears it: name it with "
				 "--method if that is meant",
				 drive->path);
	return error_set(err, "%s cannot be purged: it takes no trims%s%s", drive->path,
			 drive->no_nvme[0] ? "; " : "", drive->no_nvme);
}

int purge_choose(const struct purge_drive *drive, enum purge_method asked, bool all_namespaces,
		 enum purge_method *chosen, struct error *err)
{
	*chosen = asked == PURGE_AUTO ? best(drive, all_namespaces) : asked;
	if (*chosen == PURGE_AUTO && best(drive, true) != PURGE_AUTO)
		return refuse_others(drive, best(drive, true), err);
	if (*chosen == PURGE_AUTO) {
		return refuse_all(drive, err);
	}
	if (!drive->can[*chosen])
		return refuse_missing(drive, *chosen, err);
	if (drive->hits_others[*chosen] && !all_namespaces)
		return refuse_others(drive, *chosen, err);
	return 0;
}
