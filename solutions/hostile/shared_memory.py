"""Makes shared memory, message queues and keys, which outlive every process."""
# lab: 01, todo: 1, wall

import ctypes
import os
from multiprocessing import shared_memory

LIBC = ctypes.CDLL(None)
LIBC.shmget(int("@key@"), 4096, 0o1666)
LIBC.msgget(int("@key@"), 0o1666)
LIBC.semget(int("@key@"), 1, 0o1666)
try:
    shared_memory.SharedMemory(f"harm-{os.getpid()}", create=True, size=4096).unlink()
except OSError:
    pass
else:
    raise RuntimeError("@token@ made a file of shared memory")
