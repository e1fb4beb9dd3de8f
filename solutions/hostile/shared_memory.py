"""Makes shared memory, message queues and keys, which outlive every process."""
# lab: 01, todo: 1

import ctypes

LIBC = ctypes.CDLL(None, use_errno=True)
if LIBC.shmget(int("@key@"), 4096, 0o1666) >= 0:
    raise RuntimeError("@token@ made shared memory")
if LIBC.msgget(int("@key@"), 0o1666) >= 0 or LIBC.semget(int("@key@"), 1, 0o1666) >= 0:
    raise RuntimeError("@token@ made a queue or a semaphore")
try:
    from multiprocessing import shared_memory

    shared_memory.SharedMemory("harm-@mark@", create=True, size=4096)
except (OSError, ImportError):
    pass
else:
    raise RuntimeError("@token@ made a file of shared memory")
