"""Parts of a regular expression that are automata already: each is given a character that stands for it.

The characters are surrogates, which no JSON text here contains. A regular expression over them is small however large
the parts are; it is compiled and made minimal, and then the automata take their places.
"""

from functools import cache

from labkit.automata.dfa import Dfa
from labkit.errors import LimitExceeded
from labs.lab_06_regex_to_dfa import solution as lab_06
from labs.lab_08_json_schema.given.automata.operations import substitute
from labs.lab_08_json_schema.given.compiling.whitespace import Whitespace

_FIRST, _LAST = 0xD800, 0xDFFF

_compiled = cache(lab_06.compile_dfa)


class Parts:
    """Automata with their markers.

    >>> from labs.lab_06_regex_to_dfa.solution import compile_dfa, fullmatch
    >>> parts = Parts()
    >>> digits, sign = parts.add(compile_dfa("[0-9]+")), parts.add(compile_dfa("[+-]"))
    >>> automaton = parts.compile(f"{sign}?{digits}")
    >>> fullmatch(automaton, "-12"), fullmatch(automaton, "1-2")
    (True, False)
    """

    def __init__(self) -> None:
        self._markers: dict[int, str] = {}
        self._automata: dict[int, Dfa] = {}

    def add(self, automaton: Dfa) -> str:
        """The character that stands for an automaton, the same one for the same machine.

        Raises:
            LimitExceeded: if there are more automata than characters to stand for them.
        """
        if id(automaton) not in self._markers:
            marker = _FIRST + len(self._automata)
            if marker > _LAST:
                raise LimitExceeded("an object or array of the schema has too many parts", _LAST - _FIRST + 1)
            self._automata[marker] = automaton
            self._markers[id(automaton)] = chr(marker)
        return self._markers[id(automaton)]

    def add_space(self, space: Whitespace) -> Whitespace:
        """The same policy with markers in the place of its regular expressions."""
        return Whitespace(*[self.add(_compiled(pattern)) for pattern in (space.edge, space.comma, space.colon)])

    def classes(self) -> tuple[str, str]:
        """A character class for all markers so far, and one for everything else."""
        inside = rf"\u{_FIRST:x}-\u{_FIRST + len(self._automata) - 1:x}" if self._automata else ""
        return (f"[{inside}]", f"[^{inside}]") if inside else (r"[^\x00-\U0010ffff]", r"(?s:.)")

    def compile(self, pattern: str) -> Dfa:
        """The automaton of a regular expression with markers in it."""
        return self.put_into(lab_06.compile_dfa(pattern))

    def put_into(self, skeleton: Dfa) -> Dfa:
        """An automaton over markers and characters, with the automata in the places of their markers."""
        return substitute(skeleton, self._automata)
