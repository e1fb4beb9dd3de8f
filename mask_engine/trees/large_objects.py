"""Objects of many members, for which the regular expression of ``object_regex`` grows with the square.

The automaton is built directly: before each member either none is written yet, or one is and a comma must come first.
``tests/labs/lab_08/test_compiler.py`` holds it equal to the regular expression.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from labkit.automata.dfa import Dfa, Nfa
from labkit.errors import LimitExceeded
from labs.lab_06_regex_to_dfa.solution import minimize_dfa, nfa_to_dfa
from labs.lab_08_json_schema.given.whitespace import Whitespace

MAX_PAIRS = 60_000
"""The most pairs of members of which one may follow the other: each is a choice that the automaton offers. 345 members
that may all be left out have as many."""


@dataclass(frozen=True)
class Member:
    """A member of an object: its marker, and how often it may occur."""

    marker: str
    required: bool
    repeated: bool = False


def check_size(required: Sequence[bool]) -> None:
    """Check that so many members are not too many; whoever makes their automata can ask that before.

    Args:
        required: for each member in order whether it must be there.

    Raises:
        LimitExceeded: beyond ``MAX_PAIRS``.

    >>> check_size([False] * 400)
    Traceback (most recent call last):
    labkit.errors.LimitExceeded: an object of 400 members, of which 80,200 pairs may be neighbours; the limit is 60,000
    """
    pairs = followers = 0
    for is_required in reversed(required):
        followers = 1 if is_required else followers + 1
        pairs += followers
    if pairs > MAX_PAIRS:
        raise LimitExceeded(
            f"an object of {len(required)} members, of which {pairs:,} pairs may be neighbours", MAX_PAIRS
        )


def object_skeleton(members: Sequence[Member], space: Whitespace) -> Dfa:
    """Return the minimal automaton, over markers, of objects with these members in this order.

    Args:
        space: markers in place of its regular expressions.

    Raises:
        LimitExceeded: beyond ``MAX_PAIRS``, before the subsets are made.

    >>> from labs.lab_06_regex_to_dfa.solution import fullmatch
    >>> members = [Member("a", False), Member("b", True), Member("c", False, repeated=True)]
    >>> some = object_skeleton(members, Whitespace(edge="_", comma=",", colon=":"))
    >>> [text for text in ["{_b_}", "{_a,b_}", "{_b,c,c_}", "{_a_}", "{_,b_}", "{_}"] if fullmatch(some, text)]
    ['{_b_}', '{_a,b_}', '{_b,c,c_}']
    """
    check_size([member.required for member in members])
    nfa = Nfa()
    before, after, due = ([nfa.add_state() for _ in range(len(members) + 1)] for _ in range(3))
    for index, member in enumerate(members):
        target = after[index if member.repeated else index + 1]
        _add(nfa, before[index], member.marker, target)
        _add(nfa, due[index], member.marker, target)
        _add(nfa, after[index], space.comma, due[index])
        if not member.required:
            for chain in (before, after, due):
                nfa.epsilon[chain[index]].append(chain[index + 1])
    _enclose(nfa, before[0], [(before[-1], ""), (after[-1], space.edge)], space.edge)
    return minimize_dfa(nfa_to_dfa(nfa))


def _enclose(nfa: Nfa, first: int, ends: Sequence[tuple[int, str]], edge: str) -> None:
    """Add the braces: an edge after the opening one, and the gap of each end before the closing one."""
    opened = nfa.add_state()
    _add(nfa, nfa.initial, "{", opened)
    _add(nfa, opened, edge, first)
    nfa.accepting = nfa.add_state()
    for end, gap in ends:
        closing = nfa.add_state()
        if gap:
            _add(nfa, end, gap, closing)
        else:
            nfa.epsilon[end].append(closing)
        _add(nfa, closing, "}", nfa.accepting)


def _add(nfa: Nfa, state: int, char: str, target: int) -> None:
    nfa.moves[state].append((((ord(char), ord(char)),), target))
