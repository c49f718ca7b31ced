#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# A review from start to end: four simulated drives and a file on this machine, then the ranked table
# and the page. Run by `make demo`; BUILD names the build folder. Everything lands in BUILD/demo.
set -eu
cd "$(dirname "$0")/.."
build=${BUILD:-build}
ssdreview=$build/ssdreview
demo=$build/demo
rm -rf "$demo"
mkdir -p "$demo"

# A quarter of each drive's size and times keeps this within minutes; results say so.
for model in 670p-2tb 665p-1tb mp600-core-2tb rocket-q4-4tb; do
	"$ssdreview" run client-qlc --quick --scale 4 --target "sim:$model" --name "$model" --out "$demo"
done
set -- "$demo/670p-2tb" "$demo/665p-1tb" "$demo/mp600-core-2tb" "$demo/rocket-q4-4tb"

# The file is real I/O on whatever disk this folder lies on: a check that all works, no drive review.
if ! reason=$("$ssdreview" check "$demo/file" 2>&1); then
	echo "demo: the review of a file on this machine is skipped: $reason"
elif [ "$(df -Pk "$demo" | awk 'NR == 2 {print int($4 / 1048576)}')" -lt 3 ]; then
	echo "demo: the review of a file on this machine is skipped: less than 3 GiB are free in $demo"
else
	"$ssdreview" run client --quick --size 2G --target "$demo/file" --name this-machine --out "$demo"
	rm -f "$demo/file"
	set -- "$@" "$demo/this-machine"
fi

"$ssdreview" report "$@" -o "$demo/report"
"$ssdreview" table "$@"
echo
echo "The page with the charts: $(cd "$demo/report" && pwd)/index.html"
