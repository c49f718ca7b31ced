#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# ssdreview trace capture: what it refuses, and on a loop device that what it captures is exactly what
# fio says it did. Needs root and a kernel whose tracing is free; skips with a word otherwise.
set -u
cd "$(dirname "$0")/../.." || exit 1
PATH=$PATH:/usr/sbin:/sbin
ssdreview=$(realpath "${BUILD:-build}/ssdreview")
work=$(mktemp -d) || exit 1
loop='' capturing=''
tracefs=/sys/kernel/tracing

finish() {
	[ -z "$capturing" ] || kill -KILL "$capturing" 2>/dev/null
	mountpoint -q "$work/mounted" && umount "$work/mounted"
	[ -z "$loop" ] || losetup -d "$loop"
	rm -rf "$work"
}
trap finish EXIT

# check WHAT CODE TEXT COMMAND...: the exit code, and a text that what it prints must hold.
check() {
	what=$1 code=$2 text=$3
	shift 3
	"$@" >"$work/said" 2>&1 </dev/null
	got=$?
	if [ $got != "$code" ]; then
		echo "not ok $what: exit code $got, not $code: $(head -c 300 "$work/said")"
	elif ! grep -qF -- "$text" "$work/said"; then
		echo "not ok $what: does not say \"$text\" but: $(head -c 300 "$work/said")"
	else
		echo "ok $what"
	fi
}
same() { # WHAT GOT WANTED
	[ "$2" = "$3" ] && echo "ok $1" || echo "not ok $1: $2, not $3"
}
trace() { "$ssdreview" trace "$@"; }

check "capture needs a disk" 2 "name the disk" trace capture -o "$work/a.vdt"
check "and an output" 2 "-o FILE.vdt" trace capture /dev/null
check "it knows two events" 2 "Q or D" trace capture /dev/null -o "$work/a.vdt" --event C
check "no time is no capture" 2 "holds nothing" trace capture /dev/null -o "$work/a.vdt" --seconds 0
check "a note that does not fit" 2 "no more than 319 bytes" trace capture /dev/null -o "$work/a.vdt" --note "$(printf %320s x)"
check "a device that is no disk" 1 "no block device" trace capture /dev/null -o "$work/a.vdt"
check "a disk that is not there" 1 "cannot be opened" trace capture "$work/none" -o "$work/a.vdt"
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
	disk=$(lsblk -dnpo NAME 2>/dev/null | head -n 1)
	if ! setpriv --reuid 65534 --clear-groups "$ssdreview" version >/dev/null 2>&1; then
		echo "skip a user who may not: the build folder is closed to others"
	elif [ "$disk" ]; then
		check "a user who may not" 1 "root" \
			setpriv --reuid 65534 --clear-groups "$ssdreview" trace capture "$disk" -o "/tmp/none.vdt"
	fi
fi

# ---- is there anything to test with? --------------------------------------------------------

skip() {
	echo "skip capturing a loop device: $1"
	exit 0
}
[ "$(id -u)" = 0 ] || skip "needs root"
for command in fio losetup; do
	command -v $command >/dev/null || skip "no $command"
done
truncate -s 256M "$work/disk"
loop=$(losetup -f --show "$work/disk" 2>"$work/said") || { loop='' && skip "$(cat "$work/said")"; }
name=${loop#/dev/}
trace capture "$loop" -o "$work/a.vdt" --seconds 0.1 </dev/null >"$work/said" 2>&1
! grep -q "in use\|another\|not mounted\|no blk tracer\|locked down\|may not be" "$work/said" ||
	skip "$(cat "$work/said")"
check "a disk without I/O" 1 "did no I/O" trace capture "$loop" -o "$work/a.vdt" --seconds 0.1
same "leaves nothing" "$(ls "$work" | grep '^a\.')" ""

# ---- helpers --------------------------------------------------------------------------------

settings() {
	cat $tracefs/current_tracer $tracefs/trace_clock $tracefs/tracing_on $tracefs/options/bin \
		$tracefs/options/context-info $tracefs/options/markers "/sys/block/$name/trace/enable"
}
# Begins a capture in the background; its standard input is the FIFO marks, opened as 3.
begin() { # OPTION...
	rm -f "$work/marks" "$work/log"
	mkfifo "$work/marks"
	"$ssdreview" trace capture "$loop" "$@" <"$work/marks" >"$work/log" 2>&1 &
	capturing=$!
	exec 3>"$work/marks"
	until grep -q Capturing "$work/log" 2>/dev/null; do
		kill -0 $capturing 2>/dev/null || break
		sleep 0.05
	done
}
# Ends it with a signal; its exit code is in $code.
end() { # SIGNAL
	kill -"$1" $capturing
	wait $capturing
	code=$?
	capturing=''
	exec 3>&-
}
# fio in one part of the disk, its JSON in $work/NAME.json.
load() { # NAME OPTION...
	file=$work/$1.json
	shift
	fio --name=a --filename="$loop" --ioengine=libaio --direct=1 --iodepth=8 --group_reporting \
		--output-format=json --output="$file" "$@" >/dev/null 2>&1
}
fio_says() { # NAME DIRECTION
	awk -v direction="$2" '$1 == "\"" direction "\"" {inside = 1}
		inside && $1 == "\"io_bytes\"" {bytes = $3 + 0}
		inside && $1 == "\"total_ios\"" {print $3 + 0, bytes; exit}' "$work/$1.json"
}
# Records and bytes of the trace by operation in [FROM, TO) MiB.
trace_says() { # FILE OPERATION FROM TO
	trace export "$1" 2>/dev/null | awk -F, -v op="$2" -v from="$3" -v to="$4" \
		'$3 == op && $4 >= from * 1048576 && $4 < to * 1048576 {n++; bytes += $5}
		END {print n + 0, bytes + 0}'
}
before=$(settings)

# ---- what is captured is what was done --------------------------------------------------------

echo 2 >"/sys/block/$name/queue/nomerges"
begin -o "$work/a.vdt" --phase "first reads"
load reads --rw=randread --bs=8k --offset=65M --size=63M --number_ios=3000
echo "then writes" >&3
load writes --rw=randwrite --bs=16k --offset=129M --size=63M --number_ios=1000 --fsync=100
load trims --rw=randtrim --bs=64k --offset=193M --size=62M --number_ios=100 --ioengine=psync
check "one capture at a time" 1 "another ssdreview trace capture is running" \
	trace capture "$loop" -o "$work/b.vdt" --seconds 1
end TERM
same "a capture ends with SIGTERM" "$code" 0
same "reads and bytes are fio's" "$(trace_says "$work/a.vdt" read 65 128)" "$(fio_says reads read)"
same "writes and bytes are fio's" "$(trace_says "$work/a.vdt" write 129 192)" "$(fio_says writes write)"
same "trims and bytes are fio's" "$(trace_says "$work/a.vdt" trim 193 256)" "$(fio_says trims trim)"
flushes=$(trace_says "$work/a.vdt" flush 0 256)
[ "${flushes% *}" -ge 9 ] && echo "ok so are its flushes" || echo "not ok so are its flushes: ${flushes% *}"
same "each has its latency" \
	"$(trace export "$work/a.vdt" 2>/dev/null | awk -F, 'NR > 1 && $7 == ""' | wc -l)" 0
# fio's latency of an I/O holds the drive's.
slower=$(trace export "$work/a.vdt" 2>/dev/null |
	awk -F, '$3 == "read" && $4 >= 68157440 && $4 < 134217728 {n++; sum += $7} END {print sum / n}')
fio_ns=$(awk '$1 == "\"read\"" {inside = 1} inside && $1 == "\"lat_ns\"" {lat = 1}
	lat && $1 == "\"mean\"" {print $3 + 0; exit}' "$work/reads.json")
awk "BEGIN {exit !($slower > 0 && $slower < $fio_ns)}" && echo "ok latencies are below fio's own" ||
	echo "not ok latencies are below fio's own: $slower, fio's $fio_ns ns"
check "the phases are there" 0 "first reads" trace info "$work/a.vdt"
check "both of them" 0 "then writes" trace info "$work/a.vdt"
check "the second begins after the reads" 0 "" trace cut "$work/a.vdt" --phase "then writes" -o "$work/c.vdt"
same "so none is in it" "$(trace_says "$work/c.vdt" read 65 128)" "0 0"
check "the stream is the disk" 0 "$name" trace info "$work/a.vdt"
check "and the kernel is named" 0 "Linux $(uname -r)" trace info "$work/a.vdt"
check "nothing was lost" 0 "is whole" trace check "$work/a.vdt"
check "a capture replaces no trace" 1 "a capture replaces none" trace capture "$loop" -o "$work/a.vdt" --seconds 1
same "the kernel is as it was" "$(settings)" "$before"
same "no other file is left" "$(ls "$work" | grep capture)" ""

begin -o "$work/q.vdt" --event Q --source "disk of a test" --note "begun by hand"
load reads --rw=randread --bs=8k --offset=65M --size=63M --number_ios=500
kill -USR1 $capturing
sleep 0.2
end INT
same "a capture ends with Ctrl-C" "$code" 0
same "queue events are fio's too" "$(trace_says "$work/q.vdt" read 65 128)" "$(fio_says reads read)"
check "what it is of can be said" 0 "Source         disk of a test" trace info "$work/q.vdt"
check "and how it came about" 0 "Note           begun by hand" trace info "$work/q.vdt"
check "a signal begins a phase" 0 "phase-1" trace info "$work/q.vdt"

# ---- lost events, kill -9 -------------------------------------------------------------------

begin -o "$work/l.vdt"
echo 8 >$tracefs/buffer_size_kb
kill -STOP $capturing
load lost --rw=randread --bs=4k --offset=65M --size=63M --number_ios=4000
kill -CONT $capturing
end INT
same "lost events are a failure" "$code" 1
grep -q "kernel lost" "$work/log" && echo "ok and are said" || echo "not ok and are said: $(cat "$work/log")"
check "the trace is written, and says so" 0 "LOST" trace info "$work/l.vdt"
check "check refuses it" 1 "lost" trace check "$work/l.vdt"

begin -o "$work/k.vdt" --phase killed --note "a test"
load reads --rw=randread --bs=8k --offset=65M --size=63M --number_ios=500
sleep 0.3
kill -KILL $capturing
wait $capturing 2>/dev/null
capturing=''
exec 3>&-
check "after kill -9 the capture can be imported" 0 "did not come to its end" \
	sh -c "'$ssdreview' trace import '$work'/k.vdt.capture/* -o '$work/k.vdt'"
same "with all that was done" "$(trace_says "$work/k.vdt" read 65 128)" "$(fio_says reads read)"
check "and its note" 0 "Note           a test; the capture did not come to its end" trace info "$work/k.vdt"
check "and its phase" 0 "killed" trace info "$work/k.vdt"
check "its folder is not written over" 1 "did not come to its end" \
	trace capture "$loop" -o "$work/k.vdt" --seconds 0.1
check "and the kernel traces no more" 0 "nop" cat $tracefs/current_tracer
begin -o "$work/k2.vdt"
kill -KILL $capturing
wait $capturing 2>/dev/null
capturing=''
exec 3>&-
check "the next one cleans up" 1 "left over by a killed capture" \
	trace capture "$loop" -o "$work/k3.vdt" --seconds 0.1
same "then the kernel is as it was" "$(settings)" "$before"

# ---- where the trace is written, partitions ---------------------------------------------------

if mkfs.ext4 -q "$loop" 2>/dev/null && mkdir "$work/mounted" && mount "$loop" "$work/mounted"; then
	check "a trace on the disk that is traced" 1 "lies on" \
		trace capture "$loop" -o "$work/mounted/a.vdt" --seconds 1
	umount "$work/mounted"
else
	echo "skip a trace on the disk that is traced: no mkfs.ext4, or no mount"
fi
if echo "start=2048, size=204800" | sfdisk -q "$loop" >/dev/null 2>&1 &&
	losetup -d "$loop" && loop=$(losetup -P -f --show "$work/disk") && [ -b "${loop}p1" ]; then
	whole=$loop
	loop=${whole}p1
	begin -o "$work/p.vdt"
	load reads --rw=randread --bs=8k --offset=65M --size=30M --number_ios=500
	load --rw=randread --bs=8k --filename="$whole" --offset=200M --size=10M --number_ios=100
	end INT
	same "a partition's offsets are its own" "$(trace_says "$work/p.vdt" read 65 96)" "$(fio_says reads read)"
	same "and what is beside it is left out" "$(trace_says "$work/p.vdt" read 100 256)" "0 0"
	loop=$whole
	check "a disk and its partition" 1 "are one disk" trace capture "$loop" "${loop}p1" -o "$work/b.vdt"
else
	echo "skip a partition: no sfdisk, or no partition of a loop device"
fi
