# SPDX-License-Identifier: GPL-2.0-only
# In the laboratory, where a guest's nanosecond is an instruction: fio's own io_uring_cmd (stock) and
# nvme_passthru (ours) read 4 KiB at random, in turns, from a drive that answers at once and from one
# that takes 0.2 ms. Prints a line for each run, what it took per I/O:
# DRIVE DEPTH BATCH BUFFERS ENGINE INSTRUCTIONS ENTERS (counted beside the first pair, else -).
cd "$(dirname "$0")/../../.." || exit 1
. tests/vm/guest/common.inc
ios=30000 pairs=3
enters=/sys/kernel/tracing/events/syscalls/sys_enter_io_uring_enter
mount -t tracefs tracefs /sys/kernel/tracing

engine() { # WHICH
	case $1 in
	stock) echo --ioengine=io_uring_cmd --cmd_type=nvme ;;
	ours) echo "--ioengine=external:$BUILD/nvme_passthru.so" ;;
	esac
}

# Runs a job; prints nanoseconds of processor time per I/O, user and kernel.
read_at_random() { # WHICH DRIVE DEPTH BATCH BUFFERS NUMBER
	# shellcheck disable=SC2046 # options, in words
	fio --name=b --thread $(engine "$1") --filename="$(char_device "$2")" --rw=randread --bs=4096 --norandommap --size=1g --io_size=1t --iomem_align=4096 \
		--iodepth="$3" --iodepth_batch="$4" --iodepth_batch_complete="$4" --number_ios="$6" \
		$([ "$5" = fixed ] && echo --fixedbufs --registerfiles) --output=j --output-format=json >said 2>&1 || return
	awk -v ios="$6" '{ sub(/,$/, "") }
		$1 == "\"usr_cpu\"" { usr = $3 } $1 == "\"sys_cpu\"" { sys = $3 } $1 == "\"job_runtime\"" { ms = $3 }
		END { printf "%.0f", (usr + sys) / 100 * ms * 1e6 / ios }' j
}

# fio's own engine takes a signal for an error now and then.
try_to_read() {
	for _ in 1 2 3; do
		read_at_random "$@" && return
	done
	head -3 said >&2
}

# Enters per I/O of such a run, counted by the kernel.
count_enters() { # WHICH DRIVE DEPTH BATCH BUFFERS
	echo 'hist:keys=common_pid' >$enters/trigger
	read_at_random "$@" 10000 >/dev/null
	awk '$1 == "Hits:" { printf "%.3f", $2 / 10000 }' $enters/hist
	echo '!hist:keys=common_pid' >$enters/trigger
}

compare() { # DRIVE DEPTH BATCH BUFFERS
	pair=1
	while [ $pair -le "$pairs" ]; do
		for which in stock ours; do
			entered=-
			[ $pair != 1 ] || entered=$(count_enters $which "$@")
			echo "$* $which $(try_to_read $which "$@" "$ios") $entered"
		done
		pair=$((pair + 1))
	done
}

for buffers in plain fixed; do
	for setting in "slow 1 1" "prompt 1 1" "prompt 32 1" "prompt 32 16" "prompt 128 1" "prompt 128 16"; do
		# shellcheck disable=SC2086 # drive, depth and batch
		compare $setting $buffers
	done
done
