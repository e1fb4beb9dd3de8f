"""Kills and stops the process of another submission, by every system call that can."""
# lab: 01, todo: 1, sample

import ctypes
import fcntl
import os
import signal

PID = int("@neighbour@")
LIBC = ctypes.CDLL(None)
LIBC.killpg(PID, signal.SIGKILL)
LIBC.kill(PID, signal.SIGSTOP)
if os.uname().machine == "x86_64":
    LIBC.syscall(129, PID, signal.SIGKILL, None)
    LIBC.syscall(200, PID, signal.SIGKILL)
    LIBC.syscall(234, PID, PID, signal.SIGKILL)
LIBC.syscall(424, LIBC.syscall(434, PID, 0), signal.SIGKILL, None, 0)
try:
    os.kill(PID, signal.SIGKILL)
except OSError:
    pass
try:
    reading, writing = os.pipe()
    fcntl.fcntl(reading, fcntl.F_SETOWN, PID)
    fcntl.fcntl(reading, fcntl.F_SETFL, os.O_ASYNC | os.O_NONBLOCK)
    os.write(writing, b"x")
except OSError:
    pass
