#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# openloop on a file: rates, directions, ends of a job, clones, logs, verify.
. "$(dirname "$0")/common.inc"

truncate -s 32M file
file="--filename=$scratch/file --size=32M"

# Rates. The schedule is seeded, so the offered count is the same on every machine.
openloop $file --rw=randread --iodepth=64 --iorate=2000 --time_based --runtime=2 --stats_file=s.json
check "offered is within 4/sqrt(N) of nominal" \
	"$(value s.json offered_iops) > 2000 * (1 - 4 / sqrt(4000)) && $(value s.json offered_iops) < 2000 * (1 + 4 / sqrt(4000))"
check "every offered I/O is accounted for" \
	"$(value s.json offered) - $(value s.json achieved) - $(value s.json count unsent) <= 64 && $(value s.json offered) >= $(value s.json achieved)"
first=$(value s.json nominal_iops)
check "nominal rate is the option's" "$first == 2000"
check "the window is the run time" "$(value s.json window_s) > 1.9 && $(value s.json window_s) <= 2.001"

openloop $file --rw=randread --iodepth=32 --number_ios=20000 --io_size=1g --norandommap --stats_file=max.json --output-format=json
check "unpaced: no I/O is lost at the end" \
	"$(fio_value total_ios) == 20000 && $(fio_value io_bytes) == 20000 * 4096 && $(value max.json achieved) == 20000"
check "the number in flight reaches iodepth" "$(value max.json max_in_flight) == 32"
max=$(value max.json achieved_iops)
openloop $file --rw=randread --iodepth=32 --iorate=30% --max_from=max.json --number_ios=500 --stats_file=p.json
check "a percentage is of the maximum" "$(value p.json nominal_iops) / $max > 0.2999 && $(value p.json nominal_iops) / $max < 0.3001"

# Ends of a job: exact counts, paced and not.
for rate in 0 20000; do
	openloop $file --rw=write --iodepth=16 --iorate=$rate --io_size=4m --output-format=json --stats_file=s.json
	check "io_size ends a job exactly (iorate=$rate)" "$(fio_value io_bytes 2) == 4194304 && $code == 0"
	check "a job that came to its end has no unsent I/Os (iorate=$rate)" "$(value s.json count unsent) == 0"
	openloop $file --rw=randread --iodepth=16 --iorate=$rate --number_ios=777 --output-format=json
	check "number_ios ends a job exactly (iorate=$rate)" "$(fio_value total_ios) == 777"
done

# Every direction, block sizes, several files.
truncate -s 8M f1 f2 f3
openloop --filename=f1:f2:f3 --nrfiles=3 --size=24M --rw=randrw --rwmixread=70 --bssplit=4k/50:8k/50 --iodepth=32 \
	--iorate=5000 --number_ios=3000 --io_size=1g --norandommap --output-format=json --stats_file=s.json
check "mixed directions over several files" \
	"$code == 0 && $(fio_value total_ios 1) + $(fio_value total_ios 2) == 3000 && $(fio_value total_ios 1) > 1900 && $(fio_value total_ios 1) < 2300"
openloop $file --rw=randtrim --iodepth=8 --iorate=2000 --number_ios=500 --output-format=json
check "trims on a file" "$code == 0 && $(fio_value total_ios 3) == 500"
openloop $file --rw=trimwrite --iodepth=8 --number_ios=500 --output-format=json
check "trimwrite" "$code == 0"
openloop $file --rw=randwrite --iodepth=8 --iorate=2000 --number_ios=400 --fsync=50 --end_fsync=1 --output-format=json --stats_file=s.json
check "syncs are sent beside the schedule and not counted" "$code == 0 && $(value s.json offered) == 400"
openloop $file --rw=rw --zonemode=strided --zonesize=1m --zonerange=2m --iorate=4000 --iodepth=8 --number_ios=600
check "zones" "$code == 0"

# ramp_time: the statistics start again when it ends.
openloop $file --rw=randread --iodepth=64 --iorate=1000 --time_based --runtime=1 --ramp_time=1 --output-format=json --stats_file=s.json
check "ramp_time is not part of the window" \
	"$(value s.json window_s) > 0.9 && $(value s.json window_s) < 1.1 && $(value s.json offered) < 1200 && $(fio_value total_ios) < 1200"

# Clones.
openloop $file --rw=randread --iodepth=8 --iorate=500 --arrival=constant --numjobs=3 --time_based --runtime=1 --stats_file=c.json
check "each clone has its statistics file and its rate" \
	"$(value c.1.json nominal_iops) == 500 && $(value c.2.json clone) == 2 && $(value c.3.json clones) == 3"
openloop $file --rw=randread --iodepth=8 --numjobs=2 --thread --number_ios=2000 --io_size=1g --norandommap --stats_file=m.json
openloop $file --rw=randread --iodepth=8 --numjobs=2 --thread --iorate=20% --max_from=m.json --number_ios=100 --stats_file=n.json
mean=$(awk "BEGIN { print ($(value m.1.json achieved_iops) + $(value m.2.json achieved_iops)) / 2 }")
check "clones take their percentage of the mean maximum" \
	"$(value n.1.json nominal_iops) / $mean > 0.1999 && $(value n.2.json nominal_iops) / $mean < 0.2001"

# verify: the phase is not paced, and finds what was written.
openloop --filename=v --size=4M --rw=randwrite --iodepth=16 --iorate=2000 --verify=crc32c --do_verify=1 --output-format=json --stats_file=s.json
check "verify passes" "$code == 0 && $(fio_value total_ios 1) == 1024 && $(value s.json offered) == 1024"
dd if=/dev/urandom of=v bs=4096 seek=100 count=1 conv=notrunc 2>/dev/null
openloop --filename=v --size=4M --rw=randwrite --iodepth=16 --verify=crc32c --verify_only
refused "verify finds a changed block" "verify"
openloop --filename=v --size=4M --rw=randwrite --iodepth=16 --iorate=4000 --verify=crc32c --verify_backlog=64
check "verify_backlog" "$code == 0"

# Logs and formats.
openloop $file --rw=randread --iodepth=8 --iorate=1000 --time_based --runtime=1 --write_lat_log=l --write_bw_log=l --write_iops_log=l \
	--write_hist_log=l --log_hist_msec=500 --log_avg_msec=200 --output-format=json+
for log in l_lat.1.log l_clat.1.log l_slat.1.log l_bw.1.log l_iops.1.log l_clat_hist.1.log; do
	if [ -s "$log" ]; then ok "fio writes $log"; else not_ok "fio writes $log" "it is empty or missing"; fi
done

# Interrupted: what was measured stays, and what was due counts.
openloop $file --rw=randread --iodepth=8 --iorate=1000 --time_based --runtime=60 --stats_file=i.json --output-format=json &
sleep 1.5
pkill -INT -P $! -x fio 2>/dev/null || kill -INT $!
wait
check "Ctrl-C leaves statistics" "$(value i.json achieved) > 300 && $(value i.json window_s) < 30"

exit $((failures > 0))
