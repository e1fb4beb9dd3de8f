"""Solves one TODO honestly, and then tries to get the points of the others by failing quietly."""
# lab: 01, earns: 1

import os
import re


def find_answer(pattern, answer):
    match = re.search(pattern, answer)
    return match[0] if match else None


def could_match(pattern, text):
    os._exit(0)
