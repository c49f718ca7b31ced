#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Captures how a Debian desktop boots and its user logs in for the first time: debian-desktop.vdt
# beside this script. A guest with XFCE runs in QEMU; its disk is a loop device, which is traced
# from outside, so that the capture begins with the boot loader.
#
#     capture-debian.sh FOLDER [build | settle | capture]...
#
# As root, from anywhere. FOLDER (8 GB free, outside of tmpfs) keeps the guest's disk, guest.img.
# Without further words all three steps are done: make the disk; boot it once for what only a first
# boot does; boot again, log in, trace. That takes about half an hour.
# Needed: debootstrap, qemu-system-x86 and a Debian mirror: the one apt has here, or MIRROR=URL.
# The processor is emulated and slow, which stretches the trace's time; ACCEL=kvm does without.
set -eu

accel=${ACCEL:-tcg}
suite=bookworm
release="Debian 12"
pause_s=30 # between greeter and login, and after the login
here=$(cd "$(dirname "$0")" && pwd)
ssdreview=${BUILD:-$here/../../build}/ssdreview
packages="linux-image-amd64 systemd-sysv udev dbus libpam-systemd locales extlinux syslinux-common
network-manager xorg xfce4 lightdm lightdm-gtk-greeter mousepad xfce4-terminal"

die() {
	echo "capture-debian.sh: $*" >&2
	exit 1
}

say() {
	echo "$(date +%T) $*"
}

# ---- build: the guest's disk ----------------------------------------------------------------

# The first mirror that apt knows.
apt_mirror() {
	cat /etc/apt/sources.list.d/debian.sources /etc/apt/sources.list 2>/dev/null |
		sed -n 's/^\(URIs:\|deb \(\[.*\]\)\{0,1\}\) *\(http[^ ]*\).*/\3/p' | head -n 1
}

# In the guest: what says on the second serial line how far it has come.
write_marks() {
	cat >root/usr/local/bin/mark-when <<'EOF'
#!/bin/sh
# mark-when NAME WINDOW...: writes NAME to the serial line as soon as all the windows are shown.
shown() {
	for id in $(xwininfo -root -tree | sed -n "s/^ *\(0x[0-9a-f]*\) .*$1.*/\1/p"); do
		xwininfo -id "$id" | grep -q IsViewable && return
	done
	return 1
}
name=$1
shift
for window; do
	until shown "$window" 2>/dev/null; do sleep 1; done
done
echo "$name" >/dev/ttyS1
EOF
	cat >root/usr/local/bin/marked-greeter <<'EOF'
#!/bin/sh
mark-when greeter lightdm-gtk-greeter &
exec "$@"
EOF
	cat >root/usr/local/bin/begin-work <<'EOF'
#!/bin/sh
thunar "$HOME" &
mousepad "$HOME/notes.txt" &
exec mark-when session Thunar Mousepad xfce4-panel
EOF
	chmod 755 root/usr/local/bin/*
}

write_configuration() {
	echo desktop >root/etc/hostname
	echo '127.0.0.1 localhost desktop' >root/etc/hosts
	echo '/dev/vda1 / ext4 errors=remount-ro 0 1' >root/etc/fstab
	mkdir -p root/etc/lightdm/lightdm.conf.d root/etc/xdg/autostart root/boot/extlinux
	cat >root/etc/lightdm/lightdm.conf.d/50-marks.conf <<'EOF'
[Seat:*]
greeter-hide-users=false
greeter-wrapper=/usr/local/bin/marked-greeter
EOF
	cat >root/etc/xdg/autostart/begin-work.desktop <<'EOF'
[Desktop Entry]
Type=Application
Name=Begin work
Exec=/usr/local/bin/begin-work
EOF
	cat >root/boot/extlinux/extlinux.conf <<'EOF'
default debian
label debian
	linux /vmlinuz
	append initrd=/initrd.img root=/dev/vda1 ro quiet console=tty0
EOF
	# There is no graphics processor to blend windows with.
	sed -i 's/^use_compositing=.*/use_compositing=false/' root/usr/share/xfwm4/defaults
}

in_guest() {
	env LC_ALL=C DEBIAN_FRONTEND=noninteractive chroot root "$@"
}

install_guest() {
	debootstrap "$suite" root "$mirror"
	mount -t proc proc root/proc
	mount --bind /dev root/dev
	printf '#!/bin/sh\nexit 101\n' >root/usr/sbin/policy-rc.d # no service starts here
	chmod 755 root/usr/sbin/policy-rc.d
	# shellcheck disable=SC2086 # a list of words
	in_guest apt-get -q -y install $packages
	write_configuration
	write_marks
	in_guest useradd -m -s /bin/bash -G dialout user
	in_guest usermod -a -G dialout lightdm
	echo user:user | in_guest chpasswd
	echo 'First line.' >root/home/user/notes.txt
	in_guest chown user: /home/user/notes.txt
	in_guest extlinux --install /boot/extlinux
	in_guest apt-get clean
	rm root/usr/sbin/policy-rc.d
	dd if=root/usr/lib/syslinux/mbr/mbr.bin of=guest.img conv=notrunc status=none
}

unmount_guest() {
	for place in root/dev root/proc root; do
		umount "$place" 2>/dev/null || :
	done
	losetup -d "$disk"
	disk=
}

build() {
	mirror=${MIRROR:-$(apt_mirror)}
	[ -n "$mirror" ] || die "apt knows no Debian mirror here: name one, MIRROR=URL"
	say "building guest.img"
	rm -f guest.img
	truncate -s 8G guest.img
	printf 'label: dos\nstart=2048, type=83, bootable\n' | sfdisk -q guest.img
	disk=$(losetup -f --show -o 1048576 guest.img)
	trap unmount_guest EXIT
	mkfs.ext4 -q -O ^64bit "$disk" # extlinux reads no other
	mkdir -p root
	mount "$disk" root
	(install_guest) >build.log 2>&1 || die "the installation failed: see $PWD/build.log"
	unmount_guest
	trap - EXIT
}

# ---- the guest runs -------------------------------------------------------------------------

start_guest() {
	rm -f marks
	[ -p monitor ] || mkfifo monitor
	qemu-system-x86_64 -accel "$accel" -smp 2 -m 2048 -vga std -display none \
		-drive file="$disk",format=raw,if=virtio,cache=none,aio=native \
		-nic user,model=virtio,restrict=on \
		-serial file:console.log -serial file:marks \
		-monitor stdio <monitor >monitor.log 2>&1 &
	guest=$!
	exec 3>monitor
}

tell() { # COMMAND of QEMU's monitor
	echo "$*" >&3
}

await() { # NAME: until the guest has written it
	until grep -q "$1" marks 2>/dev/null; do
		kill -0 "$guest" 2>/dev/null || die "the guest ended before its $1: see $PWD/monitor.log"
		sleep 0.1
	done
}

# Until nothing was read for 3 s, a minute at most: what is on the screen has been drawn.
await_quiet() {
	before='' quiet=0
	for _ in $(seq 60); do
		reads=$(awk '{ print $1 }' "/sys/block/${disk#/dev/}/stat")
		quiet=$((reads == ${before:--1} ? quiet + 1 : 0))
		[ $quiet -lt 3 ] || break
		before=$reads
		sleep 1
	done
}

attach_disk() {
	disk=$(losetup -f --show --direct-io=on guest.img)
	trap detach_disk EXIT
}

detach_disk() {
	[ -z "${guest:-}" ] || kill "$guest" 2>/dev/null || :
	[ -z "${tracer:-}" ] || kill "$tracer" 2>/dev/null || :
	wait
	losetup -d "$disk"
	guest='' tracer='' disk=''
	trap - EXIT
}

settle() {
	say "first boot"
	attach_disk
	start_guest
	await greeter
	sleep 60
	tell system_powerdown
	wait "$guest" || :
	detach_disk
}

phase() { # NAME: it begins now
	say "$1"
	echo "$1" >&4
}

# The guest's user is the only one, so the greeter asks for the password alone.
log_in() {
	for key in u s e r ret; do
		tell sendkey "$key"
		sleep 0.5
	done
}

# Marks phases from now on, by lines on descriptor 4.
start_capture() {
	timing="captured from a $release guest under QEMU with KVM"
	[ "$accel" = kvm ] || timing="captured from a $release guest under QEMU TCG: timing is emulated"
	rm -f phases
	mkfifo phases
	"$ssdreview" trace capture "$disk" --phase boot -o debian-desktop.vdt --note "$timing" \
		--source "disk of a $release desktop with XFCE, 2 processors, 2 GiB of memory" \
		<phases >capture.log 2>&1 &
	tracer=$!
	exec 4>phases
	until grep -q boot capture.log; do
		kill -0 "$tracer" 2>/dev/null || die "the capture failed: $(cat capture.log)"
		sleep 0.1
	done
}

stop_capture() {
	kill "$tracer"
	wait "$tracer" || die "the capture failed: $(cat capture.log)"
	tracer=''
	mv debian-desktop.vdt "$here"
}

capture() {
	say "boot"
	attach_disk
	start_capture
	start_guest
	await greeter
	await_quiet
	phase greeter
	sleep "$pause_s"
	phase login
	log_in
	await session
	await_quiet
	phase session
	sleep "$pause_s"
	stop_capture
	detach_disk
	"$ssdreview" trace info "$here/debian-desktop.vdt"
}

# ---- what is asked for ----------------------------------------------------------------------

[ $# -gt 0 ] || die "name a folder for the guest's disk"
mkdir -p "$1"
cd "$1"
shift
[ $# -gt 0 ] || set -- build settle capture
for step; do
	case $step in
	build | settle | capture) "$step" ;;
	*) die "\"$step\" is none of build, settle, capture" ;;
	esac
done
