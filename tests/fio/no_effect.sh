#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Options of the engines that would have no effect beside others are refused, each in one sentence.
. "$(dirname "$0")/common.inc"

truncate -s 64M file
cp "$top/examples/traces/fc-boot.vdt" t.vdt
echo '{"achieved_iops": 1000}' >max.json

# try ENGINE OPTION...: on a file that is large enough for each of them.
try() {
	engine=$1
	shift
	run_fio --name=t "--ioengine=external:$build/$engine.so" --filename=file --size=64M --iodepth=4 "$@"
}
load="--rw=randread --bs=4096 --number_ios=20"
replay="--rw=randrw --bs=4096 --trace=t.vdt --phase=boot --fit=wrap"
writer="--rw=write --bs=4096 --direct=0"
commands="--rw=randwrite --bs=4096 --number_ios=1"

# One combination a line: engine, options, the words that it is refused with.
while IFS='|' read -r engine options words; do
	case $engine in
	openloop) base=$load ;;
	vdi_replay) base=$replay ;;
	qlc_writer) base=$writer ;;
	nvme_passthru) base=$commands ;;
	esac
	# shellcheck disable=SC2086 # lists of options
	try "$engine" $base $options
	refused "$engine $options" "$words"
	grep -c "^fio: $engine: job t: " out | grep -qx 1 && ok "in one sentence" ||
		not_ok "in one sentence" "$(head -3 out)"
done <<'END'
openloop|--max_from=max.json|max_from= has no effect without a share
openloop|--max_from=max.json --iorate=500|max_from= has no effect without a share
openloop|--arrival=constant|arrival= has no effect without iorate=; remove it
openloop|--arrival=constant --iorate=0|arrival= has no effect without iorate=; remove it
openloop|--store_data=1|store_data= is for simulated drives, and file is none; remove it
openloop|--mix=100:randread:4k --percentage_random=50|percentage_random= says what mix= says; remove it
openloop|--mix=100:randread:4k --random_distribution=zipf:1.2|random_distribution= says what mix= says; remove it
vdi_replay|--max_from=max.json|max_from= has no effect without a share
vdi_replay|--store_data=1|store_data= is for simulated drives
vdi_replay|--pacing=asap --iorate=100|iorate= has no effect with pacing=asap; remove it
vdi_replay|--pacing=asap --speed=200|speed= has no effect with pacing=asap; remove it
vdi_replay|--speed=200 --iorate=100|speed= and iorate= both say how fast it is played; remove it
vdi_replay|--stagger=1 --stagger_kind=rotate|stagger= has no effect with stagger_kind=rotate
vdi_replay|--stagger_kind=exponential|stagger_kind= has no effect without stagger=; remove it
vdi_replay|--think_max=1ms|think_max= has no effect without pacing=dependent; remove it
vdi_replay|--io_size=1m|io_size= does not limit a replay
vdi_replay|--bssplit=4k/50:8k/50|bssplit= says what the trace says; remove it
vdi_replay|--random_distribution=zipf:1.2|random_distribution= says what the trace says; remove it
vdi_replay|--zonemode=strided --zonesize=1m --zonerange=2m|zonemode= says what the trace says; remove it
qlc_writer|--idle=1s|idle= is for mode=recover and mode=burst; remove it
qlc_writer|--mode=burst --idle=1s:5s|idle= names 2; leave the others out
qlc_writer|--mode=sustain --repeats=5|repeats= is for mode=recover; remove it
qlc_writer|--levels=0:50|levels= is for mode=fill-levels; remove it
qlc_writer|--mode=burst --rest=5s|rest= is for mode=fill-levels; remove it
qlc_writer|--burst=20%|burst= is for mode=burst; remove it
qlc_writer|--mode=recover --idle=1s --bursts=3|bursts= is for mode=burst; remove it
qlc_writer|--sustain=1m|sustain= is for mode=sustain; remove it
qlc_writer|--sustain_time=1m|sustain_time= is for mode=sustain; remove it
qlc_writer|--mode=sustain --sustain=1m --sustain_time=1m|sustain= has no effect beside sustain_time=; remove it
qlc_writer|--mode=sustain --settle=1m --cache_from=max.json|settle= has no effect with cache_from=
qlc_writer|--store_data=1|store_data= is for simulated drives
qlc_writer|--random_distribution=zipf:1.2|random_distribution= chooses places beside the plan; remove it
nvme_passthru|--deac=1|deac= has no effect without write_mode=zeroes; remove it
nvme_passthru|--rw=randread --write_mode=zeroes|write_mode= has no effect in a job that does not write; remove it
nvme_passthru|--verify_mode=compare|verify_mode= has no effect in a job that does not read; remove it
nvme_passthru|--sqthread_poll_cpu=0|sqthread_poll_cpu= has no effect without sqthread_poll; remove it
nvme_passthru|--num_range=4|num_range= has no effect in a job that does not trim; remove it
nvme_passthru|--plids=0:1|plids= has no effect without dataplacement=; remove it
nvme_passthru|--plid_select=random|plid_select= has no effect without dataplacement=; remove it
nvme_passthru|--apptag_mask=0xff --pi_chk=GUARD|apptag_mask= has no effect without pi_chk=APPTAG; remove it
nvme_passthru|--pi_chk=GAURD|did you mean "GUARD"?
END

# What has an effect is taken.
while IFS='|' read -r engine options; do
	[ "$engine" = openloop ] && base=$load || base=$replay
	# shellcheck disable=SC2086
	try "$engine" $base $options
	check "$engine takes $options" "$code == 0"
done <<'END'
openloop|--iorate=500% --max_from=max.json
openloop|--iorate=5000 --arrival=constant
vdi_replay|--pacing=asap
vdi_replay|--window=0-1 --speed=10000
vdi_replay|--window=0-1 --clones=2 --stagger_kind=rotate --pacing=asap
END

# A replay of nothing is no success.
try vdi_replay $replay --window=0-0.000001
[ "$code" != 0 ] && ok "a window without an I/O fails" || not_ok "a window without an I/O fails" "exit 0: $(head -5 out)"
# The seed puts its beginning far behind the end.
try vdi_replay $replay --stagger=10000 --runtime=1
refused "a job that ends before its first I/O fails" "nothing was replayed: no I/O was due before the job ended"
check "it says so once" "$(grep -c "nothing was replayed" out) == 1"
exit $((failures > 0))
