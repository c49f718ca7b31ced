# SPDX-License-Identifier: GPL-2.0-only
# `ssdreview purge` on emulated NVMe drives, which know format and deallocate, and no sanitize.
. tests/vm/guest/common.inc
. "$top/tests/vm/guest/purge.inc"

plain=$(block_device plain)
fill "$plain"
says "without a word it is refused, and told" 2 'say --destroy plain' "$plain"
check "what the drive supports is told" "$(grep -c 'Supports    format-user and deallocate' "$said") == 1"
says "another serial number is refused" 2 'it is --destroy plain' "$plain" --destroy fourk
says "an unknown method is named" 2 'did you mean "format-user"' "$plain" --destroy plain --method format-usr
says "a method it has not is refused" 1 'has no sanitize-block; it has format-user and deallocate' "$plain" --destroy plain --method sanitize-block
says "the character device is named" 1 "name that as the target" "$(char_device plain)" --destroy plain
fio --name=t --ioengine=io_uring_cmd --cmd_type=nvme --filename="$(char_device plain)" --rw=read --bs=4k --size=1m --rate_iops=10 \
	>/dev/null 2>&1 &
fio=$!
until [ "$(find /proc/[0-9]*/fd -lname "$(char_device plain)" 2>/dev/null | wc -l)" != 0 ] || ! kill -0 "$fio"; do sleep 0.2; done
says "a drive that a fio job has open by NVMe commands is refused" 1 'fio (process [0-9]*) has it open' "$plain" --destroy plain
kill "$fio"
wait "$fio"
check "nothing was erased so far" "$(left "$plain") == $all"
if command -v mkfs.ext4 >/dev/null; then
	mkfs.ext4 -q "$plain" && mount "$plain" /mnt
	says "a mounted drive is refused" 1 'is mounted on /mnt' "$plain" --destroy plain
	umount /mnt
fi
echo 'start=2048' | sfdisk -q "$plain" 2>/dev/null
check "it has a partition" "$([ -b "${plain}p1" ] && echo 1 || echo 0)"
fill "${plain}p1"
says "a partition is no namespace" 1 'is a partition' "${plain}p1" --destroy plain --method format-user
says "the best method is taken" 0 'is purged by format-user in .*; 64 places read back: all zeroes' "$plain" --destroy plain
check "all of it is erased" "$(left "$plain") == 0"
check "the partition is gone" "$([ -b "${plain}p1" ] && echo 0 || echo 1)"
fill "$plain"
says "it is deallocated" 0 'is purged by deallocate in .*; 64 places read back: all zeroes' "$plain" --destroy plain --method deallocate
check "all of that is erased" "$(left "$plain") == 0"

fourk=$(block_device fourk)
fill "$fourk"
"$ssdreview" purge "$fourk" --destroy fourk --json >"$said" 2>&1 && code=0 || code=$?
check "blocks of 4 KiB stay so" "$code == 0 && $(cat "/sys/class/block/${fourk#/dev/}/queue/logical_block_size") == 4096"
check "the record names method and geometry" "$(grep -c '"method": "format-user"\|"block_bytes": 4096' "$said") == 3"
check "and is erased" "$(left "$fourk") == 0"

# What was never written there has no guard, and cannot be read.
meta=$(block_device meta)
fill "$meta"
says "protection information stays" 0 'is purged by format-user' "$meta" --destroy meta
check "as it was" "\"$(cat "/sys/class/block/${meta#/dev/}/integrity/format")\" ~ /T10-DIF/"
fill "$meta"
check "and can be written and read" "$(left "$meta") == $all"

first=$(block_device pair 1) second=$(block_device pair 2)
fill "$first"
fill "$second"
says "a shared serial number is no word" 2 "it is --destroy ${first#/dev/}" "$first" --destroy pair
says "one of two namespaces is formatted alone" 0 'is purged by format-user' "$first" --destroy "${first#/dev/}"
check "it is erased" "$(left "$first") == 0"
check "the other one is as it was" "$(left "$second") == $all"

twopath=$(block_device twopath)
fill "$twopath"
says "one with two controllers has one serial number" 0 'is purged by format-user' "$twopath" --destroy twopath
check "and is erased" "$(left "$twopath") == 0"

# Killed in the middle, begun again.
fill "$plain"
"$ssdreview" purge "$plain" --destroy plain --method deallocate >"$said" 2>&1 &
kill -KILL $! 2>/dev/null
wait $! 2>/dev/null
says "one that was killed is done again" 0 'is purged by deallocate' "$plain" --destroy plain --method deallocate
check "and all of it is erased" "$(left "$plain") == 0"

# In a review; the second namespace of its drive is left as it is.
sed -e '/^# Virtual/,$d' -e '/^\[vdi-/,$d' -e 's/^steps = .*/steps = 50/' -e "s|= corners|= $top/jobfiles/corners|" \
	"$top/jobfiles/client.profile" >"$scratch/short.profile"
fill "$first"
"$ssdreview" run "$scratch/short.profile" --target "$first" --name vm --out "$scratch/results" --quick --size 8M --rows 4k-randread \
	--destroy "${first#/dev/}" >"$said" 2>&1 && code=0 || code=$?
check "a review purges first" "$code == 0 && $(grep -c 'fill *purge *purged by format-user in .*all zeroes' "$said") == 1"
check "and keeps the record" "$(grep -c '"method": "format-user"' "$scratch/results/vm/purge.json") == 1"
check "the other namespace is spared" "$(left "$second") == $all"
exit $((failures > 0))
