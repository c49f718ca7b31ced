/* SPDX-License-Identifier: GPL-2.0-only */
/* Which optional commands the drive has, and how it can be erased. */
#include <endian.h>

#include "device/device_internal.h"

/* A bit of a field of identify controller, and what it stands for. */
struct bit_word {
	uint32_t bit;
	const char *word;
};

static const struct bit_word io_commands[] = {
	{NVME_CTRL_ONCS_DSM, "dataset management"},
	{NVME_CTRL_ONCS_WRITE_ZEROES, "write zeroes"},
	{NVME_CTRL_ONCS_COMPARE, "compare"},
	{NVME_CTRL_ONCS_VERIFY, "verify"},
	{NVME_CTRL_ONCS_WRITE_UNCORRECTABLE, "write uncorrectable"},
	{NVME_CTRL_ONCS_COPY, "copy"},
	{NVME_CTRL_ONCS_RESERVATIONS, "reservations"},
	{NVME_CTRL_ONCS_TIMESTAMP, "timestamp"},
};

static const struct bit_word admin_commands[] = {
	{NVME_CTRL_OACS_FORMAT, "format"},
	{NVME_CTRL_OACS_SECURITY, "security send and receive"},
	{NVME_CTRL_OACS_FW, "firmware download"},
	{NVME_CTRL_OACS_NS_MGMT, "namespace management"},
	{NVME_CTRL_OACS_SELF_TEST, "self-test"},
	{NVME_CTRL_OACS_DIRECTIVES, "directives"},
};

/* Words of the bits that are set, or of those that are not. */
static json_t *bit_words(uint32_t bits, const struct bit_word *words, size_t count, bool set)
{
	json_t *list = json_array();
	size_t i;

	for (i = 0; i < count; i++)
		if (((bits & words[i].bit) != 0) == set)
			json_array_append_new(list, json_string(words[i].word));
	return list;
}

static json_t *erase_facts(const struct nvme_id_ctrl *controller)
{
	uint32_t sanitize = le32toh(controller->sanicap);
	json_t *facts = json_object();

	fact_flag(facts, "format", le16toh(controller->oacs) & NVME_CTRL_OACS_FORMAT);
	fact_flag(facts, "format_crypto", controller->fna & NVME_CTRL_FNA_CRYPTO_ERASE);
	fact_flag(facts, "format_erases_all_namespaces",
		  controller->fna &
			  (NVME_CTRL_FNA_FMT_ALL_NAMESPACES | NVME_CTRL_FNA_SEC_ALL_NAMESPACES));
	fact_flag(facts, "sanitize_crypto", sanitize & NVME_CTRL_SANICAP_CES);
	fact_flag(facts, "sanitize_block", sanitize & NVME_CTRL_SANICAP_BES);
	fact_flag(facts, "sanitize_overwrite", sanitize & NVME_CTRL_SANICAP_OWS);
	return facts;
}

void nvme_command_facts(const struct nvme_asked *asked, json_t *facts)
{
	uint32_t io = le16toh(asked->controller.oncs), admin = le16toh(asked->controller.oacs);
	json_t *has = bit_words(io, io_commands, COUNT(io_commands), true);
	json_t *lacks = bit_words(io, io_commands, COUNT(io_commands), false);
	json_t *more = bit_words(admin, admin_commands, COUNT(admin_commands), true);
	json_t *fewer = bit_words(admin, admin_commands, COUNT(admin_commands), false);
	json_t *commands = json_object();

	json_array_extend(has, more);
	json_array_extend(lacks, fewer);
	json_decref(more);
	json_decref(fewer);
	json_object_set_new(commands, "has", has);
	json_object_set_new(commands, "lacks", lacks);
	json_object_set_new(facts, "commands", commands);
	json_object_set_new(facts, "erase", erase_facts(&asked->controller));
}
