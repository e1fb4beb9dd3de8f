"""Sends frames with impossible lengths, arrays outside of their bytes, classes to call, and millions of values."""
# lab: 01

import json
import os
import struct
import zlib

from course.isolation.pipe import wire

PATHS = ["subprocess.Popen", "builtins.eval", "os.system", "numpy.load"]
NODES = [[["const", 1, path, ["touch @marked@"]]] for path in PATHS] + [[["class", path]] for path in PATHS]
NODES += [[["record", "a b; import os", ["__class__", "x"], [1, 2]]], [["ref", 99999]], [["__init__", 1, []]]]
LAYOUTS = [["<d", [1 << 40], [8]], ["<d", [2], [-(1 << 20)]], ["|O", [1], [8]], ["V1000000000", [1], [1]]]
LAYOUTS += [["<d", [0, 1 << 62], [8, 8]], ["<d", [1 << 14, 1 << 14], [0, 0]]]
NODES += [[["array", 1, *layout, True, 0, 8]] for layout in LAYOUTS]
BODIES = [{"is": "returned", "value": [0], "updates": [], "nodes": nodes} for nodes in NODES]
BODIES += [{"is": "returned"}, [], {"is": "callback", "value": [0], "number": 2, "updates": [], "nodes": []}]
BODIES += [{"is": "returned", "value": [10**9], "updates": [[2, 0], [4, 0]], "nodes": []}]
TEXTS = [json.dumps(body).encode() for body in BODIES]
TEXTS += [b'{"is":"returned","value":[0],"updates":[],"nodes":[' + b"[]," * 2_000_000 + b"[]]}"]
FRAMES = [struct.pack(">IQ", len(text), 8) + text + bytes(8) for text in TEXTS]
FRAMES += [b"\xff" * 12, b"\x00" * 12, struct.pack(">IQ", 1 << 31, 1 << 62)]


def attack(*args, **kwargs):
    # A worker that lied is ended, and the next one starts anew: so the call says which frame it is.
    chosen = FRAMES[zlib.crc32(repr(args[:2]).encode()) % len(FRAMES)]
    wire.Channel.send = lambda channel, frame: os.write(channel.write_fd, chosen)
