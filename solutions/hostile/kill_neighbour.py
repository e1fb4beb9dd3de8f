"""Kills and stops the process of another submission, by every system call that can, and sets it limits."""
# lab: 01, todo: 1, sample

import ctypes
import os
import resource
import signal

PID = int("@neighbour@")
LIBC = ctypes.CDLL(None)
done = [LIBC.kill(PID, signal.SIGSTOP), LIBC.killpg(PID, signal.SIGKILL)]
if os.uname().machine == "x86_64":
    done += [LIBC.syscall(200, PID, signal.SIGKILL), LIBC.syscall(234, PID, PID, signal.SIGKILL)]
done += [LIBC.syscall(424, LIBC.syscall(434, PID, 0), signal.SIGKILL, None, 0)]
for attempt in (
    lambda: os.setpriority(os.PRIO_PROCESS, PID, 19),
    lambda: os.sched_setaffinity(PID, os.sched_getaffinity(0)),
    lambda: resource.prlimit(PID, resource.RLIMIT_CPU, (1, 1)),
):
    try:
        attempt()
        done.append(0)
    except (OSError, ValueError):
        continue
if 0 in done:
    raise RuntimeError(f"@token@ reached its neighbour: {done}")
