"""Fills every folder that it can write to, with one file and with a million."""
# lab: 01, todo: 1

import os
import signal

signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
written = 0
for folder in (".", os.environ.get("TMPDIR", "/tmp"), "/tmp", "/var/tmp", "/dev/shm", "@shared_folder@"):
    for i in range(64):
        try:
            with open(f"{folder}/harm-{i}-@mark@", "wb") as file:
                for _ in range(64):
                    written += file.write(bytes(1 << 20))
        except OSError:
            break
if written > 64 << 20:
    raise RuntimeError(f"@token@ wrote {written >> 20} MiB")
