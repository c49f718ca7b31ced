# SPDX-License-Identifier: GPL-2.0-only
# `ssdreview run` on a block device: a loop device on a file of the test's own.
. tests/review/lib

PATH=$PATH:/usr/sbin:/sbin
unset FIO
device=''
clean_up() { [ -z "$device" ] || losetup -d "$device"; }

# A curve of two points, 1.5 s each; no desktops, for which the device is too small.
sed -e '/^# Virtual/,$d' -e '/^\[vdi-/,$d' -e 's/^steps = .*/steps = 50/' -e "s|= corners|= $PWD/jobfiles/corners|" jobfiles/client.profile >"$work/short.profile"
run() { # NAME OPTION...
	name=$1
	shift
	"$ssdreview" run "$work/short.profile" --target "$device" --name "$name" --out "$work/results" --quick "$@"
}

truncate -s 64M "$work/disk"
if ! command -v losetup >/dev/null || ! device=$(losetup --find --show "$work/disk" 2>/dev/null); then
	device=''
	echo "skip a review of a block device: no loop devices here"
	exit 77
fi
word=${device#/dev/}
if command -v mkfs.ext4 >/dev/null; then
	mkfs.ext4 -q -L precious "$device" 2>/dev/null
	lost='ext4 "precious"'
else
	lost='no file system'
fi
before=$(cksum <"$device")

expect "writing is refused without a word" 2 "say --destroy $word" run refused
expect "what would be lost is printed" 2 "$lost" run refused
expect "size and serial are printed" 2 'Serial      n/a' run refused
expect "another word is refused" 2 "it is --destroy $word" run refused --destroy loop99
expect "a check tells what would be lost" 0 "$lost" "$ssdreview" check "$device"
check "and what allows it" grep -q "To write    --destroy $word" "$work/said"
check "and that it is a loop device" grep -q 'may be used: a loop device, which is a file' "$work/said"
expect "a dry run tells it too" 0 "$lost" run dry --dry-run
expect "one that only reads loses nothing" 0 'Writes      nothing' run dry --dry-run --read-only
check "and says so of nothing" sh -c "! grep -q Lost '$work/said'"
check "nothing was made" [ ! -e "$work/results/refused" ]
if [ -e "$BUILD/openloop.so" ]; then
	expect "a review that only reads needs no word" 0 'Done' run reads --read-only
	check "it has the rows that read" [ "$(points reads | cut -d' ' -f1 | uniq | tr '\n' ' ')" = "4k-randread 64k-seqread " ]
	check "its results say that it is a loop device" sh -c "grep -q '\"target_kind\": \"loop\"' '$work/results/reads/review.json' &&
		grep -q '\"drive\": \"reads (loop device)\"' '$work/results/reads/review.json' && grep -q 'the file behind it' '$work/results/reads/review.json'"
	check "nothing was written" [ "$(cksum <"$device")" = "$before" ]
	expect "a review that writes, in two jobs" 0 'Done' run writes --destroy "$word" --rows 4k-randwrite --jobs 2 --size 8M
	check "its statistics are there for each job" [ -s "$work/results/writes/4k-randwrite/050.stats.2.json" ]
	check "only the region was written" cmp -s -i 8388608 "$work/disk" "$device"
	check "the region was written" [ "$(cksum <"$device")" != "$before" ]
	expect "the device is free again" 0 'may be used' "$ssdreview" check "$device"

	# While it runs nobody else may have the device; then the medium goes away.
	sed -i -e 's/^steps = .*/steps = 20 40 60 80 100/' "$work/short.profile"
	run gone --rows 4k-randread --size 8M --destroy "$word" >"$work/gone" 2>&1 &
	pid=$!
	wait_for "$work/results/gone/4k-randread/max.json"
	expect "a device under review is held" 1 'another ssdreview\|in use\|held\|busy' "$ssdreview" check "$device"
	truncate -s 0 "$work/disk"
	wait "$pid"
	check "a target that goes away ends it with exit code 1" [ $? = 1 ]
	check "and a sentence" grep -q '^ssdreview: 4k-randread 0' "$work/gone"
	check "what was measured is kept" [ "$(points gone | grep -c ' 1 $')" -ge 1 ]
	expect "and can be ranked" 0 '4K random read' "$ssdreview" table "$work/results/gone"
else
	echo "skip reviews of a block device: build/openloop.so is not built"
fi
exit "$bad"
