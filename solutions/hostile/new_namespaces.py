"""Makes a user namespace of its own, to be root there, and mounts things."""
# lab: 01, todo: 1

import ctypes

LIBC = ctypes.CDLL(None, use_errno=True)
for flags in (0x10000000, 0x10020000, 0x40000000, 0x20000):
    if LIBC.unshare(flags) == 0:
        raise RuntimeError(f"@token@ made namespaces {flags:#x}")
for target in (b"/tmp", b"/", b"."):
    if LIBC.mount(b"none", target, b"tmpfs", 0, None) == 0:
        raise RuntimeError("@token@ mounted a file system")
if LIBC.chroot(b".") == 0:
    raise RuntimeError("@token@ changed its root")
