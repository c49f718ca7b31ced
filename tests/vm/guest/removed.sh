# SPDX-License-Identifier: GPL-2.0-only
# A drive that is removed while it is tested: fio ends with an error, what was measured is kept.
. tests/vm/guest/common.inc
. "$top/tests/vm/guest/removed.inc"

has_ended() { ! kill -0 "$job" 2>/dev/null; }
has_opened() { find "/proc/$job/fd" -lname "$device" | grep -q .; }

# removed ENGINE DEVICE OPTION...
removed() {
	engine=$1 device=$2
	shift 2
	fio --name=t --thread "--ioengine=external:$build/$engine.so" --filename="$device" --bs=4096 --rw=randrw --iodepth=8 \
		--time_based --runtime=300 --stats_file="$engine.json" "$@" >out 2>&1 &
	job=$!
	await has_opened || not_ok "$engine: it opens the drive" "$(head -3 out)"
	sleep 2
	remove || not_ok "$engine: the drive is removed" "$answer"
	if await has_ended; then
		wait "$job"
		code=$?
		check "$engine: fio ends with an error when its drive is removed" "$code != 0"
	else
		not_ok "$engine: fio ends with an error when its drive is removed" "it runs on"
		kill -KILL "$job"
	fi
	check "$engine: what was measured until then is kept" "$(value "$engine.json" achieved || echo 0) > 0"
	[ "$failures" = 0 ] || head -5 out
	bring_back
}

removed openloop "$(block_device gone)" --direct=1 --iorate=200
removed nvme_passthru "$(char_device gone)" --registerfiles
removed openloop "$(char_device gone)" --iorate=200

exit $((failures > 0))
