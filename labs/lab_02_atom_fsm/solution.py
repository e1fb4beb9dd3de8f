"""Lab 02: make masks from the states of a finite-state machine, and compile a small pattern language to one.

The first three functions work on any automaton; ``labkit.automata.hex_fsm()`` is one to try them on. The others
compile. A pattern is a sequence of atoms: a character, an escape, or a class in brackets, each with an optional ``+``.
State i of the automaton means "atoms 0 to i - 1 have matched". Choice, groups, ``*`` and ``?`` are left
out: they need more than one state at a time (lab 06).
"""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from labkit.automata import Atom, Fsm
from labkit.errors import InvalidPattern, LimitExceeded, UnsupportedPattern
from labkit.models import Model
from labs.lab_01_naive_matching.solution import apply_mask, sample, softmax

MAX_PATTERN = 1000
"""The longest pattern that is accepted, in characters."""

CONTROLS = {"n": "\n", "r": "\r", "t": "\t"}
"""The letters that may follow a backslash, and the control characters that they mean."""

UNSUPPORTED = {
    "*": "repetition by '*'",
    "?": "the optional '?'",
    "{": "counted repetition '{'",
    "(": "a group '('",
    ")": "a group's end ')'",
    "|": "the choice '|'",
    ".": "the dot (for a full stop write '\\.')",
    "^": "the anchor '^'",
    "$": "the anchor '$'",
}
"""Characters that regular expressions give a meaning and this language does not, with the text of the error."""


def advance(fsm: Fsm, state: int, text: str) -> int | None:
    """Walk the automaton over ``text`` from ``state``.

    Returns:
        The state after the last character, or None if any character has no transition. The empty text
        leads back to ``state``.

    >>> from labkit.automata import hex_fsm
    >>> automaton = hex_fsm()  # of 0x[0-9a-f]+
    >>> advance(automaton, 0, "0x"), advance(automaton, 2, "1"), advance(automaton, 2, "1x")
    (2, 3, None)
    """
    # begin TODO
    # subtle: None stays None, whatever comes after the character that died; and state 0 is not None
    current: int | None = state
    for char in text:
        current = fsm.transitions[current].get(char) if current is not None else None
    return current
    # end TODO


def token_mask(fsm: Fsm, state: int, texts: Sequence[str | None]) -> NDArray[np.bool_]:
    """Return which tokens may come next: those whose whole text the automaton survives, from ``state``.

    Args:
        texts: the text of each token id, V of them. A token without text (None, or the empty string)
            is never allowed.

    Returns:
        ``bool[V]``, True where the token is allowed.

    >>> from labkit.automata import hex_fsm
    >>> token_mask(hex_fsm(), 0, ["0", "0x", "x", "0xg", None]).tolist()
    [True, True, False, False, False]
    """
    # begin TODO
    # subtle: compare with None, because state 0 is false
    return np.array([advance(fsm, state, text) is not None if text else False for text in texts], dtype=np.bool_)
    # end TODO


def generate(model: Model, fsm: Fsm, texts: Sequence[str | None], us: Sequence[float]) -> list[int]:
    """Generate one token for each u, as in lab 01, with a state in place of the text.

    Generation ends early, before the model is asked, where no token is allowed. Three functions are lab 01's:
    ``apply_mask(logits, allowed)`` returns the logits with minus infinity where the mask is False,
    ``softmax(logits)`` the probabilities ``float64[V]``, and ``sample(probs, u)`` a token id.

    Args:
        model: called once for each token emitted, with the list of ids so far; returns logits ``float[V]``.
        us: the numbers to sample with, each in [0, 1).

    Returns:
        The token ids, at most ``len(us)`` of them.

    >>> from labkit.automata import hex_fsm
    >>> from labkit.models import uniform
    >>> texts = ["0", "x", "0x", "f", "q"]
    >>> ids = generate(uniform(5), hex_fsm(), texts, [0.6, 0.1, 0.9])
    >>> [texts[i] for i in ids]
    ['0x', '0', 'f']
    """
    # begin TODO
    ids: list[int] = []
    state: int | None = fsm.initial
    for u in us:
        assert state is not None  # only tokens that the automaton survives are ever chosen
        allowed = token_mask(fsm, state, texts)
        # nothing may follow: stop before the model is asked
        if not allowed.any():
            break
        ids.append(sample(softmax(apply_mask(model(ids), allowed)), u))
        # subtle: walk the token's whole text, from the current state
        state = advance(fsm, state, texts[ids[-1]] or "")
    return ids
    # end TODO


def parse_escape(pattern: str, position: int) -> tuple[str, int]:
    r"""Read the escape whose backslash is at ``position``.

    ``\n``, ``\r`` and ``\t`` are control characters; a backslash before anything but an ASCII letter or
    digit means that character itself.

    Returns:
        The character that the escape means, and the position after the escape.

    Raises:
        InvalidPattern: if the pattern ends after the backslash.
        UnsupportedPattern: for any other ASCII letter or digit (``\d``, ``\1``).
        Both carry the backslash's position.

    >>> parse_escape(r"0\.5", 1)
    ('.', 3)
    """
    # begin TODO
    if position + 1 == len(pattern):
        raise InvalidPattern("a backslash with nothing after it", pattern, position)
    # subtle: decide about the control letters before ASCII letters and digits are refused
    char = pattern[position + 1]
    if char in CONTROLS:
        return CONTROLS[char], position + 2
    if char.isascii() and char.isalnum():
        raise UnsupportedPattern(f"the escape '\\{char}'", pattern, position)
    return char, position + 2
    # end TODO


def read_char(pattern: str, position: int) -> tuple[str, int]:
    r"""Return one character inside a class, plain or escaped, and the position after it. Given.

    >>> read_char("[a]", 1), read_char(r"[\]]", 1)
    (('a', 2), (']', 3))
    """
    if pattern[position] == "\\":
        return parse_escape(pattern, position)
    return pattern[position], position + 1


def parse_item(pattern: str, position: int) -> tuple[set[str], int]:
    r"""Read one item of a class: a character (``a``, ``\]``) or a range (``a-f``).

    A hyphen after the first character makes a range, unless the closing bracket or the pattern's end
    comes next. A hyphen may itself be an end of a range: ``[--a]`` runs from the hyphen to ``a``. Both ends
    belong to the range.

    Returns:
        The characters of the item as a set, and the position after the item.

    Raises:
        InvalidPattern: if a range runs backwards (``f-a``), at the position of its first character.
        What ``read_char`` raises passes through.

    >>> chars, after = parse_item("[a-cx]", 1)
    >>> sorted(chars), after
    (['a', 'b', 'c'], 4)
    >>> parse_item("[a-]", 1)
    ({'a'}, 2)
    """
    # begin TODO
    first, after = read_char(pattern, position)
    # subtle: slices give "" beyond the pattern's end, where an index would raise
    is_range = pattern[after : after + 1] == "-" and pattern[after + 1 : after + 2] not in ("]", "")
    if not is_range:
        return {first}, after
    last, after = read_char(pattern, after + 1)
    if last < first:
        raise InvalidPattern(f"the range {first!r} to {last!r} runs backwards", pattern, position)
    return {chr(code) for code in range(ord(first), ord(last) + 1)}, after
    # end TODO


def parse_class(pattern: str, position: int) -> tuple[frozenset[str], int]:
    """Read the class whose opening bracket is at ``position``.

    Returns:
        The characters that the class matches, and the position after the closing bracket.

    Raises:
        InvalidPattern: if the class is empty or never closed. ``[]b]`` counts as empty: engines disagree on it.
        UnsupportedPattern: if the class is negated (``[^``), closed or not.
        All three carry the opening bracket's position. What ``parse_item`` raises passes through unchanged.

    >>> chars, after = parse_class("x[0-2a]+", 1)
    >>> sorted(chars), after
    (['0', '1', '2', 'a'], 7)
    """
    # begin TODO
    after = position + 1
    if pattern.startswith("^", after):
        raise UnsupportedPattern("a negated class '[^'", pattern, position)
    # collect items up to the closing bracket
    chars: set[str] = set()
    while not pattern.startswith("]", after):
        # subtle: check for the pattern's end before reading, or an unclosed class becomes an IndexError
        if after == len(pattern):
            raise InvalidPattern("this class is never closed", pattern, position)
        more, after = parse_item(pattern, after)
        chars |= more
    if not chars:
        raise InvalidPattern("this class is empty (for the bracket itself write '\\]')", pattern, position)
    return frozenset(chars), after + 1
    # end TODO


def parse_atoms(pattern: str) -> list[Atom]:
    r"""Cut a pattern into its atoms.

    Returns:
        The atoms in order. Each holds its characters, whether ``+`` repeats it, its source text (the
        ``+`` included) and its position.

    Raises:
        InvalidPattern: for a ``+`` at the pattern's start, with nothing to repeat.
        UnsupportedPattern: for any character of ``UNSUPPORTED`` outside a class, and for ``+`` after ``+``.
            Both carry that character's position. The values of ``UNSUPPORTED`` are the texts of the errors.
        LimitExceeded: if the pattern is longer than ``MAX_PATTERN`` (given). ``Atom`` raises it for a class
            of more than 4,096 characters.
        What the functions above raise passes through. Of several faults, the leftmost is reported.

    >>> [(atom.source, atom.plus, atom.position) for atom in parse_atoms(r"0x[0-9a-f]+\.")]
    [('0', False, 0), ('x', False, 1), ('[0-9a-f]+', True, 2), ('\\.', False, 11)]
    """
    if len(pattern) > MAX_PATTERN:
        raise LimitExceeded(f"the pattern has {len(pattern):,} characters", MAX_PATTERN)
    # begin TODO
    atoms: list[Atom] = []
    here = 0
    while here < len(pattern):
        char = pattern[here]
        # subtle: each atom reads its own '+', so one at the start of an atom has nothing left to repeat
        if char == "+" and not atoms:
            raise InvalidPattern("'+' with nothing to repeat", pattern, here)
        if char == "+":
            raise UnsupportedPattern("'+' after '+'", pattern, here)
        if char in UNSUPPORTED:
            raise UnsupportedPattern(UNSUPPORTED[char], pattern, here)
        # read the atom, then the '+' that may follow it
        chars, after = parse_class(pattern, here) if char == "[" else _parse_single(pattern, here)
        plus = pattern.startswith("+", after)
        after += plus
        atoms.append(Atom(chars, plus, source=pattern[here:after], position=here))
        here = after
    return atoms
    # end TODO


def _parse_single(pattern: str, position: int) -> tuple[frozenset[str], int]:
    """Return the character of a one-character atom, plain or escaped, and the position after it. Given."""
    char, after = read_char(pattern, position)
    return frozenset(char), after


def refuse_ambiguity(atoms: Sequence[Atom], pattern: str) -> None:
    """Refuse a repeated atom whose right neighbour takes one of the same characters.

    For ``[0-9]+[0-9]`` and a digit, the automaton would have to stay and to go on, but it is in one state
    at a time. Either choice is wrong for some text.

    Raises:
        UnsupportedPattern: at the position of the second atom; the message names the source of both.

    >>> refuse_ambiguity(parse_atoms("[0-9]+x[0-9]"), "[0-9]+x[0-9]")
    >>> refuse_ambiguity(parse_atoms("[0-9]+[89]"), "[0-9]+[89]")
    Traceback (most recent call last):
    labkit.errors.UnsupportedPattern: '[0-9]+' and then '[89]': both take '8', at position 6 of '[0-9]+[89]'
        [0-9]+[89]
              ^
    """
    # begin TODO
    # subtle: only neighbours can conflict, and only when the left one is repeated
    for left, right in pairwise(atoms):
        common = left.chars & right.chars
        if left.plus and common:
            problem = f"{left.source!r} and then {right.source!r}: both take {min(common)!r}"
            raise UnsupportedPattern(problem, pattern, right.position)
    # end TODO


def compile_pattern(pattern: str) -> Fsm:
    """Compile a pattern to an automaton in which state i means "atoms 0 to i - 1 have matched".

    From state i the characters of atom i lead to state i + 1. If ``+`` repeats that atom, they also lead
    from state i + 1 to itself. Only the last state accepts.

    Raises:
        InvalidPattern, UnsupportedPattern, LimitExceeded: from ``parse_atoms`` and ``refuse_ambiguity``.

    >>> automaton = compile_pattern("0x[ab]+")
    >>> automaton.transitions
    ({'0': 1}, {'x': 2}, {'a': 3, 'b': 3}, {'a': 3, 'b': 3})
    >>> automaton.initial, sorted(automaton.accepting)
    (0, [3])
    """
    # begin TODO
    atoms = parse_atoms(pattern)
    refuse_ambiguity(atoms, pattern)
    # n atoms make n + 1 states: the last one means that all atoms have matched
    rows: list[dict[str, int]] = [{} for _ in range(len(atoms) + 1)]
    for state, atom in enumerate(atoms):
        step = dict.fromkeys(sorted(atom.chars), state + 1)
        rows[state] |= step
        # subtle: the loop is on the state after the atom, so that one character is required
        if atom.plus:
            rows[state + 1] |= step
    return Fsm(tuple(rows), initial=0, accepting=frozenset({len(atoms)}))
    # end TODO
