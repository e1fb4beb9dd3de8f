"""Becomes root, by system call and by programs that are allowed to."""
# lab: 01, todo: 1

import ctypes
import os
import sys

before = os.geteuid(), os.getegid()
for attempt in (
    lambda: os.setuid(0),
    lambda: os.setresuid(0, 0, 0),
    lambda: os.seteuid(0),
    lambda: os.setgroups([0]),
    lambda: os.setgid(0),
):
    try:
        attempt()
    except OSError:
        pass
if (os.geteuid(), os.getegid()) != before:
    raise RuntimeError("@token@ became another user")
if os.geteuid() == 0:
    try:
        os.chown(sys.executable, 0, 0)
        raise RuntimeError("@token@ is root, and may change owners")
    except OSError:
        pass
for program in ("/usr/bin/su", "/usr/bin/sudo", "/usr/bin/passwd", "/usr/bin/mount", "/bin/sh"):
    if ctypes.CDLL(None).access(program.encode(), 1) == 0:
        try:
            os.close(os.open(program, os.O_RDONLY))
        except OSError:
            continue
        raise RuntimeError("@token@ may read " + program)
