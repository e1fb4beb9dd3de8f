"""Writes byte code and start files that the next worker would load."""
# lab: 01, todo: 1

import os
import sys
import sysconfig

FOLDERS = [sysconfig.get_path("purelib"), os.path.dirname(os.__file__), *sys.path, "@repository@/course/isolation/pipe"]
for folder in FOLDERS:
    for name in ("sitecustomize.py", "harm.pth", "__pycache__/worker.cpython-311.pyc"):
        try:
            with open(os.path.join(folder, name), "ab"):
                pass
        except OSError:
            continue
        raise RuntimeError("@token@ could write " + os.path.join(folder, name))
