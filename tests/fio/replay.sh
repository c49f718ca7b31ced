#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# vdi_replay: every record once, in its place, at its time; clones, fits, rates, jobs, refusals.
. "$(dirname "$0")/common.inc"

replay() { run_fio --name=t "--ioengine=external:$build/vdi_replay.so" --rw=randwrite --bs=4096 --output-format=json --stats_file=s.json "$@"; }
trace=$scratch/t.vdt
"$build/tools/make_trace" t.vdt 5000 10000 16 && "$build/tools/make_trace" t.z.vdt 5000 10000 16 || { not_ok "making traces" "make_trace failed" && exit 1; }
truncate -s 32M file
on_file="--filename=file --size=32M --iodepth=64"
new_drive d.sim 670p-2tb 10
on_sim="--filename=d.sim --iodepth=128"

# Everything once. The figures are those of the trace: 5 flushes, 5 trims in 5,000 records.
for form in t.vdt t.z.vdt; do
	replay $on_file --trace=$form
	check "every record is sent once, none is lost ($form)" \
		"$code == 0 && $(value s.json read records) + $(value s.json write records) + $(value s.json trim records) + $(value s.json flush records) == 5000"
	check "fio counts the same ($form)" \
		"$(fio_value total_ios 1) == $(value s.json read records) && $(fio_value total_ios 2) == $(value s.json write records) && $(fio_value total_ios 3) == 5 && $(value s.json flush records) == 5"
	check "and the same bytes ($form)" \
		"$(fio_value io_bytes 1) == $(value s.json read bytes) && $(fio_value io_bytes 3) == 5 * 65536"
done
check "the file did not grow" "$(stat -c %s file) == 33554432"
check "all was due and nothing is left" "$(value s.json count unsent) == 0 && $(value s.json offered) == 4995"
check "the time is the trace's" "$(value s.json window_s) > 0.45"

# Names that are no text do not cost the run its figures.
odd=$(printf 'odd\377')
cp t.vdt "$odd.vdt"
run_fio --name="$odd" "--ioengine=external:$build/vdi_replay.so" --rw=randwrite --bs=4096 --stats_file=s.json $on_file --trace="$odd.vdt"
check "a trace and a job whose names are not UTF-8" "$code == 0 && $(value s.json sent) == 5000"
check "and the statistics are" "$(iconv -f UTF-8 -t UTF-8 s.json | grep -c '"job": "odd�"\|"trace": "odd�.vdt"') == 2"

# Parts of a trace.
replay $on_file --trace=t.vdt --phase=second
second=$(value s.json sent)
replay $on_file --trace=t.vdt --phase=first
check "the phases are the whole" "$second + $(value s.json sent) == 5000 && $second > 2000"
replay $on_file --trace=t.vdt --window=0.1-0.2
check "a window of 0.1 s" "$(value s.json sent) > 800 && $(value s.json sent) < 1200"
replay $on_file --trace=t.vdt --stream=vm0 --loop=2
check "a stream, twice" "$(value s.json sent) == 10000"

# Rates.
replay $on_sim --trace=t.vdt --speed=200
check "speed=200 takes half the time" "$(value s.json window_s) < 0.4 && $(value s.json nominal_iops) > 19000 && $(value s.json nominal_iops) < 21000"
replay $on_sim --trace=t.vdt --pacing=asap
check "asap leaves no record out" "$(value s.json achieved) == 4995"
cp s.json max.json
replay $on_sim --trace=t.vdt --iorate=50% --max_from=max.json
half=$(awk "BEGIN { print $(value max.json achieved_iops) / 2 }")
check "a percentage of the maximum" "$(value s.json nominal_iops) / $half > 0.999 && $(value s.json nominal_iops) / $half < 1.001"

# Clones and places.
replay $on_sim --trace=t.vdt --clones=4 --stagger=100ms
check "four clones" "$code == 0 && $(value s.json sent) == 20000"
replay $on_sim --trace=t.vdt --clones=4 --clone_kind=linked --fit=compact
check "four linked clones" "$code == 0 && $(value s.json read records) == 4 * $(value max.json read records) && $(value s.json folded) == 0"
replay $on_sim --trace=t.vdt --clones=4 --numjobs=2 --iodepth=32 --group_reporting
check "two jobs share the clones" "$code == 0 && $(value s.1.json sent) + $(value s.2.json sent) == 20000"
replay $on_sim --trace=t.vdt --clones=4 --stagger_kind=rotate --loop=2
check "rotated clones play every record too" "$code == 0 && $(value s.json sent) == 40000"
replay $on_sim --trace=t.vdt --clones=auto --fit=compact --pacing=asap --size=200M
held=$(value s.json clones replay) each=$(value s.json clone_bytes)
check "as many clones as the region holds" \
	"$code == 0 && $held > 1 && $held * $each <= 200 * 1048576 && ($held + 1) * $each > 200 * 1048576 && $(value s.json folded) == 0"
check "which is said" "$(grep -c "^vdi_replay: job t: $held clones of .* in a region of 210 MB" out)" == 1
truncate -s 4M small
for fit in wrap stretch compact; do
	replay --filename=small --size=4M --iodepth=16 --trace=t.vdt --pacing=asap --fit=$fit
	check "fit=$fit stays inside a small target" "$code == 0 && $(value s.json flush records) == 5 && $(stat -c %s small) == 4194304"
done
replay --filename=small --size=4M --iodepth=16 --trace=t.vdt
refused "fit=exact refuses a small target" "do not fit"

# A capture that says at its end, in a record of blktrace, that it lost 3 events.
{
	cat "$top/tests/data/trace/blktrace-v7-le.bin"
	printf '\007tae' && head -c 24 /dev/zero && printf '\002\000\000\004' && head -c 14 /dev/zero
	printf '\007\000lost: 3'
} >lossy.bin
"$build/ssdreview" trace import lossy.bin -o lossy.vdt >/dev/null
replay $on_file --trace=lossy.vdt --fit=wrap --pacing=asap
check "events that the capture lost are kept" "$code == 0 && $(value s.json lost) == 3"
check "and said" "$(grep -c "lost 3 events" out) == 1"

# A desktop that was captured: every record of a phase comes back in its class.
desktop=$top/examples/traces/debian-desktop.vdt
in_trace() { "$build/ssdreview" trace info part.vdt | awk -v op="$1" '$1 == op { gsub(",", "", $2); print $2 + 0; exit }'; }
for phase in boot login; do
	"$build/ssdreview" trace cut "$desktop" --phase $phase -o part.vdt >out
	replay $on_sim --trace="$desktop" --phase=$phase --pacing=asap
	for op in read write flush; do
		check "$phase of the captured desktop: each $op once" \
			"$code == 0 && $(in_trace $op) > 0 && $(value s.json $op records) == $(in_trace $op)"
	done
done

# A window of a phase counts from the phase's beginning, as in trace cut.
"$build/ssdreview" trace cut "$desktop" --phase login --from 20 --to 60 -o part.vdt >out
replay $on_sim --trace="$desktop" --phase=login --window=20-60 --pacing=asap
check "a window of a phase" "$code == 0 && $(in_trace read) > 0 && $(value s.json read records) == $(in_trace read)"

# What is written can be read back: verify headers travel with the records.
replay $on_file --trace=t.vdt --pacing=asap --refill_buffers
check "fresh data for every write" "$code == 0"

for pacing in timed asap; do
	replay $on_file --trace=t.vdt --trims=skip --verify=crc32c --do_verify=1 --pacing=$pacing
	check "verify finds what the trace wrote ($pacing)" "$code == 0 && $(fio_value total_ios 1) > $(value s.json read records)"
done

# Refusals.
for option in loops=3 verify_only "verify=crc32c --verify_backlog=8" "verify=crc32c --experimental_verify=1" "verify=crc32c --trim_percentage=10 --trim_backlog=8"; do
	replay $on_file --trace=t.vdt --trims=skip --$option
	refused "--$option" "; remove it"
done
replay $on_file --trace=t.vdt --verify=crc32c
refused "verify of a trace that trims" "trims=skip"
replay $on_file --trace=missing.vdt
refused "a missing trace" "missing.vdt"
mkfifo pipe
replay $on_file --trace=pipe
refused "a trace that is a pipe" "no file"
head -c 20000 t.vdt >cut.vdt
replay $on_file --trace=cut.vdt
refused "a trace that was cut" "cut.vdt"
replay $on_file
refused "no trace" "trace=FILE"
replay $on_file --trace=t.vdt --phase=third
refused "an unknown phase" "third"
replay $on_file --trace=t.vdt --window=5
refused "a window that is none" "window=5"
replay $on_file --trace=t.vdt --clones=some
refused "a number of clones that is none" "clones=some"
replay $on_file --trace=t.vdt --clones=auto
refused "clones=auto needs fit=compact" "fit=compact"
replay $on_file --trace=t.vdt --clones=4 --clone_kind=linked
refused "linked clones need fit=compact" "fit=compact"
replay $on_file --trace=t.vdt --readonly
refused "--readonly" "readonly\|read.only"
replay $on_file --trace=t.vdt --rate_iops=100
refused "fio's own rates" "remove it"

exit $((failures > 0))
