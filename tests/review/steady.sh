# SPDX-License-Identifier: GPL-2.0-only
# Preconditioning until steady state and ladders, with the installed fio and a simulated drive.
. tests/review/lib

unset FIO
if [ ! -e "$BUILD/openloop.so" ] || ! command -v fio >/dev/null; then
	echo "skip preconditioning a simulated drive: fio or the engine is missing"
	exit 77
fi

# ---- profiles of the test's own: short rounds of a small drive
mkdir "$work/p"
for job in 4k-randwrite 8k-mixed; do
	cp "jobfiles/steady/$job.fio" "$work/p/"
done
sed 's/^\[4k-randwrite\]/[w100]/' jobfiles/steady/4k-randwrite.fio >"$work/p/two.fio"
printf '[w30]\nrw=randrw\nrwmixread=70\nbs=8192\nrandseed=7\n' >>"$work/p/two.fio"
profile() { # NAME KEYS-OF-REVIEW KEYS-OF-ROUNDS, which go before those below
	{
		printf '%s\n' '[review]' 'title = a test' 'region = 25 %' 'purge = yes' "$2" '[pre]'
		awk -F ' = ' '!seen[$1]++' <<-END
			$3
			jobfile = 4k-randwrite.fio
			steps = rounds
			region = 100 %
			fill = whole
			threads = 16
			queue = 16
			load_s = 180
			sample_s = 60
			fills = 0.1
			rounds = 6
		END
		printf '%s\n' '[ladder]' 'jobfile = 8k-mixed.fio' 'steps = ladder' 'ladder = 1T/1Q 2T/2Q 16T/16Q' \
			'after = pre' 'region = 100 %' 'measure_s = 300'
	} >"$work/p/$1.profile"
}
profile plain '' ''
profile impatient 'longest_pause_s = 3' 'rounds = 25
range = 1 %'
profile short 'longest_pause_s = 3' 'rounds = 5'
profile two '' 'jobfile = two.fio
track = w100:iops w30:read_mean
rounds = 5'
run() { # PROFILE NAME OPTION...
	profile=$1 name=$2
	shift 2
	"$ssdreview" run "$work/p/$profile.profile" --target sim:p3700-2tb --scale 1000 --name "$name" --out "$work/results" "$@"
}
# json NAME FILE EXPRESSION: what python3 prints of it, d being the file.
if ! command -v python3 >/dev/null; then
	echo "skip preconditioning a simulated drive: no python3 to read what it leaves"
	exit 77
fi
json() {
	python3 -c "import json,sys; d = json.load(open(sys.argv[1])); print($3)" "$work/results/$1/$2"
}

# ---- what is planned
expect "a plan tells the rounds" 0 'pre  *256 in flight, writes, 16T/16Q, filled, then rounds until steady: at most 6 of' \
	run plain plan --dry-run
check "what is written is estimated" grep -q 'Writes  *about [0-9.]* [MG]B, [0-9]' "$work/said"
check "and the ladder" grep -q 'ladder  *256 in flight, writes, 3 steps from 1T/1Q to 16T/16Q, right after pre' "$work/said"
check "and that one job stands for all threads" grep -q 'one fio job with 256' "$work/said"
expect "a ladder brings its rounds" 0 'pre .*rounds until steady' run plain plan --dry-run --rows ladder
expect "a fixed time" 0 'rounds for 6 h 00 min' run plain plan --dry-run --fixed-time
expect "which only rounds have" 2 'fixed-time is for profiles that precondition' \
	"$ssdreview" run client-qlc --target sim:670p-2tb --name x --out "$work/results" --fixed-time
expect "a drive that is too small" 2 'the drive is too small: 8.39 MB hold less than' run plain plan --dry-run --size 8M
expect "a load that is not there" 2 'unknown load to track "w10"' sh -c "sed 's/track = w100/track = w10/' '$work/p/two.profile' >'$work/p/bad.profile' && \
	'$ssdreview' run '$work/p/bad.profile' --target sim:p3700-2tb --name x --out '$work/results'"

# ---- a whole one
expect "rounds and a ladder" 0 'Done' run plain one
check "the fill is checked" [ "$(json one pre/rounds.json 'd["fill"]["bytes"], d["fill"]["device_bytes"], d["fill"]["share"]')" = "1999634432 1999634432 1.0" ]
check "rounds end" [ "$(json one pre/rounds.json 'd["steady"]["ended_by"] in ("steady", "rounds")')" = True ]
check "every round has its samples" [ "$(json one pre/rounds.json 'len(d["samples"]) == 3 * len(d["rounds"])')" = True ]
check "which follow one another" [ "$(json one pre/rounds.json 'all(abs(a["start_s"] + a["seconds"] - b["start_s"]) < 1e-6 for a, b in zip(d["samples"], d["samples"][1:]))')" = True ]
check "they write" [ "$(json one pre/rounds.json 'any(s["write"] for s in d["samples"]) and all(s["read"] is None and (s["write"] is None or s["write"]["max_ns"] >= s["write"]["mean_ns"] > s["write"]["stddev_ns"] / 50) for s in d["samples"])')" = True ]
check "what they left is compressed" [ -e "$work/results/one/pre/r001.json.gz" -a -e "$work/results/one/pre/r001.stats.json.gz" -a -e "$work/results/one/pre/r001.telemetry.json.gz" -a ! -e "$work/results/one/pre/r001.json" ]
check "and named as it is" [ "$(json one pre/rounds.json 'd["rounds"][0]["loads"][0]["telemetry"]["file"]')" = pre/r001.telemetry.json.gz ]
check "no two rounds write the same places" sh -c "[ \$(sed -n 's/^randseed=//p' '$work'/results/one/pre/r00*.fio | sort -u | wc -l) = \$(ls '$work'/results/one/pre/r00*.fio | wc -l) ] && grep -q randrepeat=0 '$work/results/one/pre/r001.fio'"
check "the ladder has all its steps" [ "$(json one review.json '[p["point"] for p in d["rows"][1]["points"]] == ["1T/1Q", "2T/2Q", "16T/16Q"] == d["rows"][1]["ladder"]')" = True ]
check "with their measures" [ "$(json one review.json 'all(p["measures"]["both"]["count"] == sum(p["measures"][w]["count"] for w in ("read", "write") if p["measures"][w]) > 0 for p in d["rows"][1]["points"])')" = True ]
check "of so many in flight" grep -q '^iodepth=4$' "$work/results/one/ladder/2t-2q.fio"
check "in one job" grep -q '^numjobs=1$' "$work/results/one/ladder/16t-16q.fio"
expect "a review that is done" 0 'is finished' run plain one
expect "another end is refused" 1 'fixed_time' run plain one --fixed-time

# ---- several loads in a round
expect "rounds of two loads" 0 'Done' run two two --rows pre
check "each is followed" [ "$(json two pre/rounds.json '[(t["load"], t["measure"]) for t in d["steady"]["track"]] == [("w100", "iops"), ("w30", "read_mean")]')" = True ]
check "each has its samples" [ "$(json two pre/rounds.json '[s["load"] for s in d["samples"][:6]] == 3 * ["w100"] + 3 * ["w30"]')" = True ]
check "and its own files" [ -e "$work/results/two/pre/r001-w30.stats.json.gz" ]

# ---- cut, and gone on with
cut_run() { # PROFILE NAME
	run "$1" "$2" --rows pre >"$work/said" 2>&1 &
	pid=$!
	wait_for "$work/results/$2/pre/r003.fio"
	kill -KILL "$(command_of "$pid")"
	wait "$pid" 2>/dev/null
	cp "$work/results/$2/pre/rounds.json" "$work/before.json"
}
sed 's/longest_pause_s.*//' "$work/p/impatient.profile" >"$work/p/patient.profile"
cut_run patient patient
expect "a killed preconditioning goes on" 0 'Going on' run patient patient --rows pre
check "after the last round it finished" [ "$(python3 -c "
import json
a, b = json.load(open('$work/before.json')), json.load(open('$work/results/patient/pre/rounds.json'))
print(b['rounds'][:2] == a['rounds'][:2] and b['restarts'] == 0 and len(b['rounds']) > 2)")" = True ]
cut_run impatient impatient
sleep 4
expect "after a long pause it begins again from its fill" 0 'pre was interrupted for .* begins again from its fill' \
	run impatient impatient --rows pre
check "which is kept" [ "$(json impatient pre/rounds.json 'd["restarts"]')" = 1 ]

run short ladder >"$work/said" 2>&1 &
pid=$!
wait_for "$work/results/ladder/ladder/2t-2q.fio"
kill -KILL "$(command_of "$pid")"
wait "$pid" 2>/dev/null
sleep 4
expect "so it does for the steps that are left" 0 'ladder must come right after pre, which was .* ago: that is done again' run short ladder
check "all steps are there" [ "$(json ladder review.json 'len(d["rows"][1]["points"]), d["rows"][0]["restarts"], d["conditioned"]')" = "3 1 pre" ]

# ---- what goes wrong
cat >"$work/fio" <<-END
	#!/bin/sh
	for word; do [ "\$word" != 2t-2q.fio ] || { echo "fio: no step today" >&2; exit 1; }; done
	exec $(command -v fio) "\$@"
END
chmod +x "$work/fio"
FIO=$work/fio
export FIO
expect "a step that fails does not stop the others" 1 '1 step failed; the others were taken' run plain failing
unset FIO
check "they are all there" [ "$(json failing review.json '[p["failed"] is None for p in d["rows"][1]["points"]]')" = "[True, False, True]" ]
check "the row is marked" [ "$(json failing review.json '"no step today" in d["rows"][1]["points"][1]["failed"] and d["rows"][1]["points"][1]["measures"] is None')" = True ]
expect "the same command takes it again" 0 'Done' run plain failing
check "all is well then" [ "$(json failing review.json 'all(p["failed"] is None for p in d["rows"][1]["points"])')" = True ]

# A machine that is busy in the first three rounds.
cat >"$work/fio" <<-END
	#!/bin/sh
	$(command -v fio) "\$@"
	code=\$?
	for file in r00[123].stats.json; do
		[ ! -e "\$file" ] || sed -i 's/"busy_share": *[0-9.]*/"busy_share": 0.99/' "\$file"
	done
	exit \$code
END
chmod +x "$work/fio"
FIO=$work/fio
export FIO
expect "rounds of a busy machine are marked as they end" 0 'pre  *r001 .*invalid: CPU 99' run plain busy --rows pre
unset FIO
check "and kept as what they are" [ "$(json busy pre/rounds.json '[r["invalid"] is not None and not r["usable"] for r in d["rounds"]][:3]')" = "[True, True, True]" ]
check "the verdict counts them" [ "$(json busy pre/rounds.json '"no 5 usable rounds follow one another at its end" in d["steady"]["text"] and " rounds are invalid: " in d["steady"]["text"]')" = True ]
"$ssdreview" table "$work/results/busy" >"$work/table" 2>/dev/null
check "the table has no level of them" grep -q ' simulated, scale 1000, not steady, invalid: [3-6] of 6 rounds' "$work/table"
check "and how the drive was filled" grep -q 'Filled before: 2.00 GB by fio, 2.00 GB by the simulated drive.' "$work/table"
check "and says which they are" grep -q 'Invalid, and part of no level: rounds 1 to [3-6]; ' "$work/table"

sed 's/^\[fill\]/[fill]\nnumber_ios=100/' jobfiles/corners/fill.fio >"$work/p/fill.fio"
expect "a fill that ends early" 1 'the fill ended early: fio wrote 13.1 MB of 2.00 GB' run plain early
check "nothing is measured then" [ ! -e "$work/results/early/pre/r001.fio" ]
exit $bad
