"""Returns half a gigabyte of text, and lists of ten million items."""
# lab: 01


def attack(*args, **kwargs):
    return "x" * (500 << 20) if len(args) == 2 else [0] * 10_000_000


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    return attack
