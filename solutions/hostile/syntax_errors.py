"""Raises syntax errors whose columns are billions or no numbers, which a careless traceback would draw."""
# lab: 01

PLACES = [
    ("x.py", 1, 2, "x = 1", 1, 3_000_000_000),
    ("x.py", 1, 2, "x = 1", 1, 10**12),
    ("x.py", 1, "2", "x = 1", 1, 3),
    ("x.py", 10**5000, 2, ["x = 1"], 1, 3),
]


def attack(*args, **kwargs):
    PLACES.append(PLACES.pop(0))
    raise SyntaxError("attack", PLACES[-1])


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    return attack
