#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# drive=block on a real block device: a loop device on a file of our own.
. "$(dirname "$0")/common.inc"

truncate -s 64M image
device=$(losetup --find --show --direct-io=on image 2>/dev/null || losetup --find --show image 2>/dev/null) ||
	{ echo "skip drive=block on a loop device: losetup cannot make one here" && exit 77; }
trap 'umount "$scratch/mnt" 2>/dev/null; losetup -d "$device"; rm -rf "$scratch"' EXIT

openloop --filename="$device" --direct=1 --rw=write --iodepth=16 --verify=crc32c --do_verify=1 --output-format=json --stats_file=s.json
check "writes and verifies a block device" "$code == 0 && $(fio_value total_ios 1) == 16384"
grep -q '"drive": "block"' s.json && ok "drive=auto chose the block device" || not_ok "drive=auto chose the block device" "$(head -4 s.json)"
openloop --filename="$device" --direct=1 --rw=randread --iodepth=16 --iorate=2000 --time_based --runtime=1 --stats_file=s.json
check "paced reads" "$code == 0 && $(value s.json offered) - $(value s.json achieved) - $(value s.json count unsent) <= 16"
openloop --filename="$device" --direct=1 --rw=randtrim --bs=65536 --iodepth=8 --iorate=500 --number_ios=200 --output-format=json
check "trims a block device" "$code == 0 && $(fio_value total_ios 3) == 200"
openloop --filename="$device" --direct=1 --rw=randwrite --bs=4096 --offset=1000 --iodepth=1 --number_ios=10
refused "a misaligned direct I/O is an error, not a result" "error"
openloop --filename="$device" --direct=1 --rw=randread --iodepth=4 --size=200% --number_ios=10
[ "$code" != 0 ] || check "reads stay inside the device" "$code == 0"
openloop --filename="$device" --direct=1 --rw=randwrite --readonly --number_ios=10
refused "--readonly is honoured" "read.only\|readonly"

if mkfs.ext4 -q -E lazy_itable_init=0,lazy_journal_init=0 "$device" 2>/dev/null && mkdir mnt && mount "$device" mnt 2>/dev/null; then
	before=$(cksum <image)
	# fio's own check sees only writes to this very name, and exits 0: it is told to let them pass.
	for rw in randwrite randread randtrim; do
		openloop --filename="$device" --direct=1 --rw=$rw --number_ios=10 --allow_mounted_write=1
		refused "a mounted device ($rw)" "mounted"
	done
	sync
	check "the mounted device is as it was" "\"$before\" == \"$(cksum <image)\""
	umount mnt
else
	echo "skip a mounted device: no mkfs.ext4 or no mount here"
fi

exit $((failures > 0))
