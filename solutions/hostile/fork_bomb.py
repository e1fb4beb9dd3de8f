"""Forks without end."""
# lab: 01, todo: 1

import os

while True:
    try:
        os.fork()
    except OSError:
        break
