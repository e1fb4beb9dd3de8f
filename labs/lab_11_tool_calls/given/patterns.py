"""Texts as patterns, and the automaton of what contains one."""

from functools import cache

from labkit.automata.dfa import Dfa
from labs.lab_06_regex_to_dfa.solution import compile_dfa


def literally(text: str) -> str:
    """Return a pattern that matches this text alone.

    >>> literally("1.5 (a|b)")
    '1\\\\.5 \\\\(a\\\\|b\\\\)'
    """
    return "".join(f"\\{char}" if char in r".^$*+?{}[]\|()" else char for char in text)


@cache
def containing(text: str) -> Dfa:
    """Return the automaton of all texts that contain this one.

    >>> len(containing("ab"))
    3
    """
    return compile_dfa(f"(?s:.)*{literally(text)}(?s:.)*")
