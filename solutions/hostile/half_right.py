"""Solves one TODO honestly, and then tries to get the points of the others by failing quietly."""
# lab: 01, earns: 2

import os

import regex


def could_match(pattern, text):
    return regex.fullmatch(pattern, text, partial=True) is not None


def build_mask(texts, prefix, viable):
    os._exit(0)
