"""Takes memory that is not in its address space: anonymous files, pipes, shared memory."""
# lab: 01, todo: 1

import os

held = 0
kept = []
try:
    while held < 8 << 30:
        fd = os.memfd_create("harm")
        for _ in range(64):
            held += os.write(fd, bytes(1 << 20))
        kept.append(fd)
except OSError:
    pass
if held > 64 << 20:
    raise RuntimeError(f"@token@ took {held >> 20} MiB outside of its address space")
