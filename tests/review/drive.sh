# SPDX-License-Identifier: GPL-2.0-only
# `ssdreview drive` on a file, a simulated drive, a loop device, and on what is none of these.
. tests/review/lib

PATH=$PATH:/usr/sbin:/sbin
device=''
clean_up() { [ -z "$device" ] || losetup -d "$device"; }
drive() { "$ssdreview" drive "$@"; }
said() { grep -q -- "$1" "$work/said"; }

truncate -s 64M "$work/disk"
expect "a file" 0 "^$work/disk, 67.1 MB, a file$" drive "$work/disk"
check "nothing keeps it from being tested" said '^  May be tested    yes$'
check "a file is no NVMe drive" said '^  SMART            n/a ('
expect "a file in memory is not to be tested" 0 'May be tested    no: ' drive /proc/version

"$ssdreview" sim new 670p-2tb -o "$work/drive.sim" --scale 100 >/dev/null
expect "a simulated drive" 0 '^Intel 670p 2TB, 20.5 GB, simulated$' drive "$work/drive.sim"
check "says how full its cache is" said '^  SLC cache        0 B used of 2.80 GB$'
check "beside what is rated" said '^  Sequential read                 3,500 MB/s$'
check "and what was published" said '^  4K random read                  295,132 IOPS, 421 us$'
expect "as JSON" 0 '"sim_model": "670p-2tb"' drive --json "$work/drive.sim"

expect "what is not there" 1 "$work/none cannot be looked at: No such file" drive "$work/none"
expect "a folder" 1 'is no drive: name a block device' drive "$work"
expect "a character device" 1 'is no drive: name a block device' drive /dev/null
expect "no drive named" 2 'name a drive' drive
expect "a wrong option" 2 'did you mean "--json"' drive --jsno "$work/disk"

# Models, traces, and names that are no text.
expect "a model" 2 "sim:670p-2tb is a model of a simulated drive, not a drive: make one with ssdreview sim new 670p-2tb -o" drive sim:670p-2tb
expect "its bare name" 2 "670p-2tb is a model of a simulated drive" drive 670p-2tb
expect "its file" 2 "670p-2tb.model is a model of a simulated drive" drive engines/sim/drives/670p-2tb.model
expect "an unknown model" 2 'did you mean "670p-2tb"' drive sim:670p-2t
expect "a trace is not to be tested" 0 'May be tested    no: it is a trace' drive examples/traces/fc-boot.vdt
odd=$work/$(printf 'odd\377')
for file in disk drive.sim; do
	mv "$work/$file" "$odd"
	expect "a name that is not UTF-8 ($file)" 1 'is not UTF-8: give it another name' drive "$odd" --json
	check "makes no JSON that is damaged" sh -c "! grep -q '{' '$work/said'"
	mv "$odd" "$work/$file"
done
as_nobody() { setpriv --reuid 65534 --regid 65534 --clear-groups "$@"; }
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null && chmod 755 "$work" && as_nobody test -x "$ssdreview" && as_nobody test -x "$work"; then
	chmod 600 "$work/drive.sim"
	expect "a state file of another user is not called a file" 1 'may be a file or a simulated drive: Permission denied; ask as root' \
		as_nobody "$ssdreview" drive "$work/drive.sim"
	chmod 644 "$work/drive.sim"
else
	echo "skip a state file of another user is not called a file: no other user may run the command here"
fi

if ! command -v losetup >/dev/null || ! device=$(losetup --find --show "$work/disk" 2>/dev/null); then
	device=''
	echo "skip a loop device: no loop devices here"
	exit $bad
fi
if [ -z "${SSDREVIEW_PRELOAD:-}" ] && cc -shared -fPIC -o "$work/bad_disk.so" tests/review/bad_disk.c -ldl 2>"$work/said"; then
	expect "a device that is kept from root too" 0 "Holds  *n/a (a container's device rules or a security module" \
		env LD_PRELOAD="$work/bad_disk.so" FORBIDDEN="$device" "$ssdreview" drive "$device"
	check "is not to be tested, and why" said "May be tested    no: no permission to open it; a container's device rules"
	check "and nothing of it is left to root" sh -c "! grep -q 'As root' '$work/said'"
else
	echo "skip a device that is kept from root too: no library can be preloaded here"
fi
expect "a loop device" 0 "^$device, 67.1 MB, loop$" drive "$device"
check "nothing is found on it" said '^  Holds            no file system or partition table found$'
if command -v mkfs.ext4 >/dev/null; then
	mkfs.ext4 -q -L precious "$device" 2>/dev/null
	before=$(cksum <"$device")
	expect "what it holds" 0 "ext4 on $device (\"precious\")" drive "$device"
	expect "that in JSON" 0 '"label": "precious"' drive "$device" --json
	check "nothing is written" [ "$before" = "$(cksum <"$device")" ]
	mkdir "$work/mounted"
	if mount "$device" "$work/mounted" 2>/dev/null; then
		expect "who uses it" 0 "May be tested    no: ${device#/dev/} is mounted on" drive "$device"
		umount "$work/mounted"
	else
		echo "skip who uses it: cannot mount here"
	fi
else
	echo "skip what it holds: no mkfs.ext4"
fi
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null && as_nobody test -x "$ssdreview"; then
	expect "another user is told what root would see" 0 'As root you also see: what it holds\.' as_nobody "$ssdreview" drive "$device"
else
	echo "skip another user is told what root would see: no other user may run the command here"
fi
exit $bad
