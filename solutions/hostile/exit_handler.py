"""Registers an exit handler that turns any failure into status 0."""
# lab: 01, todo: 1

import atexit
import os
import sys

atexit.register(os._exit, 0)
sys.exit(1)
