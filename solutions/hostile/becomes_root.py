"""Becomes root, by system calls, by programs that may, and in namespaces of its own; lifts its own limits."""
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
for flags in (0x10000000, 0x10020000, 0x40000000, 0x20000):
    if LIBC.unshare(flags) == 0:
        raise RuntimeError(f"@token@ made namespaces {flags:#x}")
if LIBC.mount(b"none", b".", b"tmpfs", 0, None) == 0 or LIBC.chroot(b".") == 0:
    raise RuntimeError("@token@ mounted a file system, or changed its root")
