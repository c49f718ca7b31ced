# SPDX-License-Identifier: GPL-2.0-only
# `ssdreview run vdi-capacity`: how many desktops a drive carries within a promise, with a fio that
# only pretends, and once for real on a simulated drive.
. tests/review/lib

FIO=$PWD/tests/review/fake-fio
export FIO

run() { # NAME OPTION...
	name=$1
	shift
	"$ssdreview" run vdi-capacity --target "$work/$name.img" --name "$name" --out "$work/results" --size 64M --quick "$@"
}
boot() { # NAME OPTION...
	name=$1
	shift
	run "$name" --rows vdi-fc-boot "$@"
}
tried() { points "$1" | cut -d' ' -f2,3 | tr '\n' ' '; }
field() { "$ssdreview" table "$work/results/$1" -f json | sed -n "s/^ *\"$2\": \"*\([^\",]*\)\"*,*$/\1/p"; }

# ---- used wrongly: a sentence, exit code 2, and nothing is made
for promise in nonsense 1ms 1@p95 0ms@p95 -1ms@p95 1ms@p0 1ms@p100 1ms@95 1ms@p95, 1ms@p95,2ms@p95; do
	expect "the promise $promise is refused" 2 '--sla: ".*"' boot wrong --sla "$promise"
done
expect "a promise is for searches" 2 '--sla is for profiles that search' "$ssdreview" run client --sla 1ms@p95 \
	--target "$work/wrong.img" --name wrong --out "$work/results" --size 64M
expect "a stagger that is no time" 2 '--stagger: "soon" is not a time' boot wrong --stagger soon
"$ssdreview" trace export examples/traces/fc-boot.vdt --format csv -o "$work/boot.csv" >"$work/said" 2>&1
lasts_ns=$(tail -1 "$work/boot.csv" | cut -d, -f1)
expect "a stagger as long as the trace" 2 'no time in which all are at work' boot wrong --stagger "${lasts_ns%??????}ms"
expect "repeats are not for searches" 2 '--repeat is not for vdi-capacity' boot wrong --repeat 2
expect "fewer desktops than a trace holds" 2 'its trace holds 3 desktops' run wrong --rows vdi-fc-monday-login --max-desktops 2
expect "no room for a copy in places of its own" 2 'does not hold a copy of its trace' boot wrong --own-places
check "and nothing is made" [ ! -e "$work/wrong.img" -a ! -e "$work/results/wrong" ]
expect "a plan says the promise" 0 '^Promise     95 % of the I/Os within 1.00 ms$' boot plan --dry-run
check "and the numbers that may be tried" grep -q '^Search *vdi-fc-boot *up to 10,000 desktops, 0 in places of their own' "$work/said"

# ---- the answer
expect "a search ends" 0 'boots 60 desktops at once with 95 % of the I/Os within 1.00 ms (p95 502 us); 61 fail (p95 2.01 ms)[.]' \
	boot whole --precision 1
check "it doubles, halves, and looks above" [ "$(tried whole)" = "desktops-0001 1 desktops-0002 1 desktops-0004 1 desktops-0008 1 desktops-0016 1 desktops-0032 1 desktops-0064 1 desktops-0048 1 desktops-0056 1 desktops-0060 1 desktops-0062 1 desktops-0061 1 " ]
check "lines of points fit 100 columns" sh -c "! grep '^vdi-fc\|^Row  *Point' '$work/said' | grep '.\{101\}'"
job=$work/results/whole/vdi-fc-boot/desktops-0060.fio
check "a point's job file names its clones" grep -qx 'clones=60' "$job"
check "and their stagger" grep -qx 'stagger=500000us' "$job"
check "and enough in flight" grep -qx 'iodepth=1024' "$job"
check "and no other point's" sh -c "! grep -q 'clones=16' '$job'"
check "the table knows the number" [ "$(field whole desktops) $(field whole first_to_fail) $(field whole ended)" = '60 61 found' ]
expect "the table says it in words" 0 '61 fail (p95 2.01 ms). They share places of the region[.]' "$ssdreview" table "$work/results/whole"
check "rankings by IOPS leave it alone" sh -c "! grep -q 'Peak IOPS' '$work/said'"
expect "CSV has it too" 0 '^vdi-fc-boot,vdi-capacity,1ms@p95,0.5,1,.*,60,yes,' "$ssdreview" table "$work/results/whole" -f csv
expect "a finished search is not run again" 0 'is finished' boot whole --precision 1
expect "another promise is another review" 1 'begun with sla "1ms@p95", not "2ms@p95"' boot whole --precision 1 --sla 2ms@p95

expect "by default to 2 %" 0 'boots 156 desktops .*; 158 fail' env FAKE_KNEE=157 "$ssdreview" run vdi-capacity \
	--target "$work/two.img" --name two --out "$work/results" --size 64M --quick --rows vdi-fc-boot
expect "several desktops in a trace" 0 'logs in 180 desktops at once.*; 183 fail' run three --rows vdi-fc-monday-login
export FAKE_KNEE=0
expect "not even one" 0 'boots no desktops at once .*; 1 fail' boot none
check "is a number all the same" [ "$(field none desktops) $(field none place) $(field none ended)" = '0 1 not one' ]
export FAKE_KNEE=100000
expect "one that never fails" 0 'boots at least 100 desktops at once .*; no more were tried[.]' boot endless --max-desktops 100
check "is not ranked" [ "$(field endless place) $(field endless desktops_known)" = 'null no' ]
unset FAKE_KNEE
export FAKE_ODD=32
expect "a higher number that holds is named" 0 'boots 31 desktops .*; 32 fail.*not rise steadily: 36 held' boot odd
unset FAKE_ODD
check "and marked in the table" [ "$(field odd held_above)" = 36 ]
expect "two things promised" 0 'boots no desktops at once with 95 % of the I/Os within 1.00 ms and a mean within 500 us (\|; 1 fail (p95 502 us, mean 504 us)' \
	boot pair --sla 1ms@p95,500us@mean

# ---- drives side by side
expect "drives are ranked by desktops" 0 '^ *1  *two (file)  *156 ' "$ssdreview" table "$work/results/two" "$work/results/whole" "$work/results/endless"
check "the one behind with its gap" grep -q '^ *3  *whole (file)  *60 .* 96 (61.5 %)  *61 ' "$work/said"
check "one whose number is not known has no place, and is ahead of it" grep -q '^ *-  *endless (file)  *at least 100 ' "$work/said"
expect "a tie shares its place" 0 '^ *1=  *whole' "$ssdreview" table "$work/results/whole" whole2="$work/results/whole"

# ---- the machine
export FAKE_FIO='busyonce desktops-0016'
expect "a spoilt number that holds all the same, holds" 0 'boots 60 desktops' boot calm --precision 1
export FAKE_FIO='busyonce desktops-0064'
expect "one that fails is tried again" 0 'boots 60 desktops' boot again --precision 1
check "once" [ "$(points again | grep -c 'desktops-0064')" = 2 ]
export FAKE_FIO='busy desktops-0064'
expect "and then is the end" 0 'boots at least 32 desktops .*; the machine, not the drive, is the limit at 64: the CPU' boot machine
check "which the table says" grep -q 'machine' "$work/said"
unset FAKE_FIO

# ---- going on
export FAKE_FIO='fail desktops-0032'
expect "fio fails" 1 'io_u error' boot cut --precision 1
unset FAKE_FIO
check "what holds so far stands as at least" [ "$(field cut desktops) $(field cut ended)" = '16 not finished' ]
expect "the same command goes on" 0 'boots 60 desktops' boot cut --precision 1
points whole >"$work/points.whole"
points cut >"$work/points.cut"
check "with the points of an undisturbed search" cmp "$work/points.whole" "$work/points.cut"
random_moment() { od -An -N1 -tu1 /dev/urandom | awk -v n="$tries" '{ print 0.02 + (n + 1) * $1 / 2560 }'; }
tries=0 code=1
while [ "$code" != 0 ] && [ "$tries" -lt 200 ]; do
	timeout -s KILL "$(random_moment)" "$ssdreview" run vdi-capacity --target "$work/killed.img" --name killed \
		--out "$work/results" --size 64M --quick --rows vdi-fc-boot --precision 1 >"$work/said" 2>&1
	code=$?
	tries=$((tries + 1))
done
check "killed at random moments, it ends at last" [ "$code" = 0 -a "$tries" -gt 1 ]
points killed >"$work/points.killed"
check "with the same points" cmp "$work/points.whole" "$work/points.killed"

# ---- charts and the page
if command -v gnuplot >/dev/null; then
	expect "a chart for each promise" 0 '2 charts' "$ssdreview" chart "$work/results/pair" -o "$work/charts"
	check "of the percentile and of the mean" [ -s "$work/charts/vdi-fc-boot.desktops-p95.png" -a -s "$work/charts/vdi-fc-boot.desktops-mean.png" ]
	expect "drives share one" 0 '1 chart ' "$ssdreview" chart "$work/results/whole" "$work/results/two" -o "$work/charts2"
	check "with the promise" grep -q 'promise: p95 within 1.00 ms' "$work/charts2/vdi-fc-boot.desktops-p95.gp"
	check "and the first to fail of both" [ "$(grep -c 'the first to fail' "$work/charts2/vdi-fc-boot.desktops-p95.dat")" = 2 ]
	expect "a page" 0 'index.html' "$ssdreview" report "$work/results/whole" "$work/results/two" -o "$work/page"
	check "says the answer" grep -q 'boots 60 desktops at once' "$work/page/index.html"
	check "and has the chart" grep -q 'response time over desktops at once' "$work/page/index.html"
else
	echo "skip charts and the page: no gnuplot"
fi

# ---- for real
unset FIO
if [ ! -e "$BUILD/vdi_replay.so" ] || ! command -v fio >/dev/null; then
	echo "skip a search on a simulated drive: fio or the engine is missing"
	exit "$bad"
fi
expect "a search on a simulated drive" 0 'Done' "$ssdreview" run vdi-capacity --target sim:670p-2tb --name real \
	--out "$work/results" --quick --scale 100 --size 100M --rows vdi-lc-boot --max-desktops 4 --sla 1000s@p95
case "$(field real desktops) $(field real ended)" in
"4 no limit") echo "ok holds what cannot fail" ;;
*" machine") echo "skip holds what cannot fail: this machine is too busy" ;;
*) echo "not ok holds what cannot fail: $(field real desktops) $(field real ended)" && bad=1 ;;
esac
check "has played the trace for every clone" grep -q '"clones": 2' "$work/results/real/vdi-lc-boot/desktops-0002.stats.json"
check "is marked as simulated, a stand-in and quick" grep -q '"marks": "simulated, stand-in, quick, scale 100' <<END
$("$ssdreview" table "$work/results/real" -f json)
END
cp -r "$work/results/real/vdi-lc-boot" "$work/again"
check "a point runs again with plain fio, in its folder" sh -c "cd '$work/again' && rm desktops-0002.json && fio --output=desktops-0002.json --output-format=json desktops-0002.fio"
check "and gives a result" grep -q '"jobname" : "desktops-0002"' "$work/again/desktops-0002.json"
exit "$bad"
