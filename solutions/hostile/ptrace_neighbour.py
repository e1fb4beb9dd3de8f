"""Attaches to its neighbour as a debugger, and reads and writes its memory."""
# lab: 01, todo: 1

import ctypes
import os

LIBC = ctypes.CDLL(None, use_errno=True)
word = ctypes.create_string_buffer(8)


class MemoryPart(ctypes.Structure):
    _fields_ = (("base", ctypes.c_void_p), ("length", ctypes.c_size_t))


here = MemoryPart(ctypes.addressof(word), 8)
if LIBC.ptrace(16, int("@neighbour@"), None, None) == 0:
    raise RuntimeError("@token@ attached to its neighbour")
for parent in (int("@neighbour@"), os.getppid()):
    there = MemoryPart(0x400000, 8)
    LIBC.process_vm_readv(parent, ctypes.byref(here), 1, ctypes.byref(there), 1, 0)
    if ctypes.get_errno() not in (0, 1, 3, 38):  # a wrong address means that the process itself was open
        raise RuntimeError(f"@token@ may read the memory of {parent}")
