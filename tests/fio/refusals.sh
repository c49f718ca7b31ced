#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# What the engines refuse, each with one sentence, and nothing is written.
. "$(dirname "$0")/common.inc"

truncate -s 8M file
paced="--filename=file --size=8M --rw=randread --iodepth=8 --iorate=1000 --number_ios=10"

refuses() { # OPTION...: an option that fights the schedule
	openloop $paced "$@"
	refused "refuses $1" "remove it"
}
refuses --rate_iops=500
refuses --rate=1m
refuses --rate_min=1m
refuses --rate_iops_min=10
refuses --rate_iops=500 --rate_process=poisson
refuses --thinktime=100
refuses --latency_target=10ms
refuses --write_iolog=log
refuses --iodepth_batch=4
refuses --iodepth_batch_complete_min=4
refuses --iodepth_low=2
printf 'fio version 2 iolog\nfile add\nfile open\nfile read 0 4096\nfile close\n' >iolog
refuses --read_iolog=iolog
openloop $paced --io_submit_mode=offload
refused "refuses io_submit_mode=offload" "offload"

openloop --filename=file --size=8M --rw=randread --iorate=fast
refused "iorate= that is no rate" "iorate=fast is no rate"
openloop --filename=file --size=8M --rw=randread --iorate=30%
refused "a percentage without max_from=" "needs max_from="
openloop --filename=file --size=8M --rw=randread --iorate=30% --max_from=missing.json
refused "max_from= that does not exist" "missing.json"
echo '{"achieved_iops": "many"}' >bad.json
openloop --filename=file --size=8M --rw=randread --iorate=30% --max_from=bad.json
refused "max_from= without a rate" "bad.json"
openloop --filename=file --size=8M --rw=randread --arrival=sometimes
refused "an unknown arrival" "arrival"
openloop --filename=file --size=8M --rw=randread --stats_file=/nonexistent/s.json
refused "a statistics file that cannot be written" "/nonexistent/s.json"

# Targets.
echo "not a test file" >text
openloop --filename=text --size=8M --rw=randread
refused "a read job never extends its target" "never extends"
check "the short file is as it was" "$(wc -c <text) == 16"
openloop --filename=absent --size=8M --rw=randread
refused "a read job never makes its target" "fill it first"
[ ! -e absent ] && ok "no file was made" || not_ok "no file was made" "absent exists"
openloop --filename=file --drive=sim --size=8M --rw=randread
refused "drive=sim on an ordinary file" "not the state file"
openloop --filename="$SSDREVIEW_DRIVES/670p-2tb.model" --size=8M --rw=write
refused "a model file as target" "model of a simulated drive"
new_drive state.sim 670p-2tb 100
before=$(cksum <state.sim)
openloop --filename=state.sim --drive=block --size=8M --rw=write
refused "a state file as block target" "state file of a simulated drive"
check "the state file is as it was" "\"$before\" == \"$(cksum <state.sim)\""
run_fio --name=t "--ioengine=external:$build/simdrive.so" --filename=file --size=8M --rw=randread
refused "simdrive on an ordinary file" "not the state file"
cp state.sim damaged.sim
printf 'XXXXXXXXXXXXXXXX' | dd of=damaged.sim bs=1 seek=40 conv=notrunc 2>/dev/null
openloop --filename=damaged.sim --rw=randread --number_ios=10 --size=8M
refused "a damaged state file" "damaged.sim"
head -c 1000 state.sim >short.sim
openloop --filename=short.sim --rw=randread --number_ios=10 --size=8M
refused "a truncated state file" "short.sim"
openloop --filename=file:state.sim --size=8M --rw=randread --number_ios=10
refused "a file and a simulated drive in one job" "a job of its own"
openloop --filename=state.sim --bs=1000 --rw=randread --size=8M --number_ios=10
refused "an I/O that is not whole blocks" "Invalid argument"
openloop --filename=state.sim --offset=1000 --rw=randread --size=8M --number_ios=10
refused "an offset between blocks" "Invalid argument"
openloop --filename=state.sim --offset=30T --rw=randread --size=8M --number_ios=10
refused "an offset behind the end of the drive" "behind the end"
openloop --filename=file --size=8M --rw=randread --iodepth=100000
refused "more in flight than io_uring takes" "32768 at most"
openloop $paced --stats_file=.
refused "a folder as statistics file" "Is a directory"
openloop --filename=file --size=8M --rw=randread --iorate=100 --number_ios=50 --stats_file=s.json --name=u \
	"--ioengine=external:$build/openloop.so" --filename=file --size=8M --rw=randread --stats_file=s.json
refused "one statistics file for two jobs" "another job"
check "the refused leave nothing" "\"$(echo *.part *.new)\" == \"*.part *.new\""
if [ -d /dev/shm ] && [ "$(stat -f -c %T /dev/shm)" = tmpfs ]; then
	openloop --filename=/dev/shm/ssdreview-test.$$ --size=8M --rw=write
	refused "a target in memory" "tmpfs"
	rm -f /dev/shm/ssdreview-test.$$
else
	echo "skip a target in memory: no tmpfs at /dev/shm"
fi

# A kernel or container that forbids io_uring.
without_uring openloop $paced

# Another fio release: the same interface number does not make it the same fio.
version=$(fio --version)
other=$(echo "$version" | tr 0-9 9)
LC_ALL=C sed "s/$version/$other/g" "$build/openloop.so" >other.so
run_fio --name=t "--ioengine=external:$scratch/other.so" --filename=file --size=8M --rw=randread --bs=4096
refused "another fio than the one compiled against" "compiled against $other and cannot run in $version"

cp "$top/examples/traces/fc-boot.vdt" t.vdt
openloop --filename=t.vdt --rw=randwrite --size=64k
refused "a trace as a target" "is a trace, not a target"
cmp -s t.vdt "$top/examples/traces/fc-boot.vdt" && ok "it is as it was" || not_ok "it is as it was" "t.vdt changed"

# NVMe commands need a namespace; those that are there are tested in tests/vm.
passthru() { run_fio --name=t "--ioengine=external:$build/nvme_passthru.so" --rw=randwrite --bs=4096 --size=64k "$@"; }
before=$(cksum <file)
passthru --filename=file
refused "NVMe commands for a file" "is a file: NVMe commands need a namespace.*or use the engine openloop"
openloop --filename=file --drive=nvme --rw=randwrite --size=64k
refused "drive=nvme on a file" "is a file: NVMe commands need a namespace.*or use drive=block"
check "the file is as it was" "\"$before\" == \"$(cksum <file)\""
passthru --filename=state.sim
refused "NVMe commands for a simulated drive" "state file of a simulated drive.*: use the engine simdrive or openloop"
check "an engine without drive= names it nowhere" "$(grep -c 'drive=' out) == 0"
passthru --filename=/dev/null
refused "NVMe commands for another character device" "is no NVMe namespace"
passthru --filename=/dev/ng999n1
refused "NVMe commands for a namespace that is not there" "No such file or directory; NVMe namespaces are"
check "and none is made" "$([ -e /dev/ng999n1 ] && echo 1 || echo 0) == 0"
exit $((failures > 0))
