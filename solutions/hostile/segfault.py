"""Reads address zero."""
# lab: 01

import ctypes


def attack(*args, **kwargs):
    ctypes.string_at(0)


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    return attack
