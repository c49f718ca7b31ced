# SPDX-License-Identifier: GPL-2.0-only
# qlc_writer on an emulated drive with a cache: QEMU's throttle lets it be written at 40 MiB/s until a
# bucket is full, which meanwhile loses 5 MiB/s, and then as fast as it empties.
. tests/vm/guest/common.inc

mib=1048576
# probe CACHE BUCKET-MIB DEVICE OPTION...: finds the cliff where the throttle puts it.
probe() {
	probed=$1 bucket=$2
	shift 2
	rm -f probe.json
	run_fio --name=t "--ioengine=external:$build/qlc_writer.so" --rw=write --bs=128k --iodepth=8 --settle=30m \
		--stats_file=probe.json "$@"
	check "$probed: the probe ends by itself" "$code == 0"
	[ "$code" = 0 ] || { head -5 out && return; }
	found=$(value probe.json at_bytes) at_s=$(value probe.json at_s)
	expected=$(awk "BEGIN { print ($bucket + 5 * ${at_s:-0}) * $mib }")
	check "$probed: the cliff lies where the throttle puts it, $(awk "BEGIN { printf \"%.3f of %.3f GB\", ${found:-0} / 1e9, $expected / 1e9 }")" \
		"${found:-0} > 0.95 * $expected && ${found:-0} < 1.05 * $expected"
	slow=$(value probe.json slow_mbps qlc)
	check "$probed: past it the drive writes as fast as the throttle lets it, $slow MB/s" \
		"${slow:-0} * 1e6 > 4.5 * $mib && ${slow:-0} * 1e6 < 5.5 * $mib"
}

probe "a cache of 400 MiB" 400 --filename="$(block_device cliff)" --direct=1
# Other settings also empty the bucket.
monitor '{"execute": "block_set_io_throttle", "arguments": {"id": "cliff0", "bps": 0, "bps_rd": 0, "iops": 0, "iops_rd": 0,
	"iops_wr": 0, "bps_wr": '$((5 * mib))', "bps_wr_max": '$((40 * mib))', "bps_wr_max_length": 5}}' ||
	not_ok "the throttle is set while the drive is in use" "$answer"
probe "a cache of 200 MiB, by NVMe commands" 200 --filename="$(char_device cliff)" --drive=nvme

exit $((failures > 0))
