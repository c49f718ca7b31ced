#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# vdi_replay judges itself: how faithful it was, VALID or INVALID and why, long gaps, a common start.
. "$(dirname "$0")/common.inc"

vdi="--name=t --ioengine=external:$build/vdi_replay.so --rw=randwrite --bs=4096 --output-format=json --stats_file=s.json"
# What the job says goes to err, fio's own output to out.
judged() {
	LD_PRELOAD=${SSDREVIEW_PRELOAD:-} fio $vdi "$@" >out 2>err
	code=$?
}
says() { grep -c -- "$1" err; }
states() { grep -c -- "$1" s.json; }

"$build/tools/make_trace" t.vdt 5000 10000 16 && "$build/tools/make_trace" slow.vdt 6000 1000 16 || { not_ok "making traces" "make_trace failed" && exit 1; }
new_drive ideal.sim ideal 1
new_drive d.sim 670p-2tb 10
on_ideal="--filename=ideal.sim --iodepth=128"

# Counts of the trace: 3,450 reads, 1,540 writes, 5 trims, 5 flushes; whatever the machine does.
judged $on_ideal --trace=t.vdt
check "latency by class counts every record once" \
	"$code == 0 && $(value s.json count replay latency read) == $(value s.json read replay records) && $(value s.json count replay latency write) == $(value s.json write replay records) && $(value s.json count replay latency trim) == 5 && $(value s.json count replay latency flush) == 5"
check "every two I/Os have a gap" "$(value s.json count replay inter_arrival_error) == 4999"
check "nothing is lost on the way" "$(value s.json sent replay) == 5000 && $(value s.json completed replay) == 5000 && $(value s.json achieved_share replay) == 1"
check "the mean in flight is below the most" \
	"$(value s.json mean replay in_flight) > 0 && $(value s.json mean replay in_flight) <= $(value s.json max replay in_flight) && $(value s.json max replay in_flight) <= 128"
check "shares of late I/Os are shares" \
	"$(value s.json over_1ms_share lateness_free_slot) <= $(value s.json over_100us_share lateness_free_slot) && $(value s.json over_100us_share lateness_free_slot) <= 1"
late=$(sed -n 's/.*"late_count":\([0-9]*\).*/\1/p' s.json | awk '{ sum += $1 } END { print sum + 0 }')
check "intervals say how late their I/Os left" "$late == 4995"
check "one line of verdict on standard error" "$(says '^vdi_replay: job t: \(IN\)\{0,1\}VALID') == 1"
check "none in fio's JSON" "$(grep -c VALID out) == 0 && \"$(head -c 1 out)\" == \"{\" && \"$(tail -c 2 out | head -c 1)\" == \"}\""
check "a trace without latencies does not tell its own in flight" "$(grep -c '"trace_mean": null' s.json) == 1"

# What the trace itself had in flight: 2 x 5 ms, 1 ms apart, in 10 ms: a mean of 1, at most 2 at once.
printf 'time_ns,device,op,offset_b,len_b,flags,latency_ns\n0,vm,read,0,4096,0,5000000\n1000000,vm,read,8192,4096,0,5000000\n10000000,vm,read,0,4096,0,0\n' >known.csv
"$build/ssdreview" trace import known.csv -o known.vdt >/dev/null 2>&1 || not_ok "importing a trace" "$(cat out)"
judged $on_ideal --trace=known.vdt
check "what the trace had in flight" "$(value s.json trace_mean replay in_flight) == 1 && $(value s.json trace_max replay in_flight) == 2"

# Saturated, and no fault: one in flight, where all is due at once.
judged --filename=d.sim --iodepth=1 --trace=t.vdt --speed=100000
check "a replay at the in-flight limit is saturated, not invalid" \
	"$code == 0 && $(states '"valid": true') == 1 && $(states '"saturated": true') == 1 && $(says 'VALID, saturated: stretched by .* at the in-flight limit') == 1"

# The machine's fault: fio stands still for a second, and 1,000 I/Os fall due. They meet the limit
# when it goes on, and are late by the stop all the same.
LD_PRELOAD=${SSDREVIEW_PRELOAD:-} fio $vdi $on_ideal --thread --trace=slow.vdt >out 2>err &
fio=$!
for i in $(seq 100); do [ -s s.json.part ] && break || sleep 0.1; done
kill -STOP $fio && sleep 1 && kill -CONT $fio
wait $fio
code=$?
check "a replay that stood still is invalid" "$code == 0 && $(states '"valid": false') == 1 && $(says 'INVALID: .*left over 1 ms late although a slot was free') == 1"
check "and not saturated" "$(states '"saturated": false') == 1 && $(value s.json max_ns lateness_free_slot) > 900000000"
late=$(sed -n 's/.*"late_max_ns":\([0-9]*\).*/\1/p' s.json | sort -g | tail -1)
check "the interval says when" "$late > 900000000"

# asap has no due times; a run that is ended is judged by what was due in it.
judged $on_ideal --trace=t.vdt --pacing=asap
check "asap is judged by its counts" "$code == 0 && $(states '"valid": true') == 1 && $(states '"rule": "pacing=asap') == 1 && $(says ': VALID (5,000 I/Os as fast as they went') == 1"
judged --filename=d.sim --iodepth=1 --trace=slow.vdt --speed=10000 --runtime=1 --loop=1000
check "a run that is ended at the limit is saturated" "$code == 0 && $(states '"valid": true') == 1 && $(states '"saturated": true') == 1 && $(value s.json count unsent) > 0"

# Gaps. The trace would take 17 minutes: neither runtime= nor Ctrl-C waits for its end.
printf 'time_ns,device,op,offset_b,len_b,flags,latency_ns\n0,vm,read,0,4096,0,0\n1000000000000,vm,read,0,4096,0,0\n' >gap.csv
"$build/ssdreview" trace import gap.csv -o gap.vdt >/dev/null 2>&1 || not_ok "importing a trace" "gap.csv"
LD_PRELOAD=${SSDREVIEW_PRELOAD:-} timeout 120 fio $vdi $on_ideal --trace=gap.vdt --runtime=1 >out 2>err
code=$?
check "runtime= ends the wait in a gap" "$code == 0 && $(value s.json window_s) < 100 && $(value s.json sent replay) == 1"
check "which is told of once" "$(says 'next I/O in 1000 s') == 1 && $(says 'next I/O') == 1 && $(grep -c 'next I/O' out) == 0"
rm -f err # with the line of the run before
LD_PRELOAD=${SSDREVIEW_PRELOAD:-} timeout 120 fio $vdi $on_ideal --trace=gap.vdt >out 2>err &
timeout=$!
for i in $(seq 100); do grep -qs "next I/O" err && break || sleep 0.1; done
kill -INT $timeout # which hands it on
wait $timeout
check "Ctrl-C ends it too" "$? != 124 && $(value s.json window_s) < 100 && $(says VALID) == 1"

# Jobs that share a trace have one origin and a verdict each, as threads and as processes.
for how in --thread ""; do
	rm -f s.?.json
	judged --filename=d.sim --iodepth=16 --trace=t.vdt --clones=3 --numjobs=3 $how
	check "jobs share one start ${how:-as processes}" \
		"$code == 0 && $(value s.1.json origin_ns) > 0 && $(value s.1.json origin_ns) == $(value s.2.json origin_ns) && $(value s.1.json origin_ns) == $(value s.3.json origin_ns)"
	check "and have a verdict each" "$(says 'job t (1 of 3): .*VALID') == 1 && $(says 'job t (2 of 3): .*VALID') == 1 && $(says 'job t (3 of 3): .*VALID') == 1"
done

# Numbers that are none are refused at once, with the option's name.
for option in speed=-1 speed=0 speed=nan speed=1e9 clones=0 clones=-1 clones=1.5 loop=0 loop=-1 loop=inf \
	stagger=-1 stagger=nan window=nan-1 window=0-inf window=2-1 window=-1-2 seed=-1 seed=1.5 seed=99999999999999999999999; do
	LD_PRELOAD=${SSDREVIEW_PRELOAD:-} timeout 60 fio $vdi $on_ideal --trace=t.vdt --$option >out 2>&1
	code=$?
	[ $code = 124 ] && not_ok "$option is refused" "fio hangs" || refused "$option is refused" "vdi_replay: job t: $option "
done

exit $((failures > 0))
