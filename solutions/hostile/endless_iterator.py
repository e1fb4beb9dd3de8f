"""Returns iterators and sequences that never end."""
# lab: 01

import itertools


class EndlessSequence:
    def __getitem__(self, key):
        return key

    def __len__(self):
        return 1 << 60


def attack(*args, **kwargs):
    return itertools.repeat("x" * 100_000) if len(args) == 3 else EndlessSequence()


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    return attack
