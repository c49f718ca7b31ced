# SPDX-License-Identifier: GPL-2.0-only
# `ssdreview purge`, and the purge of a review: loop devices on files of the test's own, a file, a
# simulated drive. NVMe drives are in tests/vm/guest/purge.sh.
. tests/review/lib

PATH=$PATH:/usr/sbin:/sbin
unset FIO
device='' holder=''
clean_up() {
	[ -z "$holder" ] || kill "$holder" 2>/dev/null
	umount "$work/mnt" 2>/dev/null
	[ -z "$device" ] || losetup -d "$device"
}
purge() { "$ssdreview" purge "$@"; }
# How many bytes of a file or device are not 0.
left() { dd if="$1" bs=1M 2>/dev/null | tr -d '\0' | wc -c; }
none_left() { [ "$(left "$1")" = 0 ]; }
data() { tr '\0' x </dev/zero | head -c 67108864; } # 64 MiB

# ---- used wrongly
expect "no target" 2 'name a drive' purge
expect "a second target" 2 'one word too many' purge a b
expect "an empty serial number" 2 'destroy needs a value' purge "$work" --destroy ''
expect "an unknown method is named" 2 'did you mean "format-user"' purge "$work" --method format-use
expect "an unknown option is named" 2 'did you mean "--method"' purge "$work" --methode auto
expect "a target that is not there" 1 'No such file' purge "$work/none" --destroy x
expect "a folder" 1 'folder' purge "$work" --destroy x
expect "a character device" 1 'character device' purge /dev/null --destroy x
mkfifo "$work/pipe" # nobody writes: looking at it must not wait
expect "a pipe" 1 'it is a pipe' timeout 20 "$ssdreview" purge "$work/pipe" --destroy x
expect "a pipe that is checked" 1 'it is a pipe' timeout 20 "$ssdreview" check "$work/pipe"
expect "help names the methods" 0 'sanitize-overwrite' purge --help

expect "a model" 2 "make one with ssdreview sim new 670p-2tb -o" purge sim:670p-2tb
cp engines/sim/drives/670p-2tb.model "$work/my.model"
expect "a model's file" 2 "my.model is a model of a simulated drive" purge "$work/my.model" --destroy "$work/my.model"
check "which stays as it is" cmp "$work/my.model" engines/sim/drives/670p-2tb.model

# ---- a file
data | head -c 1000000 >"$work/file"
expect "a file needs leave" 2 "say --destroy $work/file" purge "$work/file"
expect "and has no namespaces to format" 1 'format-user is for NVMe drives' purge "$work/file" --method format-user --destroy "$work/file"
expect "another file's name is no leave" 2 "it is --destroy $work/file" purge "$work/file" --destroy "$work/other"
check "nothing happened to it" [ "$(left "$work/file")" = 1000000 ]
expect "a file is emptied" 0 'is purged by deallocate in .*all zeroes' purge "$work/file" --destroy "$work/file"
check "its data is gone" none_left "$work/file"
check "it has its size" [ "$(stat -c %s "$work/file")" = 1000000 ]
check "and its space" [ "$(stat -c %b "$work/file")" -ge 1953 ]

mkdir "$work/a b"
data | head -c 1000000 >"$work/a b/it's"
expect "a word is quoted as a shell wants it" 2 "say --destroy '$work/a b/it'" purge "$work/a b/it's"
eval "set -- $(sed -n 's/\.$//; s/.*say --destroy //p' "$work/said")"
check "and read back by one is the path" [ "$1" = "$work/a b/it's" ]

# ---- a simulated drive
"$ssdreview" sim new 670p-2tb -o "$work/d.sim" --scale 1000 >/dev/null
expect "a simulated drive needs no word" 0 'd.sim is purged: nothing is mapped' purge "$work/d.sim"
expect "nor has it methods" 2 'a simulated one' purge "$work/d.sim" --method deallocate
cp "$work/d.sim" "$work/before.sim"
expect "but a wrong one is refused" 2 "--destroy wrong does not name $work/d.sim alone; it is --destroy $work/d.sim" purge "$work/d.sim" --destroy wrong
check "and nothing happens to it" cmp "$work/d.sim" "$work/before.sim"
expect "its path is the right one" 0 'd.sim is purged' purge "$work/d.sim" --destroy "$work/d.sim"
expect "its purge is recorded" 0 '"method": "simulated"' purge "$work/d.sim" --json

# ---- a device
data >"$work/disk"
if ! command -v losetup >/dev/null || ! device=$(losetup --find --show "$work/disk" 2>/dev/null); then
	device=''
	echo "skip a purge of a block device: no loop devices here"
	exit "$bad"
fi
word=${device#/dev/}
expect "a device needs leave" 2 "say --destroy $word" purge "$device"
check "what it supports is told" grep -q '^Supports    deallocate$' "$work/said"
check "and what would be lost" grep -q '^Lost  *' "$work/said"
expect "another serial number is refused" 2 "it is --destroy $word" purge "$device" --destroy x
expect "a method it has not is refused" 1 'ATA secure erase is not done' purge "$device" --destroy "$word" --method sanitize-block
check "nothing was erased" [ "$(left "$device")" = 67108864 ]
if [ -x "$BUILD/tools/guardcheck" ]; then
	"$BUILD/tools/guardcheck" --hold "$device" sh -c "echo x >'$work/held'; exec sleep 60" >/dev/null 2>&1 &
	holder=$!
	wait_for "$work/held"
	expect "one that another program holds is refused" 1 'held by another program' purge "$device" --destroy "$word"
	kill "$(command_of $holder)" "$holder" 2>/dev/null
	wait "$holder" 2>/dev/null
	holder=''
fi
sleep 60 <"$device" &
holder=$!
expect "one that a program has open is refused, and the program named" 1 "sleep (process $holder) has it open" purge "$device" --destroy "$word"
kill "$holder" && wait "$holder" 2>/dev/null
holder=''
if command -v mkfs.ext4 >/dev/null && mkfs.ext4 -q "$device" 2>/dev/null && mkdir "$work/mnt" && mount "$device" "$work/mnt" 2>/dev/null; then
	expect "a mounted one is refused" 1 "is mounted on $work/mnt" purge "$device" --destroy "$word"
	expect "the file below it too" 1 'is mounted on' purge "$work/disk" --destroy "$work/disk"
	umount "$work/mnt"
	expect "what would be lost is told" 2 'Lost .*: ext4' purge "$device"
else
	echo "skip a mounted device is refused: no mkfs.ext4, or mounting is not allowed"
fi

data >"$work/disk"
expect "it is purged" 0 'is purged by deallocate in .*64 places read back: all zeroes' purge "$device" --destroy "$word"
check "its data is gone" none_left "$device"
check "also of the file below" none_left "$work/disk"
expect "it is free again" 0 'may be used' "$ssdreview" check "$device"
data >"$work/disk"
purge "$device" --destroy "$word" --method deallocate --json >"$work/json" 2>"$work/words"
check "the record is JSON alone" sh -c "head -1 '$work/json' | grep -qx '{' && tail -1 '$work/json' | grep -qx '}'"
check "it has the method" grep -q '"method": "deallocate"' "$work/json"
check "the geometry" [ "$(grep -c '"bytes": 67108864' "$work/json")" = 2 ]
check "and the proof" grep -q '"zeroes": 64' "$work/json"
check "words are elsewhere" grep -q 'is purged by deallocate' "$work/words"

# Killed while it is at work, wherever that is, it is done again.
data >"$work/disk"
purge "$device" --destroy "$word" >/dev/null 2>&1 &
pid=$!
kill -KILL "$(command_of $pid)" 2>/dev/null
wait $pid 2>/dev/null
expect "killed, it is purged by the same command" 0 'is purged by deallocate' purge "$device" --destroy "$word"
check "and its data is gone" none_left "$device"

if command -v sfdisk >/dev/null && losetup -d "$device" && device=$(losetup --find --partscan --show "$work/disk" 2>/dev/null); then
	word=${device#/dev/}
	echo 'start=2048' | sfdisk -q "$device" >/dev/null 2>&1
	if [ -e "/sys/block/$word/${word}p1" ]; then
		expect "a device with a partition is purged" 0 'is purged by deallocate' purge "$device" --destroy "$word"
		check "the partition is gone" [ ! -e "/sys/block/$word/${word}p1" ]
	else
		echo "skip a partition goes with its table: no partitions on loop devices here"
	fi
fi

# ---- in a review
if [ -e "$BUILD/openloop.so" ]; then
	sed -e '/^# Virtual/,$d' -e '/^\[vdi-/,$d' -e 's/^steps = .*/steps = 50/' -e "s|= corners|= $PWD/jobfiles/corners|" jobfiles/client.profile >"$work/short.profile"
	data >"$work/disk"
	run() { "$ssdreview" run "$work/short.profile" --target "$device" --name one --out "$work/results" --quick --size 8M --rows 4k-randread "$@"; }
	expect "the plan says how it will be purged" 0 '^Before  *purged (deallocate), ' run --dry-run
	check "nothing is purged by a plan" [ "$(left "$device")" = 67108864 ]
	expect "a review purges" 0 'fill *purge *purged by deallocate' run --destroy "$word"
	check "it is recorded" grep -q '"method": "deallocate"' "$work/results/one/purge.json"
	check "and in the index" grep -q '"purged": "deallocate"' "$work/results/one/review.json"
	check "the region is filled after it" sh -c "! cmp -s -n 4096 $device /dev/zero"
	expect "the report says so" 0 '' "$ssdreview" report "$work/results/one" --out "$work/page"
	check "with its method" grep -q 'deallocate' "$work/page/index.html"
else
	echo "skip the purge of a review: build/openloop.so is not built"
fi
exit "$bad"
