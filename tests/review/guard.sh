#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The guard on real block devices: loop devices on files in a folder of our own, cleaned up at the end.
set -u
: "${BUILD:?the build folder}"
PATH=$PATH:/usr/sbin:/sbin
work=$(mktemp -d "$BUILD/guard.XXXXXX") || exit 1
work=$(cd "$work" && pwd)
build=$(cd "$BUILD" && pwd)
guard=$build/tools/guardcheck

# Newest first: what stands on something goes before it.
undo=
later() { undo="$1
$undo"; }
cleanup() {
	echo "$undo" | while read -r command; do $command; done >/dev/null 2>&1
	rm -rf "$work"
}
trap cleanup EXIT
trap 'exit 1' INT TERM HUP

free() { # WHAT TARGET
	said=$("$guard" "$2") && echo "ok $1 is free" || echo "not ok $1 is free: $said"
}
refused() { # WHAT TARGET WORDS
	said=$("$guard" "$2")
	case "$?:$said" in
	1:*"$3"*) echo "ok $1 is refused" ;;
	*) echo "not ok $1 is refused: expected '$3', got '$said'" ;;
	esac
}
have() { command -v "$1" >/dev/null; }
# fio with one of our engines, and the command, refuse what the guard refuses, and write nothing.
engines_refuse() { # WHAT TARGET WORDS OPTION...
	what=$1 target=$2 words=$3
	shift 3
	[ -e "$build/openloop.so" ] && have fio || { echo "skip openloop: $what: not built, or no fio" && return; }
	before=$(cksum <"$work/disk")
	said=$(cd "$work" && LD_PRELOAD=${SSDREVIEW_PRELOAD:-} fio --name=t "--ioengine=external:$build/openloop.so" \
		--filename="$target" --size=1M --bs=4k --direct=1 --allow_mounted_write=1 "$@" 2>&1)
	code=$?
	sync
	if [ "$(cksum <"$work/disk")" != "$before" ]; then
		echo "not ok openloop: $what is refused: it was written to"
	elif [ $code = 0 ] || [ "${said#*"$words"}" = "$said" ]; then
		echo "not ok openloop: $what is refused: exit code $code, $(echo "$said" | head -3)"
	else
		echo "ok openloop: $what is refused"
	fi
}
command_refuses() { # WHAT TARGET WORDS
	[ -x "$build/ssdreview" ] || { echo "skip ssdreview run: $1: not built" && return; }
	said=$("$build/ssdreview" run client-qlc --target "$2" --name x --out "$work/out" --quick --destroy "${2#/dev/}" 2>&1)
	code=$?
	case "$code:$said" in
	0:*) echo "not ok ssdreview run: $1 is refused: exit code 0" ;;
	*"$3"*) echo "ok ssdreview run: $1 is refused" ;;
	*) echo "not ok ssdreview run: $1 is refused: expected '$3', got '$said'" ;;
	esac
}
# Attaches a new file of $2 MB; the device is $loop.
new_loop() { # NAME MB
	truncate -s "$2M" "$work/$1" && loop=$(losetup -f --show "$work/$1" 2>/dev/null) || return 1
	later "losetup -d $loop"
}

echo x >"$work/file"
free "a file on a disk" "$work/file"
free "a path where nothing is" "$work/none"
refused "a path without a folder" "$work/none/none" "folder"
refused "a folder" "$work" "folder"
refused "a character device" /dev/null "character device"
for node in /dev/zram0 /dev/ram0; do
	[ -b $node ] && refused "$node" $node "memory and no drive" || echo "skip $node: there is none"
done
mkfifo "$work/pipe" && refused "a pipe" "$work/pipe" "pipe"
ln -s "$work/none" "$work/dangling"
refused "a symbolic link to nothing" "$work/dangling" "symbolic link"
memory=
for folder in /dev/shm /run /tmp; do
	[ "$(stat -fc %T $folder 2>/dev/null)" = tmpfs ] && [ -w $folder ] && memory=$folder
done
if [ "$memory" ]; then
	in_memory=$(mktemp "$memory/guard.XXXXXX") && later "rm -f $in_memory"
	refused "a file on tmpfs" "$in_memory" "tmpfs"
	refused "a new file on tmpfs" "$in_memory.new" "tmpfs"
else
	echo "skip a file on tmpfs: no tmpfs that can be written"
fi

if [ "$(id -u)" != 0 ] || ! have losetup || ! new_loop disk 64; then
	echo "skip block devices: no root, no losetup, or no free loop device"
	exit 0
fi
disk=$loop
free "a loop device" "$disk"
ln -s "$disk" "$work/link"
free "a symbolic link to it" "$work/link"
mknod "$work/node" b "0x$(stat -c %t "$disk")" "0x$(stat -c %T "$disk")"
free "a second node of it" "$work/node"
[ "$(for i in 1 2 3 4 5 6 7 8; do "$guard" "$disk" & done | grep -cx ok)" = 8 ] &&
	echo "ok eight that ask at once do not collide" || echo "not ok eight that ask at once do not collide: refused"
if have setpriv; then
	said=$(setpriv --reuid 65534 --clear-groups "$guard" "$disk" 2>&1)
	case "$said" in *permission*) echo "ok no permission is told" ;;
	*Permission*) echo "skip no permission is told: the build folder is closed to others" ;;
	*) echo "not ok no permission is told: $said" ;; esac
fi

# Held by another program, by an ancestor, and by one that is named falsely.
"$guard" --hold "$disk" sh -c "echo \$\$ >'$work/held.new'; mv '$work/held.new' '$work/held'; exec sleep 60" &
holder=$!
tries=0
until [ -e "$work/held" ] || [ $((tries += 1)) = 200 ]; do sleep 0.05; done
later "kill $(cat "$work/held")"
refused "a device that another program holds" "$disk" "held by another program"
SSDREVIEW_HOLDER=$holder
export SSDREVIEW_HOLDER
refused "a device of a holder that is no ancestor" "$disk" "held by another program"
SSDREVIEW_HOLDER=$$
refused "a device of an ancestor that does not hold it" "$disk" "held by another program"
unset SSDREVIEW_HOLDER
kill "$(cat "$work/held")"
wait $holder 2>/dev/null
said=$("$guard" --hold "$disk" sh -c "\"$guard\" $disk && sh -c '\"$guard\" $work/node; exit \$?'") &&
	echo "ok a device held by an ancestor is free for its descendants" ||
	echo "not ok a device held by an ancestor is free for its descendants: $said"

# A file and the loop devices on it are one: whoever holds one holds all of them.
held_with() { # WHAT HELD ASKED WORDS
	said=$("$guard" --hold "$2" sh -c "unset SSDREVIEW_HOLDER; '$guard' '$3'")
	case "$?:$said" in 1:*"$4"*) echo "ok $1" ;; *) echo "not ok $1: expected '$4', got '$said'" ;; esac
}
held_with "a held file is refused" "$work/file" "$work/file" "held by another review"
held_with "the file below a held loop device is refused" "$disk" "$work/disk" "loop device $disk"
held_with "the loop device on a held file is refused" "$work/disk" "$disk" "the file below it"
other=$(losetup -f --show "$work/disk" 2>/dev/null)
if [ "$other" ]; then
	held_with "a second loop device beside a held one is refused" "$disk" "$other" "loop device $disk"
	losetup -d "$other"
fi
said=$("$guard" --hold "$work/file" "$guard" "$work/file") && echo "ok a held file is free for descendants" ||
	echo "not ok a held file is free for descendants: $said"
free "a file that is held no more" "$work/file"

# An engine, and its clones all at once, use a free device, also below its holder.
engine_uses() { # WHAT COMMAND...
	what=$1
	shift
	[ -e "$build/openloop.so" ] && have fio || { echo "skip openloop: $what: not built, or no fio" && return; }
	said=$(cd "$work" && "$@" env LD_PRELOAD="${SSDREVIEW_PRELOAD:-}" fio --name=t "--ioengine=external:$build/openloop.so" \
		--filename="$disk" --size=1M --bs=4k --rw=write --direct=1 --numjobs=8 --create_serialize=0 2>&1) &&
		echo "ok openloop: $what" || echo "not ok openloop: $what: $(echo "$said" | head -3)"
}
engine_uses "eight clones use a free device" env
engine_uses "eight clones use a device that an ancestor holds" "$guard" --hold "$disk"

# Mounted, by every name; its partitions and its disk; its file, and another loop device on it.
mkdir "$work/mnt"
if have mkfs.ext4 && mkfs.ext4 -q -E lazy_itable_init=0,lazy_journal_init=0 "$disk" && free "an ext4 that is not mounted" "$disk" &&
	mount "$disk" "$work/mnt" 2>/dev/null; then
	later "umount $work/mnt"
	for name in "$disk" "$work/link" "$work/node"; do
		refused "a mounted device ($(basename "$name"))" "$name" "is mounted on"
	done
	sync
	for rw in randwrite trim randread; do
		engines_refuse "$rw on a mounted device" "$disk" "is mounted on" --rw=$rw
	done
	engines_refuse "a trace that writes to a mounted device" "$disk" "is mounted on" "--ioengine=external:$build/vdi_replay.so" \
		"--trace=$PWD/examples/traces/fc-boot.vdt"
	engines_refuse "a cache probe of a mounted device" "$disk" "is mounted on" "--ioengine=external:$build/qlc_writer.so" --rw=write
	engines_refuse "a mounted device with a size given" "$disk" "is mounted on" --rw=write --filesize=1M
	engines_refuse "a mounted device for several clones" "$disk" "is mounted on" --rw=write --numjobs=3 --thread
	engines_refuse "a mounted device as a second file" "$work/file:$disk" "is mounted on" --rw=write --nrfiles=2
	engines_refuse "a mounted device by another node" "$work/node" "is mounted on" --rw=write
	engines_refuse "a mounted device by a link" "$work/link" "is mounted on" --rw=write --iorate=100
	command_refuses "a mounted device" "$disk" "is mounted on"
	command_refuses "a mounted device by another node" "$work/node" "is mounted on"
	refused "the file below a mounted loop device" "$work/disk" "is mounted on"
	second=$(losetup -f --show "$work/disk" 2>/dev/null)
	if [ "$second" ]; then
		later "losetup -d $second"
		refused "a second loop device on that file" "$second" "is mounted on"
	fi
	said=$("$guard" --hold "$disk" true)
	[ $? = 1 ] && echo "ok a mounted device cannot be held" || echo "not ok a mounted device cannot be held: $said"
	umount "$work/mnt"
	free "the device after umount" "$disk"
else
	echo "skip mounts: no mkfs.ext4, or mounting is not allowed"
fi

if new_loop table 64 && have sfdisk && have mkfs.ext4 &&
	printf 'label: dos\n,20M\n,20M\n' | sfdisk -q "$loop" >/dev/null 2>&1; then
	table=$loop
	later "partx -d $table"
	[ -e "/sys/block/${table#/dev/}/${table#/dev/}p1" ] || partx -a "$table" 2>/dev/null
	for p in 1 2; do
		IFS=: read -r major minor <"/sys/block/${table#/dev/}/${table#/dev/}p$p/dev"
		mknod "$work/p$p" b "$major" "$minor"
	done
	free "a disk with a partition table" "$table"
	mkfs.ext4 -q "$work/p1"
	if mount "$work/p1" "$work/mnt" 2>/dev/null; then
		later "umount $work/mnt"
		refused "the disk of a mounted partition" "$table" "partition"
		refused "a mounted partition" "$work/p1" "is mounted on"
		engines_refuse "the disk of a mounted partition" "$table" "is mounted on" --rw=write
		command_refuses "the disk of a mounted partition" "$table" "is mounted on"
		free "the partition beside it" "$work/p2"
		umount "$work/mnt"
	fi
	"$guard" --hold "$work/p1" "$guard" "$table" | grep -q "held by" &&
		echo "ok the disk of a held partition is refused" ||
		echo "not ok the disk of a held partition is refused: it was not"
else
	echo "skip partitions: no sfdisk or no loop device"
fi

if new_loop swap 16 && mkswap -q "$loop" >/dev/null 2>&1 && swapon "$loop" 2>/dev/null; then
	later "swapoff $loop"
	refused "swap" "$loop" "swap"
	swapoff "$loop"
	dd if=/dev/zero of="$work/swapfile" bs=1M count=4 2>/dev/null
	chmod 600 "$work/swapfile"
	if mkswap -q "$work/swapfile" >/dev/null 2>&1 && swapon "$work/swapfile" 2>/dev/null; then
		later "swapoff $work/swapfile"
		refused "a swap file" "$work/swapfile" "swap"
	fi
else
	echo "skip swap: this kernel or container allows none"
fi

if new_loop lower 32; then
	lower=$loop
	upper=$(losetup -f --show "$lower" 2>/dev/null) && later "losetup -d $upper" &&
		refused "a device below a loop device" "$lower" "loop device" &&
		free "the loop device on top" "$upper"
	losetup -d "$upper"
fi

# What stands on a device is listed in its folder `holders`: a real dm where the kernel has it.
# A live system keeps what is written in memory, below an overlay.
overlay="mount -t tmpfs none '$work/mnt' && mkdir '$work/mnt/low' '$work/mnt/up' '$work/mnt/work' '$work/over' &&
	mount -t overlay -o 'lowerdir=$work/mnt/low,upperdir=$work/mnt/up,workdir=$work/mnt/work' none '$work/over' && echo >'$work/over/file'"
said=$(unshare -m sh -c "$overlay && '$guard' '$work/over/file'; '$guard' '$work/over/none'" 2>/dev/null)
case "$said" in
*file*tmpfs*none*tmpfs*) echo "ok an overlay that keeps its files in memory is refused" ;;
*"cannot be a target"* | *ok*) echo "not ok an overlay that keeps its files in memory is refused: $said" ;;
*) echo "skip an overlay that keeps its files in memory: no overlay or mount namespaces" ;;
esac

size=$(blockdev --getsz "$disk")
name=guard-$$
if have dmsetup && echo "0 $size linear $disk 0" | dmsetup create "$name" 2>/dev/null; then
	later "dmsetup remove $name"
	refused "a device below dm" "$disk" "dm device $name"
	free "the dm device" "/dev/mapper/$name"
	dmsetup remove "$name"
else
	echo "skip a device below dm: no dmsetup, or the kernel has no device mapper"
fi
# ... and the same list, made up in a mount namespace of our own, where it has not.
if unshare -m --propagation unchanged mount --make-rprivate /sys 2>/dev/null; then
	said=$(unshare -m --propagation unchanged sh -c "mount --make-rprivate /sys &&
		mount -t tmpfs none /sys/block/${disk#/dev/}/holders &&
		mkdir -p /sys/block/${disk#/dev/}/holders/dm-7/dm && cd /sys/block/${disk#/dev/}/holders/dm-7 &&
		echo 252:7 >dev && echo LVM-abc >dm/uuid && echo vg-lv >dm/name && '$guard' $disk")
	case "$said" in *"LVM volume vg-lv"*) echo "ok a device with a holder is refused" ;;
	*) echo "not ok a device with a holder is refused: $said" ;; esac
else
	echo "skip a device with a holder: no mount namespaces"
fi

lvm="--config=devices{filter=[\"a|^$disk\$|\",\"r|.*|\"]scan=[\"/dev\"]use_devicesfile=0}global{event_activation=0}"
if have pvcreate && wipefs -qa "$disk" && pvcreate -qq "$lvm" -y "$disk" >/dev/null 2>&1; then
	refused "an LVM physical volume" "$disk" "LVM"
	if vgcreate -qq "$lvm" -y "$name" "$disk" >/dev/null 2>&1 &&
		lvcreate -qq "$lvm" -y -Zn -Wn -l1 -n lv "$name" >/dev/null 2>&1; then
		later "vgremove -qq $lvm -y $name"
		refused "the device below an active LVM volume" "$disk" "LVM volume"
	else
		echo "skip the device below an active LVM volume: it could not be made"
	fi
	vgremove -qq "$lvm" -y "$name" >/dev/null 2>&1
else
	echo "skip an LVM physical volume: no pvcreate, or it failed"
fi
wipefs -qa "$disk"

if have mdadm && mdadm --create "/dev/md/$name" --run --level=1 --force --raid-devices=1 "$disk" >/dev/null 2>&1; then
	later "mdadm --stop /dev/md/$name"
	refused "a member of a running md array" "$disk" "md array"
	mdadm --stop "/dev/md/$name" >/dev/null 2>&1
	refused "a member of a stopped md array" "$disk" "array"
	mdadm --zero-superblock "$disk" >/dev/null 2>&1
else
	echo "skip a member of md: no mdadm, or the kernel has no md"
fi
losetup -d "$disk"
refused "a loop device with nothing attached" "$disk" "no capacity"
