#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# A trace that is not finished leaves nothing: however the process ends, on disks with and without
# files that have no name, and on a full one.
set -u
cd "$(dirname "$0")/../.." || exit 1
ssdreview=${BUILD:-build}/ssdreview
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

awk 'BEGIN { for (i = 0; i < 60000; i++) printf "128166372%09d,usr,0,Write,%d,4096,1\n", i * 10000, i * 4096 }' >"$work/rows.csv"
mkdir "$work/out"
mkfifo "$work/pipe"
left() { ls "$work/out" | tr '\n' ' '; }
# nothing WHAT [BUT]: what is left in the folder of the output.
nothing() {
	[ "$(left)" = "${2:-}" ] && echo "ok $1" || echo "not ok $1: $(left)is there"
}
# Starts an import that has had its rows and waits for more.
begin_import() {
	"$@" "$ssdreview" trace import "$work/pipe" -o "$work/out/a.vdt" >"$work/said" 2>&1 &
	process=$!
	exec 9>"$work/pipe"
	cat "$work/rows.csv" >&9
}
# end_import SIGNAL
end_import() {
	kill -s "$1" "$process"
	wait "$process" 2>/dev/null
	exec 9>&-
}

(ulimit -f 8 && "$ssdreview" trace import "$work/rows.csv" --plain -o "$work/out/a.vdt") >"$work/said" 2>&1
[ $? = 1 ] && grep -q "cannot be written: File too large" "$work/said" && echo "ok a limit on the size of files is told" ||
	echo "not ok a limit on the size of files is told: $(cat "$work/said")"
nothing "and leaves nothing"

for signal in KILL TERM INT; do
	begin_import env --default-signal=INT
	end_import $signal
	nothing "nothing is left by SIG$signal"
done
begin_import env --default-signal=INT
exec 9>&-
wait "$process"
nothing "an import that ends leaves its trace alone" "a.vdt "
rm -f "$work/out/a.vdt"
"$ssdreview" trace import "$work/rows.csv" -o "$work/out/a.vdt" --from 1 --to 2 >/dev/null
nothing "so does one of a window" "a.vdt "
rm -f "$work/out/a.vdt"

if ! cc -shared -fPIC -o "$work/bad_disk.so" tests/review/bad_disk.c -ldl 2>"$work/said"; then
	echo "skip disks with limits: $(head -1 "$work/said")"
	exit
fi
limited="env LD_PRELOAD=$work/bad_disk.so"
unnamed="$limited NO_UNNAMED_FILES=1"

begin_import $limited DISK_BYTES=1000
exec 9>&-
wait "$process" && echo "not ok a full disk fails the import: exit code 0" || echo "ok a full disk fails the import"
grep -q "out/a.vdt cannot be written: No space left" "$work/said" && echo "ok with the path and the reason" ||
	echo "not ok with the path and the reason: $(cat "$work/said")"
nothing "and leaves nothing"

begin_import $unnamed
end_import TERM
nothing "without unnamed files, SIGTERM removes the part"
begin_import $unnamed
$unnamed "$ssdreview" trace import "$work/rows.csv" -o "$work/out/a.vdt" 2>&1 | grep -q "another process" &&
	echo "ok a part that is being written is not touched" || echo "not ok a part that is being written is not touched: no refusal"
end_import KILL
nothing "SIGKILL leaves a part" "a.vdt.part "
$unnamed "$ssdreview" trace import "$work/rows.csv" -o "$work/out/a.vdt" >"$work/said" 2>&1 ||
	echo "not ok the next import works: $(cat "$work/said")"
nothing "which the next import takes over" "a.vdt "
"$ssdreview" trace check "$work/out/a.vdt" | grep -q "is whole: 60,000 records" && echo "ok and makes a whole trace of" ||
	echo "not ok and makes a whole trace of: $("$ssdreview" trace check "$work/out/a.vdt" 2>&1)"
$unnamed "$ssdreview" trace cut "$work/out/a.vdt" -o "$work/out/a.vdt" --to 1 >/dev/null
nothing "a trace is cut in its place" "a.vdt "
