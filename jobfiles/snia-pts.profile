# SPDX-License-Identifier: GPL-2.0-only
# The tests of SNIA's Solid State Storage Performance Test Specification 2.0.2, over the whole surface.
# By it: purge, filling twice in order, block sizes, shares of reads, a minute a load, steady state over
# five rounds (range 20 %, slope 10 %), at most 25 rounds, idle times, order. It leaves threads and I/Os
# in flight to the operator; these are ours, and where it is said.
[review]
title = SNIA Performance Test Specification
region = 100 %
fill = whole
purge = yes
refill = yes

# Of the curves at the end alone, as in the profile mixed.
steps = 10 20 30 40 50 60 70 80 90 100 110 120
wait_s = 30
measure_s = 30
cooldown_s = 5
idle_s = 60

# Eight block sizes in seven shares of reads; 4 KiB random writes are followed until they are steady.
[iops]
title = IOPS test
jobfile = snia/iops.fio
steps = rounds
region = 100 %
fill = whole
fill_passes = 2
threads = 4
queue = 16
load_s = 60
track = r0-4k:iops
fills = 0
quick = load_s=30 sample_s=30 rounds=5 fill_passes=1

# Sequential reads and writes; both are followed.
[throughput-128k]
title = Throughput test, 128 KiB
jobfile = snia/throughput-128k.fio
steps = rounds
region = 100 %
fill = whole
fill_passes = 2
threads = 1
queue = 32
load_s = 60
track = write-128k:bytes_per_s read-128k:bytes_per_s
fills = 0
quick = rounds=5 fill_passes=1

[throughput-1024k]
title = Throughput test, 1 MiB
jobfile = snia/throughput-1024k.fio
steps = rounds
region = 100 %
fill = whole
fill_passes = 2
threads = 1
queue = 32
load_s = 60
track = write-1024k:bytes_per_s read-1024k:bytes_per_s
fills = 0
quick = rounds=5 fill_passes=1

# One in flight; the average latency of 4 KiB random writes is followed.
[latency]
title = Latency test
jobfile = snia/latency.fio
steps = rounds
region = 100 %
fill = whole
fill_passes = 2
threads = 1
queue = 1
load_s = 60
track = r0-4k:mean
fills = 0
quick = rounds=5 fill_passes=1

# From a purged drive until it was written four times, or for 24 h, whichever comes first. Rounds of
# five minutes are ours, and that the last five are judged like those of other tests.
[write-saturation]
title = Write saturation
jobfile = snia/write-saturation.fio
steps = rounds
region = 100 %
purge = yes
threads = 4
queue = 16
load_s = 300
sample_s = 60
track = iops
until = written
fills = 4
time_s = 86400
quick = fills=1 time_s=3600

# From the state that write saturation ends in: 360 bursts of 5 s for each idle time.
[idle-recovery]
title = Host idle recovery
jobfile = snia/idle-recovery.fio
steps = sequence
after = write-saturation
region = 100 %
threads = 1
queue = 64
quick = divide=30

# 8 h of sequential writes, 6 h of random ones, 8 h of the first again.
[cross-stimulus]
title = Cross stimulus recovery
jobfile = snia/cross-stimulus.fio
steps = sequence
region = 100 %
purge = yes
threads = 1
queue = 32
quick = divide=60

# JEDEC's endurance workloads as curves, as the profile mixed has them. The client one is a stand-in.
[jesd219-enterprise]
jobfile = mixed/jesd219-enterprise.fio
in_flight = 256

[jesd219-client]
jobfile = mixed/jesd219-client.fio
in_flight = 8
stand_in = yes
