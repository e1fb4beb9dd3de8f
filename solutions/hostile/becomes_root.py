"""Becomes root, by system calls, mounts a file system, and lifts its own limits."""
# lab: 01, todo: 1

import ctypes
import os
import resource

LIBC = ctypes.CDLL(None, use_errno=True)
before = os.geteuid(), os.getegid()
for attempt in (
    lambda: os.setresuid(0, 0, 0),
    lambda: os.seteuid(0),
    lambda: os.setgroups([0]),
    lambda: os.setgid(0),
):
    try:
        attempt()
    except OSError:
        pass
if (os.geteuid(), os.getegid()) != before or 0 in before:
    raise RuntimeError("@token@ is root")
for name in ("CPU", "AS", "NPROC", "NOFILE", "FSIZE"):
    kind = getattr(resource, "RLIMIT_" + name)
    try:
        resource.setrlimit(kind, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    except (OSError, ValueError):
        continue
    raise RuntimeError("@token@ lifted its limit " + name)
if LIBC.mount(b"none", b".", b"tmpfs", 0, None) == 0 or LIBC.chroot(b".") == 0:
    raise RuntimeError("@token@ mounted a file system, or changed its root")
