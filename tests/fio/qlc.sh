#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# qlc_writer under fio: on simulated drives whose cache is known, on a file, ended early, misused.
. "$(dirname "$0")/common.inc"

writer() { run_fio --name=t "--ioengine=external:$build/qlc_writer.so" --rw=write --bs=128k --iodepth=32 "$@"; }
# spoilt FILE: the machine was the limit, and while it stands still a simulated drive recovers.
spoilt() { awk "BEGIN { exit !($(value "$1" cpu_wait_share) + 0 > 0.05) }"; }
# near WHAT FILE KEY TRUTH: within a twentieth.
near() {
	found=$(value "$2" "$3" qlc)
	if spoilt "$2"; then echo "skip $1: the machine was too busy"; else check "$1" "$found > 0.95 * $4 && $found < 1.05 * $4"; fi
}
says() { grep -q -- "$2" out && ok "$1" || not_ok "$1" "no '$2' in: $(tail -3 out)"; }

new_drive d.sim 670p-2tb 200
writer --filename=d.sim --stats_file=probe.json --output-format=json
check "a probe ends by itself" "$code == 0"
near "it finds the cache of the model" probe.json cache_bytes 1.4e9
near "and the speed past it" probe.json slow_mbps 450
says "one line says so, on standard error" "qlc_writer: job t: The cliff lies at 1.4"
check "the windows hold what was written" "$(awk '/"windows": \[/ { in_windows = 1 } in_windows && ++line % 13 == 6 { sum += $1 }
	END { print sum + 0 }' probe.json) > 0"

# The rest goes by that probe, whatever the machine did.
sed 's/"cpu_wait_share": [0-9.]*/"cpu_wait_share": 0.386/' probe.json >spoilt.json
sed 's/"\(busy\|cpu_wait\)_share": [0-9.]*/"\1_share": 0.01/' spoilt.json >probe.json

"$build/ssdreview" sim purge d.sim >/dev/null
writer --filename=d.sim --rw=randrw --rwmixread=20 --mode=sustain --sustain=500m --cache_from=probe.json --stats_file=s.json --output-format=json
says "a run that goes on from a probe says from which" "qlc_writer: job t: The cache is taken to be the [0-9.]* GB.*Sustained past it: "
check "it sustains about what the model folds, also at random and between reads" \
	"$(value s.json sustained_mbps qlc) > 400 && $(value s.json sustained_mbps qlc) < 560"
check "reads were counted" "$(fio_value total_ios 1) > 1000"

"$build/ssdreview" sim purge d.sim >/dev/null
writer --filename=d.sim --mode=recover --idle=0:500ms --repeats=3 --cache_from=probe.json --stats_file=r.json
check "the cache comes back while the drive idles" \
	"$(grep -A1 '"idle_s": 0.5,' r.json | sed -n 's/.*"regained_bytes": \([0-9]*\).*/\1/p' | head -1) > 100e6"
check "and not without" "$(grep -A1 '"idle_s": 0.0,' r.json | sed -n 's/.*"regained_bytes": \([0-9]*\).*/\1/p' | head -1) < 100e6"

"$build/ssdreview" sim purge d.sim >/dev/null
writer --filename=d.sim --mode=burst --burst=20% --bursts=3 --cache_from=probe.json --stats_file=b.json
check "bursts stay inside the cache" "$(value b.json held qlc) >= 3 && $(value b.json sustained_mbps qlc) > 100"

"$build/ssdreview" sim purge d.sim >/dev/null
writer --filename=d.sim --mode=fill-levels --levels=0:85 --rest=4 --stats_file=l.json
says "the cache is smaller behind live data" "0 % full: [0-9.]* GB, 85 % full: [0-9]* MB"
near "than that of the empty drive" l.json cache_bytes 1.4e9

# ---- ended early
new_drive d.sim 670p-2tb 200
writer --filename=d.sim --mode=recover --idle=10m --stats_file=i.json --runtime=8 --time_based
check "runtime= ends a wait of ten minutes" "$code == 0 && $(fio_value error) + 0 == 0"
grep -q '"partial": true' i.json && ok "what was found is kept and marked" || not_ok "what was found is kept and marked" "i.json"
near "the cliff is in it" i.json cache_bytes 1.4e9
new_drive d.sim 670p-2tb 200
LD_PRELOAD=${SSDREVIEW_PRELOAD:-} fio --name=t "--ioengine=external:$build/qlc_writer.so" --rw=write --bs=128k --iodepth=32 --filename=d.sim --mode=recover \
	--idle=10m --cache_from=probe.json --stats_file=i.json >out 2>&1 &
pid=$!
sleep 5
kill -INT $pid
wait $pid
grep -q '"partial": true' i.json && ok "so does Ctrl-C" || not_ok "so does Ctrl-C" "$(cat out)"

# ---- no cliff
truncate -s 1600m f.img
writer --filename=f.img --size=1500m --direct=0 --bs=64k --stats_file=f.json
check "a file" "$code == 0"
says "without a cliff is said to have none" "No cliff in the 1.57 GB written\|The cliff lies\|Speed fell\|Speed falls"
says "and what stands between it and the drive" "The page cache is written to"
check "it is not made larger" "$(stat -c %s f.img) == 1600 * 1048576"

# ---- failing
cp f.img g.img
writer --filename=g.img --size=20m --direct=1 --bs=1000 --continue_on_error=all --stats_file=g.json
if grep -q '"failed_ios": 0,' g.json; then
	echo "skip what fails is not written: this file system takes blocks of 1,000 bytes"
else
	says "what fails is not written" "Nothing was measured. [0-9]* I/Os failed and are not counted."
	check "in no step" "$(value g.json bytes qlc) + 0 == 0"
fi

# ---- misused
writer --filename=d.sim --size=64m
refused "a region too small" "raise size= or lower bs="
writer --filename=d.sim --numjobs=2
refused "several jobs" "one job writes to a drive at a time"
writer --filename=d.sim --mode=recover
refused "no idle time" "needs 1 to 32 idle times"
writer --filename=d.sim --mode=recover --idle=5s:500ms
refused "idle times that fall" "idle times must rise"
writer --filename=d.sim --mode=fill-levels --levels=50 --cache_from=probe.json
refused "a probe for what probes by itself" "remove cache_from="
writer --filename=d.sim --mode=recover --idle=1x
refused "an idle time that is none" "time 1 is none"
writer --filename=d.sim --mode=fill-levels --levels=50:20
refused "levels that fall" "must rise"
writer --filename=d.sim --mode=burst --burst=0
refused "an empty burst" "is no size"
writer --filename=d.sim --mode=burst --cache_from=none.json
refused "a probe that is not there" "none.json cannot be opened: .*; run the probe that writes it first"
writer --filename=d.sim --mode=burst --cache_from=spoilt.json
refused "a probe that a busy machine spoilt" "the probe in spoilt.json is spoilt: .* waited for a CPU 38.6 % of the time"
head -c 3000 probe.json >cut.json
writer --filename=d.sim --mode=burst --cache_from=cut.json
refused "a probe that was cut" "cut.json:[0-9]*: .* or was cut"
writer --filename=d.sim --io_size=100m
refused "io_size, which would not limit it" "io_size= does not limit what a plan writes"
writer --filename=d.sim --zonemode=strided --zonesize=1m --zonerange=2m
refused "zones" "zonemode= chooses places beside the plan"
"$build/ssdreview" sim new 870-qvo-1tb -o other.sim --scale 1000 >/dev/null
writer --filename=other.sim --mode=sustain --bs=16k --cache_from=probe.json
refused "a probe of a larger drive" "larger than the region"
writer --filename=d.sim --rw=read
refused "a job that only reads" "rw= must write"
writer --filename=d.sim --verify=crc32c
refused "verify" "verify= cannot follow"
writer --filename=d.sim --mode=prob
refused "an unknown mode" "mode"
exit $((failures > 0))
