"""Types into the grader's terminal and signals its process group."""
# lab: 01, todo: 1

import fcntl
import os

for path in ("/dev/tty", "/dev/pts/0", "/dev/console"):
    try:
        fd = os.open(path, os.O_RDWR)
    except OSError:
        continue
    raise RuntimeError(f"@token@ opened {path}, descriptor {fd}")
for fd in range(3):
    try:
        fcntl.ioctl(fd, 0x5412, b"x")
    except OSError:
        continue
    raise RuntimeError(f"@token@ typed into descriptor {fd}")
