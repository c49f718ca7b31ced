#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Simulated drives under fio: openloop and simdrive, several jobs, verify, a stall, kills.
. "$(dirname "$0")/common.inc"

new_drive d.sim 670p-2tb 10
simdrive --filename=d.sim --rw=write --bs=131072 --iodepth=16 --size=256m --stats_file=f.json --output-format=json
check "a simulated drive takes writes" "$code == 0 && $(value f.json host_written_bytes) == 268435456"
openloop --filename=d.sim --rw=randread --iodepth=32 --iorate=5000 --size=256m --number_ios=5000 --norandommap --io_size=1g --stats_file=r.json --output-format=json
check "openloop finds the simulated drive by itself" "$(value r.json achieved) == 5000 && $(fio_value total_ios) == 5000"
grep -q '"simulated": true' r.json && ok "and says so" || not_ok "and says so" "no mark in r.json"
check "the state is kept between runs" "$(value r.json host_written_bytes) == 268435456"
check "the true latency of each I/O is counted" "$(value r.json count true_latency) == 5000 && $(value r.json mean_ns true_latency) > 20000"
check "fio never saw the drive faster than it is" "$(value r.json mean_ns drive_latency) >= $(value r.json mean_ns true_latency)"

for mode in --thread=0 --thread=1; do
	simdrive --filename=d.sim --rw=randrw --iodepth=8 --numjobs=4 $mode --size=256m --number_ios=2000 --io_size=1g --norandommap --group_reporting --output-format=json
	check "four jobs share one drive ($mode)" "$code == 0 && $(fio_value total_ios 1) + $(fio_value total_ios 2) == 8000"
done
simdrive --filename=d.sim --rw=randread --iodepth=4 --rate_iops=1000 --size=256m --number_ios=500
check "fio's own rate options work with simdrive" "$code == 0"

# Data is kept on request only.
openloop --filename=d.sim --rw=randwrite --iodepth=16 --size=4m --verify=crc32c --do_verify=1 --store_data=1
check "verify works with store_data=1" "$code == 0"
simdrive --filename=d.sim --rw=randwrite --iodepth=16 --size=4m --verify=crc32c --do_verify=1
refused "and not without it" "verify"
simdrive --filename=d.sim --rw=randtrim --iodepth=4 --size=4m --number_ios=100 --output-format=json
check "trims" "$code == 0 && $(fio_value total_ios 3) == 100"

# A stall of 1 s at 1 s: every I/O that was due in it waited. 1,000 IOPS, so about 1,000 of them.
new_drive stall.sim 670p-2tb 1 stall:at_s=1,duration_ms=1000
openloop --filename=stall.sim --rw=randread --size=64m --iodepth=2048 --iorate=1000 --arrival=constant \
	--time_based --runtime=4 --norandommap --stats_file=s.json
check "a stall shows in the response time of all I/Os due in it" \
	"$(value s.json p99_ns response) > 900e6 && $(value s.json p99_ns response) < 1010e6"
check "and they were all sent on time" "$(value s.json count lateness_at_limit) == 0 && $(value s.json offered) >= 3999 && $(value s.json offered) <= 4001"
new_drive stall.sim 670p-2tb 1 stall:at_s=1,duration_ms=1000
openloop --filename=stall.sim --rw=randread --size=64m --iodepth=16 --iorate=1000 --arrival=constant \
	--time_based --runtime=4 --norandommap --stats_file=s.json
check "with few slots the lateness is the limit's, not ours" \
	"$(value s.json count lateness_at_limit) > 900 && $(value s.json max_in_flight) == 16"

# Past what the drive can do: saturated, and what was due and never left is counted.
openloop --filename=d.sim --rw=randread --size=256m --iodepth=4 --iorate=500000 --time_based --runtime=1 --norandommap --stats_file=s.json
check "unsent I/Os are counted" \
	"$(value s.json count unsent) > 10000 && $(value s.json oldest_age_ns unsent) > 1e7 && $(value s.json offered) > 498000 && $(value s.json offered) < 502000"

# A kill leaves the drive usable, also for those that share it.
LD_PRELOAD=${SSDREVIEW_PRELOAD:-} fio --name=k "--ioengine=external:$build/simdrive.so" --filename=d.sim --rw=randwrite --bs=4096 \
	--iodepth=8 --size=256m --time_based --runtime=20 >/dev/null 2>&1 &
victim=$!
sleep 1
for pid in $victim $(pgrep -P $victim); do kill -9 "$pid" 2>/dev/null; done
wait 2>/dev/null
simdrive --filename=d.sim --rw=randread --iodepth=8 --size=256m --number_ios=1000 --output-format=json
check "a drive outlives kill -9" "$code == 0 && $(fio_value total_ios) == 1000"

exit $((failures > 0))
