"""Returns a tuple of two references to a tuple of two references, a hundred times over."""
# lab: 01


def attack(*args, **kwargs):
    pair = ()
    for _ in range(100):
        pair = (pair, pair)
    return pair


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    return attack
