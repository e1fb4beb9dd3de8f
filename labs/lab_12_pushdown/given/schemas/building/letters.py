"""Lab 08's markers, kept apart from calls, which are surrogates too."""

from collections.abc import Hashable, Sequence

from labkit.automata.dfa import Dfa
from labkit.automata.grammar import CALL, MAX_RULES, called_rules
from labkit.errors import LimitExceeded
from labs.lab_06_regex_to_dfa.solution import compile_dfa
from labs.lab_08_json_schema.given.automata.operations import NOTHING
from labs.lab_08_json_schema.given.compiling.markers import Markers
from labs.lab_12_pushdown.given.schemas.building.splicing import spliced

_FIRST_CALL = CALL - MAX_RULES + 1


class Letters(Markers):
    """Markers for automata, some of which may call rules."""

    def __init__(self) -> None:
        super().__init__()
        self._calls = False

    def add(self, automaton: Dfa) -> str:
        """Return the marker of an automaton.

        Raises:
            LimitExceeded: if there are more automata than markers that are no calls.
        """
        self._calls = self._calls or bool(called_rules(automaton))
        marker = super().add(automaton)
        if self._calls and len(self._automata) > _FIRST_CALL - 0xD800:
            raise LimitExceeded("an object or array of the schema has too many parts", _FIRST_CALL - 0xD800)
        return marker

    def put_into(self, skeleton: Dfa) -> Dfa:
        """Return a skeleton with its automata in the place of markers; perhaps not minimal, but without dead states."""
        found = spliced(skeleton, self._automata)
        return super().put_into(skeleton) if found is None else found


def content(dfa: Dfa) -> Hashable:
    """Return what two automata have in common if and only if they are the same, state by state.

    >>> content(Dfa([0], [0], [[0]], 0, [True])) == content(Dfa([0], [0], [[0]], 0, [False]))
    False
    """
    return dfa.initial, *(part.tobytes() for part in (dfa.bounds, dfa.classes, dfa.transitions, dfa.accepting))


def joined(automata: Sequence[Dfa]) -> Dfa:
    """Return the minimal automaton of the texts of at least one automaton, by one subset construction.

    >>> from labs.lab_06_regex_to_dfa.solution import compile_dfa
    >>> len(joined([compile_dfa("ab"), compile_dfa("[0-9]+"), compile_dfa("ab*")]))
    3
    """
    automata = list({content(dfa): dfa for dfa in automata}.values())
    if len(automata) == 1:
        return automata[0]
    markers = Letters()
    if not automata:
        return NOTHING
    return Markers.put_into(markers, compile_dfa("|".join(markers.add(dfa) for dfa in automata)))
