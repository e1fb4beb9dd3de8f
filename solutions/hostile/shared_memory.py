"""Makes shared memory, message queues and keys, which outlive every process."""
# lab: 01, todo: 1

import ctypes
import os
from multiprocessing import shared_memory

KEY = 0x6861726D
LIBC = ctypes.CDLL(None)
for make, remove in (
    (lambda: LIBC.shmget(KEY, 4096, 0o1666), lambda made: LIBC.shmctl(made, 0, None)),
    (lambda: LIBC.msgget(KEY, 0o1666), lambda made: LIBC.msgctl(made, 0, None)),
    (lambda: LIBC.semget(KEY, 1, 0o1666), lambda made: LIBC.semctl(made, 0, 0)),
):
    if (made := make()) >= 0:
        remove(made)
        raise RuntimeError("@token@ made shared memory, a queue or a semaphore")
try:
    shared_memory.SharedMemory(f"harm-{os.getpid()}", create=True, size=4096).unlink()
except OSError:
    pass
else:
    raise RuntimeError("@token@ made a file of shared memory")
