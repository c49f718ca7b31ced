#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# mix= of openloop: shares at every rate and unpaced, on a simulated drive and on a file, what fio
# counts of it, repeatability, and what is refused.
. "$(dirname "$0")/common.inc"

oracle=80:randread:8k,19:randwrite:8k,1:write:64k

# of PATTERN KEY: a number of the statistics of a pattern of the mix.
of() {
	awk -v pattern="\"$1\"," -v key="\"$2\":" '
		$1 == "\"mix\":" { inside = 1 }
		inside && $1 == "\"pattern\":" { mine = $2 == pattern }
		mine && $1 == key { sub(/,$/, "", $2); print $2; exit }' "${3:-s.json}"
}

# shares WHAT FILE: the three of Oracle are within 0.05 points.
shares() {
	check "$1" "$(of randread share "$2") > 0.7995 && $(of randread share "$2") < 0.8005 && \
		$(of randwrite share "$2") > 0.1895 && $(of randwrite share "$2") < 0.1905 && \
		$(of write share "$2") > 0.0095 && $(of write share "$2") < 0.0105"
}

# Oracle's 1 % is 1 % at every offered rate, and unpaced. Enough I/Os that one is under 0.05 points.
new_drive d.sim p4510-8tb 1000
sim="--filename=d.sim --size=25% --rw=randrw --mix=$oracle --iodepth=36 --stats_file=s.json"
for rate in 0 2000 10000 40000; do
	openloop $sim --iorate=$rate --number_ios=8000 --io_size=1t --output-format=json
	shares "each share holds at iorate=$rate" s.json
	check "fio counts reads, writes and bytes as they were (iorate=$rate)" \
		"$(fio_value total_ios 1) == $(of randread sent) && $(fio_value total_ios 2) == $(of randwrite sent) + $(of write sent) && \
		$(fio_value io_bytes 1) == $(of randread sent) * 8192 && \
		$(fio_value io_bytes 2) == $(of randwrite bytes) + $(of write bytes) && $(of write bytes) == $(of write sent) * 65536"
	check "every I/O is of a pattern (iorate=$rate)" \
		"$(of randread sent) + $(of randwrite sent) + $(of write sent) == 8000 && $(value s.json achieved) == 8000"
done
openloop $sim --time_based --ramp_time=1 --runtime=1 --iorate=20000
shares "each share holds behind ramp_time" s.json
sent=$(($(of randread sent) + $(of randwrite sent) + $(of write sent)))
check "what left before ramp_time ended is not counted" "$sent > $(value s.json achieved) - 72 && $sent < $(value s.json achieved) + 72"

# Sixteen jobs of sixteen each, paced and not.
for rate in 0 500; do
	openloop --filename=d.sim --size=25% --rw=randrw --mix=$oracle --iodepth=16 --numjobs=16 --thread --group_reporting \
		--iorate=$rate --number_ios=4000 --io_size=1t --stats_file=c.json --output-format=json
	writes=0
	for clone in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16; do writes=$((writes + $(of write sent c.$clone.json))); done
	check "shares hold over 16 jobs (iorate=$rate)" "$code == 0 && $writes >= 640 - 20 && $writes <= 640 + 20 && \
		$(fio_value total_ios 1) > 51200 - 32 && $(fio_value total_ios 1) < 51200 + 32"
done

# The same seed sends the same I/Os: a log of them is the same, another seed's is another.
for seed in 5 5 6; do
	openloop --filename=d.sim --size=25% --rw=randrw --mix=$oracle --iodepth=1 --seed=$seed --number_ios=2000 --io_size=1t \
		--write_bw_log=log --log_offset=1
	cut -d, -f3- log_bw.1.log >log.$seed.$((n = ${n:-0} + 1))
done
if cmp -s log.5.1 log.5.2; then ok "the same seed sends the same I/Os"; else not_ok "the same seed sends the same I/Os" "the logs differ"; fi
if cmp -s log.5.1 log.6.3; then not_ok "another seed sends others" "the logs are the same"; else ok "another seed sends others"; fi

# A file: what is written lands where the pattern says, in order where it says so, and not elsewhere.
truncate -s 64M file
on_file="--filename=file --size=64M --rw=randrw"
openloop $on_file --mix=50:write:64k:25-50,50:randread:4k/75+16k/25:0-25 --iodepth=8 --number_ios=400 --io_size=1t --output-format=json --stats_file=s.json
sectors=$(du -k file | cut -f1)
check "a file: writes in order, in their part" "$code == 0 && $(fio_value total_ios 2) == 200 && $sectors >= 12800 && $sectors < 13100"
if cmp -s -n 16777216 file /dev/zero && cmp -s -i 46137344:0 -n 16777216 file /dev/zero; then
	ok "a file: nothing is written outside the part"
else
	not_ok "a file: nothing is written outside the part" "it is"
fi
if cmp -s -i 16777216:16842752 -n 65536 file file; then
	not_ok "a file: one block's data is not the next one's" "they are the same"
else
	ok "a file: one block's data is not the next one's"
fi
openloop $on_file --mix=40:randread:4k,40:randwrite:512/50+4k/50,20:randtrim:1m --iodepth=8 --iorate=4000 --number_ios=1000 --io_size=1t --output-format=json --stats_file=s.json
check "trims, sizes with shares" "$code == 0 && $(fio_value total_ios 1) == 400 && $(fio_value total_ios 2) == 400 && $(fio_value total_ios 3) == 200 && \
	$(fio_value io_bytes 2) == 200 * 512 + 200 * 4096"
openloop $on_file --mix=$oracle --iodepth=8 --refill_buffers --fsync=20 --end_fsync=1 --io_size=8m --output-format=json --stats_file=s.json
check "syncs beside a mix, an end by size" "$code == 0 && $(fio_value io_bytes 1) + $(fio_value io_bytes 2) >= 8388608 && \
	$(fio_value io_bytes 1) + $(fio_value io_bytes 2) < 8388608 + 65536"

# Two jobs as threads, one with a mix: the other keeps fio's pattern.
run_fio --thread --output-format=json --name=a "--ioengine=external:$build/openloop.so" --filename=file --size=64M --iodepth=4 --number_ios=500 --io_size=1t \
	--rw=randrw --mix=100:randwrite:8k --stats_file=a.json --name=b "--ioengine=external:$build/openloop.so" --filename=file --size=64M \
	--iodepth=4 --number_ios=500 --io_size=1t --rw=randread --bs=4096 --stats_file=b.json
check "a job without a mix is as it was" "$code == 0 && $(of randwrite sent a.json) == 500 && $(value b.json achieved) == 500 && $(fio_value io_bytes 4) == 500 * 4096"

# The job files that come with the project, as fio reads them: the run at the maximum, shortened.
new_drive whole.sim p4510-2tb 1000
for job in "$top"/jobfiles/database/*.fio "$top"/jobfiles/mixed/*.fio; do
	name=$(basename "$job" .fio)
	sed -e "s|^ioengine=external:.*/|ioengine=external:$build/|" -e 's/^ramp_time=.*//' -e 's/^runtime=.*/runtime=1/' "$job" >"$name.fio"
	TARGET=whole.sim run_fio --section=max --output-format=json "$name.fio"
	stats=$(sed -n '/^\[max\]/,/^stats_file/s/^stats_file=//p' "$name.fio")
	off=$(awk '$1 == "\"mix\":" { inside = 1 }
		inside && $1 == "\"asked_share\":" { sub(/,$/, "", $2); asked = $2 }
		inside && $1 == "\"sent\":" { sub(/,$/, "", $2); sent = $2 }
		inside && $1 == "\"share\":" { sub(/,$/, "", $2); off = ($2 - asked) / ($2 + 1e-9) * sent; if (off < 0) off = -off; if (off > most) most = off; count++ }
		END { print count ? most + 0 : 1e9 }' "$stats" 2>/dev/null)
	check "$name runs, and no share is off by more than 8 I/Os" "$code == 0 && $off < 8"
done

# Sizes below the alignment.
openloop $on_file --mix=100:randread:512/50+1536/50 --blockalign=4k --number_ios=500 --io_size=1t --write_bw_log=align --log_offset=1
check "blockalign is where random I/Os begin" \
	"$(awk -F', *' '$5 % 4096 { off++ } END { print NR == 500 ? off + 0 : "no " NR }' align_bw.1.log) == 0"

# Refused, with the option and the byte.
openloop $on_file --mix=80:randread:8k,20:randwrit:8k
refused "an unknown pattern" "mix: byte 19: unknown pattern \"randwrit\"; did you mean \"randwrite\"?"
openloop $on_file --mix=80:randread:8k,19:randwrite:8k
refused "shares that are not 100" "the shares of the patterns come to 99 percent, not 100"
openloop --filename=file --size=64M --rw=randread --mix=$oracle
refused "a mix that writes in a job that reads" "mix= writes and rw= only reads; write rw=randrw"
openloop $on_file --mix=$oracle --verify=crc32c
refused "verify" "verify= cannot follow what a mix writes; remove it"
openloop $on_file --mix=$oracle --bssplit=4k/50:8k/50
refused "bssplit" "bssplit= says what mix= says; remove it"
openloop --filename=file --size=32k --rw=randrw --mix=$oracle
refused "a region smaller than a block" "too few for write of 65536 bytes"
openloop --readonly $on_file --mix=$oracle
refused "--readonly" "read-only mode"

exit $((failures > 0))
