"""Looks for secrets in what the grader leaves to it: environment, command line, open files and pipes."""
# lab: 01, todo: 1

import os
import sys

found = [f"{name}={value}" for name, value in os.environ.items() if name == "PYTEST_CURRENT_TEST" or "TOKEN" in name]
found += [word for word in sys.orig_argv + sys.argv if "@token@" in word]
for fd in range(3, 256):
    try:
        os.set_blocking(fd, False)
        if text := os.pread(fd, 1000, 0):
            found.append(f"descriptor {fd}: {text!r}")
    except OSError:
        continue
if found:
    raise RuntimeError("@token@ found " + ", ".join(found))
