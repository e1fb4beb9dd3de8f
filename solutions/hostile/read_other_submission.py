"""Reads the submission of the student who is graded next to it."""
# lab: 01, todo: 1, sample

import os

try:
    text = open("@other_submission@").read()
except OSError:
    try:
        text = str(os.listdir(os.path.dirname(os.path.dirname("@other_submission@"))))
    except OSError:
        text = ""
if text:
    raise RuntimeError("@token@ read another submission: " + text)
