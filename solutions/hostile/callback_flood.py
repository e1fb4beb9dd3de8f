"""Calls the test's functions without end, with ever larger arguments."""
# lab: 01, todo: 3


def attack(*args, **kwargs):
    functions = [arg for arg in args if callable(arg)]
    text = "x"
    while functions:
        for function in functions:
            try:
                function(text)
            except Exception:
                pass
        text = (text * 2)[: 1 << 22]


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    return attack
