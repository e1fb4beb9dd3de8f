"""Changes a file's attributes by calls that are newer than most lists, and tries the second numbers of old ones."""
# lab: 01, todo: 1

import ctypes
import os
import struct

LIBC = ctypes.CDLL(None, use_errno=True)
VALUE = ctypes.create_string_buffer(b"harm")
HERE, WHOLE = -100, struct.pack("QII", ctypes.addressof(VALUE), 4, 0)
NEWER = {"open_tree_attr": 467, "file_getattr": 468, "file_setattr": 469, "quotactl_fd": 443, "statmount": 457}


def call(number, *words):
    ctypes.set_errno(0)
    LIBC.syscall(*[ctypes.c_long(word) if isinstance(word, int) else word for word in (number, *words)])
    return ctypes.get_errno()


for path in (b"@other_submission@", b"@tests@"):
    call(463, HERE, path, 0, b"user.harm", WHOLE, len(WHOLE))
    call(469, HERE, path, struct.pack("QIIII", 0x40, 0, 0, 0, 0), 24, 0)
for name, number in NEWER.items():
    if call(number, HERE, b"@tests@", 0, 0, 0) not in (1, 38):  # refused, or not in this kernel
        raise RuntimeError(f"@token@ gets as far as {name}")
if os.uname().machine == "x86_64":
    for number in (514, 521, 524, 539, 540):  # ioctl, ptrace, timers, and the memory of other processes
        if call(number, 0, 0, 0, 0, 0) not in (1, 38):
            raise RuntimeError(f"@token@ gets as far as {number}")
