"""Sends frames that claim lengths of exabytes, no lengths, no JSON, and nodes that are not there."""
# lab: 01

import json
import os
import struct

from course.isolation.pipe import wire

BODIES = [
    {"is": "returned", "value": [10**9], "updates": [], "nodes": []},
    {"is": "returned", "value": [-1], "updates": [], "nodes": [["ref", 2]]},
    {"is": "returned", "value": [0], "updates": [[2, 0], [4, 0]], "nodes": [["ref", 99999]], "fresh": True},
    {"is": "callback", "value": [0], "number": 2, "updates": [], "nodes": []},
    {"is": "request", "value": None, "updates": [], "nodes": [["list", 2, []]], "fresh": True},
    {"is": "returned"},
    [],
]
TURN = [0]


def send(self, frame):
    TURN[0] += 1
    if TURN[0] < 3:
        return SENT(self, frame)
    raw = [b"\xff" * 12, b"\x00" * 12, struct.pack(">IQ", 1 << 31, 1 << 62), struct.pack(">IQ", 5, 0) + b"[[[[["]
    raw += [struct.pack(">IQ", len(text), 0) + text for text in (json.dumps(body).encode() for body in BODIES)]
    os.write(self.write_fd, raw[TURN[0] % len(raw)])


SENT = wire.Channel.send
wire.Channel.send = send


def attack(*args, **kwargs):
    return None


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    return attack
