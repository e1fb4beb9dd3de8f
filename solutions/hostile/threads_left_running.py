"""Leaves threads running that compute and print forever."""
# lab: 01, todo: 1

import threading


def spin():
    while True:
        print(sum(range(1000)))


def attack(*args, **kwargs):
    for _ in range(1000):
        try:
            threading.Thread(target=spin, daemon=False).start()
        except RuntimeError:
            break
    return None
