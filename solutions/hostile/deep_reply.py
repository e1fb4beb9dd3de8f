"""Returns a list nested a hundred thousand times."""
# lab: 01


def attack(*args, **kwargs):
    deep = []
    for _ in range(100_000):
        deep = [deep]
    return deep


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    return attack
