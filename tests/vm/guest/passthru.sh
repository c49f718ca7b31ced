# SPDX-License-Identifier: GPL-2.0-only
# nvme_passthru, and drive=nvme of the other engines, on every kind of drive the laboratory has.
. tests/vm/guest/common.inc
plain=$(char_device plain)
passthru() { run_fio --name=t "--ioengine=external:$build/nvme_passthru.so" --bs=4k --iodepth=8 "$@"; }
by_block() { run_fio --name=t --ioengine=io_uring --direct=1 --bs=4k --iodepth=8 "$@"; }
runs() { # WHAT OPTION...
	label=$1
	shift
	passthru "$@"
	check "$label" "$code == 0"
	[ "$code" = 0 ] || tail -5 out
}
says() { # WHAT WORDS
	if grep -q "$2" out; then ok "$1"; else not_ok "$1" "$(tail -3 out)"; fi
}
# The figures of one command in the statistics file.
sent() { value s.json count nvme commands "$1"; }

# The emulated drives with protection have none on blocks that share a piece of their file with
# metadata that was written: write these through the block device first.
for serial in meta extended; do
	block=$(block_device $serial)
	sectors=$(cat "/sys/class/block/${block##*/}/size")
	dd if=/dev/zero of="$block" bs=4k seek=$((sectors / 8 - 64)) oflag=direct 2>/dev/null
done

# ---- every block that is written one way is read the other --------------------------------------
both_ways() { # WHAT SERIAL NAMESPACE OPTION...
	label=$1 char=$(char_device "$2" "$3") block=$(block_device "$2" "$3")
	shift 3
	passthru --size=2m --verify=crc32c "$@" --filename="$char" --rw=randwrite --do_verify=0
	cat out >wrote
	by_block --size=2m --verify=crc32c --filename="$block" --rw=randread
	check "$label: written by commands, read as blocks" "$(grep -c 'err= 0' wrote) == 1 && $code == 0"
	[ "$code" = 0 ] || tail -3 wrote out
	by_block --size=2m --verify=crc32c --filename="$block" --rw=randwrite --do_verify=0 --offset=2m
	wrote=$code
	passthru --size=2m --verify=crc32c "$@" --filename="$char" --rw=randread --offset=2m --stats_file=s.json
	check "$label: written as blocks, read by commands" "$wrote == 0 && $code == 0 && $(sent read) == 512"
	[ "$code" = 0 ] || tail -3 out
}
both_ways "512-byte blocks" plain 1
both_ways "512-byte blocks with fixed buffers and files" plain 1 --fixedbufs --registerfiles
both_ways "4 KiB blocks" fourk 1
both_ways "a second namespace" pair 2
both_ways "a namespace of two controllers" twopath 1
runs "I/Os longer than a command" --filename="$plain" --size=8m --bs=1m --rw=write --verify=crc32c
by_block --filename="$(block_device plain)" --size=8m --bs=1m --rw=read --verify=crc32c
check "they read as blocks" "$code == 0"
for serial in meta extended; do
	both_ways "$serial: protection by the drive" $serial 1 --pi_chk=GUARD,REFTAG
	both_ways "$serial: protection by the host" $serial 1 --fixedbufs --pi_act=0 --apptag=0 --pi_chk=GUARD,REFTAG,APPTAG
	passthru --filename="$(char_device $serial)" --size=256k --rw=write --pi_act=0 --apptag=0x77
	passthru --filename="$(char_device $serial)" --size=256k --rw=read --pi_act=0 --apptag=0x78 --pi_chk=APPTAG
	refused "$serial: a wrong application tag" "NVMe status 0x283"
done

# ---- every command ---------------------------------------------------------------------------------
runs "write zeroes" --filename="$plain" --size=1m --rw=write --write_mode=zeroes --deac=1 --stats_file=s.json
check "256 of them" "$(sent write_zeroes) == 256"
by_block --filename="$(block_device plain)" --size=1m --rw=read --verify=pattern --verify_pattern=0
check "they read as zeros" "$code == 0"
runs "verify" --filename="$plain" --size=1m --rw=write --write_mode=verify --stats_file=s.json
check "256 of these" "$(sent verify) == 256"
# This drive verifies no more than 8 KiB at once.
for plain_or_not in --stats_file=s.json ''; do
	runs "I/Os of several verifies ${plain_or_not:+with statistics}" "--filename=$(char_device narrow)" --size=1m --bs=64k \
		--rw=write --write_mode=verify $plain_or_not
done
check "an eighth of each in a command" "$(sent verify) == 128"
runs "flush after every fourth write" --filename="$plain" --size=1m --rw=write --fsync=4 --stats_file=s.json
check "as many as fio asks for" "$(sent flush) >= 64"
runs "compare after each read" --filename="$plain" --size=1m --rw=write --verify=crc32c --verify_mode=compare --stats_file=s.json
check "each of them" "$(sent compare) == 256"
runs "trim" --filename="$plain" --size=1m --rw=trim --stats_file=s.json
check "one command each" "$(sent trim) == 256"
runs "trims of eight ranges" --filename="$plain" --size=1m --rw=randtrim --num_range=8 --iodepth_batch=8 --iodepth_batch_complete_min=8 --stats_file=s.json
check "an eighth of the commands" "$(sent trim) == 32 && $(value s.json achieved) == 256"
by_block --filename="$(block_device plain)" --size=1m --rw=read --verify=pattern --verify_pattern=0
check "what was trimmed reads as zeros" "$code == 0"
runs "FUA and limited retry" --filename="$plain" --size=256k --rw=randrw --readfua=1 --writefua=1 --limited_retry=1
passthru --filename="$plain" --size=16k --rw=write --write_mode=uncor
refused "write uncorrectable, which this drive has not" "Invalid Command Opcode"
runs "data placement that the drive lacks" --filename="$plain" --size=256k --rw=write --dataplacement=fdp
says "which is said" "dataplacement: .* goes on without"

# ---- the ring ---------------------------------------------------------------------------------------
runs "polled" --filename="$plain" --size=1m --rw=randread --hipri=1 --stats_file=s.json
check "without interrupts" "\"$(value s.json polled nvme)\" == \"true\""
runs "polled with flushes" --filename="$plain" --size=1m --rw=randrw --hipri=1 --fsync=3
for mode in zeroes verify; do
	runs "polled write_mode=$mode" --filename="$plain" --size=1m --rw=write --hipri=1 --write_mode=$mode --stats_file=s.json
done
runs "polled trims" --filename="$plain" --size=1m --rw=trim --hipri=1
runs "a submission thread" --filename="$plain" --size=256k --rw=randread --sqthread_poll=1
runs "more than fixed buffers take" --filename="$plain" --size=4m --rw=write --bs=512k --fixedbufs
says "which is said" "fixedbufs: this kernel takes buffers of no more than"

# ---- errors -----------------------------------------------------------------------------------------
faulty=$(char_device faulty)
passthru --filename="$faulty" --size=4m --rw=read
refused "a block that cannot be read" "NVMe read of 8 blocks from block 6144: Unrecovered Read Error"
passthru --filename="$faulty" --size=4m --rw=read --continue_on_error=io --stats_file=s.json
[ "$code" = 0 ] || head -5 out
check "going on behind it" "$code == 0 && $(value s.json achieved) == 1024"
says_stats() { grep -q "$1" s.json && ok "$2" || not_ok "$2" "$(grep -A6 '"failed"' s.json)"; }
says_stats '"0x281"' "its status is counted"
passthru --filename="$faulty" --offset=4m --size=4m --rw=write --continue_on_error=io --stats_file=s.json
says_stats '"0x280"' "that of a write too"

# Commands of all kinds, errors among them, many at once: each comes back once, and the jobs end.
ios=25000
export DRIVE="$faulty" BYTES=$((ios * 4096)) BUILD="$build"
run_fio "$top/tests/vm/guest/mixed.fio"
check "$((4 * ios)) mixed commands with errors end" "$code == 0"
[ "$code" = 0 ] || grep -m9 "^fio: \|passthru: " out
for job in mixed trims zeroes; do
	check "none of $job is lost or comes twice" "$(value $job.json achieved) == $ios"
done
check "some failed" "$(grep -c '"0x28[01]"' mixed.json) >= 1"

# ---- other engines ----------------------------------------------------------------------------------
openloop --filename="$plain" --rw=randread --size=64m --iodepth=32 --iorate=200 --time_based --runtime=3 --stats_file=s.json
check "openloop takes a character device" "$code == 0 && $(grep -c '"drive": "nvme"' s.json) == 1"
openloop --filename="$(block_device plain)" --drive=nvme --rw=randwrite --size=1m --iodepth=4 --verify=crc32c --stats_file=s.json
check "openloop finds that of a block device" "$code == 0 && $(sent write) == 256"
run_fio --name=t "--ioengine=external:$build/vdi_replay.so" --trace="$top/examples/traces/debian-desktop.vdt" --pacing=asap \
	--filename="$plain" --bs=4k --iodepth=16 --rw=randrw --size=200m --fit=compact --flushes=skip --stats_file=s.json
check "vdi_replay sends a trace by commands" "$code == 0 && $(sent read) > 0"
[ "$code" = 0 ] || head -9 out

# ---- what is refused --------------------------------------------------------------------------------
openloop --filename="$plain" --drive=block --rw=read --size=4k
refused "a character device as a block device" "takes NVMe commands"
: >file
passthru --filename="$PWD/file" --rw=read --size=4k
refused "a file" "is a file: NVMe commands need a namespace"
passthru --filename=/dev/null --rw=read --size=4k
refused "another character device" "is no NVMe namespace"
passthru --filename=/dev/nvme0 --rw=read --size=4k
refused "a controller" "is a controller: name one of its namespaces"
passthru --filename="$plain" --rw=read --bs=3000 --size=30000
refused "a length that is no multiple of the block" "bs=3000 is no multiple of 512"
passthru --filename="$(char_device fourk)" --rw=read --offset=512 --size=8k
refused "an offset that is none" "offset=512 is no multiple of 4096"
passthru --filename="$(char_device meta)" --rw=read --size=8k --verify_mode=compare
refused "a compare without its protection" "set pi_act=0"
passthru --filename="$(char_device extended)" --rw=read --size=8k --pi_act=0 --md_per_io_size=8
refused "too little room for metadata" "md_per_io_size=8 is too small"
if command -v mkfs.ext4 >/dev/null && mkfs.ext4 -qF "$(block_device pair)" 2>/dev/null; then
	mkdir -p mounted && mount "$(block_device pair)" mounted
	passthru --filename="$(char_device pair)" --rw=write --size=4k
	refused "a namespace whose block device is mounted" "is mounted on"
	umount mounted
fi
without_uring nvme_passthru --filename="$plain" --rw=read --size=4k
as_nobody() { setpriv --reuid 65534 --regid 65534 --clear-groups "$@"; }
cp "$build/nvme_passthru.so" engine.so
chmod 755 . engine.so
as_nobody fio --name=t --ioengine=external:./engine.so --filename="$plain" --rw=read --bs=4k --size=4k >out 2>&1
code=$?
refused "who may not open the device" "needs root, or the group that owns it\|run as root"
chmod 666 "$plain"
as_nobody fio --name=t --ioengine=external:./engine.so --filename="$plain" --rw=read --bs=4k --size=4k >out 2>&1
code=$?
refused "who may open it and not command it" "CAP_SYS_ADMIN"
chmod 600 "$plain"

exit $((failures > 0))
