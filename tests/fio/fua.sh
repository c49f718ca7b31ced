#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# vdi_replay: writes with FUA reach the block layer as such; trims, flushes and FUA are left out on demand.
. "$(dirname "$0")/common.inc"

replay() { run_fio --name=t "--ioengine=external:$build/vdi_replay.so" --rw=randwrite --bs=4096 --iodepth=16 --output-format=json --stats_file=s.json "$@"; }

# 100 writes: flag 2 asks for FUA (every fifth), flag 4 for a flush before (every tenth, with FUA); one trim and one flush.
awk 'BEGIN {
	print "time_ns,device,op,offset_b,len_b,flags,latency_ns"
	for (i = 0; i < 100; i++)
		printf "%d,vm0,write,%d,4096,%d,50000\n", i * 100000, i * 4096, (i % 5 == 0) * 2 + (i % 10 == 0) * 4
	print "11000000,vm0,trim,1048576,65536,0,50000"
	print "12000000,vm0,flush,0,0,0,50000"
}' >t.csv
"$build/ssdreview" trace import t.csv -o t.vdt >out 2>&1 || { not_ok "making a trace with FUA" "$(cat out)" && exit 1; }

truncate -s 32M file
replay --filename=file --size=32M --trace=t.vdt
check "FUA is honoured on a file" "$code == 0 && $(value s.json fua) == 20 && $(value s.json fua_not_forced) == 0"
check "flushes come with the writes that ask for one" "$(value s.json sent) == 112 && $(value s.json flushes_skipped) == 0"
replay --filename=file --size=32M --trace=t.vdt --fua=skip
check "fua=skip counts, and sends ordinary writes" "$code == 0 && $(value s.json fua) == 0 && $(value s.json fua_not_forced) == 20 && $(fio_value total_ios 2) == 100"
replay --filename=file --size=32M --trace=t.vdt --flushes=skip
check "flushes=skip counts, also those before writes" "$code == 0 && $(value s.json flushes_skipped) == 11 && $(value s.json sent) == 101"
replay --filename=file --size=32M --trace=t.vdt --trims=skip
check "trims=skip counts" "$code == 0 && $(value s.json trims_skipped) == 1 && $(fio_value total_ios 3) == 0"
check "the records are the trace's all the same" "$(value s.json trim records) == 1 && $(value s.json write records) == 100"
replay --filename=file --size=32M --trace=t.vdt --trims=never
refused "an unknown word" "trims"

# What a simulated drive makes of it: without power protection a FUA write waits for the buffer.
awk 'BEGIN {
	print "time_ns,device,op,offset_b,len_b,flags,latency_ns"
	for (i = 0; i < 320; i++)
		printf "%d,vm0,write,%d,4096,2,50000\n", int(i / 16) * 20000000, i * 4096
}' >burst.csv
"$build/ssdreview" trace import burst.csv -o burst.vdt >out 2>&1 || not_ok "making a trace of bursts of FUA writes" "$(cat out)"
for protected in yes no; do
	sed "s/^\(random\|sequential\)_mbps.*/\1_mbps = 60/; s/^\(power_protected = \).*/\1$protected/; /^\[published/,\$d" \
		"$SSDREVIEW_DRIVES/670p-2tb.model" >"$protected.model"
	grep -q "^power_protected = $protected" "$protected.model" || not_ok "making a model" "670p-2tb.model has changed"
	new_drive $protected.sim "$scratch/$protected.model" 1
	for fua in send skip; do
		replay --filename=$protected.sim --trace=burst.vdt --fua=$fua
		cp s.json $protected.$fua
	done
done
# By the model's own account, which no noise of the machine touches.
ratio() { echo "$(value "$1.send" mean_ns true_latency) / $(value "$1.skip" mean_ns true_latency)"; }
check "FUA costs time without power protection" "$(ratio no) > 2"
check "and none with it" "$(ratio yes) < 1.2 && $(ratio yes) > 0.8"

# The block layer, as the kernel's tracing sees it.
tracing=/sys/kernel/tracing
[ -d $tracing/instances ] || tracing=/sys/kernel/debug/tracing
watch=$tracing/instances/ssdreview-fua-$$
device=
finish() {
	[ -z "$device" ] || losetup -d "$device"
	[ ! -d "$watch" ] || rmdir "$watch"
	rm -rf "$scratch"
}
trap finish EXIT
truncate -s 64M image
device=$(losetup --find --show --direct-io=on image 2>/dev/null || losetup --find --show image 2>/dev/null) || device=
if [ -z "$device" ]; then
	echo "skip FUA in the block layer: losetup cannot make a device here"
elif ! mkdir "$watch" 2>/dev/null || ! echo 1 2>/dev/null >"$watch/events/block/block_bio_queue/enable"; then
	echo "skip FUA in the block layer: the kernel's tracing is not to be had here"
else
	for option in bin raw hex fields latency-format; do echo no$option 2>/dev/null >"$watch/trace_options"; done
	number=$(lsblk -dno MAJ:MIN "$device" | tr -d ' ' | tr : ,)
	echo "dev == $(((${number%,*} << 20) + ${number#*,}))" >"$watch/events/block/block_bio_queue/filter"
	# In the letters of the kernel an F behind the W is FUA, one before it a flush.
	for fua in send skip; do
		: >"$watch/trace"
		replay --filename="$device" --direct=1 --trace=t.vdt --fua=$fua
		check "a replay with fua=$fua on a block device" "$code == 0"
		sed -n "s/.*block_bio_queue: $number \([A-Z]*\) .*/\1/p" "$watch/trace" >rwbs.$fua
	done
	check "20 of 100 writes have FUA in the block layer" "$(grep -c '^F*WF' rwbs.send) == 20 && $(grep -c '^F*W[^F]*$' rwbs.send) >= 80"
	check "with fua=skip none has" "$(grep -c '^F*WF' rwbs.skip) == 0 && $(grep -c '^F*W' rwbs.skip) >= 100"
	echo 0 >"$watch/events/block/block_bio_queue/enable"
fi

exit $((failures > 0))
