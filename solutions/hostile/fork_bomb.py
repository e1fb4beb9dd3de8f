"""Forks, as long as it can."""
# lab: 01, todo: 1

import os
import time

made = 0
try:
    while made < 300:
        if os.fork() == 0:
            time.sleep(600)
        made += 1
except OSError:
    pass
if made > 100:
    raise RuntimeError(f"@token@ has {made} children")
