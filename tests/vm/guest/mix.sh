# SPDX-License-Identifier: GPL-2.0-only
# mix= of openloop on emulated NVMe drives: shares, trims, blocks of 4 KiB.
. tests/vm/guest/common.inc

# sent NTH: the I/Os of a pattern, in the order of the mix.
sent() { awk -v nth="$1" '$1 == "\"pattern\":" { n++ } n == nth && $1 == "\"sent\":" && !done { sub(/,$/, "", $2); print $2; done = 1 }' s.json; }

oracle=80:randread:8k,19:randwrite:8k,1:write:64k
devices=$(block_device plain)
openloop --drive=nvme --parse-only
[ "$code" != 0 ] || devices="$devices $(char_device plain)"
for device in $devices; do
	openloop --filename="$device" --size=100% --direct=1 --rw=randrw --mix=$oracle --iodepth=36 --number_ios=4000 --io_size=1t \
		--stats_file=s.json --output-format=json
	check "Oracle on ${device##*/}: each share, and what fio counts" \
		"$code == 0 && $(sent 3) >= 38 && $(sent 3) <= 42 && $(sent 2) >= 758 && $(sent 2) <= 762 && \
		$(fio_value total_ios 1) == $(sent 1) && $(fio_value total_ios 2) == $(sent 2) + $(sent 3) && \
		$(fio_value io_bytes 2) == $(sent 2) * 8192 + $(sent 3) * 65536"
	[ "$code" = 0 ] || head -5 out
done

device=$(block_device plain)
openloop --filename="$device" --direct=1 --rw=randrw --mix=40:randread:4k,40:randwrite:4k,20:randtrim:64k --iodepth=8 \
	--iorate=2000 --number_ios=1000 --io_size=1t --stats_file=s.json --output-format=json
check "trims in a mix" "$code == 0 && $(fio_value total_ios 3) == 200 && $(fio_value total_ios 1) == 400"

openloop --filename="$(block_device fourk)" --direct=1 --rw=randrw --mix=96:randread:4k,4:randwrite:512 --iodepth=8 \
	--number_ios=1000 --io_size=1t
refused "512 bytes on a drive with blocks of 4 KiB" "Invalid argument"

exit $((failures > 0))
