"""Never returns, and catches every exception that would end it."""
# lab: 01, todo: 2

import time


def attack(*args, **kwargs):
    while True:
        try:
            time.sleep(1)
        except BaseException:
            pass


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    return attack
