# SPDX-License-Identifier: GPL-2.0-only
# The guard on NVMe namespaces: by either of a namespace's names, what is in use is refused, and no other.
. tests/vm/guest/common.inc

block=$(block_device pair 1) char=$(char_device pair 1)
mkdir mnt
trap 'umount mnt 2>/dev/null; cd /; rm -rf "$scratch"' EXIT

free() { # WHAT DEVICE
	if said=$("$build/tools/guardcheck" "$2"); then ok "$1"; else not_ok "$1" "$said"; fi
}
held() { # WHAT PATTERN DEVICE
	said=$("$build/tools/guardcheck" "$3")
	code=$?
	case "$code $said" in 1\ *$2*) ok "$1" ;; *) not_ok "$1" "exit code $code: $said" ;; esac
}
written() { cksum <"$block"; }

for device in "$block" "$char"; do
	free "a free namespace may be used: $device" "$device"
done

if ! mkfs.ext4 -q -E lazy_itable_init=0,lazy_journal_init=0 "$block" || ! mount "$block" mnt; then
	skip "a mounted namespace" "no ext4 here"
fi
sync
before=$(written)
for device in "$block" "$char"; do
	held "a mounted namespace is refused: $device" 'mounted' "$device"
	"$build/ssdreview" run client-qlc --target "$device" --name x --out results --quick --destroy pair >said 2>&1
	code=$?
	check "and run does not write to it: $device" "$code == 1 && $(grep -c mounted said)"
done
openloop --filename="$block" --direct=1 --rw=randwrite --number_ios=10 --allow_mounted_write=1
refused "openloop does not write to a mounted namespace" "mounted"
check "nothing was written" "\"$before\" == \"$(written)\""
free "the other namespace of the drive is free" "$(char_device pair 2)"
umount mnt
free "unmounted it may be used" "$char"

echo 'label: gpt
size=64M' | sfdisk -q --wipe never "$block" >said 2>&1 || skip "a partition" "$(head -1 said)"
# There is no udev here to make the node of the partition.
[ -b "${block}p1" ] || { sleep 1 && [ -b "${block}p1" ]; } || not_ok "a partition" "no ${block}p1"
mkfs.ext4 -q "${block}p1" && mount "${block}p1" mnt
for device in "$block" "$char"; do
	held "a namespace with a mounted partition is refused: $device" 'mounted' "$device"
done
umount mnt

# Held by one name it is held by both, but not from the holder's own descendants.
for holder in "$block" "$char"; do
	for device in "$block" "$char"; do
		what="$device while $holder is held"
		"$build/tools/guardcheck" --hold "$holder" sleep 30 &
		job=$!
		for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
			"$build/tools/guardcheck" "$device" >said || break
			sleep 0.1
		done
		held "$what" held "$device"
		{ kill "$job" && wait "$job"; } 2>/dev/null
		said=$("$build/tools/guardcheck" --hold "$holder" "$build/tools/guardcheck" "$device")
		check "and for the holder's descendants it is free: $what" "\"$said\" == \"ok\""
	done
done
free "and free afterwards" "$char"

openloop --filename="$(block_device plain)" --direct=1 --rw=write --bs=64k --size=16m --iodepth=16 --verify=crc32c --do_verify=1
check "openloop writes and verifies through the block device" "$code == 0"
passthru_of_fio --filename="$(char_device plain)" --rw=read --bs=64k --size=16m --iodepth=16 --verify=crc32c
check "and its data are there for NVMe commands" "$code == 0"

exit $((failures > 0))
