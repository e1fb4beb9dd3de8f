"""Automata of texts: set operations, splicing one into another, and JSON's spelling of strings.

Imports no other folder of ``given``.
"""
