"""Forks without end."""
# lab: 01

import os

while True:
    try:
        os.fork()
    except OSError:
        break
