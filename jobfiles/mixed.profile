# SPDX-License-Identifier: GPL-2.0-only
# Mixes of patterns that no published review here has run: JEDEC's endurance workloads and the I/O of
# a transaction database.
[review]
title = Mixed workloads: JESD219 and the I/O of a transaction database
region = 100 %
fill = whole
purge = yes
refill = yes

steps = 10 20 30 40 50 60 70 80 90 100 110 120

# These times are ours.
wait_s = 30
measure_s = 30
cooldown_s = 5
idle_s = 60

# A row may have a mix of its own in place of its job file's, and so any job file with mix= will do:
#
#     [my-mix]
#     jobfile = database/sql.fio
#     mix = 65:randread:4k,35:randwrite:4k/90+16k/10
#     in_flight = 64
#
# All in_flight here are ours.
[jesd219-enterprise]
jobfile = mixed/jesd219-enterprise.fio
in_flight = 256

[jesd219-client]
jobfile = mixed/jesd219-client.fio
in_flight = 8
stand_in = yes

[tpcc-sqlserver-io]
jobfile = database/tpcc-sqlserver.fio
in_flight = 32
stand_in = yes
