"""Asks the test's functions for the tests, keeps them for later, calls them from threads, and without end."""
# lab: 01, todo: 2

import threading

KEPT = []


def again():
    while True:
        for function in KEPT[-3:]:
            try:
                function("late")
            except BaseException:
                pass


def attack(*args, **kwargs):
    functions = [arg for arg in args if callable(arg)]
    for function in functions:
        for name in ("__globals__", "__code__", "__closure__", "__self__", "__module__"):
            found = getattr(function, name, None)
            if isinstance(found, dict) and "pytest" in found:
                raise RuntimeError("@token@ reached the tests through " + name)
    KEPT.extend(functions)
    threading.Thread(target=again, daemon=True).start()
    text = "x"
    while len(KEPT) > 5:
        for function in KEPT:
            try:
                function(text)
            except Exception:
                pass
        text = (text * 2)[: 1 << 22]
