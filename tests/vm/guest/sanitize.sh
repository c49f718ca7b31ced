# SPDX-License-Identifier: GPL-2.0-only
# Sanitize, from the command to the drive, with emulated drives that a preloaded library teaches it.
. tests/vm/guest/common.inc
. "$top/tests/vm/guest/purge.inc"

cc -shared -fPIC -o "$scratch/sanitizing.so" "$top/tests/vm/guest/sanitizing.c" -ldl 2>"$said" || skip "sanitize" "no compiler: $(tail -1 "$said")"
SANITIZE_STATE=$scratch/state
export SANITIZE_STATE
# The drive is as it was made: never sanitized.
new() { rm -f "$SANITIZE_STATE" && unset SANITIZE && SANITIZE_S=1 && export SANITIZE_S; }
command() { env "LD_PRELOAD=$scratch/sanitizing.so" "$ssdreview" "$@" >"$said" 2>&1; }
purge() { command purge "$@"; }
# Begins one of 8 s, and ends the command by a signal once the drive is at work.
cut_off() { # SIGNAL
	new
	SANITIZE_S=8
	env "LD_PRELOAD=$scratch/sanitizing.so" "$ssdreview" purge "$plain" --destroy plain >"$scratch/cut" 2>&1 &
	pid=$!
	until [ -s "$SANITIZE_STATE" ] || ! kill -0 $pid; do sleep 0.1; done
	sleep 1
	kill -"$1" $pid
	wait $pid
	code=$?
}

plain=$(block_device plain)
new
fill "$plain"
says "what it supports is told" 2 'Supports    sanitize-block, sanitize-crypto, format-user, deallocate and sanitize-overwrite' "$plain"
check "with the time it takes by the drive" "$(grep -c 'about 3 s, says the drive' "$said") == 1"
SANITIZE_S=5
says "the best is a sanitize of all flash" 0 'is purged by sanitize-block in .*all zeroes' "$plain" --destroy plain
check "progress is told with the time left" "$(grep -c 'sanitize-block  [0-9.]* %  elapsed .*, left' "$said") >= 2"
check "the data is gone" "$(left "$plain") == 0"
for method in crypto overwrite; do
	new
	fill "$plain"
	says "sanitize-$method" 0 "is purged by sanitize-$method" "$plain" --destroy plain --method sanitize-$method --json
	check "and its record" "$(grep -c '"state": "done"\|"global_data_erased": true\|"sstat": 257' "$said") == 3"
done

fill "$plain"
cut_off INT
check "Ctrl-C leaves it to the drive" "$code == 1 && $(grep -c 'the drive goes on with sanitize-block by itself; the same command finds it' "$scratch/cut") == 1"
command check "$plain"
check "then the drive is not to be used" "$(grep -c 'a sanitize-block runs in it' "$said") == 1"
says "the same command finds and awaits it" 0 'waited for, purged by sanitize-block' "$plain" --destroy plain
check "and says so" "$(grep -c 'A sanitize-block runs in /dev/nvme[0-9]*n1 already, [0-9.]* % are done' "$said") == 1"
check "and the data is gone" "$(left "$plain") == 0"

fill "$plain"
cut_off KILL
command run client --target "$plain" --name x --out "$scratch" --dry-run
check "a review waits for one that was killed" "$(grep -c 'A sanitize-block runs in .*, and is waited for' "$said") == 1"
check "and then plans" "$(grep -c '^Before  *purged (sanitize-block), ' "$said") == 1"

new
SANITIZE=failed
export SANITIZE
fill "$plain"
says "one that fails is named" 1 'the sanitize-block of .* has failed (SSTAT 0x0003)' "$plain" --destroy plain
command check "$plain"
check "its drive is not to be used" "$(grep -c 'its last sanitize has failed' "$said") == 1"
SANITIZE=well
says "but can be sanitized again" 0 'is purged by sanitize-block' "$plain" --destroy plain
check "and by nothing else" "$(grep -c 'Supports    sanitize-block, sanitize-crypto and sanitize-overwrite' "$said") == 1"
check "then the data is gone" "$(left "$plain") == 0"

new
SANITIZE=refused
export SANITIZE
fill "$plain"
says "where it is refused the next best is taken" 0 'is purged by format-user' "$plain" --destroy plain
check "and the refusals are told" "$(grep -c '^Not done    sanitize-[a-z]*: .* refuses sanitize' "$said") == 2"

new
first=$(block_device pair 1) second=$(block_device pair 2)
fill "$first"
fill "$second"
says "one of two namespaces is not sanitized unasked" 2 "sanitize-block would erase ${second#/dev/} too: --all-namespaces" "$first"
says "nor when it is asked for" 1 "would erase ${second#/dev/} too; if that is meant" "$first" --destroy "${first#/dev/}" --method sanitize-block
if mkfs.ext4 -q "$second" && mount "$second" /mnt; then
	says "nor while the other one is in use" 1 "${second#/dev/} is mounted on /mnt" "$first" --destroy "${first#/dev/}" --all-namespaces
	umount /mnt
fi
check "nothing was erased" "$(left "$first") == $all"
says "only if that is said" 0 'is purged by sanitize-block' "$first" --destroy "${first#/dev/}" --all-namespaces
check "with what else is lost" "$(grep -c "^Also        erases ${second#/dev/}\|^Lost  *$second: ext4" "$said") == 2"
exit $((failures > 0))
