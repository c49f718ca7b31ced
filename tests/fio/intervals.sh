# SPDX-License-Identifier: GPL-2.0-only
# The engine's figures of an interval against the truth: a log of every latency, by fio itself.
set -u
BUILD=$(realpath "${BUILD:-build}")
cd "$(dirname "$0")/../.." || exit 1
SSDREVIEW_DRIVES=$PWD/engines/sim/drives
export SSDREVIEW_DRIVES
work=$(mktemp -d "$BUILD/intervals.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1

"$BUILD/ssdreview" sim new p3700-2tb -o d.sim --scale 1000 >/dev/null || exit 1

# Two jobs, reads and writes, every latency logged; the drive holds them back at 16 in flight.
measure() {
	rm -f s.*.json lat_*
	LD_PRELOAD=${SSDREVIEW_PRELOAD:-} fio --name=j --ioengine="external:$BUILD/openloop.so" --filename=d.sim --size=256m --rw=randrw \
		--rwmixread=70 --bs=8192 --norandommap --randseed=1 --randrepeat=0 --iodepth=16 --numjobs=2 --thread --time_based --runtime=2 \
		--iorate=15000 --write_lat_log=lat --stats_file=s.json --stats_interval=500ms --output=fio.log
}

# The log is in the order of completion, so an interval with so many I/Os has the next so many lines.
# Prints one line an interval and direction that is further off than 1 %, and how many there were.
compare() { # CLONE
	sed -n 's/^{"start_ns":.*"read":{"count":\([0-9]*\),"bytes":\([0-9]*\),"mean_ns":\([0-9.]*\),"m2_ns2":\([-+0-9.e]*\),"max_ns":\([0-9]*\)},"write":{"count":\([0-9]*\),"bytes":\([0-9]*\),"mean_ns":\([0-9.]*\),"m2_ns2":\([-+0-9.e]*\),"max_ns":\([0-9]*\)}.*/\1 \2 \3 \4 \5 \6 \7 \8 \9/p' "s.$1.json" >left
	sed -n 's/^{"start_ns":.*"write":{.*"max_ns":\([0-9]*\)}.*/\1/p' "s.$1.json" | paste -d' ' left - >intervals
	awk -F'[ ,]+' '
		function off(is, should) { return should ? (is > should ? is - should : should - is) / should : is }
		function judge(what, n, bytes, mean, m2, max, c, i, sum, squares, top, truth) {
			for (i = 1; i <= n; i++) { c = list[what, i]; sum += c; if (c > top) top = c }
			truth = n ? sum / n : 0
			for (i = 1; i <= n; i++) squares += (list[what, i] - truth) ^ 2
			checked++
			if (bytes != n * 8192 || off(mean, truth) > 0.01 || off(max, top) > 0.01 || off(sqrt(m2 / (n ? n : 1)), sqrt(squares / (n ? n : 1))) > 0.01)
				print "interval", interval, what, n, mean, truth, sqrt(m2 / n), sqrt(squares / n), max, top
		}
		FNR == NR { line[++intervals] = $0; next }
		{ value[++lines] = $2; direction[lines] = $3; at[lines] = $1 }
		END {
			for (interval = 1; interval <= intervals; interval++) {
				split(line[interval], f, " ")
				delete list
				seen[0] = seen[1] = 0
				for (i = 0; i < f[1] + f[6]; i++) {
					used++
					list[direction[used], ++seen[direction[used]]] = value[used]
					# Milliseconds, from the start: within the interval, give or take when fio looked.
					if (interval <= 4 && (at[used] < (interval - 1) * 500 - 20 || at[used] > interval * 500 + 20))
						print "interval", interval, "holds an I/O of", at[used], "ms"
				}
				if (seen[0] != f[1] || seen[1] != f[6]) print "interval", interval, "counts", f[1], f[6], "not", seen[0], seen[1]
				if (interval > 4) continue # completed after the end
				judge(0, f[1], f[2], f[3], f[4], f[5])
				judge(1, f[6], f[7], f[8], f[9], f[10])
			}
			if (used != lines) print used, "of", lines, "I/Os are in an interval"
			if (checked < 8) print "only", checked, "figures"
		}' intervals "lat_lat.$1.log"
}

# On a busy machine fio may look late at what the engine saw: then once more.
try=1
while [ "$try" -le 4 ]; do
	measure 2>err || { echo "not ok every latency is logged: $(head -1 err) $(head -1 fio.log)" && exit 1; }
	compare 1 >off
	compare 2 >>off
	[ -s off ] || break
	try=$((try + 1))
done
if [ ! -s off ]; then
	echo "ok mean, deviation and maximum of every interval are those of the log within 1 %"
elif grep -q 'counts\|are in an interval\|figures' off; then
	echo "not ok mean, deviation and maximum of every interval: $(head -3 off | tr '\n' ' ')"
	exit 1
else
	echo "skip mean, deviation and maximum of every interval: the machine was too busy: $(head -1 off)"
fi
