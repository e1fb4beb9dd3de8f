"""Reads other processes through /proc: environment, memory, open files, root."""
# lab: 01, todo: 1, wall, sample

import os

for pid in (int("@neighbour@"), os.getppid(), 1):
    for name in ("environ", "maps", "mem", "cmdline", "root/etc/hostname", "fd", "cwd", "stat"):
        path = f"/proc/{pid}/{name}"
        try:
            text = os.listdir(path) if name == "fd" else open(path, "rb").read(100)
        except OSError:
            continue
        raise RuntimeError(f"@token@ read {path}: {text!r}")
