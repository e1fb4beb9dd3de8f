"""Texts as patterns, and the automaton of what does not contain one."""

from functools import cache

from labkit.automata.dfa import Dfa
from labs.lab_06_regex_to_dfa.solution import compile_dfa, complement


def literally(text: str) -> str:
    """Return a pattern that matches this text alone.

    >>> literally("1.5 (a|b)")
    '1\\\\.5 \\\\(a\\\\|b\\\\)'
    """
    return "".join(f"\\{char}" if char in r".^$*+?{}[]\|()" else char for char in text)


@cache
def lacking(text: str) -> Dfa:
    """Return the automaton of all texts that do not contain this one.

    >>> len(lacking("ab"))
    2
    """
    return complement(compile_dfa(f"(?s:.)*{literally(text)}(?s:.)*"))
