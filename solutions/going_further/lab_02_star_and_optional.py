r"""Lab 02, going further: ``*`` and ``?``, in an automaton that is still in one state at a time.

In lab 02 state i means "atoms 0 to i - 1 have matched". That no longer works if an atom may be left out: at the
start of ``-?[0-9]+`` no atom has matched, but the first one may also have matched the empty text. So here state i
means "piece i - 1 took the last character", and state 0 "nothing was read". From there the next piece may be the
same one, if it is repeated, or any later piece up to the first that cannot be left out. A textbook computes that
set by closing over empty transitions; here it is computed directly (V. Glushkov's automaton of 1961, with one
state for each position).

The refusal changes too. Comparing neighbours is no longer enough: in ``a*b?a`` the two a's are apart, and both may
come next. So two pieces are refused exactly if both may come next and they share a character.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from labkit.automata import Fsm
from labkit.errors import InvalidPattern, LimitExceeded, UnsupportedPattern
from labs.lab_02_atom_fsm.solution import MAX_PATTERN, UNSUPPORTED, parse_class, read_char

SUFFIXES = {"": (False, False), "+": (False, True), "?": (True, False), "*": (True, True)}
"""What may follow an atom: whether the atom may be left out, and whether it may be repeated."""


@dataclass(frozen=True)
class Piece:
    """An atom with its suffix: its characters, what the suffix allows, its source text and where that starts."""

    chars: frozenset[str]
    optional: bool
    repeated: bool
    source: str
    position: int


def parse_pieces(pattern: str) -> list[Piece]:
    """Cut a pattern into its pieces.

    Raises:
        InvalidPattern, UnsupportedPattern, LimitExceeded: as lab 02's ``parse_atoms``; a suffix at the start is
            invalid, a suffix after a suffix (``a*?``, ``a++``) unsupported.

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
    """The characters of the atom at ``here``, and the position after them."""
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
    """The numbers of the pieces that may take the next character, in order.

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
    """Compile a pattern; state i means "piece i - 1 took the last character".

    A state accepts if every piece after it may be left out. For a pattern of lab 02 the automaton is lab 02's.

    Raises:
        UnsupportedPattern: if two pieces that may both come next share a character, naming both sources, at the
            position of the second; and what ``parse_pieces`` raises.

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
    """The transitions of one state; no character leads to two states."""
    choices = [(pieces[number], number + 1) for number in may_come_next(pieces, state)]
    for (left, _), (right, _) in combinations(choices, 2):
        if common := left.chars & right.chars:
            problem = f"{left.source!r} or {right.source!r}: both may take {min(common)!r}"
            raise UnsupportedPattern(problem, pattern, right.position)
    return {char: target for piece, target in choices for char in sorted(piece.chars)}
