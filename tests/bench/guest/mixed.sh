# SPDX-License-Identifier: GPL-2.0-only
# In the laboratory: 100,000 and then a million commands of all kinds, some of which fail. Prints for each
# number: COMMANDS COMPLETED FAILED KIB, the last how much memory fio held.
cd "$(dirname "$0")/../../.." || exit 1
. tests/vm/guest/common.inc
DRIVE=$(char_device faulty)
export DRIVE BUILD="$build"

for commands in 100000 1000000; do
	BYTES=$((commands * 1024))
	export BYTES
	"$build/tools/usage" fio --thread "$top/tests/vm/guest/mixed.fio" >used || echo "fio failed" >&2
	completed=$(for job in mixed trims zeroes plain; do value $job.json achieved; done | awk '{ n += $1 } END { print n }')
	failed=$(cat mixed.json trims.json zeroes.json plain.json | awk '
		/"status": "0x28[01]"/ { injected = 1 }
		injected && $1 == "\"count\":" { n += $2; injected = 0 }
		END { print n + 0 }')
	echo "$commands $completed $failed $(awk '{ print $3 }' used)"
done
