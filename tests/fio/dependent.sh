#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# vdi_replay, pacing=dependent: records wait for what they waited for in the trace, streams by themselves.
. "$(dirname "$0")/common.inc"

replay() { run_fio --name=t "--ioengine=external:$build/vdi_replay.so" --rw=randwrite --bs=4096 --output-format=json --stats_file=s.json --pacing=dependent "$@"; }
sum() { echo "$(value "$1" read records) + $(value "$1" write records) + $(value "$1" trim records) + $(value "$1" flush records)"; }

# import NAME: a trace of the rows of records on standard input.
import() {
	{ echo time_ns,device,op,offset_b,len_b,flags,latency_ns && cat; } >"$1.csv"
	"$build/ssdreview" trace import "$1.csv" -o "$1.vdt" >out 2>&1 || not_ok "making the trace $1" "$(cat out)"
}
new_drive ideal.sim ideal 1
sed 's/^read_us.*/read_us = 5000/; s/^write_us.*/write_us = 5000/' "$SSDREVIEW_DRIVES/ideal.model" >slow.model
new_drive slow.sim "$scratch/slow.model" 1
sed 's/^read_us.*/read_us = 300/; s/^write_us.*/write_us = 800/' "$SSDREVIEW_DRIVES/ideal.model" >plain.model
new_drive plain.sim "$scratch/plain.model" 1

# A program that reads 200 blocks, each 20 us after the one before, which took 2 ms.
awk 'BEGIN { for (i = 0; i < 200; i++) printf "%d,vm0,read,%d,4096,0,2000000\n", i * 2020000, i * 4096 }' | import chain
replay --filename=ideal.sim --iodepth=16 --trace=chain.vdt
check "a chain of reads" "$code == 0 && $(value s.json sent) == 200 && $(value s.json count dependent) == 199 && $(value s.json violations) == 0"
check "has one in flight, whatever iodepth allows" "$(value s.json max_in_flight) == 1"
check "and is early on a faster drive" "$(value s.json shift_earliest_ns) < -100000000"
check "its statistics say how it was paced" "$(grep -c '"pacing": "dependent"' s.json) == 1 && $(grep -c '"arrival": "trace"' s.json) == 1"
replay --filename=slow.sim --iodepth=16 --trace=chain.vdt
check "and late on a slower one, by what that takes longer" "$code == 0 && $(value s.json shift_latest_ns) > 199 * 2900000 && $(value s.json max_in_flight) == 1"
check "and late by its completions is not late" "$(value s.json count lateness_at_limit) == 0"
replay --filename=slow.sim --iodepth=16 --trace=chain.vdt --think_max=10us
check "think_max=10us makes none of them dependent" "$code == 0 && $(value s.json count dependent) == 0 && $(value s.json shift_latest_ns) == 0 && $(value s.json max_in_flight) > 1"

# Many desktops: each its own chain.
for options in --clones=8 "--clones=8 --numjobs=2 --group_reporting" "--clones=8 --clone_kind=linked" "--clones=4 --loop=2" "--clones=8 --stagger=20ms"; do
	rm -f s*.json
	# shellcheck disable=SC2086
	replay --filename=slow.sim --iodepth=16 --trace=chain.vdt --fit=compact --speed=1000 $options
	sent=$(cat s*.json | awk '$1 == "\"sent\":" { n += $2 } END { print n }')
	violations=$(cat s*.json | awk '$1 == "\"violations\":" { n += $2 } END { print n }')
	dependent=$(cat s*.json | awk '$1 == "\"dependent\":" { inside = 1 } inside && $1 == "\"count\":" { n += $2; inside = 0 } END { print n }')
	check "chains side by side ($options)" "$code == 0 && $sent == 1600 && $dependent >= 8 * 199 && $violations == 0 && $(value "$(ls s*.json | head -1)" max_in_flight) > 1"
done

# Random traces of many streams, with all that a trace may hold: nothing is lost, and nothing hangs.
for seed in 1 2 3 4; do
	awk -v seed=$seed 'BEGIN {
		srand(seed)
		for (i = 0; i < 600; i++) {
			now += rand() < 0.5 ? 0 : int(rand() * 300000)
			op = rand() < 0.6 ? "read" : rand() < 0.9 ? "write" : rand() < 0.7 ? "trim" : "flush"
			bytes = op == "flush" ? 0 : 4096 * (1 + int(rand() * rand() * 200))
			printf "%d,vm%d,%s,%d,%d,%d,%s\n", now, int(rand() * 5), op, op == "flush" ? 0 : int(rand() * 4000) * 4096, bytes,
				op == "write" ? int(rand() * 4) * 2 : 0, rand() < 0.8 ? int(rand() ^ 4 * 20000000) : ""
		}
	}' | import random
	for drive in ideal plain; do
		for options in --iodepth=1 --iodepth=3 "--iodepth=64 --clones=2 --stagger_kind=rotate --trims=skip" "--iodepth=32 --speed=400 --flushes=skip"; do
			# shellcheck disable=SC2086
			replay --filename=$drive.sim --trace=random.vdt --fit=compact --speed=500 --think_max=${seed}00us $options
			clones=1
			case $options in *clones=2*) clones=2 ;; esac
			check "a random trace, seed $seed, $drive drive, $options" \
				"$code == 0 && $(sum s.json) == 600 * $clones && $(value s.json sent) == $(value s.json completed) && $(value s.json violations) == 0"
		done
	done
done

# A real ring, and an end by time.
truncate -s 32M file
replay --filename=file --size=32M --iodepth=16 --trace=random.vdt --fit=compact
check "a random trace on a file" "$code == 0 && $(sum s.json) == 600 && $(value s.json violations) == 0"
replay --filename=slow.sim --iodepth=16 --trace=chain.vdt --runtime=300ms --time_based
check "a run that ends by time" "$code == 0 && $(value s.json sent) < 100 && $(value s.json count unsent) <= 1"
for pacing in timed dependent; do
	replay --filename=slow.sim --iodepth=16 --trace=chain.vdt --runtime=300ms --time_based --end_fsync=1 --pacing=$pacing
	check "end_fsync= after a run that ends by time, pacing=$pacing" "$code == 0 && $(value s.json sent) == $(value s.json completed)"
done

# Refusals.
awk 'BEGIN { for (i = 0; i < 10; i++) printf "%d,vm0,read,%d,4096,0,%s\n", i * 1000, i * 4096, i < 4 ? 500 : "" }' | import few
replay --filename=ideal.sim --trace=few.vdt
refused "a trace without latencies" "and 4 of the 10 records"
replay --filename=ideal.sim --trace=chain.vdt --iorate=1000
refused "a rate" "iorate= cannot be kept"
replay --filename=ideal.sim --trace=chain.vdt --think_max=soon
refused "a think time that is none" "think_max=soon"

exit $((failures > 0))
