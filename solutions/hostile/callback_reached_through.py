"""Asks the test's functions for their globals, code and modules, to get at the tests."""
# lab: 01, todo: 3


def attack(*args, **kwargs):
    for arg in args:
        for name in ("__globals__", "__code__", "__closure__", "__self__", "__module__", "func_globals"):
            try:
                found = getattr(arg, name)
            except Exception:
                continue
            if isinstance(found, dict) and "lab" in found:
                raise RuntimeError("@token@ reached the tests through " + name)
    return None


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    return attack
