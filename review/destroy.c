/* SPDX-License-Identifier: GPL-2.0-only */
/* May this target be written over? Only when the user names it by what no other drive shares. */
#include <dirent.h>
#include <string.h>

#include "base/number.h"
#include "review/review.h"

/* A path of several to one namespace: the kernel lists it beside that, and it has no node in /dev.
 */
static bool is_hidden(const char *disk)
{
	char line[8];

	sys_line(line, sizeof(line), "/sys/block/%s/hidden", disk);
	return line[0] == '1';
}

/* How many disks of this machine have the serial number. */
static unsigned count_serial(const char *serial)
{
	DIR *folder = opendir("/sys/block");
	struct dirent *entry;
	unsigned found = 0;

	while (folder && (entry = readdir(folder))) {
		char line[96];

		sys_line(line, sizeof(line), "/sys/block/%s/device/serial", entry->d_name);
		if (!line[0])
			sys_line(line, sizeof(line), "/sys/block/%s/serial", entry->d_name);
		found += !strcmp(line, serial) && !is_hidden(entry->d_name);
	}
	if (folder)
		closedir(folder);
	return found;
}

/*
 * The serial when it is this drive's alone, else the by-id name, else the kernel's name; of files,
 * and so of simulated drives, whose serials are shared, the path.
 */
static const char *word_to_destroy(const struct target *target)
{
	if (target->kind != TARGET_DEVICE)
		return target->path;
	if (target->serial[0] && count_serial(target->serial) == 1)
		return target->serial;
	return target->by_id[0] ? target->by_id : target->name;
}

void target_print_device(const struct target *target, FILE *out)
{
	char size[NUMBER_ROOM], quoted[SHELL_WORD_ROOM];

	fprintf(out, "Drive       %s\n", target->model[0] ? target->model : target->name);
	fprintf(out, "Serial      %s\n", target->serial[0] ? target->serial : "n/a");
	fprintf(out, "Size        %s\n", number_bytes((double)target->bytes, size));
	print_what_is_lost(target, out);
	fprintf(out, "To write    --destroy %s\n", shell_word(word_to_destroy(target), quoted));
	fflush(out);
}

int target_check_word(const struct target *target, const char *destroy, struct error *err)
{
	const char *word = word_to_destroy(target);
	char quoted[SHELL_WORD_ROOM];

	if (!destroy || !strcmp(destroy, word))
		return 0;
	return error_set(err, "--destroy %s does not name %s alone; it is --destroy %s", destroy,
			 target->path, shell_word(word, quoted));
}

/* Of a device always; of a file unless this very review made it; a simulated drive holds no data of
 * anybody's. */
static bool needs_word(const struct target *target, bool made_before)
{
	return target->exists &&
	       (target->kind == TARGET_DEVICE || (target->kind == TARGET_FILE && !made_before));
}

int target_allow_writing(const struct target *target, const char *destroy, bool made_before,
			 FILE *out, struct error *err)
{
	char quoted[SHELL_WORD_ROOM];

	if (target->kind == TARGET_DEVICE)
		target_print_device(target, out);
	if (target_check_word(target, destroy, err))
		return -1;
	if (destroy || !needs_word(target, made_before))
		return 0;
	shell_word(word_to_destroy(target), quoted);
	if (target->kind == TARGET_FILE)
		return error_set(err,
				 "%s exists and would be written over: remove it, name another "
				 "file, or say --destroy %s",
				 target->path, quoted);
	return error_set(err, "everything on %s would be lost; if that is meant, say --destroy %s",
			 target->path, quoted);
}
