# SPDX-License-Identifier: GPL-2.0-only
# As the published reviews of enterprise drives: the whole surface is filled, then a region of 25 %
# of the drive is tested. That the drive is purged before it is filled is ours.
[review]
title = Enterprise drive: whole drive filled, then 25 % of it
region = 25 %
fill = whole
purge = yes
# The region is written again, in order, before each row that writes, so that no row meets a spare area
# that the one before it has used up. Ours: the published 4K write curve of the P4510 8TB collapses,
# and the rows after it show nothing of that.
refill = yes

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

# The reviews give names only; block size and mix are those of a public vdbench kit with the same
# names. in_flight: calc, what the published peaks imply (8TB: 241,242 IOPS x 132 us = 31.8, 213,390 x
# 146 us = 31.2, 204,683 x 156 us = 31.9; Oracle 191,472 x 188 us = 36.0 (32.4 of the 2TB), 177,256 x
# 124 us = 22.0, 177,851 x 130 us = 23.1 (21.9 of the 2TB)).
[sql]
jobfile = database/sql.fio
in_flight = 32

[sql-90-10]
jobfile = database/sql-90-10.fio
in_flight = 32

[sql-80-20]
jobfile = database/sql-80-20.fio
in_flight = 32

[oracle]
jobfile = database/oracle.fio
in_flight = 36

[oracle-90-10]
jobfile = database/oracle-90-10.fio
in_flight = 22

[oracle-80-20]
jobfile = database/oracle-80-20.fio
in_flight = 22

# Virtual desktops, by replay of synthetic traces of our own: stand-ins, for the reviews' traces are
# not public. in_flight: calc, what the published peaks imply (8TB full clones: 160,678 IOPS x
# 215 us = 34.5, 79,306 x 375 us = 29.7, 67,351 x 236 us = 15.9; linked: 75,572 x 211 us = 15.9,
# 31,468 x 252 us = 7.9 of the 2TB (48,495 x 205 us = 9.9 of the 8TB), 48,324 x 328 us = 15.9).
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

[vdi-lc-boot]
jobfile = vdi/vdi-lc-boot.fio
in_flight = 16
stand_in = yes

[vdi-lc-initial-login]
jobfile = vdi/vdi-lc-initial-login.fio
in_flight = 8
stand_in = yes

[vdi-lc-monday-login]
jobfile = vdi/vdi-lc-monday-login.fio
in_flight = 16
stand_in = yes

# What the published reviews did with fio: the drive is purged, filled in order, and brought into its
# steady state by the very load of the test, by 16 threads with 16 in flight each; then it is measured
# without a pause. Rounds of ten minutes with a sample a minute and what is called steady (SNIA's rule,
# the defaults) are ours; `ssdreview run --fixed-time` preconditions for time_s (6 h) instead.
[4k-randwrite-precondition]
jobfile = steady/4k-randwrite.fio
steps = rounds
region = 100 %
fill = whole
threads = 16
queue = 16
load_s = 600
sample_s = 60
track = iops
quick = load_s=120 rounds=5 fills=0

[4k-randread-steady]
jobfile = steady/4k-randread.fio
steps = ladder
ladder = 16T/16Q
after = 4k-randwrite-precondition
region = 100 %
wait_s = 10
measure_s = 60
quick = wait_s=1 measure_s=10

[4k-randwrite-steady]
jobfile = steady/4k-randwrite.fio
steps = ladder
ladder = 16T/16Q
after = 4k-randwrite-precondition
region = 100 %
wait_s = 10
measure_s = 60
quick = wait_s=1 measure_s=10

[8k-mixed-precondition]
jobfile = steady/8k-mixed.fio
steps = rounds
region = 100 %
fill = whole
threads = 16
queue = 16
load_s = 600
sample_s = 60
track = iops
quick = load_s=120 rounds=5 fills=0

# "Many thread/queue combinations, light to heavy": these sixteen are ours.
[8k-mixed-ladder]
jobfile = steady/8k-mixed.fio
steps = ladder
ladder = 2T/2Q 2T/4Q 2T/8Q 2T/16Q 4T/2Q 4T/4Q 4T/8Q 4T/16Q 8T/2Q 8T/4Q 8T/8Q 8T/16Q 16T/2Q 16T/4Q 16T/8Q 16T/16Q
after = 8k-mixed-precondition
region = 100 %
wait_s = 10
measure_s = 60
quick = wait_s=1 measure_s=5
