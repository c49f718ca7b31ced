# SPDX-License-Identifier: GPL-2.0-only
# `ssdreview run` with the installed fio and a simulated drive, from nothing to a table.
. tests/review/lib

unset FIO
if [ ! -e "$BUILD/openloop.so" ] || ! command -v fio >/dev/null; then
	echo "skip a review of a simulated drive: fio or the engine is missing"
	exit 77
fi
run() { # NAME OPTION...
	name=$1
	shift
	"$ssdreview" run client-qlc --target sim:670p-2tb --name "$name" --out "$work/results" --quick --scale 100 "$@"
}
field() { grep -o "\"$2\": [^,]*" "$work/results/$1/review.json" | head -1 | cut -d' ' -f2-; }

expect "a plan says how many clones the region holds" 0 'vdi-lc-boot  *16 in flight, writes, 128 clones, stand-in$' \
	"$ssdreview" run enterprise --target sim:p4510-8tb --name plan --out "$work/results" --dry-run
expect "a review of a simulated drive" 0 'Done' run one --rows 4k-randread
check "it has every point" [ "$(points one | grep -c ' 1 $')" = 13 ]
check "it is marked as simulated" [ "$(field one simulated)" = true ]
check "it is marked as quick" [ "$(field one quick)" = true ]
check "its scale is kept" [ "$(field one scale)" = 100 ]
check "the region was written once in full" grep -q '"io_bytes" : 204472320' "$work/results/one/fill/fill.json"
expect "the table says simulated" 0 'simulated' "$ssdreview" table "$work/results/one"
cp -r "$work/results/one/4k-randread" "$work/again"
check "a point runs again with plain fio, in its folder" sh -c "cd '$work/again' && rm 030.json && fio --output=030.json --output-format=json 030.fio"
check "and gives a result" grep -q '"jobname" : "030"' "$work/again/030.json"
expect "another scale is refused" 1 'scale' "$ssdreview" run client-qlc --target sim:670p-2tb --name one \
	--out "$work/results" --quick --scale 50 --rows 4k-randread

# Killed between and in points, with the real fio; the same command ends with the same points.
run killed --rows 64k-seqread >"$work/said" 2>&1 &
pid=$!
wait_for "$work/results/killed/64k-seqread/020.fio"
kill -KILL "$(command_of "$pid")"
wait "$pid" 2>/dev/null
expect "a killed review goes on" 0 'Going on' run killed --rows 64k-seqread
check "with every point" [ "$(points killed | grep -c ' 1 $')" = 13 ]
check "and the drive is whole" "$ssdreview" sim info "$work/results/killed/drive.sim"

# ---- the sub-commands for simulated drives
check "a drive is made" "$ssdreview" sim new 670p-2tb -o "$work/d.sim" --scale 100
expect "a drive is not made twice" 1 'd.sim' "$ssdreview" sim new 670p-2tb -o "$work/d.sim"
expect "a drive is described" 0 'Intel 670p 2TB' "$ssdreview" sim info "$work/d.sim"
"$ssdreview" sim new 670p-2tb -o "$work/event.sim" --scale 1000 --event stall:at_s=5,duration_ms=1000 \
	--event throttle:at_s=2.5,every_s=60,duration_ms=100,factor=2 >"$work/said"
expect "its events are told" 0 'Events      stall:at_s=5,duration_ms=1000$' "$ssdreview" sim info "$work/event.sim"
check "all of them" grep -q '^            throttle:at_s=2.5,every_s=60,duration_ms=100,factor=2' "$work/said"
expect "a new drive is named" 0 "n.sim: a simulated Intel 670p 2TB, 2.05 TB" "$ssdreview" sim new 670p-2tb -o "$work/n.sim"
expect "a beginning of a model is near" 2 'did you mean "670p-' "$ssdreview" sim new 67p -o "$work/e.sim"
check "a drive is erased" "$ssdreview" sim purge "$work/d.sim"
expect "a drive is a target" 0 'may be used' "$ssdreview" check "$work/d.sim"
expect "models are listed" 0 'p4510-8tb' "$ssdreview" sim models
expect "an unknown model is named" 2 '670p-2tb' "$ssdreview" sim new 670p-2tbb -o "$work/e.sim"
expect "an unknown command is named" 2 'did you mean "purge"?' "$ssdreview" sim prge x
expect "no file to make it in" 2 '-o FILE' "$ssdreview" sim new 670p-2tb
cp "$work/d.sim" "$work/e.sim"
printf 'XXXXXXXX' | dd of="$work/e.sim" bs=1 seek=16384 conv=notrunc 2>/dev/null
expect "a damaged state is told" 1 'e.sim is damaged at byte 16384' "$ssdreview" sim info "$work/e.sim"
expect "a damaged drive is refused" 1 'd.sim' sh -c "truncate -s 5000 '$work/d.sim'; '$ssdreview' sim info '$work/d.sim'"
exit "$bad"
