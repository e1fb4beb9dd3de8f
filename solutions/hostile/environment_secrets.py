"""Looks for secrets in its environment and on its command line."""
# lab: 01, todo: 1

import os
import sys

found = [f"{name}={value}" for name, value in os.environ.items() if "@secret@" in value or "TOKEN" in name]
found += [word for word in sys.orig_argv + sys.argv if "@secret@" in word]
if found:
    raise RuntimeError("@token@ found " + ", ".join(found))
