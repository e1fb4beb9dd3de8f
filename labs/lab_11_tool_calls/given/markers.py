"""Markers: characters that stand for automata inside a regular expression.

They are surrogates, which occur in no text. An expression over markers stays small however large the automata
are. It is compiled and minimised first, and then each marker is replaced by its automaton.
"""

from functools import cache

from labkit.automata.dfa import Dfa
from labkit.automata.trees import regex_of, text
from labkit.errors import LimitExceeded
from labs.lab_06_regex_to_dfa.solution import compile_dfa
from labs.lab_08_json_schema.solution import complement, splice

_FIRST, _LAST = 0xD800, 0xDFFF


class Markers:
    """The automata of one expression, each with its marker.

    >>> from labs.lab_06_regex_to_dfa.solution import compile_dfa, fullmatch
    >>> markers = Markers()
    >>> digits, sign = markers.add(compile_dfa("[0-9]+")), markers.add(compile_dfa("[+-]"))
    >>> automaton = markers.compile(f"{sign}?{digits}")
    >>> fullmatch(automaton, "-12"), fullmatch(automaton, "1-2")
    (True, False)
    """

    def __init__(self) -> None:
        self._markers: dict[object, str] = {}
        self._automata: dict[int, Dfa] = {}

    def add(self, automaton: Dfa) -> str:
        """Return the marker of an automaton; equal ones share it, or 200 tools would have too many markers.

        Raises:
            LimitExceeded: if there are more automata than markers.
        """
        parts = (automaton.bounds, automaton.classes, automaton.transitions, automaton.accepting)
        key = (automaton.initial, *(part.tobytes() for part in parts))
        if key not in self._markers:
            marker = _FIRST + len(self._automata)
            if marker > _LAST:
                raise LimitExceeded("a call has too many parts", _LAST - _FIRST + 1)
            self._automata[marker] = automaton
            self._markers[key] = chr(marker)
        return self._markers[key]

    def compile(self, pattern: str) -> Dfa:
        """Return the automaton of a regular expression with markers in it."""
        return splice(compile_dfa(pattern), self._automata)


def literally(characters: str) -> str:
    """Return a pattern that matches this text alone.

    >>> literally("1.5 (a|b)")
    '1\\\\.5 \\\\(a\\\\|b\\\\)'
    """
    return regex_of(text(characters))


@cache
def lacking(characters: str) -> Dfa:
    """Return the automaton of all texts that do not contain this one.

    >>> len(lacking("ab"))
    2
    """
    return complement(compile_dfa(f"(?s:.)*{literally(characters)}(?s:.)*"))
