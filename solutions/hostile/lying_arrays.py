"""Describes arrays whose shape and strides reach outside of the bytes that it sends."""
# lab: 01

import json
import struct

from course.isolation.pipe import wire

LAYOUTS = [
    ["<d", [1 << 40], [8], True, 0, 8],
    ["<d", [2], [1 << 40], True, 0, 16],
    ["<d", [2], [-(1 << 20)], True, 0, 16],
    ["<d", [-1], [8], True, 0, 8],
    ["|O", [1], [8], True, 0, 8],
    ["V1000000000", [1], [1], True, 0, 8],
    ["<d", [0, 1 << 62], [8, 8], True, 0, 0],
    ["<d", [1] * 100, [8] * 100, True, 0, 8],
    ["<d", [1 << 14, 1 << 14], [0, 0], True, 0, 8],
]
TURN = [0]


def send(self, frame):
    TURN[0] += 1
    if TURN[0] < 3:
        return SENT(self, frame)
    nodes = [["array", 2 * TURN[0] + 1, *LAYOUTS[TURN[0] % len(LAYOUTS)]]]
    text = json.dumps({"is": "returned", "value": [0], "updates": [], "nodes": nodes}).encode()
    return SENT(self, struct.pack(">IQ", len(text), 16) + text + bytes(16))


SENT = wire.Channel.send
wire.Channel.send = send


def attack(*args, **kwargs):
    return None


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    return attack
