"""Keeps the test's functions, and calls them from a thread and after their time."""
# lab: 01, todo: 3

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
    for function in KEPT:
        try:
            function("x")
        except BaseException:
            pass
    KEPT.extend(arg for arg in args if callable(arg))
    try:
        threading.Thread(target=again, daemon=True).start()
    except RuntimeError:
        pass
    return None


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    return attack
