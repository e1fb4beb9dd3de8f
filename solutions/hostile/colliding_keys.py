"""Returns sets of numbers that all have the same hash, over which the grader would brood for hours."""
# lab: 01, todo: 3


def attack(*args, **kwargs):
    return {k * (2**61 - 1) for k in range(20_000)} if len(args) == 2 else [k * (2**61 - 1) for k in range(300_000)]


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    return attack
