/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Made-up drives: what the kernel says of them, in a sysfs of the test's own, and what their
 * controllers answer (nvme_canned.h). An enterprise drive with everything, one as bare as QEMU's,
 * a worn consumer drive that uses the host's memory. Each test includes this once.
 */
#ifndef SSDREVIEW_DRIVE_FIXTURE_H
#define SSDREVIEW_DRIVE_FIXTURE_H

#include "tests/unit/nvme_canned.h"
#include "tests/unit/sysfs_fixture.h"

#include <endian.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "device/drive.h"

#define DISK	   "devices/pci/slot/nvme/nvme0/nvme0n1"
#define CONTROLLER "devices/pci/slot/nvme/nvme0"

static inline void put_queue(const char *disk, const char *block)
{
	char folder[128];

	snprintf(folder, sizeof(folder), "%s/queue", disk);
	put(folder, "logical_block_size", block);
	put(folder, "physical_block_size", "4096\n");
	put(folder, "max_hw_sectors_kb", "128\n");
	put(folder, "write_cache", "write back\n");
	put(folder, "scheduler", "[none] mq-deadline\n");
	put(folder, "discard_max_bytes", "2199023255040\n");
	put(folder, "rotational", "0\n");
}

/* One controller nvme0 with the namespace nvme0n1, device 259:0, in a PCIe slot. */
static inline void put_nvme(const char *model, const char *serial, const char *sectors,
			    const char *block, const char *width)
{
	put(DISK, "dev", "259:0\n");
	put(DISK, "size", sectors);
	put(DISK, "nsid", "1\n");
	put_queue(DISK, block);
	put(CONTROLLER, "model", model);
	put(CONTROLLER, "serial", serial);
	put(CONTROLLER, "firmware_rev", "FW1     \n");
	put(CONTROLLER, "transport", "pcie\n");
	put("devices/pci/slot", "current_link_speed", "16.0 GT/s PCIe\n");
	put("devices/pci/slot", "current_link_width", width);
	put("devices/pci/slot", "max_link_speed", "16.0 GT/s PCIe\n");
	put("devices/pci/slot", "max_link_width", "4\n");
	link_to(DISK, "device", "../../nvme0");
	link_to(CONTROLLER, "device", "../..");
	link_to("class/nvme", "nvme0", "../../" CONTROLLER);
	link_to("class/block", "nvme0n1", "../../" DISK);
	link_to("dev/block", "259:0", "../../" DISK);
}

static inline void put_sensor(const char *now, const char *warning)
{
	put(CONTROLLER "/hwmon2", "temp1_input", now);
	put(CONTROLLER "/hwmon2", "temp1_max", warning);
}

/* A SATA disk sda, device 8:0, with a partition sda1, 8:1. */
static inline void put_sata(void)
{
	static const char disk[] = "devices/pci/ata3/host2/target/2:0:0:0/block/sda";

	put(disk, "dev", "8:0\n");
	put(disk, "size", "1953525168\n");
	put_queue(disk, "512\n");
	put("devices/pci/ata3/host2/target/2:0:0:0", "model", "ACME SSD 870    \n");
	put("devices/pci/ata3/host2/target/2:0:0:0", "rev", "2B6Q\n");
	put("devices/pci/ata3/host2/target/2:0:0:0", "vpd_pg80", "HEADS5STNF0R1     ");
	put("devices/pci/ata3/host2/target/2:0:0:0/hwmon/hwmon4", "temp1_input", "31000\n");
	put("class/ata_link/link3", "sata_spd", "3.0 Gbps\n");
	put("class/ata_link/link3", "hw_sata_spd_limit", "6.0 Gbps\n");
	link_to(disk, "device", "../..");
	put("devices/pci/ata3/host2/target/2:0:0:0/block/sda/sda1", "partition", "1\n");
	put("devices/pci/ata3/host2/target/2:0:0:0/block/sda/sda1", "dev", "8:1\n");
	put("devices/pci/ata3/host2/target/2:0:0:0/block/sda/sda1", "size", "2048\n");
	link_to("dev/block", "8:0", "../../devices/pci/ata3/host2/target/2:0:0:0/block/sda");
	link_to("dev/block", "8:1", "../../devices/pci/ata3/host2/target/2:0:0:0/block/sda/sda1");
}

static inline void pad(char *field, size_t bytes, const char *text)
{
	memset(field, ' ', bytes);
	memcpy(field, text, strlen(text));
}

static inline void count(uint8_t counter[16], uint64_t low, uint8_t top)
{
	memset(counter, 0, 16);
	low = htole64(low);
	memcpy(counter, &low, sizeof(low));
	counter[8] = top; /* times 2^64 */
}

static inline struct nvme_lbaf lba_format(unsigned shift, unsigned metadata, unsigned performance)
{
	return (struct nvme_lbaf){.ds = (uint8_t)shift,
				  .ms = htole16((uint16_t)metadata),
				  .rp = (uint8_t)performance};
}

/* ---- the enterprise drive ----------------------------------------------------------------------
 */

static struct nvme_id_ctrl ent_controller;
static struct nvme_id_ns ent_namespace;
static struct nvme_smart_log ent_smart;
static struct nvme_endurance_group_log ent_group;
static struct nvme_error_log_page ent_errors[8];
static struct nvme_self_test_log ent_tests;
static struct nvme_firmware_slot ent_firmware;
static struct nvme_fdp_stats_log ent_fdp_stats;
static uint8_t ent_ocp[512], ent_fdp[4096];
static const uint32_t two_namespaces[] = {1, 2};

static inline void fill_ent_controller(void)
{
	struct nvme_id_ctrl *id = &ent_controller;

	pad(id->mn, sizeof(id->mn), "ACME ENT 7680");
	pad(id->sn, sizeof(id->sn), "  E0001");
	pad(id->fr, sizeof(id->fr), "2CV1");
	strcpy(id->subnqn, "nqn.2019-10.com.acme:E0001");
	id->vid = htole16(0x1b85);
	id->ver = htole32(0x20001);
	id->mdts = 5;
	id->ctratt = htole32(NVME_CTRL_CTRATT_ENDURANCE_GROUPS | NVME_CTRL_CTRATT_FDPS);
	id->oacs = htole16(0x3f);
	id->oncs = htole16(0x1ff);
	id->frmw = 0x16; /* three slots, without reset */
	id->elpe = 63;
	id->npss = 1;
	id->wctemp = htole16(343);
	id->cctemp = htole16(353);
	id->hctma = htole16(1);
	id->sanicap = htole32(7);
	id->fna = NVME_CTRL_FNA_CRYPTO_ERASE | NVME_CTRL_FNA_SEC_ALL_NAMESPACES;
	count(id->tnvmcap, 15362991415296, 0);
	count(id->unvmcap, 0, 0);
	id->psd[0].mp = htole16(2500);
	id->psd[1].mp = htole16(1200);
	id->psd[1].exlat = htole32(100);
}

static inline void fill_ent_namespace(void)
{
	struct nvme_id_ns *id = &ent_namespace;

	id->nsze = id->ncap = id->nuse = htole64(1875353078);
	id->nlbaf = 3;
	id->flbas = 3;
	id->dps = 1;
	id->nsfeat = 1 << 4;
	id->npwg = htole16(7);
	id->npdg = htole16(7);
	id->endgid = htole16(1);
	memcpy(id->eui64, "\x00\x25\x38\x01\x02\x03\x04\x05", sizeof(id->eui64));
	id->lbaf[0] = lba_format(9, 0, 2);
	id->lbaf[1] = lba_format(9, 8, 3);
	id->lbaf[2] = lba_format(12, 0, 0);
	id->lbaf[3] = lba_format(12, 8, 1);
}

static inline void fill_ent_smart(void)
{
	struct nvme_smart_log *log = &ent_smart;

	log->temperature[0] = 313 & 0xff;
	log->temperature[1] = 313 >> 8;
	log->temp_sensor[0] = htole16(313);
	log->temp_sensor[2] = htole16(321);
	log->avail_spare = 100;
	log->spare_thresh = 10;
	log->percent_used = 3;
	count(log->data_units_read, 1277863316, 0); /* 654.266 TB */
	count(log->data_units_written, 0, 1);	    /* over 64 bits */
	count(log->host_reads, 9876543210, 0);
	count(log->host_writes, 12345678901, 0);
	count(log->ctrl_busy_time, 4321, 0);
	count(log->power_cycles, 56, 0);
	count(log->power_on_hours, 12033, 0);
	count(log->unsafe_shutdowns, 7, 0);
	count(log->media_errors, 0, 0);
	count(log->num_err_log_entries, 42, 0);
	log->warning_temp_time = htole32(12);
	log->thm_temp1_trans_count = htole32(3);
	log->thm_temp1_total_time = htole32(95);
}

static inline void fill_ent_media(void)
{
	static const uint8_t guid[16] = {0xc5, 0xaf, 0x10, 0x28, 0xea, 0xbf, 0xf2, 0xa4,
					 0x9c, 0x4f, 0x6f, 0x7c, 0xc9, 0x14, 0xd5, 0xaf};

	ent_group.percent_used = 3;
	ent_group.avl_spare = 100;
	ent_group.avl_spare_threshold = 10;
	count(ent_group.endurance_estimate, 14016000, 0);
	count(ent_group.data_units_read, 654267, 0);
	count(ent_group.data_units_written, 400000, 0);
	count(ent_group.media_units_written, 600000, 0);
	count(ent_ocp, 0, 0);
	/* 2^64 x 512,000 B of the host x 1.5 */
	ent_ocp[9] = 0xb8;
	ent_ocp[10] = 0x0b;
	count(ent_ocp + 16, 700000000000000, 0);
	ent_ocp[32] = 5;
	ent_ocp[96] = 2;
	ent_ocp[120] = 9;
	memcpy(ent_ocp + 496, guid, sizeof(guid));
}

static inline void fill_ent_events(void)
{
	ent_errors[0].error_count = htole64(42);
	ent_errors[0].status_field = htole16(0x281 << 1 | 1);
	ent_errors[0].lba = htole64(123456);
	ent_errors[0].nsid = htole32(1);
	ent_errors[1].error_count = htole64(41);
	ent_errors[1].status_field = htole16(0x4002 << 1);
	memset(ent_tests.result, 0x0f, sizeof(ent_tests.result));
	ent_tests.result[0] = (struct nvme_st_result){.dsts = 0x20, .poh = htole64(12000)};
	ent_tests.result[1] = (struct nvme_st_result){.dsts = 0x17, .poh = htole64(300)};
	ent_firmware.afi = 0x32;
	memcpy((char *)ent_firmware.frs + 8, "2CV1    2CV2    ", 16);
}

static inline void fill_ent_placement(void)
{
	struct nvme_fdp_config_desc second = {.size = htole16(64),
					      .nrg = htole32(1),
					      .nruh = htole16(8),
					      .runs = htole64(6442450944)};

	memset(ent_fdp, 0, sizeof(ent_fdp));
	ent_fdp[0] = 1; /* two configurations: the first takes 72 bytes */
	ent_fdp[16] = 72;
	memcpy(ent_fdp + 16 + 72, &second, sizeof(second));
	count(ent_fdp_stats.hbmw, 1000, 0);
	count(ent_fdp_stats.mbmw, 1100, 0);
}

static struct canned_answer ent_answers[] = {
	{.command = "identify 01", .data = &ent_controller, .bytes = sizeof(ent_controller)},
	{.command = "identify 00 nsid 1", .data = &ent_namespace, .bytes = sizeof(ent_namespace)},
	{.command = "identify 02", .data = two_namespaces, .bytes = sizeof(two_namespaces)},
	{.command = "log 02", .data = &ent_smart, .bytes = sizeof(ent_smart)},
	{.command = "feature 04", .value = 343},
	{.command = "feature 04 cdw11 1048576", .value = 268},
	{.command = "feature 10", .value = 340 << 16 | 345},
	{.command = "log 09 lsi 1", .data = &ent_group, .bytes = sizeof(ent_group)},
	{.command = "log c0", .data = ent_ocp, .bytes = sizeof(ent_ocp)},
	{.command = "log 01", .data = ent_errors, .bytes = sizeof(ent_errors)},
	{.command = "log 06", .data = &ent_tests, .bytes = sizeof(ent_tests)},
	{.command = "log 03", .data = &ent_firmware, .bytes = sizeof(ent_firmware)},
	{.command = "feature 02", .value = 0},
	{.command = "feature 1d cdw11 1", .value = 1 | 1 << 8},
	{.command = "log 20 lsi 1", .data = ent_fdp, .bytes = sizeof(ent_fdp)},
	{.command = "log 22 lsi 1", .data = &ent_fdp_stats, .bytes = sizeof(ent_fdp_stats)},
};
static struct canned ent_script = {.answers = ent_answers, .count = COUNT(ent_answers)};

static inline struct nvme_admin enterprise_drive(void)
{
	put_nvme("ACME ENT 7680\n", "E0001\n", "15002824624\n", "4096\n", "2\n");
	fill_ent_controller();
	fill_ent_namespace();
	fill_ent_smart();
	fill_ent_media();
	fill_ent_events();
	fill_ent_placement();
	return canned_admin(&ent_script, 1);
}

/* ---- a drive as bare as QEMU's ------------------------------------------------------------------
 */

static struct nvme_id_ctrl bare_controller;
static struct nvme_id_ns bare_namespace;
static struct nvme_smart_log bare_smart;
static struct nvme_firmware_slot bare_firmware;

static struct canned_answer bare_answers[] = {
	{.command = "identify 01", .data = &bare_controller, .bytes = sizeof(bare_controller)},
	{.command = "identify 00 nsid 1", .data = &bare_namespace, .bytes = sizeof(bare_namespace)},
	{.command = "identify 02", .data = two_namespaces, .bytes = 4},
	{.command = "log 02", .data = &bare_smart, .bytes = sizeof(bare_smart)},
	{.command = "log 01"},
	{.command = "log 03", .data = &bare_firmware, .bytes = sizeof(bare_firmware)},
	{.command = "feature 04", .value = 343},
	{.command = "feature 04 cdw11 1048576"},
	{.command = "feature 02"},
	{.command = "feature 06", .value = 1},
};
static struct canned bare_script = {.answers = bare_answers, .count = COUNT(bare_answers)};

static inline struct nvme_admin bare_drive(void)
{
	struct nvme_id_ctrl *id = &bare_controller;

	put_nvme("QEMU NVMe Ctrl\n", "plain\n", "524288\n", "512\n", "4\n");
	pad(id->mn, sizeof(id->mn), "QEMU NVMe Ctrl");
	pad(id->sn, sizeof(id->sn), "plain");
	pad(id->fr, sizeof(id->fr), "7.2.22");
	id->ver = htole32(0x10400);
	id->mdts = 7;
	id->oacs = htole16(0x10a);
	id->oncs = htole16(0x15d);
	id->frmw = 3;
	id->vwc = 7;
	id->wctemp = htole16(343);
	id->cctemp = htole16(373);
	id->psd[0].mp = htole16(2500);
	bare_namespace.nsze = bare_namespace.nuse = htole64(524288);
	bare_namespace.nlbaf = 1;
	bare_namespace.lbaf[0] = lba_format(9, 0, 0);
	bare_namespace.lbaf[1] = lba_format(12, 0, 0);
	bare_smart.temperature[0] = 323 & 0xff;
	bare_smart.temperature[1] = 323 >> 8;
	count(bare_smart.data_units_read, 1, 0);
	count(bare_smart.host_reads, 22, 0);
	bare_firmware.afi = 1;
	return canned_admin(&bare_script, 1);
}

/* ---- a worn consumer drive without memory of its own
 * --------------------------------------------- */

static struct nvme_id_ctrl qlc_controller;
static struct nvme_id_ns qlc_namespace;
static struct nvme_smart_log qlc_smart;
static struct nvme_firmware_slot qlc_firmware;
static struct nvme_host_mem_buf_attrs qlc_memory;
static struct nvme_feat_auto_pst qlc_power;

static struct canned_answer qlc_answers[] = {
	{.command = "identify 01", .data = &qlc_controller, .bytes = sizeof(qlc_controller)},
	{.command = "identify 00 nsid 1", .data = &qlc_namespace, .bytes = sizeof(qlc_namespace)},
	{.command = "identify 02", .data = two_namespaces, .bytes = 4},
	{.command = "log 02", .data = &qlc_smart, .bytes = sizeof(qlc_smart)},
	{.command = "log 01"},
	{.command = "log 03", .data = &qlc_firmware, .bytes = sizeof(qlc_firmware)},
	{.command = "log c0"}, /* another log of this number */
	{.command = "feature 04", .status = CANNED_INVALID_FIELD},
	{.command = "feature 04 cdw11 1048576", .status = CANNED_INVALID_FIELD},
	{.command = "feature 02", .value = 1},
	{.command = "feature 06", .value = 0},
	{.command = "feature 0d bytes 4096",
	 .value = 1,
	 .data = &qlc_memory,
	 .bytes = sizeof(qlc_memory)},
	{.command = "feature 0c bytes 256",
	 .value = 1,
	 .data = &qlc_power,
	 .bytes = sizeof(qlc_power)},
};
static struct canned qlc_script = {.answers = qlc_answers, .count = COUNT(qlc_answers)};

static inline void fill_qlc_power(void)
{
	static const uint16_t centiwatts[] = {460, 300, 250};
	struct nvme_id_psd *states = qlc_controller.psd;
	size_t i;

	qlc_controller.npss = 4;
	qlc_controller.apsta = 1;
	for (i = 0; i < COUNT(centiwatts); i++)
		states[i].mp = htole16(centiwatts[i]);
	states[3] = (struct nvme_id_psd){.mp = htole16(500), .flags = 3, .exlat = htole32(1200)};
	states[4] = (struct nvme_id_psd){.mp = htole16(30), .flags = 3, .exlat = htole32(30000)};
	for (i = 0; i < 3; i++)
		qlc_power.apst_entry[i] = htole64(100 << 8 | 3 << 3);
	qlc_power.apst_entry[3] = htole64(2000 << 8 | 4 << 3);
}

static inline struct nvme_admin qlc_drive(void)
{
	struct nvme_id_ctrl *id = &qlc_controller;

	put_nvme("ACME Q4 1TB\n", "Q\xc3\xa4 1\n", "2000409264\n", "512\n", "4\n");
	put_sensor("74850\n", "72850\n");
	pad(id->mn, sizeof(id->mn), "ACME Q4 1TB");
	pad(id->sn, sizeof(id->sn), "Q 1");
	pad(id->fr, sizeof(id->fr), "R4\x1b[2J");
	id->oacs = htole16(0x17);
	id->oncs = htole16(0x5f);
	id->frmw = 2;
	id->vwc = 1;
	id->wctemp = htole16(346);
	id->cctemp = htole16(353);
	id->hmpre = htole32(16384);
	id->hmmin = htole32(4096);
	fill_qlc_power();
	qlc_namespace.nsze = htole64(2000409264);
	qlc_namespace.nuse = htole64(1000000);
	qlc_namespace.nlbaf = 1;
	qlc_namespace.lbaf[0] = lba_format(9, 0, 2);
	qlc_namespace.lbaf[1] = lba_format(12, 0, 1);
	qlc_memory.hsize = htole32(8192);
	qlc_smart.critical_warning = NVME_SMART_CRIT_SPARE | NVME_SMART_CRIT_TEMPERATURE;
	qlc_smart.temperature[0] = 348 & 0xff;
	qlc_smart.temperature[1] = 348 >> 8;
	qlc_smart.avail_spare = 4;
	qlc_smart.spare_thresh = 5;
	qlc_smart.percent_used = 104;
	count(qlc_smart.host_writes, 5000, 0); /* and no data units: not counted */
	count(qlc_smart.media_errors, 1, 0);
	qlc_firmware.afi = 1;
	return canned_admin(&qlc_script, 1);
}

#endif
