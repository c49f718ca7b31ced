# SPDX-License-Identifier: GPL-2.0-only
# How many virtual desktops a drive boots, or logs in, at once within a promise about response times: a
# search over copies of a trace, played at its own pace. The traces are synthetic and ours
# (examples/traces), so the rows are stand-ins: results carry the mark.
[review]
title = Desktops at once within a promise: 250 GB
search = clones
sla = 1ms@p95
# All numbers here are ours. The region holds 400 booting desktops of full clones and more.
region = 250000000000
fill = region
purge = yes

# The desktops of a storm begin at random within this time. Then, while all are at work, it is measured.
stagger_s = 20
measure_s = 40
cooldown_s = 5
idle_s = 60

# in_flight: high enough not to be the limit; a number of desktops held back by it fails.
# desktops: in one copy of the row's trace.

[vdi-fc-boot]
jobfile = capacity/vdi-fc-boot.fio
in_flight = 1024
desktops = 1
verb = boots
stand_in = yes

[vdi-fc-initial-login]
jobfile = capacity/vdi-fc-initial-login.fio
in_flight = 1024
desktops = 2
verb = logs in
stand_in = yes

[vdi-fc-monday-login]
jobfile = capacity/vdi-fc-monday-login.fio
in_flight = 1024
desktops = 3
verb = logs in
stand_in = yes

[vdi-lc-boot]
jobfile = capacity/vdi-lc-boot.fio
in_flight = 1024
desktops = 1
verb = boots
stand_in = yes

[vdi-lc-initial-login]
jobfile = capacity/vdi-lc-initial-login.fio
in_flight = 1024
desktops = 2
verb = logs in
stand_in = yes

[vdi-lc-monday-login]
jobfile = capacity/vdi-lc-monday-login.fio
in_flight = 1024
desktops = 3
verb = logs in
stand_in = yes
