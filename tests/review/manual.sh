#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# The manual pages name every option that the command and the engines have, and no other.
set -u
cd "$(dirname "$0")/../.." || exit 1
ssdreview=${BUILD:-build}/ssdreview

# Options, and engine options (written "\fBname=..."), as the pages name them.
page() { sed 's/\\-/-/g' "docs/$1"; }
words() { grep -oE -- '--[a-z][a-z-]*' | sort -u; }
helped() {
	for command in run table chart report "sim new" drive check purge; do
		# shellcheck disable=SC2086 # two words
		"$ssdreview" $command --help
	done
}
# Prints ok when both lists, one word a line, are not empty and the same.
same() { # WHAT HAS SAYS
	if [ "$2" ] && [ "$2" = "$3" ]; then
		echo "ok $1"
	else
		echo "not ok $1: has $(echo "$2" | tr '\n' ' '), the manual says $(echo "$3" | tr '\n' ' ')"
	fi
}

same "every option of the command" "$(helped | words | grep -vx -- --help)" "$(page ssdreview.1 | words)"
traced() {
	for command in capture import gen merge cut info export check; do
		"$ssdreview" trace $command --help
	done
}
same "every option of the trace commands" "$(traced | words | grep -vx -- --help)" \
	"$(page ssdreview-trace.1 | words | grep -vx -- --help)"
same "every option of the engines" \
	"$(sed -n 's/^[[:space:]]*\(ENGINE_OPTION\|OPTION\|SEND_OR_SKIP\)("\([a-z_]*\)",.*/\2/p' engines/*.c engines/core/core.h engines/core/nvme_options.h | sort -u)" \
	"$(page ssdreview-engines.5 | sed -n 's/^\.BI \([a-z_]*\)= [A-Z]*$/\1/p' | sort -u)"
for word in $("$ssdreview" help | sed -n 's/^  \([a-z]*\) .*/\1/p'); do
	page ssdreview.1 | grep -q "ssdreview $word\|{.*$word" && echo "ok command $word is described" ||
		echo "not ok command $word is described: it is not"
done
if command -v mandoc >/dev/null; then
	for manual in docs/*.[15]; do
		said=$(mandoc -T lint -W warning "$manual" 2>&1 | grep -v 'missing date\|unable to parse date') &&
			echo "not ok $manual is clean: $said" || echo "ok $manual is clean"
	done
else
	echo "skip the manual pages are clean: no mandoc"
fi
