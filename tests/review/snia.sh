# SPDX-License-Identifier: GPL-2.0-only
# SNIA's tests, with the installed fio and a simulated drive: a matrix, what the drive cannot do, a
# sequence with idle times.
. tests/review/lib

unset FIO
if [ ! -e "$BUILD/openloop.so" ] || ! command -v fio >/dev/null || ! command -v python3 >/dev/null; then
	echo "skip SNIA's tests on a simulated drive: fio, the engine or python3 is missing"
	exit 77
fi

mkdir "$work/p"
# section NAME: of the IOPS test.
section() {
	awk -v name="[$1]" '/^\[/ { on = $0 == name } on' jobfiles/snia/iops.fio
}
{
	awk '/^\[r/ { exit } { print }' jobfiles/snia/iops.fio
	for load in r100-64k r100-4k r65-64k r65-4k r0-64k r0-4k r0-512; do
		section $load
	done
} >"$work/p/matrix.fio"
# Scaled by 1000, half a minute of work and of idle time are 30 ms each.
sed -e 's/thinktime=[0-9]*s/thinktime=30s/' -e 's/thinktime_iotime=5s/thinktime_iotime=30s/' \
	-e '/^\[idle-10s\]/,$d' -e 's/stats_interval=.*/stats_interval=60/' \
	-e 's/runtime=.*/runtime=600/' jobfiles/snia/idle-recovery.fio >"$work/p/idle.fio"
cat >"$work/p/snia.profile" <<-END
	[review]
	title = a test
	region = 100 %
	purge = yes

	[matrix]
	title = IOPS test
	jobfile = matrix.fio
	steps = rounds
	fill = whole
	fill_passes = 2
	threads = 4
	queue = 16
	load_s = 60
	track = r0-4k:iops
	fills = 0
	window = 3
	rounds = 3

	[saturation]
	title = Write saturation
	jobfile = $PWD/jobfiles/snia/write-saturation.fio
	steps = rounds
	purge = yes
	threads = 4
	queue = 16
	load_s = 120
	sample_s = 60
	fills = 0
	window = 3
	rounds = 3

	[idle]
	title = Host idle recovery
	jobfile = idle.fio
	steps = sequence
	after = saturation
	threads = 1
	queue = 64
	divide = 2
END
run() { # NAME OPTION...
	name=$1
	shift
	"$ssdreview" run "$work/p/snia.profile" --target sim:p3700-2tb --scale 1000 --name "$name" --out "$work/results" "$@"
}
json() { # NAME FILE EXPRESSION
	python3 -c "import json,sys; d = json.load(open(sys.argv[1])); print($3)" "$work/results/$1/$2"
}

# ---- the profile that comes with the project
expect "the tests of SNIA have a plan" 0 'iops  *64 in flight, writes, 4T/16Q, filled 2 times, then rounds until steady: at most 25' \
	"$ssdreview" run snia-pts --target sim:p3700-2tb --name plan --out "$work/results" --dry-run
cp "$work/said" "$work/plan"
check "with sequences" grep -q 'cross-stimulus .* a sequence of 3 loads, 22 h 00 min' "$work/said"
check "and what comes before them" grep -q 'idle-recovery .* right after write-saturation' "$work/said"
expect "--quick is minutes" 0 'Time  *about [0-9]* min' \
	"$ssdreview" run snia-pts --target sim:p3700-2tb --scale 1000 --name plan --out "$work/results" --dry-run --quick

check "which tells of loads that are too short" grep -q 'Warning .*The loads of iops, throughput-128k, .* last as little as 0.03 s; .*: take a scale of 300 or less' "$work/said"
expect "and not of long ones" 0 'Time  *about' \
	"$ssdreview" run snia-pts --target sim:p3700-2tb --scale 150 --name plan --out "$work/results" --dry-run --rows iops
check "which need no word" sh -c "! grep -q 'The loads of' '$work/said'"
check "a saturation ends with what is written, or its time" grep -q 'write-saturation .* rounds for 24 h 00 min, or for 4 drive fills, whichever is over first' "$work/plan"

# ---- a whole one
expect "a matrix, a saturation and a sequence" 0 'Done' run one
check "the matrix has all its loads" [ "$(json one matrix/rounds.json '[l["load"] for l in d["rounds"][2]["loads"]]')" = "['r100-64k', 'r100-4k', 'r65-64k', 'r65-4k', 'r0-64k', 'r0-4k', 'r0-512']" ]
check "with percentiles in order" [ "$(json one matrix/rounds.json 'all(0 < l["p50_ns"] <= l["p99_ns"] <= l["p99_999_ns"] and (l["both"] is None or l["p99_999_ns"] <= l["both"]["max_ns"] * 1.02) for r in d["rounds"] for l in r["loads"])')" = True ]
check "the drive was filled twice before" [ "$(json one matrix/rounds.json 'd["fill"]["passes"]')" = 2 ]
check "the saturation began purged and not filled" [ "$(json one saturation/rounds.json 'd["fill"]')" = None -a -e "$work/results/one/saturation/purge.json" ]
check "the sequence has its loads once" [ "$(json one idle/rounds.json 'len(d["rounds"]), [l["load"] for l in d["loads"]], d["steady"]["ended_by"]')" = "1 ['base', 'idle-5s', 'base-after-5s'] sequence" ]
check "for half of their time" [ "$(json one idle/rounds.json '[l["load_s"] for l in d["loads"]]')" = "[300.0, 300.0, 300.0]" ]
check "one of them idles" grep -q '^thinktime=30000us' "$work/results/one/idle/r001-idle-5s.fio"
check "and so does less" [ "$(json one idle/rounds.json 'd["rounds"][0]["loads"][1]["both"]["count"] < 0.9 * d["rounds"][0]["loads"][2]["both"]["count"]')" = True ]

# ---- what is shown of it
"$ssdreview" table "$work/results/one" >"$work/table" 2>/dev/null
check "the table is a matrix" sh -c "grep -A4 'IOPS test, 4T/16Q: .*, IOPS (snia)' '$work/table' | grep -q '^ *4 KiB  *[0-9,()]*  *[0-9,()]*  *[0-9,()]*\$'"
check "of averages" grep -q 'averages of rounds [123] to [123]' "$work/table"
check "a cell without a load is empty" sh -c "grep -A4 'IOPS test, 4T/16Q: .*, IOPS (snia)' '$work/table' | grep -q '^ *512 B .* -  *-\$'"
check "the saturation has its name" grep -q 'Write saturation: 4K write, 4T/16Q' "$work/table"
check "the sequence tells of idle times" grep -q 'idle-5s .* 30 s of 60 s' "$work/table"
if command -v gnuplot >/dev/null; then
	check "the page has the charts" "$ssdreview" report "$work/results/one" -o "$work/page"
	check "of the matrix, blocks, rounds and time" [ -s "$work"/page/matrix.snia.*.matrix.png -a -s "$work"/page/matrix.snia.*.by-blocks.png -a -s "$work"/page/matrix.snia.*.by-rounds.png -a -s "$work"/page/idle.snia.*.over-time.png ]
	check "and a part for each row" [ "$(grep -c 'id="loads[0-9]' "$work/page/index.html")" = 2 ]
else
	echo "skip charts of the matrix: no gnuplot"
fi

# ---- blocks that the drive cannot do
sed -e '/^block_bytes/d' -e 's/^\[drive\]/[drive]\nblock_bytes = 4096/' engines/sim/drives/p3700-2tb.model >"$work/p/4k.model"
expect "loads with smaller blocks are left out" 0 'left out: 1 load with blocks' \
	"$ssdreview" run "$work/p/snia.profile" --target "sim:$work/p/4k.model" --scale 1000 --name plan --out "$work/results" --dry-run
sed 's/track = r0-4k/track = r0-512/' "$work/p/snia.profile" >"$work/p/bad.profile"
expect "one that is followed is not" 2 'r0-512, which it tracks, has blocks of 512 bytes' \
	"$ssdreview" run "$work/p/bad.profile" --target "sim:$work/p/4k.model" --scale 1000 --name plan --out "$work/results" --dry-run
check "a mix with smaller blocks is left out" sh -c "'$ssdreview' run snia-pts --target 'sim:$work/p/4k.model' --scale 1000 --name plan --out '$work/results' --dry-run | grep 'Left out *jesd219-enterprise: blocks smaller than'"
expect "and alone is refused" 2 'jesd219-enterprise: its blocks are smaller' \
	"$ssdreview" run snia-pts --target "sim:$work/p/4k.model" --scale 1000 --name plan --out "$work/results" --dry-run --rows jesd219-enterprise

# ---- what is wrong in a job file, by its line
wrong() { # WHAT PATTERN SED-OF-FILE FILE
	sed "$3" "$work/p/$4.fio" >"$work/p/wrong.fio"
	sed "s/^jobfile = $4.fio/jobfile = wrong.fio/" "$work/p/snia.profile" >"$work/p/wrong.profile"
	expect "$1" 2 "$2" "$ssdreview" run "$work/p/wrong.profile" --target sim:p3700-2tb --scale 1000 --name plan --out "$work/results" --dry-run
}
line=$(grep -n 'rwmixread=65' "$work/p/matrix.fio" | head -1 | cut -d: -f1)
wrong "an impossible share of reads" "wrong.fio:$line: \\[r65-64k\\]: rwmixread=165 is no whole number from 0 to 100" "${line}s/65/165/" matrix
wrong "a share that is none" 'rwmixread=most is no whole' "${line}s/65/most/" matrix
line=$(grep -n '^bs=65536' "$work/p/matrix.fio" | head -1 | cut -d: -f1)
wrong "a block size that is none" "wrong.fio:$line: \\[r100-64k\\]: bs: " "${line}s/65536/big/" matrix
line=$(grep -n '^thinktime=' "$work/p/idle.fio" | cut -d: -f1)
wrong "an idle time that is none" "wrong.fio:$line: \\[idle-5s\\]: thinktime=long is no time" "${line}s/=.*/=long/" idle
wrong "idle times without work" 'thinktime and thinktime_iotime need each other' '/thinktime_iotime/d' idle
exit $bad
