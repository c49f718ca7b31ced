# SPDX-License-Identifier: GPL-2.0-only
# The laboratory itself: every drive is there as it was ordered, and fio's own engines work on it.
. tests/vm/guest/common.inc

attribute() { cat "/sys/class/block/$(basename "$(block_device "$1" "${3:-1}")")/$2"; } # SERIAL FILE [NAMESPACE]

for serial in plain fourk meta pair twopath cliff faulty gone; do
	if [ -c "$(char_device "$serial")" ] && [ -b "$(block_device "$serial")" ]; then
		ok "drive $serial is there"
	else
		not_ok "drive $serial is there" "$(echo /dev/n[vg]*)"
	fi
done
check "blocks of 512 bytes" "$(attribute plain queue/logical_block_size) == 512"
check "blocks of 4 KiB" "$(attribute fourk queue/logical_block_size) == 4096"
check "protection information" "$(attribute meta integrity/tag_size 2>/dev/null || echo 0) >= 0 && \"$(attribute meta integrity/format)\" ~ /T10-DIF/"
check "a second namespace" "$([ -c "$(char_device pair 2)" ] && echo 1 || echo 0)"
check "2 GiB behind the throttle" "$(attribute cliff size) * 512 == 2 * 1024 ^ 3"

for serial in plain fourk; do
	run_fio --name=t --ioengine=io_uring --direct=1 --filename="$(block_device $serial)" --rw=write --bs=64k --size=8m --iodepth=4 \
		--verify=crc32c --do_verify=1
	check "io_uring writes and verifies drive $serial" "$code == 0"
	passthru_of_fio --filename="$(char_device $serial)" --rw=read --bs=64k --size=8m --iodepth=4 --verify=crc32c
	check "io_uring_cmd reads that from drive $serial" "$code == 0"
done
passthru_of_fio --filename="$(char_device plain)" --rw=randread --size=8m --number_ios=200 --iodepth=4 --hipri=1
check "queues without interrupts" "$code == 0"

run_fio --name=t --ioengine=io_uring --direct=1 --filename="$(block_device faulty)" --rw=read --bs=4k --size=4m
refused "a block that cannot be read" "No data available"
run_fio --name=t --ioengine=io_uring --direct=1 --filename="$(block_device faulty)" --rw=write --bs=4k --size=4m --offset=4m
refused "a block that cannot be written" "No data available"
run_fio --name=t --ioengine=io_uring --direct=1 --filename="$(block_device faulty)" --rw=read --bs=4k --size=4m --offset=8m
check "the blocks beside it can" "$code == 0"

exit $((failures > 0))
