"""Prints without end."""
# lab: 01, todo: 1

import sys


def attack(*args, **kwargs):
    while True:
        sys.stdout.write("x" * 100_000)
        sys.stderr.write("y" * 100_000)
