# SPDX-License-Identifier: GPL-2.0-only
# What the drive did while points were measured: on a loop device, a file and a simulated drive.
. tests/review/lib

unset FIO
if [ ! -e "$BUILD/openloop.so" ] || ! command -v fio >/dev/null || ! command -v python3 >/dev/null; then
	echo "skip what drives do during a run: fio, the engine or python3 is missing"
	exit 77
fi
loop=''
clean_up() { [ -z "$loop" ] || losetup -d "$loop"; }

mkdir "$work/p"
cp jobfiles/corners/4k-randwrite.fio jobfiles/corners/fill.fio "$work/p/"
cat >"$work/p/short.profile" <<-END
	[review]
	title = a test
	region = 5 %
	fill = region
	steps = 50
	wait_s = 0
	measure_s = 2
	cooldown_s = 0
	idle_s = 0
	[4k-randwrite]
	jobfile = 4k-randwrite.fio
	in_flight = 4
END
run() { # NAME OPTION...
	name=$1
	shift
	"$ssdreview" run "$work/p/short.profile" --name "$name" --out "$work/results" "$@"
}
# says WHAT NAME EXPRESSION: what python3 finds true; t(STEP) is a step's record, d the index, r its first row.
says() {
	check "$1" python3 -c '
import json, sys
folder = sys.argv[1]
t = lambda step: json.load(open(folder + "/" + step + ".telemetry.json"))
d = json.load(open(folder + "/review.json"))
r = d["rows"][0]["points"]
ok = eval(sys.argv[2])
ok or print([t("4k-randwrite/max"), r[0]])
sys.exit(not ok)' "$work/results/$2" "$3"
}

# ---- a simulated drive
expect "a review of a simulated drive" 0 'Done' run sim --target sim:670p-2tb --scale 1000
says "every step has its record" sim 'all(t(s)["seconds"] > 0 for s in ("fill/fill", "4k-randwrite/max", "4k-randwrite/050"))'
says "what the fill wrote is in it" sim 't("fill/fill")["change"]["host_written_bytes"] == d["region_bytes"]'
says "the write amplification is that of the model" sim \
	't("4k-randwrite/max")["change"]["write_amplification"] >= 1 and t("4k-randwrite/max")["change"]["write_amplification_source"] == "simulated"'
says "SMART says why it is missing" sim 't("4k-randwrite/max")["change"]["media_errors"] == "n/a (simulated)"'
says "so does the temperature" sim 't("4k-randwrite/max")["temperature"] == "n/a (a simulated drive tells it before and after alone)"'
says "the index names the record" sim 'r[1]["telemetry"]["file"] == "4k-randwrite/050.telemetry.json"'
says "nothing is to be marked" sim 'all(p["telemetry"]["marks"] == [] for p in r)'

# ---- a drive that throttles
"$ssdreview" sim new 670p-2tb -o "$work/hot.sim" --scale 1000 \
	--event 'throttle:at_s=0,duration_ms=1000000000,factor=4,temperature_c=88' >"$work/said" 2>&1
expect "a review of a simulated drive that throttles" 0 'Done' run hot --target "$work/hot.sim"
says "it is marked" hot 'any(m["mark"] == "throttled" and not m["spoils"] for m in r[1]["telemetry"]["marks"])'
expect "the table says so" 0 'throttled' "$ssdreview" table "$work/results/hot"
check "and when" grep -q 'throttle.* 4k-randwrite\|4k-randwrite.*throttle' "$work/said"

# ---- a loop device
truncate -s 64M "$work/disk"
loop=$(losetup -f --show "$work/disk" 2>"$work/said") || {
	loop=''
	echo "skip what a loop device does during a run: $(cat "$work/said")"
	exit $((bad ? 1 : 0))
}
expect "a review of a loop device" 0 'Done' run loop --target "$loop" --destroy "${loop#/dev/}"
says "the kernel counts what was written" loop \
	't("fill/fill")["change"]["kernel_written_bytes"] >= d["region_bytes"]'
says "it is no NVMe drive" loop 't("4k-randwrite/max")["change"]["host_written_bytes"] == "n/a (no NVMe drive)"'
says "it has no sensor" loop 't("4k-randwrite/max")["temperature"] == "n/a (no sensor in sysfs)"'
says "nor a link" loop 't("4k-randwrite/max")["link"] == "n/a (no link of its own in sysfs)"'
says "the index says the same" loop 'r[0]["telemetry"]["mean_c"] == "n/a (no sensor in sysfs)"'
exit $bad
