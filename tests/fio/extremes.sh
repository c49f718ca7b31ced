#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# vdi_replay with traces and options at the edge of what there can be: memory and time stay bounded.
. "$(dirname "$0")/common.inc"

# Sanitizers need address space of their own.
case $build in *asan*) limit_kib=unlimited ;; *) limit_kib=1000000 ;; esac
replay() { (ulimit -v $limit_kib && LD_PRELOAD=${SSDREVIEW_PRELOAD:-} exec timeout -k 5 60 fio --name=t "--ioengine=external:$build/vdi_replay.so" --rw=randwrite --bs=4096 --filename=file --size=32M --iodepth=64 --output-format=json --stats_file=s.json "$@") >out 2>&1; code=$?; }
import() { "$build/ssdreview" trace import "$1.csv" --columns time_us,op,offset_b,len_b,latency_us,stream -o "$1.vdt" >out || not_ok "import of $1" "$(tail -1 out)"; }
truncate -s 32M file
awk 'BEGIN { for (i = 0; i < 100; i++) printf "%d,W,%.0f,4096,100,a\n", i * 1000, 9223372036854771712 - (i > 0) * i * 1048576 }' >far.csv
awk 'BEGIN { for (i = 0; i < 100; i++) printf "%d,W,%.0f,4096,100,%s\n", i * 1000, 9223372036854771712 - (i > 0) * i * 1048576, i % 2 ? "a" : "b" }' >far2.csv
awk 'BEGIN { for (i = 0; i < 2000; i++) printf "%d,%s,%d,4096,100,a\n", i * 1000, i % 2 ? "R" : "W", i * 4096 }' >short.csv
awk 'BEGIN { for (i = 0; i < 20000; i++) printf "%d,R,%d,4096,100,s%d\n", i * 10, i * 4096, i }' >wide.csv
awk 'BEGIN { for (i = 0; i < 200000; i++) printf "%d,R,%d,4096,100,%s\n", i, i % 4096 * 4096, i ? "a" : "once" }' >rare.csv
printf '0,R,0,4096,10,a\n9000000000000000,R,4096,4096,10,a\n' >old.csv
for name in far far2 old short wide rare; do import $name; done

# Address spaces.
for fit in exact wrap stretch; do
	replay --trace=far.vdt --clones=2 --fit=$fit
	refused "two address spaces of 2^63 bytes, fit=$fit" "2 clones of 9223372036854775808 bytes do not fit"
done
replay --trace=far.vdt --clones=2 --fit=compact --pacing=asap
check "places near 2^63 of two clones are kept apart" "$code == 0 && $(value s.json sent) == 200 && $(value s.json folded) == 200 - 128"
replay --trace=far.vdt --fit=stretch --pacing=asap
check "an address space of 2^63 bytes is stretched" "$code == 0 && $(value s.json sent) == 100"
replay --trace=far2.vdt --fit=compact
refused "streams of 2^63 bytes each" "choose one with stream="

# Times.
replay --trace=short.vdt --iorate=1e-300
refused "a rate that lasts longer than the world" "a speed of .* cannot be"
replay --trace=old.vdt --speed=0.1 --runtime=1
check "285 years at a thousandth of the speed do not come back to now" "$code == 0 && $(value s.json sent) == 1"
replay --trace=old.vdt --loop=1000000 --runtime=1
check "nor does a million times 285 years" "$code == 0 && $(value s.json sent) == 1"
replay --trace=old.vdt --loop=1000 --pacing=asap
check "as fast as possible they take no time" "$code == 0 && $(value s.json sent) == 2000"
replay --trace=short.vdt --think_max=1ms
refused "think_max without its pacing" "pacing=dependent"

# Memory: what clones share is held once.
replay --trace=short.vdt --clones=10000 --clone_kind=linked --fit=compact --pacing=asap --number_ios=20000 --runtime=1 --time_based
check "10,000 clones of a packed trace" "$code == 0 && $(value s.json sent) > 0"
replay --trace=wide.vdt --fit=compact --pacing=dependent
refused "dependent pacing of 20,000 streams" "choose a stream or fewer clones"

# Time: a window without records is not searched again and again, and a backlog not counted for hours.
replay --trace=rare.vdt --stream=once --window=0.00001- --loop=1000000 --fit=wrap --pacing=asap
check "nothing, a million times" "$code == 1 && $(value s.json sent) == 0"
replay --trace=short.vdt --clones=10000 --fit=wrap --runtime=3
check "ten million I/Os a second are due" "$code == 0 && $(value s.json count unsent) > 8000000"

exit $((failures > 0))
