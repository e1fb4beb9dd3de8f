"""Gives its neighbour the lowest priority and a single core."""
# lab: 01, todo: 1

import os

for attempt in (
    lambda: os.setpriority(os.PRIO_PROCESS, int("@neighbour@"), 19),
    lambda: os.sched_setaffinity(int("@neighbour@"), {0}),
    lambda: os.sched_setscheduler(int("@neighbour@"), os.SCHED_IDLE, os.sched_param(0)),
):
    try:
        attempt()
    except OSError:
        continue
    raise RuntimeError("@token@ slowed its neighbour down")
