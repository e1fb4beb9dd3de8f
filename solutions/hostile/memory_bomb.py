"""Takes all memory that it can get: anonymous files outside of its address space, and then the address space."""
# lab: 01, todo: 1

import os

outside, held = 0, []
try:
    fd = os.memfd_create("harm")
    while outside < 128 << 20:
        outside += os.write(fd, bytes(1 << 20))
except OSError:
    pass
if outside > 64 << 20:
    raise RuntimeError(f"@token@ took {outside >> 20} MiB outside of its address space")
try:
    while len(held) < 64:
        held.append(bytearray(64 << 20))
        held[-1][::4096] = b"x" * len(held[-1][::4096])
except MemoryError:
    raise MemoryError from None
raise RuntimeError(f"@token@ took {len(held) << 6} MiB")
