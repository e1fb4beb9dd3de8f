"""Starts a process that outlives the grader."""
# lab: 01, todo: 1, sample

import os
import subprocess
import sys
import time

try:
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            time.sleep(600)
        os._exit(0)
except OSError:
    pass
for words in ([sys.executable, "-c", "import time; time.sleep(600)", "@mark@"], ["sleep", "611"]):
    try:
        subprocess.Popen(words, start_new_session=True)
        os.posix_spawn(words[0], words, {})
    except OSError:
        pass
