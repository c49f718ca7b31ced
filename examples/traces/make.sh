#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Makes the six synthetic traces beside it again: fc-*.vdt of full clones, lc-*.vdt of linked ones.
set -eu
cd "$(dirname "$0")/../.."
ssdreview=${BUILD:-build}/ssdreview
to=examples/traces

make_trace() { # WORKLOAD DESKTOPS
	"$ssdreview" trace gen "$1" --clones full --desktops "$2" -o "$to/fc-$1.vdt"
	"$ssdreview" trace gen "$1" --clones linked --desktops "$2" -o "$to/lc-$1.vdt"
}

make_trace boot 1
make_trace initial-login 2
make_trace monday-login 3
