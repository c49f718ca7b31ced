# SPDX-License-Identifier: GPL-2.0-only
# In the laboratory: instructions that nvme_passthru itself takes per I/O, outside fio and the kernel.
# The difference of two lengths leaves out start-up. Prints a line for each setting: DEPTH BATCH OWN.
cd "$(dirname "$0")/../../.." || exit 1
. tests/vm/guest/common.inc

own() { # DEPTH BATCH NUMBER
	valgrind --tool=callgrind --callgrind-out-file=counted fio --name=b --thread "--ioengine=external:$BUILD/nvme_passthru.so" \
		--filename="$(char_device prompt)" --rw=randread --bs=4096 --norandommap --size=1g --io_size=1t --iodepth="$1" \
		--iodepth_batch="$2" --iodepth_batch_complete="$2" --number_ios="$3" --fixedbufs=1 --registerfiles=1 >said 2>&1 ||
		{ head -3 said >&2 && return 1; }
	# Objects are named once and then by number; the line after calls= is the cost of what was called.
	awk '/^ob=/ { split($0, part, /[()]/); if (/nvme_passthru\.so/) ours[part[2]] = 1; inside = part[2] in ours }
		called { called = 0; next }
		/^calls=/ { called = 1 }
		/^[0-9+*-]/ && inside { sum += $2 }
		END { printf "%.0f", sum }' counted
}

for setting in "1 1" "32 16"; do
	# shellcheck disable=SC2086 # depth and batch
	few=$(own $setting 1000) many=$(own $setting 5000)
	echo "$setting $(((many - few) / 4000))"
done
