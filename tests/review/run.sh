# SPDX-License-Identifier: GPL-2.0-only
# `ssdreview run` with a fio that only pretends: what it makes, refuses, keeps, and goes on with.
. tests/review/lib

FIO=$PWD/tests/review/fake-fio
FAKE_FIO_ONCE=$work/once
export FIO FAKE_FIO_ONCE

# A file of the test's own on a real file system; --quick, so that nothing is waited for.
run() { # NAME OPTION...
	name=$1
	shift
	"$ssdreview" run client-qlc --target "$work/$name.img" --name "$name" --out "$work/results" --size 2M --quick "$@"
}

# ---- used wrongly
expect "an unknown command" 2 'did you mean "run"?' "$ssdreview" rum
expect "an unknown option" 2 'did you mean "--target"?' "$ssdreview" run client --tagret x
expect "an unknown profile" 2 'did you mean "client-qlc"' "$ssdreview" run client-qcl --target x --name x
expect "an unknown row" 2 'did you mean "4k-randread"?' run badrow --rows 4k-randred
expect "an unknown model" 2 '670p-2tb' "$ssdreview" run client --target sim:670p-2t --name x --out "$work"
expect "an option without its value" 2 'needs a value' "$ssdreview" run client --target
expect "a size that is none" 2 'is not a size' run badsize --size lots
expect "no name" 2 '--name' "$ssdreview" run client --target "$work/x.img"
expect "a file without a size" 2 '--size' "$ssdreview" run client --target "$work/x.img" --name x
expect "a name with a control character" 2 'control character' run "$(printf 'a\nb')"
expect "a name that is no text" 2 'not UTF-8' run "$(printf 'a\377')"
expect "a target that fio would take for another" 2 "does not take '#'" \
	"$ssdreview" run client --target "$work/a#b.img" --name x --size 2M --out "$work/results"
check "and nothing is made" [ ! -e "$work/a" -a ! -e "$work/a#b.img" ]
expect "a profile without an end" 2 'is a device' "$ssdreview" run /dev/zero --target x --name x
for command in check 'sim info' 'trace info' run; do
	# shellcheck disable=SC2086 # two words
	expect "an empty name for $command" 2 'is empty' "$ssdreview" $command ''
done
expect "a check of a trace" 1 'is a trace, not a target' "$ssdreview" check examples/traces/fc-boot.vdt
expect "a check of a model's file" 1 'is a model of a simulated drive' "$ssdreview" check engines/sim/drives/670p-2tb.model
expect "a model where a drive is asked for" 2 'ssdreview sim new 670p-2tb -o' "$ssdreview" sim info 670p-2tb
expect "a check of nothing" 2 'name a target' "$ssdreview" check
expect "a check of a model" 0 'still to be made' "$ssdreview" check sim:670p-2tb
expect "a check of an unknown model" 2 'did you mean "670p-2tb"' "$ssdreview" check sim:670p-2t
expect "a check of a file to be made" 0 'a file, still to be made' "$ssdreview" check "$work/none.img"
expect "in flight not shared evenly" 2 'cannot be shared' run uneven --jobs 3
if grep -q 'fio-[0-9][.0-9]*[.][0-9]' "$ssdreview"; then
	export FAKE_FIO_VERSION=fio-9.99
	expect "another fio than the engines were built for" 1 'fio-9.99' run version
	unset FAKE_FIO_VERSION
else
	echo "skip another fio than the engines were built for: the command was built without knowing it"
fi
FIO=$work/nothing
expect "a fio that is not there" 1 'FIO=PATH' run version
FIO=$PWD/tests/review/fake-fio

expect "the rows there are" 2 'client-qlc has the rows 4k-randread, 4k-randwrite, 64k-seqread, 64k-seqwrite, vdi-fc-boot' run badrow --rows x
expect "the help names all profiles" 0 'virtual desktops' "$ssdreview" run --help
check "and the other job files" grep -q 'jobfiles/apps' "$work/said"

# ---- a plan only
expect "a file that does not fit" 1 'huge.img needs .* more, but its file system has only .* free' \
	"$ssdreview" run client --target "$work/huge.img" --name huge --size 1000T --dry-run
if truncate -s 15T "$work/sparse.img" 2>/dev/null && [ "$(df -k --output=avail "$work" | tail -1)" -lt 15000000000 ]; then
	expect "nor does one with holes" 1 'sparse.img needs .* more' \
		"$ssdreview" run client --target "$work/sparse.img" --name huge --dry-run
else
	echo "skip nor does one with holes: no files of 15 TB here, or room for one"
fi
expect "a dry run prints the plan" 0 '4k-randwrite .*128 in flight, writes' run plan --dry-run
check "a dry run makes nothing" [ ! -e "$work/results/plan" -a ! -e "$work/plan.img" ]
expect "stated threads" 0 '64k-seqwrite .* 8 in flight' run plan --dry-run --stated-threads
expect "read only needs something to read" 1 'nothing to read' run plan2 --dry-run --read-only

expect "rows that stand in for others are marked" 0 'vdi-fc-boot  *34 in flight, writes, 1 clone, stand-in$' run plan --dry-run
expect "a replay is one job" 0 'vdi-fc-initial-login  *30 in flight, writes, 1 clone, stand-in$' run plan --dry-run --jobs 4
check "where others are several" grep -q '4k-randread  *128 in flight, reads, 4 jobs$' "$work/said"

# ---- output that goes nowhere
expect "output that is lost is a failure" 1 'output cannot be written' sh -c '"$0" sim models >/dev/full' "$ssdreview"
expect "so is output that was closed" 1 'output cannot be written' sh -c '"$0" sim models >&-' "$ssdreview"

# ---- a whole review
expect "a whole review" 0 'Done' run whole
check "it has every point" [ "$(points whole | wc -l)" = 91 ]
check "in offered order" [ "$(points whole | head -3 | cut -d' ' -f2 | tr '\n' ' ')" = "max 010 020 " ]
check "the file has its size" [ "$(stat -c %s "$work/whole.img")" = 2097152 ]
check "the conditions are kept" [ -s "$work/results/whole/drive.json" -a -s "$work/results/whole/host.json" ]
check "the profile is kept" cmp -s jobfiles/client-qlc.profile "$work/results/whole/client-qlc.profile"
check "nothing unfinished is left" [ -z "$(find "$work/results/whole" -name '*.part' -o -name '*.??????')" ]
job=$work/results/whole/4k-randread/030.fio
check "a point's job file names its drive" grep -qx "filename=$work/whole.img" "$job"
check "a point's job file names its rate" grep -qx 'iorate=30%' "$job"
check "a point's job file names its maximum" grep -qx 'max_from=max.stats.json' "$job"
check "the file is the region" grep -qx 'size=2097152' "$job"
expect "a finished review is not measured again" 0 'is finished' run whole
expect "its points can be ranked" 0 '4K random read' "$ssdreview" table "$work/results/whole"

check "the index has a mark for every row" [ "$(grep -c '"stand_in": true' "$work/results/whole/review.json") $(grep -c '"stand_in": false' "$work/results/whole/review.json")" = '3 5' ]
expect "stand-ins are marked in the table" 0 'measured, stand-in, quick$' "$ssdreview" table "$work/results/whole" --row vdi-fc-boot
check "with a note" grep -q 'Rows marked stand-in' "$work/said"
expect "other rows of the review are not" 0 'measured, quick$' "$ssdreview" table "$work/results/whole" --row 4k-randread
check "nor is there a note" sh -c "! grep -q stand-in '$work/said'"
check "the load of the machine is kept" grep -q '"load_average": [0-9]' "$work/results/whole/host.json"

# ---- what is said of each point
vdi() { # NAME OPTION...
	name=$1
	shift
	"$ssdreview" run vdi --target "$work/$name.img" --name "$name" --out "$work/results" --size 2M --quick \
		--rows vdi-lc-boot,vdi-lc-initial-login "$@"
}
export FAKE_FIO='busy all'
expect "a machine too busy is told at the end" 0 '26 of 26 points and rounds are invalid because the machine was too busy.*close other' vdi busy
unset FAKE_FIO
check "points have one heading" [ "$(grep -c '^Row  *Point  *IOPS /  *asked  *clat mean  *verdict  *left$' "$work/said")" = 1 ]
check "each has a line of its own" [ "$(grep -c '^vdi-lc-initial-login 010  *[0-9,]* /  *[0-9,]*  *80[.0-9]* us  invalid: CPU 99.* [0-9]* .*s$' "$work/said")" = 1 ]
check "no longer than 100 columns" sh -c "! grep '^vdi\|^Row  *Point' '$work/said' | grep '.\{101\}'"
check "all of one width to the verdict" [ "$(sed -n 's/\(.*\)invalid:.*/\1/p' "$work/said" | awk '{ print length }' | sort -u | wc -l)" = 1 ]

# ---- what a row needs is there before anything is written
sed -e "s|= corners|= $work/corners|" -e "s|= vdi|= $PWD/jobfiles/vdi|" jobfiles/client.profile >"$work/lacks.profile"
cp -r jobfiles/corners "$work/corners"
sed -i 's|/openloop.so|/nothing.so|' "$work/corners/4k-randwrite.fio"
lacks() {
	"$ssdreview" run "$work/lacks.profile" --target "$work/lacks.img" --name lacks --out "$work/results" --size 2M --quick
}
expect "an engine that is missing" 1 'row 4k-randwrite cannot be run: its engine .*/nothing.so is not there' lacks
sed -e 's|^trace=.*|trace=examples/traces/none.vdt|' jobfiles/vdi/vdi-lc-boot.fio >"$work/corners/4k-randwrite.fio"
expect "a trace that is missing" 1 'row 4k-randwrite cannot be run: its trace examples/traces/none.vdt is not there' lacks
head -c 100 examples/traces/lc-boot.vdt >"$work/cut.vdt"
sed -i "s|^trace=.*|trace=$work/cut.vdt|" "$work/corners/4k-randwrite.fio"
expect "a trace that is damaged" 1 "row 4k-randwrite cannot be run: $work/cut.vdt" lacks
check "and nothing is made" [ ! -e "$work/lacks.img" -a ! -e "$work/results/lacks" ]

# ---- going on
expect "an unlike option is refused" 1 'begun with repeat 1, not 2' run whole --repeat 2
expect "other rows are refused" 1 'other rows' run whole --rows 4k-randread
expect "a file that is there is not written over" 2 "--destroy $work/whole.img" \
	"$ssdreview" run client --target "$work/whole.img" --name other --out "$work/results" --quick
check "and stays as it was" [ ! -e "$work/results/other" ]
expect "unless it is named" 0 'Done' "$ssdreview" run client --target "$work/whole.img" --name other \
	--out "$work/results" --quick --destroy "$work/whole.img" --rows 4k-randread
expect "another's name is not leave" 2 "it is --destroy $work/whole.img" "$ssdreview" run client --target "$work/whole.img" \
	--name another --out "$work/results" --quick --destroy S4EVNX0M --rows 4k-randread
for only in --read-only --dry-run '--name whole'; do # a plan, rows that read, the file of this very review
	# shellcheck disable=SC2086 # two words
	expect "nor with $only" 2 "--destroy S4EVNX0M does not name $work/whole.img alone" "$ssdreview" run client-qlc \
		--target "$work/whole.img" --name another --out "$work/results" --size 2M --quick --destroy S4EVNX0M $only
done
expect "nor of a file to be made" 2 "it is --destroy $work/new.img" run new --destroy S4EVNX0M
expect "nor of a simulated drive" 2 "it is --destroy $work/results/new/drive.sim" "$ssdreview" run client-qlc \
	--target sim:670p-2tb --name new --out "$work/results" --destroy S4EVNX0M
check "none of them begins" [ ! -e "$work/results/another" -a ! -e "$work/results/new" -a ! -e "$work/new.img" ]
expect "a file is never grown" 1 'never grown' run whole --size 4M

# What is printed never goes into a file that got the number of the closed output.
"$ssdreview" run client --target "$work/shut.img" --name shut --out "$work/results" --size 2M --quick \
	--rows 4k-randread >&- 2>"$work/said"
check "without an output, the review is whole" [ "$(points shut | wc -l)" = 13 ]
check "and says that it was not heard" grep -q 'output cannot be written' "$work/said"

# ---- repeats and jobs
expect "repeats and jobs" 0 'Done' run many --repeat 2 --jobs 4 --rows 4k-randread,64k-seqread
check "each repeat has every point" [ "$(points many | grep -c ' 2 $')" = 26 ]
check "depth is spread over jobs" grep -qx 'iodepth=32' "$work/results/many/4k-randread/050.r2.fio"
check "a repeat has its own maximum" grep -qx 'max_from=max.r2.stats.json' "$work/results/many/4k-randread/050.r2.fio"
check "a sequential row stays one job" sh -c "! grep -q numjobs '$work/results/many/64k-seqread/max.fio'"
check "statistics of every clone are named" grep -q '4k-randread/050.r2.stats.4.json' "$work/results/many/review.json"

# ---- fio fails: the reason is said, the points before stay, and the command goes on
try_failure() { # HOW PATTERN
	export FAKE_FIO="$1 030"
	expect "fio: $1" 1 "$2" run "$1" --rows 4k-randread
	unset FAKE_FIO
	check "fio: $1: the points before are kept" [ "$(points "$1" | grep -c ' 1 $')" = 3 ]
	check "fio: $1: the point is kept as failed" [ "$(points "$1" | grep -c '030 1 .')" = 1 ]
	expect "fio: $1: what was measured can be ranked" 0 '4K random read' "$ssdreview" table "$work/results/$1"
	sed -i 's/"updated": ".*"/"updated": "2020-01-01T00:00:00Z"/' "$work/results/$1/review.json"
	expect "fio: $1: the same command goes on" 0 'Done' run "$1" --rows 4k-randread
	check "fio: $1: and ends with every point" [ "$(points "$1" | grep -c ' 1 $')" = 13 ]
	check "fio: $1: the pause is marked" [ "$(rests "$1")" = 1 ]
}
try_failure fail 'io_u error on file target'
try_failure crash 'got signal=11'
try_failure silent 'no JSON'
try_failure garbage 'a??b'

export FAKE_FIO='hung 030'
expect "a hung start is tried again" 0 'Done' run hung --rows 4k-randread
check "and it had hung" [ -e "$FAKE_FIO_ONCE" ]
unset FAKE_FIO

# ---- stopped by a signal
export FAKE_FIO='slow 030'
run stopped --rows 4k-randread >"$work/said" 2>&1 &
pid=$!
wait_for "$work/results/stopped/4k-randread/030.log"
expect "a second run beside it is refused" 1 'held by another review' run stopped --rows 4k-randread
expect "so is one of another name on its file" 1 'held by another review' "$ssdreview" run client \
	--target "$work/stopped.img" --name beside --out "$work/results" --quick --destroy "$work/stopped.img"
check "and makes nothing" [ ! -e "$work/results/beside" ]
kill -TERM "$(command_of "$pid")"
wait "$pid"
check "a signal ends it with exit code 1" [ $? = 1 ]
unset FAKE_FIO
check "the partial point is gone" [ ! -e "$work/results/stopped/4k-randread/030.json" ]
check "the points before are kept after a signal" [ "$(points stopped | wc -l)" = 3 ]
expect "a stopped review goes on" 0 'Going on with the review in .*/stopped[.]$' run stopped --rows 4k-randread
check "with every point" [ "$(points stopped | wc -l)" = 13 ]

# ---- one simulated drive, two reviews
"$ssdreview" sim new 670p-2tb -o "$work/shared.sim" --scale 1000 >"$work/said" 2>&1
run_simulated() { # NAME
	"$ssdreview" run client-qlc --target "$work/shared.sim" --name "$1" --out "$work/results" --quick --rows 4k-randread
}
export FAKE_FIO='slow fill'
run_simulated shared >"$work/said" 2>&1 &
pid=$!
wait_for "$work/results/shared/fill/fill.log"
expect "a simulated drive under review is refused" 1 'held by another review' run_simulated beside
check "and makes nothing in its name" [ ! -e "$work/results/beside" ]
expect "nor is it free" 1 'held by another review' "$ssdreview" check "$work/shared.sim"
expect "nor is it purged" 1 'held by another review' "$ssdreview" sim purge "$work/shared.sim"
kill -TERM "$(command_of "$pid")"
wait "$pid"
unset FAKE_FIO
expect "a purge says what it did" 0 'shared.sim is purged' "$ssdreview" sim purge "$work/shared.sim"

# ---- killed at random moments, it ends with the same points
# The first moment comes before any machine can be done; they grow, so that it ends on a slow one.
random_moment() { od -An -N1 -tu1 /dev/urandom | awk -v n="$tries" '{ print 0.02 + (n + 1) * $1 / 2560 }'; }
tries=0 code=1
while [ "$code" != 0 ] && [ "$tries" -lt 200 ]; do
	timeout -s KILL "$(random_moment)" "$ssdreview" run client-qlc --target "$work/killed.img" --name killed \
		--out "$work/results" --size 2M --quick >"$work/said" 2>&1
	code=$?
	tries=$((tries + 1))
done
check "it was killed and ended at last" [ "$code" = 0 -a "$tries" -gt 1 ]
points whole >"$work/points.whole"
points killed >"$work/points.killed"
check "the points are those of an undisturbed review" cmp "$work/points.whole" "$work/points.killed"
for file in $(cd "$work/results/whole" && find . -name '*.json' -o -name '*.fio'); do
	[ -e "$work/results/killed/$file" ] || echo "$file"
done >"$work/missing"
check "and so are the files" [ ! -s "$work/missing" ]

# ---- a write row that was cut starts again from its fill
export FAKE_FIO='fail 050'
expect "a write row is cut" 1 'io_u error' run cut --rows 4k-randwrite
unset FAKE_FIO
expect "and starts again from its fill" 0 'starts again from its fill' run cut --rows 4k-randwrite
check "the fill is there" [ -s "$work/results/cut/4k-randwrite/fill.json" ]
check "the row is whole" [ "$(points cut | wc -l)" = 13 ]

# ---- a fill that failed is no fill
export FAKE_FIO='fail fill'
expect "the fill fails" 1 'io_u error' run unfilled --rows 4k-randread
unset FAKE_FIO
export FAKE_FIO='empty fill'
expect "it fails when fio does not say what it wrote" 1 'the fill failed' run unfilled --rows 4k-randread
unset FAKE_FIO
expect "and is done again" 0 'fill *fill *the region is written' run unfilled --rows 4k-randread
export FAKE_FIO='slow max'
run refilled --rows 4k-randread >"$work/said" 2>&1 &
pid=$!
wait_for "$work/results/refilled/4k-randread/max.log"
kill -TERM "$(command_of "$pid")"
wait "$pid"
unset FAKE_FIO
rm "$work/refilled.img"
expect "so is that of a target made anew" 0 'fill *fill *the region is written' run refilled --rows 4k-randread

# ---- a target that vanishes
export FAKE_FIO='slow 030'
run vanished --rows 4k-randread >"$work/said" 2>&1 &
pid=$!
wait_for "$work/results/vanished/4k-randread/030.log"
rm "$work/vanished.img"
command=$(command_of "$pid")
kill "$(cat "/proc/$command/task/$command/children")"
wait "$pid"
check "a target that vanished is the reason" grep -q 'the target .* is gone' "$work/said"
check "the points before it are kept" [ "$(points vanished | grep -c ' 1 $')" = 3 ]
unset FAKE_FIO

# ---- conditions that changed, room that is not there, memory instead of a drive
cp jobfiles/client-qlc.profile "$work/mine.profile"
sed "s,= \(corners\|vdi\),= $PWD/jobfiles/\1," jobfiles/client-qlc.profile >"$work/mine.profile"
mine() { "$ssdreview" run "$work/mine.profile" --target "$work/mine.img" --name mine --out "$work/results" --size 2M --quick; }
export FAKE_FIO='fail 030'
expect "a profile of one's own" 1 'io_u error' mine
unset FAKE_FIO
sed "s,^purge = yes,&\nrefill = yes," "$work/mine.profile" >"$work/again.profile"
again() {
	"$ssdreview" run "$work/again.profile" --target "$work/again.img" --name again --out "$work/results" \
		--rows 4k-randread,4k-randwrite,64k-seqread,64k-seqwrite --size 2M --quick "$@"
}
expect "a region that is written again" 0 'then the region again before each further row that writes' again
check "before the second row that writes" [ -s "$work/results/again/64k-seqwrite/fill.json" ]
check "and before no other" [ "$(echo "$work"/results/again/*/fill.json | wc -w)" = 2 ]
echo '# changed' >>"$work/mine.profile"
expect "a changed profile is refused" 1 'has changed' mine
rm -f "$work/cut.img" "$work/stopped.img"
expect "no space left" 1 'huge.img needs .* more' "$ssdreview" run client --target "$work/huge.img" \
	--name huge --out "$work/results" --size 4000P --quick
check "and no file is left" [ ! -e "$work/huge.img" ]
if [ "$(stat -f -c %T /dev/shm 2>/dev/null)" = tmpfs ]; then
	expect "memory is refused" 1 'tmpfs' "$ssdreview" run client --target /dev/shm/ssdreview-test.img \
		--name memory --out "$work/results" --size 2M --quick
else
	echo "skip memory is refused: /dev/shm is no tmpfs here"
fi
sed -i 's/"points"/"point"/' "$work/results/cut/review.json"
expect "an index without a place for points is refused" 1 'is not the index' run cut --rows 4k-randwrite
echo '{' >"$work/results/mine/review.json"
expect "a damaged index is named" 1 'review.json:' mine
exit "$bad"
