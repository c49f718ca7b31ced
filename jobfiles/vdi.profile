# SPDX-License-Identifier: GPL-2.0-only
# Virtual desktops: boot, initial login and Monday login, full and linked clones, by trace replay. The
# traces are synthetic and ours (examples/traces), so the rows are stand-ins: results carry the mark.
[review]
title = Virtual desktops, synthetic traces: 5 % of the drive
region = 5 %
fill = region
purge = yes

# As the published reviews: a run at the largest rate, then 10 ... 120 % of what it reached.
steps = 10 20 30 40 50 60 70 80 90 100 110 120

# The published reviews do not say how long a point lasts; these times are ours.
wait_s = 30
measure_s = 30
cooldown_s = 5
idle_s = 60

# in_flight: calc, what the published peaks imply (IOPS x latency).

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
