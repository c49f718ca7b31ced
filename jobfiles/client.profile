# SPDX-License-Identifier: GPL-2.0-only
# As the published reviews of client drives: a region of 5 % of the drive. That the drive is purged
# first is ours.
[review]
title = Client drive: 5 % of the drive
region = 5 %
fill = region
purge = yes

# As published: a run at the largest rate, then 10 ... 120 % of what it reached.
steps = 10 20 30 40 50 60 70 80 90 100 110 120

# The published reviews do not say how long a point lasts; these times are ours.
wait_s = 30
measure_s = 30
cooldown_s = 5
idle_s = 60

# in_flight: what the published peaks imply (IOPS x latency). in_flight_stated: the threads the
# reviews state; `ssdreview run --stated-threads` takes those.
[4k-randread]
jobfile = corners/4k-randread.fio
in_flight = 128
in_flight_stated = 128

[4k-randwrite]
jobfile = corners/4k-randwrite.fio
in_flight = 128
in_flight_stated = 64

[64k-seqread]
jobfile = corners/64k-seqread.fio
in_flight = 16
in_flight_stated = 16

[64k-seqwrite]
jobfile = corners/64k-seqwrite.fio
in_flight = 16
in_flight_stated = 8

# Virtual desktops, by replay of synthetic traces of our own: stand-ins, for the reviews' traces are
# not public. in_flight: calc, what the published peaks imply (the 670p's: 34.1, 29.8 and
# 15.9; the P4510's full clones come to the same).
[vdi-fc-boot]
jobfile = vdi/vdi-fc-boot.fio
in_flight = 34
stand_in = yes

[vdi-fc-initial-login]
jobfile = vdi/vdi-fc-initial-login.fio
in_flight = 30
stand_in = yes

[vdi-fc-monday-login]
jobfile = vdi/vdi-fc-monday-login.fio
in_flight = 16
stand_in = yes
