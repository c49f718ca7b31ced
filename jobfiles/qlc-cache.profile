# SPDX-License-Identifier: GPL-2.0-only
# The SLC cache of a drive: how large, how fast inside and past it, how soon it comes back, what can be
# written inside it for good, how it shrinks as the drive fills. Each row is one run, not a curve. All
# numbers here are ours.
[review]
title = The SLC cache: its size, its cliff, and what brings it back
region = 100 %
# Before every row: a simulated drive is erased, a real one trimmed; then it idles for idle_s.
purge = yes
idle_s = 300

# cache_from: the row whose probe says where the cliff lies, so that the drive is probed once.
# quick: options of the job file that --quick replaces.
[probe]
jobfile = qlc/probe.fio
steps = once
in_flight = 32

[recover]
jobfile = qlc/recover.fio
steps = once
in_flight = 32
cache_from = probe
quick = idle=1s:30s:2m

[burst]
jobfile = qlc/burst.fio
steps = once
in_flight = 32
cache_from = probe
quick = bursts=3

[sustain]
jobfile = qlc/sustain.fio
steps = once
in_flight = 32
cache_from = probe
quick = sustain_time=2m

# Three reads in ten I/Os: how they suffer while the drive folds.
[probe-reads]
jobfile = qlc/probe-reads.fio
steps = once
in_flight = 32

# Last: it writes most, and fills the drive.
[fill-levels]
jobfile = qlc/fill-levels.fio
steps = once
in_flight = 32
quick = levels=0:50 rest=1m
