# SPDX-License-Identifier: GPL-2.0-only
# `ssdreview run` on emulated drives: what they count is what fio wrote; one that is removed.
. tests/vm/guest/common.inc
. "$top/tests/vm/guest/removed.inc"

mkdir p
cp "$top/jobfiles/corners/4k-randwrite.fio" "$top/jobfiles/corners/fill.fio" p/
cat >p/short.profile <<-END
	[review]
	title = a test
	region = 16777216
	fill = region
	steps = 50
	wait_s = 0
	measure_s = ${MEASURE_S:-4}
	cooldown_s = 0
	idle_s = 0
	[4k-randwrite]
	jobfile = 4k-randwrite.fio
	in_flight = 4
END
review() { # SERIAL
	"$build/ssdreview" run p/short.profile --target "$(block_device "$1")" --destroy "$1" --name "$1" >out 2>&1
	code=$?
}
record() { echo "$review/$1.telemetry.json"; } # STEP
says() { # WHAT PATTERN FILE
	if grep -q -- "$2" "$3"; then ok "$1"; else not_ok "$1" "wanted \"$2\": $(grep -v '"$' "$3" | head -40 | tr -s '\n ' ' ')"; fi
}
written_by_fio() { sed -n 's/^ *"io_bytes" : \([1-9][0-9]*\),*$/\1/p' "$review/$1.json" | head -1; } # STEP

review plain
[ "$code" = 0 ] || not_ok "a review" "$(tail -3 out)"
review=$(dirname "$(find . -path '*plain/review.json')")
counted=$(value "$(record fill/fill)" host_written_bytes change)
written=$(written_by_fio fill/fill)
check "SMART counts what fio wrote, within a unit: ${counted:-nothing} of ${written:-nothing}" \
	"${written:-0} == 16777216 && (${counted:-0} - ${written:-0}) ^ 2 <= 512000 ^ 2"
counted=$(value "$(record 4k-randwrite/050)" host_written_bytes change)
check "so it does of a point, with what its beginning wrote" "${counted:-0} > 0.99 * $(written_by_fio 4k-randwrite/050) - 512000"
counted=$(value "$(record fill/fill)" kernel_written_bytes change)
check "the kernel counts the same" "${counted:-0} == 16777216"
check "its temperature is sampled" "$(value "$(record fill/fill)" mean_c temperature) == 50"
says "it has no OCP log" '"ocp_media_written_bytes": "n/a (the drive refuses it' "$(record fill/fill)"
says "so its write amplification is not known" '"write_amplification": "n/a (no log tells' "$(record fill/fill)"
says "it was at work" '"state": "live"' "$(record fill/fill)"
check "nothing is to be marked" "$(grep -c '"mark":' "$review/review.json") == 0"

# ---- a drive that is removed while a point is measured
sed -i 's/^measure_s = .*/measure_s = 60/; s/^steps = .*/steps = 100/' p/short.profile
"$build/ssdreview" run p/short.profile --target "$(block_device gone)" --destroy gone --name gone >out 2>&1 &
job=$!
has_begun() { [ "$(find . -path '*gone/4k-randwrite/max.stats.json*' -o -path '*gone/4k-randwrite/max.json.part')" ]; }
has_ended() { ! kill -0 "$job" 2>/dev/null; }
await has_begun || not_ok "a review of the drive to be removed" "$(tail -3 out)"
sleep 3
remove || not_ok "the drive is removed" "$answer"
if await has_ended; then
	wait "$job"
	check "the run ends with an error" "$? == 1"
else
	not_ok "the run ends with an error" "it runs on: $(tail -3 out)"
	kill -KILL "$job"
fi
says "it says why" 'is gone\|cannot be' out
review=$(dirname "$(find . -path '*gone/review.json')")
says "the point is kept as failed" '"failed": ".' "$review/review.json"
says "with what was seen of the drive" '"the drive was gone"\|"the drive was not at work' "$review/review.json"
says "what came before it stays" '"host_written_bytes": [0-9]' "$(record fill/fill)"
bring_back

exit $((failures > 0))
