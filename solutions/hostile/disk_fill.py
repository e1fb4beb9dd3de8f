"""Fills every folder that it can write to, with large files and with more files than there are names for."""
# lab: 01, todo: 1, wall

import os
import signal

signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
written = made = 0
for folder in (".", os.environ.get("TMPDIR", "."), "@shared_folder@", "/tmp", "/var/tmp", "/dev/shm"):
    for i in range(64):
        try:
            with open(f"{folder}/harm-{i}-@mark@", "wb") as file:
                while written < 128 << 20:
                    written += file.write(bytes(1 << 20))
        except OSError:
            break
if written > 64 << 20:
    raise RuntimeError(f"@token@ wrote {written >> 20} MiB")
try:
    for made in range(20_000):
        open(f"harm-{made}", "w").close()
except OSError:
    pass
if made > 10_000:
    raise RuntimeError(f"@token@ made {made} files")
