r"""Lab 02, going further: add ``*`` and ``?``, and stay in one state at a time.

In lab 02, state i means "atoms 0 to i - 1 have matched". That no longer works once an atom may be left out. At the
start of ``-?[0-9]+`` nothing has been read, but is that before the minus sign, or after a minus sign that was left out?
It's both. That's why state i means something else here: "piece i - 1 took the last character". State 0 means that
nothing has been read. Which piece can take the next character? The same one again, if it's repeated, or a later one, up
to the first that can't be left out. A textbook would find these pieces by closing over empty transitions. We can read
them off directly, because there's one state for each position. (The idea is V. Glushkov's, 1961.)

The refusal has to change, too. In lab 02 it was enough to compare neighbours, but in ``a*b?a`` the two a's aren't
neighbours, and still either of them may come next. The new rule is to refuse two pieces if they share a character and
there's a state in which either may come next.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from labkit.automata import Fsm
from labkit.errors import InvalidPattern, LimitExceeded, UnsupportedPattern
from labs.lab_02_atom_fsm.solution import MAX_PATTERN, UNSUPPORTED, parse_class, read_char

SUFFIXES = {"": (False, False), "+": (False, True), "?": (True, False), "*": (True, True)}
"""What each suffix of an atom says: whether the atom may be left out, and whether it may be repeated."""


@dataclass(frozen=True)
class Piece:
    """An atom with its suffix: its characters, what the suffix allows, its source text, and where that starts."""

    chars: frozenset[str]
    optional: bool
    repeated: bool
    source: str
    position: int


def parse_pieces(pattern: str) -> list[Piece]:
    """Cut a pattern into its pieces.

    Raises:
        InvalidPattern, UnsupportedPattern, LimitExceeded: as in lab 02's ``parse_atoms``. A suffix at the start is
            invalid, and a suffix after a suffix (``a*?``, ``a++``) is unsupported.

    >>> [(piece.source, piece.optional, piece.repeated) for piece in parse_pieces("-?[0-9]+ *")]
    [('-?', True, False), ('[0-9]+', False, True), (' *', True, True)]
    """
    if len(pattern) > MAX_PATTERN:
        raise LimitExceeded(f"the pattern has {len(pattern):,} characters", MAX_PATTERN)
    pieces: list[Piece] = []
    here = 0
    while here < len(pattern):
        chars, after = _parse_characters(pattern, here, first=not pieces)
        suffix = pattern[after : after + 1] if pattern[after : after + 1] in SUFFIXES else ""
        after += len(suffix)
        pieces.append(Piece(chars, *SUFFIXES[suffix], source=pattern[here:after], position=here))
        here = after
    return pieces


def _parse_characters(pattern: str, here: int, first: bool) -> tuple[frozenset[str], int]:
    """Return the characters of the atom at ``here``, and the position after it."""
    char = pattern[here]
    if char in SUFFIXES:
        if first:
            raise InvalidPattern(f"{char!r} with nothing to repeat", pattern, here)
        raise UnsupportedPattern(f"{char!r} after {pattern[here - 1]!r}", pattern, here)
    if char in UNSUPPORTED:
        raise UnsupportedPattern(UNSUPPORTED[char], pattern, here)
    if char == "[":
        return parse_class(pattern, here)
    char, after = read_char(pattern, here)
    return frozenset(char), after


def may_come_next(pieces: Sequence[Piece], state: int) -> Iterator[int]:
    """Yield the numbers of the pieces that may take the next character, in order.

    >>> pieces = parse_pieces("a*b?cd")
    >>> [list(may_come_next(pieces, state)) for state in range(5)]
    [[0, 1, 2], [0, 1, 2], [2], [3], []]
    """
    if state > 0 and pieces[state - 1].repeated:
        yield state - 1
    for number in range(state, len(pieces)):
        yield number
        if not pieces[number].optional:
            return


def compile_pattern(pattern: str) -> Fsm:
    """Compile a pattern to an automaton in which state i means "piece i - 1 took the last character".

    A state accepts if every piece after it may be left out. If lab 02 takes the pattern too, you get the same automaton
    as there.

    Raises:
        UnsupportedPattern: if two pieces that may both come next share a character. The message names both sources, and
            the position is the second one's. Also whatever ``parse_pieces`` raises.

    >>> automaton = compile_pattern("-?1*")
    >>> automaton.transitions
    ({'-': 1, '1': 2}, {'1': 2}, {'1': 2})
    >>> sorted(automaton.accepting)
    [0, 1, 2]
    >>> compile_pattern("a*b?a")
    Traceback (most recent call last):
    labkit.errors.UnsupportedPattern: 'a*' or 'a': both may take 'a', at position 4 of 'a*b?a'
        a*b?a
            ^
    """
    pieces = parse_pieces(pattern)
    rows = tuple(_row(pieces, state, pattern) for state in range(len(pieces) + 1))
    accepting = {state for state in range(len(rows)) if all(piece.optional for piece in pieces[state:])}
    return Fsm(rows, initial=0, accepting=frozenset(accepting))


def _row(pieces: Sequence[Piece], state: int, pattern: str) -> dict[str, int]:
    """Return the transitions of one state, in which no character may lead to two states."""
    choices = [(pieces[number], number + 1) for number in may_come_next(pieces, state)]
    for (left, _), (right, _) in combinations(choices, 2):
        if common := left.chars & right.chars:
            problem = f"{left.source!r} or {right.source!r}: both may take {min(common)!r}"
            raise UnsupportedPattern(problem, pattern, right.position)
    return {char: target for piece, target in choices for char in sorted(piece.chars)}
