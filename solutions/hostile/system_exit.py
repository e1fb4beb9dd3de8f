"""Raises SystemExit(0) from every function, which some runners take for success."""
# lab: 01


def attack(*args, **kwargs):
    raise SystemExit(0)


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    return attack
