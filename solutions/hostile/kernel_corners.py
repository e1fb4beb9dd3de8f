"""Tries system calls that sandboxes forget: io_uring, keys, bpf, userfaultfd, performance counters."""
# lab: 01, todo: 1

import ctypes
import os

LIBC = ctypes.CDLL(None, use_errno=True)
NUMBERS = {"io_uring_setup": 425, "keyctl": 250, "bpf": 321, "userfaultfd": 323, "perf_event_open": 298}
NUMBERS |= {"add_key": 248, "memfd_create": 319, "kexec_load": 246, "syslog": 103, "open_by_handle_at": 304}
if os.uname().machine == "x86_64":
    for name, number in NUMBERS.items():
        ctypes.set_errno(0)
        LIBC.syscall(number, 0, 0, 0, 0, 0)
        if ctypes.get_errno() not in (1, 38):  # refused, or not in this kernel
            raise RuntimeError(f"@token@ gets as far as {name}")
        if LIBC.syscall(0x40000000 | number, 0, 0, 0, 0, 0) >= 0:
            raise RuntimeError(f"@token@ gets {name} by its x32 number")
