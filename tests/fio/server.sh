#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# fio's client/server mode with an external engine: options travel as text, files are the server's.
. "$(dirname "$0")/common.inc"

truncate -s 8M file
cat >job.fio <<EOF
[served]
ioengine=external:$build/openloop.so
filename=$scratch/file
size=8M
rw=randread
bs=4096
iodepth=8
iorate=1000
number_ios=300
norandommap
io_size=1g
stats_file=$scratch/served.json
EOF
LD_PRELOAD=${SSDREVIEW_PRELOAD:-} fio --server=sock:"$scratch/socket" >server.log 2>&1 &
server=$!
trap 'kill $server 2>/dev/null; rm -rf "$scratch"' EXIT
for i in 1 2 3 4 5 6 7 8 9 10; do [ -S socket ] && break || sleep 0.3; done
[ -S socket ] || { echo "skip client/server: fio --server does not start here: $(head -1 server.log)" && exit 77; }
fio --client=sock:"$scratch/socket" --output=out --output-format=json job.fio >client.log 2>&1
code=$?
check "a job through --client" "$code == 0 && $(fio_value total_ios) == 300 && $(value served.json achieved) == 300"

# The verdict of a replay goes to the server's standard error, never into the client's JSON.
"$build/tools/make_trace" t.vdt 300 1000 4 || not_ok "making a trace" "make_trace failed"
cat >replay.fio <<EOF
[served]
ioengine=external:$build/vdi_replay.so
filename=$scratch/file
size=8M
rw=randwrite
bs=4096
iodepth=8
trace=$scratch/t.vdt
stats_file=$scratch/served.json
EOF
fio --client=sock:"$scratch/socket" --output-format=json replay.fio >client.json 2>client.log
code=$?
check "a replay through --client" "$code == 0 && $(value served.json sent replay) == 300 && $(grep -c '"verdict": {' served.json) == 1"
check "its verdict is the server's" "$(grep -c 'VALID' client.json) == 0 && $(grep -c 'vdi_replay: job served: .*VALID' server.log) == 1"
exit $((failures > 0))
