# SPDX-License-Identifier: GPL-2.0-only
# qlc_writer on a real drive: QEMU's throttle lets it be written fast until a bucket of 400 MiB is full,
# which meanwhile loses 5 MiB/s, and then as fast as it empties.
. tests/vm/guest/common.inc

device=$(block_device cliff)
run_fio --name=t "--ioengine=external:$build/qlc_writer.so" --filename="$device" --direct=1 --rw=write --bs=128k --iodepth=8 \
	--settle=30m --stats_file=probe.json
check "a probe of an NVMe drive ends by itself" "$code == 0"
[ "$code" = 0 ] || cat out
found=$(value probe.json at_bytes) at_s=$(value probe.json at_s)
expected=$(awk "BEGIN { print 400 * 1048576 + 5 * 1048576 * ${at_s:-0} }")
check "the cliff lies where the throttle puts it: $(awk "BEGIN { printf \"%.3f of %.3f GB\", ${found:-0} / 1e9, $expected / 1e9 }")" \
	"${found:-0} > 0.95 * $expected && ${found:-0} < 1.05 * $expected"
check "past it the drive writes as fast as the throttle lets it" \
	"$(value probe.json slow_mbps qlc) > 0.9 * 5.24 && $(value probe.json slow_mbps qlc) < 1.1 * 5.24"

exit $((failures > 0))
