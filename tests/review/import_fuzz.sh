#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Every importer takes damaged input without a crash, a hang, a silent zero or rows that vanish. The
# damage is the same in every run; more of it: BUILD/tools/fuzz_import ROUNDS SEED FILE...
set -u
cd "$(dirname "$0")/../.." || exit 1
fuzz=${BUILD:-build}/tools/fuzz_import
rounds=${FUZZ_ROUNDS:-60}

for file in tests/data/trace/*.*; do
	if said=$("$fuzz" "$rounds" 1 "$file" 2>&1); then
		echo "ok import of ${file##*/}, damaged in $rounds ways"
	else
		echo "not ok import of ${file##*/}, damaged: exit code $?: $said"
	fi
done
