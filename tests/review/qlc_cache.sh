# SPDX-License-Identifier: GPL-2.0-only
# `ssdreview run qlc-cache`, and what other profiles make of the cache it found: with a fio that only
# pretends, and once for real on a simulated drive.
. tests/review/lib

FIO=$PWD/tests/review/fake-fio
export FIO

run() { # NAME OPTION...
	name=$1
	shift
	"$ssdreview" run qlc-cache --target "$work/$name.img" --name "$name" --out "$work/results" --size 64M --quick "$@"
}
short_idle() { # a profile that waits for nothing
	sed -e 's/^idle_s = .*/idle_s = 0/' -e "s|= qlc/|= $PWD/jobfiles/qlc/|" jobfiles/qlc-cache.profile >"$work/cache.profile"
}
cache() { # NAME OPTION...
	name=$1
	shift
	"$ssdreview" run "$work/cache.profile" --target "$work/$name.img" --name "$name" --out "$work/results" --size 64M --quick "$@"
}
short_idle

# ---- the plan
expect "a plan says what each row writes" 0 '^Rows  *probe  *32 in flight, writes, once: about .* in ' run plan --dry-run
check "all rows" [ "$(grep -c ' once: about ' "$work/said")" = 6 ]
check "and that there is an idle time before each" grep -q '^Before  *each row: not purged (a file), then 30 s of idle time$' "$work/said"
check "and what it assumes" grep -q '^Cache .* inside and .* past it: assumed, for this drive was not probed yet$' "$work/said"
check "and no steps" sh -c "! grep -q '^Points' '$work/said'"
expect "it cannot be read only" 1 'nothing to read' run plan --dry-run --read-only
check "and nothing is made" [ ! -e "$work/plan.img" -a ! -e "$work/results/plan" ]

# ---- a whole review
expect "a whole review" 0 'Done' cache whole
check "every row was run once" [ "$(points whole)" = "$(for row in probe recover burst sustain probe-reads fill-levels; do echo "$row once 1 "; done)" ]
check "each says what it found" [ "$(grep -c '^  The cliff lies at 4.00 MB[.]$' "$work/said")" = 6 ]
check "and what it wrote" grep -q '^probe  *once  *5.00 MB written in ' "$work/said"
check "the index says that they are no curves" [ "$(grep -c '"steps": "once"' "$work/results/whole/review.json")" = 6 ]
job=$work/results/whole/recover/once.fio
check "a row goes by the probe of its review" grep -qx 'cache_from=../probe/once.stats.json' "$job"
check "with the shorter list of --quick" grep -qx 'idle=1s:30s:2m' "$job"
check "on the whole file" grep -qx 'size=67108864' "$job"
check "no row is time based" sh -c "! grep -l 'runtime\|ramp_time' '$work'/results/whole/*/once.fio"
check "those that probe go by none" sh -c "! grep -l cache_from '$work'/results/whole/*probe*/once.fio '$work/results/whole/fill-levels/once.fio'"
expect "a finished review is not run again" 0 'is finished' cache whole
expect "repeats" 0 'Done' cache twice --repeat 2 --rows probe,sustain
check "each row twice" [ "$(points twice | tr '\n' ' ')" = "probe once 1  probe once 2  sustain once 1  sustain once 2  " ]
check "the second has files of its own" [ -s "$work/results/twice/sustain/once.r2.stats.json" ]
expect "a table of the cache" 0 '^SLC cache' "$ssdreview" table "$work/results/whole"

# ---- no cliff
export FAKE_CACHE=none
expect "without a cliff, the review goes on" 0 'Done' cache flat
check "rows that need one are left out" [ "$(points flat | grep -c 'once 1 not run: the row probe found no cliff to go by')" = 3 ]
check "with the reason" grep -q '^burst: not run: the row probe found no cliff to go by$' "$work/said"
check "the others are not" [ "$(points flat | grep -c ' once 1 $')" = 3 ]
unset FAKE_CACHE

# ---- spoilt by a busy machine
export FAKE_FIO='busyfirst once' FAKE_FIO_ONCE="$work/once"
expect "a spoilt probe is taken once more" 0 '^probe: the CPU was the limit, not the drive, and other rows go by it: once more[.]$' \
	cache late
check "and the rows go by it" [ "$(points late)" = "$(points whole)" ]
check "it is fine then" grep -q '"busy_share": 0.3,' "$work/results/late/probe/once.stats.json"
export FAKE_FIO='busy all'
expect "one that is spoilt again is gone by by none" 0 '^sustain: not run: a busy machine spoilt the row probe, twice$' cache busy
check "no row that goes by it is run" [ "$(points busy | grep -c 'once 1 not run: a busy machine spoilt the row probe, twice')" = 3 ]
check "only that one is taken again" [ "$(grep -c 'once more[.]$' "$work/said")" = 1 ]
unset FAKE_FIO FAKE_FIO_ONCE
expect "nor does another review go by it" 0 '^Cache  *16.8 MB, .*: assumed, for a busy machine spoilt the probe in .*/results/busy$' \
	"$ssdreview" run qlc-cache --target "$work/busy.img" --name next --out "$work/results" --dry-run
expect "and its plan says so" 0 '^Cache  *not known, for a busy machine spoilt the probe in .*/results/busy$' \
	"$ssdreview" run client-qlc --target "$work/busy.img" --name next --out "$work/results" --dry-run

# ---- cut
export FAKE_FIO='slow once'
cache cut >"$work/said" 2>&1 &
pid=$!
wait_for "$work/results/cut/probe/once.fio"
sleep 0.3
kill -TERM "$(command_of "$pid")"
wait "$pid"
unset FAKE_FIO
check "stopped in its first row, it has no point" [ -z "$(points cut)" ]
expect "a row that was cut begins again" 0 '^probe was cut; it starts again[.]$' cache cut
points whole >"$work/points.whole"
points cut >"$work/points.cut"
check "and the points are those of an undisturbed review" cmp "$work/points.whole" "$work/points.cut"
random_moment() { od -An -N1 -tu1 /dev/urandom | awk -v n="$tries" '{ print 0.02 + (n + 1) * $1 / 2560 }'; }
tries=0 code=1
while [ "$code" != 0 ] && [ "$tries" -lt 200 ]; do
	timeout -s KILL "$(random_moment)" "$ssdreview" run "$work/cache.profile" --target "$work/killed.img" --name killed \
		--out "$work/results" --size 64M --quick >"$work/said" 2>&1
	code=$?
	tries=$((tries + 1))
done
check "killed at random moments, it ends at last" [ "$code" = 0 -a "$tries" -gt 1 ]
points killed >"$work/points.killed"
check "with the same points" cmp "$work/points.whole" "$work/points.killed"

# ---- a probe of the drive is known to other reviews of it
again() { # NAME OPTION...
	name=$1
	shift
	"$ssdreview" run "$@" --target "$work/whole.img" --name "$name" --out "$work/results" --quick --destroy "$work/whole.img"
}
expect "the plan of another review goes by it" 0 '^Cache  *4.00 MB, 2,000 MB/s inside and 100 MB/s past it: the probe in .*/results/' \
	again goes "$work/cache.profile" --rows recover
check "and so does a row without its probe" grep -q "^cache_from=$work/results/.*/probe/once.stats.json\$" "$work/results/goes/recover/once.fio"
expect "the plan of a curve compares" 0 '^Cache  *the region of 67.1 MB does not fit the cache of 4.00 MB (probe in ' again plan client-qlc --dry-run
check "all that it will write" grep -q 'the fill and 5 rows that write will write at most .*: the drive writes past its cliff$' "$work/said"
export FAKE_SECONDS=20
expect "no cliff in a row" 0 '^4k-randwrite: no cliff was met in 20 s at full speed[.]$' again calm client-qlc --rows 4k-randwrite,vdi-fc-boot
check "a trace cannot be judged" grep -q '^vdi-fc-boot: a trace has no even speed, so a cliff in it cannot be told[.]$' "$work/said"
export FAKE_FALL=110
expect "a cliff in a row" 0 '^4k-randwrite met a cliff after .* at full speed: 41.0 MB/s before it, 8.1[0-9]* MB/s after[.]' again fell client-qlc --rows 4k-randwrite
expect "it is told without a probe too" 0 '^4k-randwrite met a cliff' "$ssdreview" run client-qlc --target "$work/new.img" --name new \
	--out "$work/results" --size 64M --quick --rows 4k-randwrite
unset FAKE_FALL
expect "no cliff is not" 0 'Done' "$ssdreview" run client-qlc --target "$work/new2.img" --name new2 --out "$work/results" \
	--size 64M --quick --rows 4k-randwrite
check "for nobody asked" sh -c "! grep -q cliff '$work/said'"
unset FAKE_SECONDS
expect "a second is too short" 0 '^4k-randwrite: 1 s at full speed are too short to tell' again short client-qlc --rows 4k-randwrite

# ---- for real
unset FIO
if [ ! -e "$BUILD/qlc_writer.so" ] || ! command -v fio >/dev/null; then
	echo "skip the cache of a simulated drive: fio or the engine is missing"
	exit "$bad"
fi
sim() { # NAME OPTION...
	name=$1
	shift
	"$ssdreview" run qlc-cache --target sim:670p-2tb --name "$name" --out "$work/results" --quick --scale 400 "$@"
}
expect "the cache of a simulated drive" 0 '^  The cliff lies at ' sim real --rows probe,recover,sustain
if grep -q 'a busy machine spoilt the row probe, twice' "$work/said"; then
	echo "skip the rows after it: the machine was too busy"
else
	check "is that of its model" grep -q '^  The cliff lies at 7[0-9][0-9] MB' "$work/said"
	check "is known to the rows after it" grep -q '^  The cache is taken to be the 7.* of an earlier probe.*Sustained past it: 4' "$work/said"
	check "idle times are those of the scale" grep -qx 'idle=2500us:75000us:300000us' "$work/results/real/recover/once.fio"
	check "each row began with an erased drive" [ "$(sed -n 's/.*"fill_share": \([0-9.]*\).*/\1/p' "$work/results/real/sustain/once.stats.json" | awk '{ print ($1 < 0.9) }')" = 1 ]
	cp -r "$work/results/real" "$work/again"
	check "a row runs again with plain fio, in its folder" sh -c "cd '$work/again/sustain' && rm once.json && fio --output=once.json --output-format=json once.fio"
fi
sim dead --rows probe >"$work/said" 2>&1 &
pid=$!
wait_for "$work/results/dead/probe/once.fio"
kill -KILL "$(command_of "$pid")"
wait "$pid" 2>/dev/null
expect "killed, it begins again" 0 'probe was cut; it starts again' sim dead --rows probe
check "and has its point" [ "$(points dead)" = "probe once 1 " ]

# ---- a device is trimmed before each row, and only when it may be written
PATH=$PATH:/usr/sbin:/sbin
device=''
clean_up() { [ -z "$device" ] || losetup -d "$device"; }
tr '\0' x </dev/zero | head -c 67108864 >"$work/disk"
if ! command -v losetup >/dev/null || ! device=$(losetup --find --show "$work/disk" 2>/dev/null); then
	device=''
	echo "skip a device is trimmed: no loop devices here"
	exit "$bad"
fi
cat >"$work/read.fio" <<END
[global]
ioengine=external:build/openloop.so
filename=x
rw=randread
bs=4096
size=100%
[read]
iodepth=4
stats_file=read.stats.json
END
printf '[review]\nregion = 1048576\npurge = yes\n[read]\njobfile = read.fio\nsteps = once\nin_flight = 4\n' >"$work/read.profile"
trims() { "$ssdreview" run "$work/read.profile" --target "$device" --name trims --out "$work/results" --size 8M "$@"; }
expect "a purge needs leave, though the row only reads" 2 "say --destroy" trims
check "and nothing is trimmed" cmp "$work/disk" "$device"
expect "with leave it is purged" 0 'purged by deallocate in' trims --destroy "${device#/dev/}"
check "its data is gone" [ "$(head -c 8388608 "$device" | tr -d '\0' | wc -c)" = 0 ]
check "and no more" cmp -s -i 8388608 "$work/disk" "$device"
check "once" [ "$(points trims)" = "read once 1 " ]
exit "$bad"
