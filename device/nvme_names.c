/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where the kernel lists NVMe namespaces: /sys/dev/block and /sys/dev/char by number, and from
 * there /sys/class/nvme, /sys/class/nvme-subsystem (drivers/nvme/host/core.c, multipath.c).
 */
#include "device/nvme_names.h"

#include <dirent.h>
#include <errno.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

/* Reads the first line of sysfs/FOLDER/NAME/FILE, without spaces around it; false: not there. */
static bool read_line(const char *sysfs, const char *folder, const char *name, const char *file,
		      char *line, size_t room)
{
	char path[PATH_MAX], text[256] = "";
	size_t length;
	FILE *in;

	snprintf(path, sizeof(path), "%s/%s/%s/%s", sysfs, folder, name, file);
	in = fopen(path, "re");
	if (!in)
		return false;
	if (!fgets(text, sizeof(text), in))
		text[0] = '\0';
	fclose(in);
	length = strcspn(text, "\n");
	while (length && text[length - 1] == ' ')
		length--;
	text[length] = '\0';
	snprintf(line, room, "%s", text + strspn(text, " "));
	return true;
}

static dev_t number_of(const char *sysfs, const char *folder, const char *name)
{
	unsigned major_number, minor_number;
	char line[32];

	if (!read_line(sysfs, folder, name, "dev", line, sizeof(line)) ||
	    sscanf(line, "%u:%u", &major_number, &minor_number) != 2)
		return 0;
	return makedev(major_number, minor_number);
}

/* The last part of where a link in sysfs leads; false when it is no link. */
static bool link_name(const char *path, char *name, size_t room)
{
	char link[PATH_MAX];
	ssize_t length = readlink(path, link, sizeof(link) - 1);

	if (length < 0)
		return false;
	link[length] = '\0';
	snprintf(name, room, "%.*s", (int)room - 1, basename(link));
	return true;
}

/* nvme0n1 is a namespace; nvme0c1n1 a path to one, nvme0n1p1 a partition, nvme0 a controller. */
static bool is_namespace(const char *name, const char *prefix)
{
	unsigned controller, namespace;
	char pattern[32];
	int end = 0;

	snprintf(pattern, sizeof(pattern), "%s%%un%%u%%n", prefix);
	return sscanf(name, pattern, &controller, &namespace, &end) == 2 && !name[end];
}

static bool is_path(const char *name)
{
	unsigned subsystem, controller, namespace;
	int end = 0;

	return sscanf(name, "nvme%uc%un%u%n", &subsystem, &controller, &namespace, &end) == 3 &&
	       !name[end];
}

static bool is_controller(const char *name)
{
	unsigned controller;
	int end = 0;

	return sscanf(name, "nvme%u%n", &controller, &end) == 1 && !name[end];
}

/* The kernel's name of a device; false when it lists none of that number. */
static bool kernel_name(const char *sysfs, mode_t kind, dev_t number, char *name, size_t room)
{
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/dev/%s/%u:%u", sysfs, S_ISBLK(kind) ? "block" : "char",
		 major(number), minor(number));
	return link_name(path, name, room);
}

bool nvme_is_generic(const char *sysfs, mode_t kind, dev_t number)
{
	char name[NAME_MAX + 1];

	return S_ISCHR(kind) && kernel_name(sysfs, kind, number, name, sizeof(name)) &&
	       is_namespace(name, "ng");
}

/* A partition, a controller and a path are NVMe too, but not what is meant. */
static int refuse_name(const char *name, struct error *err)
{
	const char *behind_ns;
	unsigned a, b;
	int end = 0;

	if (sscanf(name, "nvme%un%up%n", &a, &b, &end) == 2 && end) {
		behind_ns = name + end - 1;
		return error_set(err, "%s is a partition: name its namespace %.*s", name,
				 (int)(behind_ns - name), name);
	}
	if (is_path(name))
		return error_set(err, "%s is one path of several to a namespace: name that", name);
	if (is_controller(name))
		return error_set(err,
				 "%s is a controller: name one of its namespaces, such as %sn1",
				 name, name);
	return error_set(err, "%s is no NVMe namespace", name);
}

static void sort_controllers(struct nvme_names *names)
{
	qsort(names->controllers, names->controller_count, NVME_NAME_BYTES,
	      (int (*)(const void *, const void *))strverscmp);
}

/* Controllers of a subsystem: the links nvme0, nvme1 in its folder. */
static void list_controllers(const char *sysfs, struct nvme_names *names)
{
	char path[PATH_MAX];
	struct dirent *entry;
	DIR *listing;

	snprintf(path, sizeof(path), "%s/class/nvme-subsystem/%s", sysfs, names->subsystem);
	listing = opendir(path);
	while (listing && (entry = readdir(listing)) &&
	       names->controller_count < NVME_CONTROLLERS_MAX) {
		if (is_controller(entry->d_name))
			snprintf(names->controllers[names->controller_count++], NVME_NAME_BYTES,
				 "%.*s", NVME_NAME_BYTES - 1, entry->d_name);
	}
	if (listing)
		closedir(listing);
	sort_controllers(names);
}

/* The subsystem in whose folder the controller stands; "" on kernels that show none. */
static void find_subsystem(const char *sysfs, const char *controller, struct nvme_names *names)
{
	char path[PATH_MAX];
	struct dirent *entry;
	DIR *listing;

	snprintf(path, sizeof(path), "%s/class/nvme-subsystem", sysfs);
	listing = opendir(path);
	while (listing && !names->subsystem[0] && (entry = readdir(listing))) {
		snprintf(path, sizeof(path), "%s/class/nvme-subsystem/%s/%s", sysfs, entry->d_name,
			 controller);
		if (entry->d_name[0] != '.' && !access(path, F_OK))
			snprintf(names->subsystem, sizeof(names->subsystem), "%.*s",
				 NVME_NAME_BYTES - 1, entry->d_name);
	}
	if (listing)
		closedir(listing);
}

/* The folder of a namespace's devices is its controller's or its subsystem's. */
static int find_owner(const char *sysfs, struct nvme_names *names, struct error *err)
{
	char path[PATH_MAX], owner[NVME_NAME_BYTES];

	snprintf(path, sizeof(path), "%s/class/block/%s/device", sysfs, names->block);
	if (!link_name(path, owner, sizeof(owner))) {
		snprintf(path, sizeof(path), "%s/class/nvme-generic/%s/device", sysfs,
			 names->generic);
		if (!link_name(path, owner, sizeof(owner)))
			return error_set(err, "the kernel names no controller of %s", names->block);
	}
	if (is_controller(owner)) {
		snprintf(names->controllers[names->controller_count++], NVME_NAME_BYTES, "%s",
			 owner);
		find_subsystem(sysfs, owner, names);
		return 0;
	}
	names->is_multipath = true;
	snprintf(names->subsystem, sizeof(names->subsystem), "%s", owner);
	list_controllers(sysfs, names);
	if (!names->controller_count)
		return error_set(err, "%s has no controller that is alive", names->block);
	return 0;
}

static void read_identity(const char *sysfs, struct nvme_names *names)
{
	const char *controller = names->controllers[0];
	char line[32];

	if (read_line(sysfs, "class/block", names->block, "nsid", line, sizeof(line)) ||
	    read_line(sysfs, "class/nvme-generic", names->generic, "nsid", line, sizeof(line)))
		names->nsid = (uint32_t)strtoul(line, NULL, 10);
	read_line(sysfs, "class/nvme", controller, "serial", names->serial, sizeof(names->serial));
	read_line(sysfs, "class/nvme", controller, "model", names->model, sizeof(names->model));
	read_line(sysfs, "class/nvme", controller, "firmware_rev", names->firmware,
		  sizeof(names->firmware));
}

/* From one name to all: nvme0n1 and ng0n1 differ by their beginning alone. */
static int fill_names(const char *sysfs, const char *numbers, struct nvme_names *names,
		      struct error *err)
{
	memset(names, 0, sizeof(*names));
	snprintf(names->block, sizeof(names->block), "nvme%s", numbers);
	snprintf(names->generic, sizeof(names->generic), "ng%s", numbers);
	names->block_number = number_of(sysfs, "class/block", names->block);
	names->generic_number = number_of(sysfs, "class/nvme-generic", names->generic);
	if (find_owner(sysfs, names, err))
		return -1;
	read_identity(sysfs, names);
	if (!names->generic_number)
		names->generic[0] = '\0';
	return 0;
}

int nvme_names_find(const char *sysfs, mode_t kind, dev_t number, struct nvme_names *names,
		    struct error *err)
{
	char name[NVME_NAME_BYTES];

	if (!kernel_name(sysfs, kind, number, name, sizeof(name)))
		return error_set(err, "the kernel lists no %s device %u:%u in %s",
				 S_ISBLK(kind) ? "block" : "character", major(number),
				 minor(number), sysfs);
	if (S_ISBLK(kind) && is_namespace(name, "nvme"))
		return fill_names(sysfs, name + strlen("nvme"), names, err);
	if (S_ISCHR(kind) && is_namespace(name, "ng"))
		return fill_names(sysfs, name + strlen("ng"), names, err);
	return refuse_name(name, err);
}

int nvme_names_of_path(const char *path, struct nvme_names *names, struct error *err)
{
	struct stat st;

	if (stat(path, &st))
		return error_set(err, "%s: %s", path, strerror(errno));
	if (!S_ISBLK(st.st_mode) && !S_ISCHR(st.st_mode))
		return error_set(err,
				 "%s is no device; an NVMe namespace is /dev/ngXnY or "
				 "/dev/nvmeXnY",
				 path);
	if (nvme_names_find("/sys", st.st_mode, st.st_rdev, names, err))
		return error_prefix(err, "%s", path);
	return 0;
}

/* Whose folder is looked into, and who must be told. */
struct walk {
	const char *sysfs;
	const struct nvme_names *names;
	nvme_visit *visit;
	void *context;
};

static int is_namespace_entry(const struct dirent *entry)
{
	return is_namespace(entry->d_name, "nvme");
}

static int visit_folder(const struct walk *walk, const char *class, const char *owner)
{
	struct dirent **entries;
	char path[PATH_MAX];
	int count, i, result = 0;

	snprintf(path, sizeof(path), "%s/class/%s/%s", walk->sysfs, class, owner);
	count = scandir(path, &entries, is_namespace_entry, versionsort);
	for (i = 0; i < count; i++) {
		if (!result && strcmp(entries[i]->d_name, walk->names->block) != 0)
			result = walk->visit(entries[i]->d_name, walk->context);
		free(entries[i]);
	}
	if (count >= 0)
		free(entries);
	return result;
}

int nvme_each_other(const char *sysfs, const struct nvme_names *names, nvme_visit *visit,
		    void *context)
{
	struct walk walk = {sysfs, names, visit, context};
	struct nvme_names all = {0};
	int result = 0;
	unsigned i;

	if (!names->subsystem[0])
		return visit_folder(&walk, "nvme", names->controllers[0]);
	memcpy(all.subsystem, names->subsystem, sizeof(all.subsystem));
	list_controllers(sysfs, &all);
	result = visit_folder(&walk, "nvme-subsystem", names->subsystem);
	for (i = 0; i < all.controller_count && !result; i++)
		result = visit_folder(&walk, "nvme", all.controllers[i]);
	return result;
}
