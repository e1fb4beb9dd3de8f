"""Automata of texts: the lab's own functions by short names, and what these are given.

Imports no other folder of ``given``.
"""
