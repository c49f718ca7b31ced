# SPDX-License-Identifier: GPL-2.0-only
# `ssdreview drive`: what QEMU's drives say of themselves.
. tests/vm/guest/common.inc

page() { "$BUILD/ssdreview" drive "$@" >/tmp/page 2>&1; } # DEVICE
says() { # WHAT LINE
	if grep -qx -- "$2" /tmp/page; then
		ok "$1"
	else
		not_ok "$1" "wanted \"$2\": $(tr '\n' '|' </tmp/page)"
	fi
}

page "$(block_device plain)"
says "the model" '  Model            QEMU NVMe Ctrl'
says "the LBA formats" '  LBA formats      512 B (in use), 512+8 B, 512+16 B, 512+64 B, 4,096 B,'
says "the temperature" '  Now              50 C'
says "its limits" '  Warns at         70 C'
says "what was set" '  Set by the host  alarm over 70 C'
says "the write cache" '  Write cache      volatile, on'
says "optional commands" '  Has              dataset management, write zeroes, compare, copy, timestamp,'
says "that nothing uses it" '  May be tested    yes'
check "no line is wider than a terminal" "$(awk 'length > 80' /tmp/page | wc -l) == 0"

page "$(char_device meta)"
says "protection, by the character device" '  Protection       type 1, last in the metadata'
page "$(block_device pair 2)"
says "a namespace beside another" '  Namespace        2, one of 2 on this drive; NVMe 1.4'
page "$(block_device twopath)"
says "a drive with two controllers" '  Serial           twopath'
says "and what it answers" '  Now              50 C'
page "/dev/nvme$(drive_number plain)"
if grep -q 'is a controller: name one of its namespaces' /tmp/page; then
	ok "a controller is refused"
else
	not_ok "a controller is refused" "$(cat /tmp/page)"
fi

if mkfs.ext4 -q -L mine "$(block_device pair 1)" && mkdir /tmp/mine && mount "$(block_device pair 1)" /tmp/mine; then
	page "$(char_device pair 1)"
	says "who uses a namespace, by its character device" "  May be tested    no: its block device $(block_device pair 1):.*"
	umount /tmp/mine
else
	not_ok "who uses a namespace" "cannot be mounted here"
fi

setpriv --reuid 65534 --regid 65534 --clear-groups "$BUILD/ssdreview" drive "$(block_device plain)" >/tmp/page 2>&1
says "another user sees the model" '  Model            QEMU NVMe Ctrl'
says "and the temperature" '  Temperature      50 C, warns at 70 C'
says "and what needs root" '  SMART            n/a (needs root)'

exit $((failures > 0))
