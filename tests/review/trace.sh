#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# ssdreview trace as people use it: its words, exit codes, filters, reports, and the traces shipped.
set -u
cd "$(dirname "$0")/../.." || exit 1
ssdreview=${BUILD:-build}/ssdreview
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

# check WHAT CODE TEXT COMMAND...: the exit code, and a text that what it prints must hold.
check() {
	what=$1 code=$2 text=$3
	shift 3
	"$@" >"$work/said" 2>&1 </dev/null
	got=$?
	if [ $got != "$code" ]; then
		echo "not ok $what: exit code $got, not $code: $(head -c 300 "$work/said")"
	elif [ "$text" ] && ! grep -qF -- "$text" "$work/said"; then
		echo "not ok $what: does not say \"$text\" but: $(head -c 300 "$work/said")"
	else
		echo "ok $what"
	fi
}
trace() { "$ssdreview" trace "$@"; }

check "help" 0 "characterise a trace" trace --help
check "no word is used wrongly" 2 "Usage" trace
check "an unknown word gets the nearest" 2 "did you mean" trace inport
check "an unknown option gets the nearest" 2 "did you mean" trace import --strct x
check "import needs files" 2 "name the files" trace import -o "$work/a.vdt"
check "import needs an output" 2 "-o FILE.vdt" trace import x
check "gen needs a workload" 2 "name a workload" trace gen -o "$work/a.vdt"
check "gen knows two kinds of clones" 2 "full or linked" trace gen boot -o "$work/a.vdt" --clones half
check "an unknown workload gets the nearest" 2 'did you mean "boot"' trace gen bot -o "$work/a.vdt"
check "a file that is not there" 1 "cannot be opened" trace info "$work/none.vdt"

cat >"$work/a.csv" <<END
128166372003061629,usr,0,Read,7014609920,24576,41286
128166372016382155,usr,0,Write,2517700608,4096,1285
128166372026382245,usr,1,Write,2516697088,4096,234339
128166372016000000,usr,0,Read,2516697088,4096,234339
END
check "import recognises a format" 0 "MSR" trace import "$work/a.csv" -o "$work/a.vdt"
check "and counts rows out of order" 0 "reordered     1" trace import "$work/a.csv" -o "$work/a.vdt"
check "a cut says what it kept" 0 "cut.vdt: 1 record of 1 stream, 0 s" trace cut "$work/a.vdt" -o "$work/cut.vdt" --stream 1
check "a merge says what it made" 0 "merged.vdt: 5 records of 3 streams, " trace merge "$work/a.vdt" "$work/cut.vdt" -o "$work/merged.vdt"
check "so does gen" 0 "gen.vdt: " trace gen boot -o "$work/gen.vdt"
check "each file that is whole is named" 0 "$work/cut.vdt is whole" trace check "$work/a.vdt" "$work/cut.vdt"
check "what is exported comes back" 0 "rows out      4" \
	sh -c "'$ssdreview' trace export '$work/a.vdt' -o '$work/out.csv' && '$ssdreview' trace import '$work/out.csv' -o '$work/back.vdt'"
ln -s "$work/a.vdt" "$work/also-a.vdt"
check "a cut replaces no file it reads" 2 "that would replace the file that is read" \
	trace cut "$work/a.vdt" -o "$work/also-a.vdt" --stream 1
check "nor does a merge" 2 "give another name" trace merge "$work/cut.vdt" "$work/a.vdt" -o "$work/a.vdt"
check "nor an export" 2 "give another name" trace export "$work/a.vdt" -o "$work/a.vdt"
check "nor an import" 2 "give another name" trace import "$work/a.csv" -o "$work/a.csv"
check "an unknown format of export" 2 'there are "iolog", "csv", "blkparse"' trace export "$work/a.vdt" --format json
check "an unknown stream" 2 'unknown stream "vm"' trace cut "$work/a.vdt" -o "$work/b.vdt" --stream vm
check "an unknown phase" 2 'there is "boot"' trace cut "$work/gen.vdt" -o "$work/b.vdt" --phase x
check "a part without records" 1 "no record of it is in the part" trace cut "$work/gen.vdt" -o "$work/b.vdt" --from 9999
check "an export says that phases stay behind" 0 "1 phase left out" \
	trace export "$work/gen.vdt" -o "$work/out.csv"
check "and latencies" 0 "4 latencies left out" trace export "$work/a.vdt" --format blkparse -o "$work/out.txt"
check "a merge by clock names the trace without one" 1 "gen.vdt has no time of day" \
	trace merge "$work/a.vdt" "$work/gen.vdt" --by-clock -o "$work/b.vdt"
check "the page names the file" 0 "File           $work/a.vdt, " trace info "$work/a.vdt"
"$ssdreview" trace gen steady -o "$work/steady.vdt" >/dev/null
check "phases that begin together become one" 0 "  boot + steady  " sh -c "'$ssdreview' trace merge '$work/gen.vdt' \
	'$work/steady.vdt' '$work/gen.vdt' -o '$work/b.vdt' && '$ssdreview' trace info '$work/b.vdt'"
rm -f "$work/cut.vdt" "$work/merged.vdt" "$work/gen.vdt" "$work/out.csv" "$work/back.vdt" "$work/also-a.vdt" \
	"$work/out.txt" "$work/steady.vdt"
check "what it made is whole" 0 "is whole: 4 records" trace check "$work/a.vdt"
check "a packed file is the same" 0 "rows out      4" \
	sh -c "gzip -c '$work/a.csv' >'$work/a.csv.gz'; '$ssdreview' trace import '$work/a.csv.gz' -o '$work/b.vdt'"
check "and standard input too" 0 "rows out      4" \
	sh -c "'$ssdreview' trace import - -o '$work/b.vdt' <'$work/a.csv'"
check "a device can be chosen" 0 "filtered      3" \
	trace import "$work/a.csv" -o "$work/b.vdt" --device '*1'
check "a device that is not there: those that are get named" 1 "its devices: usr_0 usr_1" \
	trace import "$work/a.csv" -o "$work/b.vdt" --device none
check "an event where there is but one" 0 "--event changes nothing" \
	trace import "$work/a.csv" -o "$work/b.vdt" --event Q
check "a window can be chosen" 0 "filtered      2" \
	trace import "$work/a.csv" -o "$work/b.vdt" --from 1 --to 2
check "its records are in the window" 0 "is whole: 2 records" trace check "$work/b.vdt"
check "and nothing else is left" 0 "none" sh -c "ls '$work' | grep -v '^[ab]\.\|said' || echo none"
rm -f "$work/b.vdt"
check "phases can be marked" 0 "rows out      4" trace import "$work/a.csv" -o "$work/b.vdt" \
	--phase boot=0 --phase login=1.5 --note "of a test"
check "and are in the trace" 0 "  login" trace info "$work/b.vdt"
check "so is the note" 0 "of a test" trace info "$work/b.vdt"
check "a phase is what comes after its mark" 0 "is whole: 1 record" \
	sh -c "'$ssdreview' trace cut '$work/b.vdt' --phase login -o '$work/b.cut' && '$ssdreview' trace check '$work/b.cut'"
check "a mark without its time" 2 "login=95.5" trace import "$work/a.csv" -o "$work/b.vdt" --phase boot
check "a note that does not fit" 2 "no more than 319 bytes" trace import "$work/a.csv" -o "$work/b.vdt" --note "$(printf %320s x)"
check "a mark at no time" 2 'is not a number of seconds' trace import "$work/a.csv" -o "$work/b.vdt" --phase boot=x
rm -f "$work/b.vdt" "$work/b.cut"
check "a dry run reports" 0 "rows out      4" trace import "$work/a.csv" -o "$work/b.vdt" --dry-run
check "and writes nothing" 1 "cannot be opened" trace check "$work/b.vdt"
check "a stated time that does not fit" 1 "the time unit is wrong" \
	trace import "$work/a.csv" -o "$work/b.vdt" --seconds 0.001
cp "$work/a.csv" "$work/msr.csv"
echo "128166372026382245,usr,1,Wrote,2516697088,4096,234339" >>"$work/a.csv"
check "a damaged row is named" 1 "a.csv:5" trace import "$work/a.csv" -o "$work/b.vdt" --strict
check "over 1 % of them are too many" 1 "1 of 5 rows are damaged" \
	trace import "$work/a.csv" -o "$work/b.vdt"
printf '%s,\033[2Jx,0,Read,0,4096,1\n' 128166372003061629 128166372003061630 >"$work/escape.csv"
check "a name that would steer the terminal" 0 "devices       1" \
	trace import "$work/escape.csv" -o "$work/e.vdt"
check "is made harmless" 0 "  ?[2Jx" trace info "$work/e.vdt"
printf '\050\265\057\375\000\250\001\000\000%4096s' x >"$work/window.zst"
check "packed data that wants too much memory" 1 "wants over 128 MiB" trace import "$work/window.zst" -o "$work/b.vdt"
echo "hello" >"$work/hello"
check "an unknown format" 1 "no known trace format" trace import "$work/hello" -o "$work/b.vdt"
: >"$work/empty"
check "an empty file" 1 "is empty" trace import "$work/empty" -o "$work/b.vdt"
cp tests/data/trace/sdx.blktrace.0 "$work/idle.blktrace.1"
cp tests/data/trace/sdx.blktrace.1 "$work/idle.blktrace.3"
: >"$work/idle.blktrace.0"
: >"$work/idle.blktrace.2"
check "the empty files of CPUs that did nothing" 0 "rows out      5" \
	sh -c "'$ssdreview' trace import '$work'/idle.blktrace.* -o '$work/idle.vdt'"
check "which alone are no capture" 1 "is empty" trace import "$work/idle.blktrace.0" -o "$work/b.vdt"
check "a failed import leaves nothing" 1 "cannot be opened" trace check "$work/b.vdt"

check "traces merge" 0 "" trace merge "$work/a.vdt" "$work/a.vdt" -o "$work/m.vdt" --by-clock
check "into all their records" 0 "is whole: 8 records" trace check "$work/m.vdt"
check "a part can be cut" 0 "" trace cut "$work/m.vdt" --stream 0 -o "$work/c.vdt"
check "an iolog names the target" 0 "/dev/loop9 write 2517700608 4096" \
	trace export "$work/a.vdt" --format iolog --filename /dev/loop9
check "info of a captured trace" 0 "In flight      mean" trace info "$work/a.vdt"
if command -v gnuplot >/dev/null; then
	check "a chart of the load" 0 "Streams" trace info "$work/a.vdt" --charts "$work/charts"
	[ -s "$work/charts/a.svg" ] && echo "ok the chart is drawn" || echo "not ok the chart is drawn: no a.svg"
else
	echo "skip a chart of the load: no gnuplot"
fi
head -c 1000 "$work/a.vdt" >"$work/cut.vdt"
check "a cut file is refused with its byte" 1 "is cut at byte 1000" trace info "$work/cut.vdt"
check "one damaged file is named" 1 "is cut at byte 1000" trace check "$work/cut.vdt" "$work/a.vdt"
check "and the others are checked all the same" 1 "a.vdt is whole" trace check "$work/cut.vdt" "$work/a.vdt"
check "a device is not replaced by a trace" 1 "no regular file" trace import "$work/msr.csv" -o /dev/null
check "nor by an export" 1 "no regular file" trace export "$work/a.vdt" -o /dev/null
check "an export can fail" 1 "cannot be written" trace export "$work/a.vdt" -o "$work/none/a.csv"

for key in $(sed -n 's/^[[:space:]]*KEY(\([a-z_0-9]*\),.*/\1/p' engines/trace/workload.c); do
	grep -q "\<$key\>" docs/ssdreview-trace.1 && echo "ok the manual says what $key is" ||
		echo "not ok the manual says what $key is: it does not"
done
for file in examples/traces/*.vdt; do
	check "$file is whole" 0 "is whole" trace check "$file"
	[ "$(wc -c <"$file")" -lt 1000000 ] && echo "ok $file is small" || echo "not ok $file is small: $(wc -c <"$file") bytes"
done
real=examples/traces/debian-desktop.vdt
check "the real trace says how it was captured" 0 "captured from a Debian 12 guest under QEMU TCG: timing is emulated" trace info $real
check "and of what" 0 "Source         disk of a Debian 12 desktop" trace info $real
check "and that its events are issues" 0 "issue (D)" trace info $real
total=0
for phase in boot greeter login session; do
	check "it has the phase $phase" 0 "" trace cut $real --phase $phase -o "$work/phase.vdt"
	records=$(trace check "$work/phase.vdt" | sed -n 's/.* \([0-9,]*\) records$/\1/p' | tr -d ,)
	total=$((total + ${records:-0}))
done
check "its phases are all of it" 0 "$total" sh -c "'$ssdreview' trace check $real | tr -d ,"
check "every record has its latency" 0 "none" \
	sh -c "'$ssdreview' trace export $real 2>&1 | grep ',\$' || echo none"
for file in examples/traces/fc-*.vdt examples/traces/lc-*.vdt; do
	check "$file says that it is synthetic" 0 "SYNTHETIC      synthetic, calibrated to" trace info "$file"
done
