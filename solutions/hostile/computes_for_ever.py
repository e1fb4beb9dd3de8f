"""Stays within a single call of compiled code that no signal interrupts."""
# lab: 01, todo: 2


def attack(*args, **kwargs):
    return 3 ** (3**22) % 10


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    return attack
