"""Ends the process with status 0 while it is being loaded."""
# lab: 01, todo: 1, sample

import os

os._exit(0)
