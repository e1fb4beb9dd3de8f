"""Markers: characters that stand for automata inside a regular expression.

They are surrogates, which occur in no JSON text. An expression over markers stays small however large the automata
are. It is compiled and minimised first, and then each marker is replaced by its automaton.
"""

from labkit.automata.dfa import Dfa
from labkit.errors import LimitExceeded
from labs.lab_06_regex_to_dfa import solution as lab_06
from labs.lab_08_json_schema import solution as lab

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
        self._markers: dict[int, str] = {}
        self._automata: dict[int, Dfa] = {}

    def add(self, automaton: Dfa) -> str:
        """Return the marker of an automaton, always the same one for the same object.

        Raises:
            LimitExceeded: if there are more automata than markers.
        """
        if id(automaton) not in self._markers:
            marker = _FIRST + len(self._automata)
            if marker > _LAST:
                raise LimitExceeded("an object or array of the schema has too many parts", _LAST - _FIRST + 1)
            self._automata[marker] = automaton
            self._markers[id(automaton)] = chr(marker)
        return self._markers[id(automaton)]

    def classes(self) -> tuple[str, str]:
        """Return a character class for all markers so far, and one for all other characters."""
        inside = rf"\u{_FIRST:x}-\u{_FIRST + len(self._automata) - 1:x}" if self._automata else ""
        return (f"[{inside}]", f"[^{inside}]") if inside else (r"[^\x00-\U0010ffff]", r"(?s:.)")

    def compile(self, pattern: str) -> Dfa:
        """Return the automaton of a regular expression with markers in it."""
        return self.put_into(lab_06.compile_dfa(pattern))

    def put_into(self, skeleton: Dfa) -> Dfa:
        """Return a skeleton with each marker replaced by its automaton."""
        return lab.splice(skeleton, self._automata)
