/* SPDX-License-Identifier: GPL-2.0-only */
/* The names of fio's logs: BASE_TYPE[.JOB].log[.HOST][.gz]. */
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "postprocess/grow.h"
#include "postprocess/minutes_internal.h"

/* "_clat_hist" before "_clat", for the longer word decides. */
static const char *const endings[LOG_TYPES] = {[LOG_CLAT_HIST] = "_clat_hist",
					       [LOG_SLAT] = "_slat",
					       [LOG_CLAT] = "_clat",
					       [LOG_LAT] = "_lat",
					       [LOG_BW] = "_bw",
					       [LOG_IOPS] = "_iops"};

static bool take_ending(char *text, const char *ending)
{
	size_t bytes = strlen(text), tail = strlen(ending);

	if (bytes < tail || strcmp(text + bytes - tail, ending))
		return false;
	text[bytes - tail] = '\0';
	return true;
}

/* "run_clat.3" -> "run_clat" and 3. */
static unsigned take_job(char *text)
{
	char *dot = strrchr(text, '.'), *end;
	unsigned long job;

	if (!dot || !dot[1] || strspn(dot + 1, "0123456789") != strlen(dot + 1))
		return 0;
	job = strtoul(dot + 1, &end, 10);
	*dot = '\0';
	return job < UINT_MAX ? (unsigned)job : UINT_MAX;
}

/* The last ".log" ends the name, or a host follows it. */
static char *find_log(char *base)
{
	char *at = strstr(base, ".log"), *found = NULL;

	for (; at; at = strstr(at + 1, ".log"))
		if (!at[4] || at[4] == '.')
			found = at;
	return found;
}

bool log_name_parse(const char *path, struct log_name *name)
{
	char *log;
	int type;

	*name = (struct log_name){.job = 0};
	if (snprintf(name->path, sizeof(name->path), "%s", path) >= (int)sizeof(name->path))
		return false;
	strcpy(name->base, name->path);
	take_ending(name->base, ".gz");
	log = find_log(name->base);
	if (!log || strchr(log, '/'))
		return false;
	snprintf(name->host, sizeof(name->host), "%s", log[4] ? log + 5 : "");
	*log = '\0';
	name->job = take_job(name->base);
	for (type = 0; type < LOG_TYPES; type++)
		if (take_ending(name->base, endings[type])) {
			name->type = (enum log_type)type;
			return true;
		}
	return false;
}

bool is_fio_log(const char *path, char *base, size_t room)
{
	struct log_name name;
	bool is_log = log_name_parse(path, &name);

	snprintf(base, room, "%s", is_log ? name.base : "");
	return is_log;
}

static int add_name(struct log_set *set, const struct log_name *name)
{
	struct log_name *larger = list_grow(set->list, set->count, sizeof(*larger));

	if (!larger)
		return -1;
	set->list = larger;
	larger[set->count++] = *name;
	return 0;
}

static int by_job(const void *a, const void *b)
{
	const struct log_name *x = a, *y = b;
	int order = strcmp(x->host, y->host);

	if (x->job != y->job)
		return x->job < y->job ? -1 : 1;
	return order ? order : (int)x->type - (int)y->type;
}

static int add_entries(DIR *folder, const char *where, const char *base, struct log_set *set)
{
	struct log_name name;
	struct dirent *entry;
	char path[PATH_MAX];

	while ((entry = readdir(folder))) {
		if (snprintf(path, sizeof(path), "%s%s", where, entry->d_name) >= (int)sizeof(path))
			continue;
		if (log_name_parse(path, &name) && !strcmp(name.base, base) && add_name(set, &name))
			return -1;
	}
	return 0;
}

int log_set_find(const char *path, struct log_set *set, struct error *err)
{
	char where[512];
	struct log_name name;
	const char *slash = strrchr(path, '/');
	DIR *folder;
	int status;

	*set = (struct log_set){.count = 0};
	if (!log_name_parse(path, &name))
		return error_set(err, "%s is not named like one of fio's logs, NAME_clat.1.log",
				 path);
	snprintf(where, sizeof(where), "%.*s", slash ? (int)(slash + 1 - path) : 0, path);
	folder = opendir(where[0] ? where : ".");
	if (!folder)
		return error_set(err, "%s cannot be opened: %s", where, strerror(errno));
	status = add_entries(folder, where, name.base, set);
	closedir(folder);
	if (status)
		return error_set(err, "%s: not enough memory", path);
	if (!set->count)
		return error_set(err, "%s is not there", path);
	qsort(set->list, set->count, sizeof(*set->list), by_job);
	return 0;
}
