"""Numbers as automata: those between two bounds, and multiples, compared digit by digit.

Imports ``automata`` and the lab's own functions.
"""
