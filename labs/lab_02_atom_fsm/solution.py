"""Lab 02: remember a state instead of the text, and compile a small pattern language to automata.

The first three functions make masks with any automaton; try them on ``labkit.automata.hex_fsm()``. The last three make
an automaton from a pattern, and what's between them reads a single atom for you. A pattern is a row of atoms (a
character, an escape, or a class in brackets, each with an optional ``+``), and state i means "atoms 0 to i - 1 have
matched". There's no choice, no group, no ``*`` and no ``?``, because those need more than one state at a time (lab 06).
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
"""The longest pattern that we accept, in characters."""

CONTROLS = {"n": "\n", "r": "\r", "t": "\t"}
"""The letters that may follow a backslash, and the control characters they mean."""

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
"""Characters that mean something in other regular expressions but not in ours, each with the text of its error."""


def advance(fsm: Fsm, state: int, text: str) -> int | None:
    """Walk the automaton over ``text``, one transition for each character, and return the state where you end up.

    If a character has no transition, return None, however far you got: a token is written whole or not at all. The
    empty text leaves you in ``state``. A text may be longer than Python's stack is deep, so don't use recursion.

    >>> from labkit.automata import hex_fsm
    >>> automaton = hex_fsm()  # of 0x[0-9a-f]+
    >>> advance(automaton, 0, "0x"), advance(automaton, 2, "1"), advance(automaton, 2, "1x")
    (2, 3, None)
    """
    # begin TODO
    # subtle: once dead, stay dead; and state 0 counts as false, so compare with None
    current: int | None = state
    for char in text:
        current = fsm.transitions[current].get(char) if current is not None else None
    return current
    # end TODO


def token_mask(fsm: Fsm, state: int, texts: Sequence[str | None]) -> NDArray[np.bool_]:
    """Return which tokens may come next: those whose whole text the automaton survives.

    Args:
        state: every walk starts here, because you're only trying the tokens out.
        texts: the text of each token id, V of them. Never allow a token without text (None, or the empty string).

    Returns:
        ``bool[V]``, True where the token is allowed. With no tokens at all, that's ``bool[0]``.

    >>> from labkit.automata import hex_fsm
    >>> token_mask(hex_fsm(), 0, ["0", "0x", "x", "0xg", None]).tolist()
    [True, True, False, False, False]
    """
    # begin TODO
    # subtle: state 0 counts as false, so compare with None
    return np.array([advance(fsm, state, text) is not None if text else False for text in texts], dtype=np.bool_)
    # end TODO


def generate(model: Model, fsm: Fsm, texts: Sequence[str | None], us: Sequence[float]) -> list[int]:
    """Generate one token for each u. It's lab 01's loop, with a state in place of the text.

    If no token is allowed, stop early, before you ask the model. From lab 01 you have ``apply_mask(logits, allowed)``,
    which writes minus infinity where the mask is False, ``softmax(logits)``, which returns probabilities, and
    ``sample(probs, u)``, which returns a token id.

    Args:
        model: call it once for each token you emit, with the list of ids so far; it returns logits, ``float[V]``.
        texts: the text of each token id, or None.
        us: the numbers to sample with, each in [0, 1), in a list, a tuple or an array. (Ask an array for its length:
            ``if us`` is an error.)

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
        # nothing may follow, so there's no reason to ask the model
        if not allowed.any():
            break
        ids.append(sample(softmax(apply_mask(model(ids), allowed)), u))
        # subtle: a token may take several transitions, so walk its whole text
        state = advance(fsm, state, texts[ids[-1]] or "")
    return ids
    # end TODO


def parse_escape(pattern: str, position: int) -> tuple[str, int]:
    r"""Return the character that the escape at ``position`` means, and the position after it. Given.

    A letter or digit that might mean something elsewhere is refused, like ``\d``, which is any digit to most engines.

    >>> parse_escape(r"0\.5", 1), parse_escape(r"\n", 0)
    (('.', 3), ('\n', 2))
    >>> parse_escape(r"\d", 0)
    Traceback (most recent call last):
    labkit.errors.UnsupportedPattern: the escape '\d', at position 0 of '\\d'
        \\d
        ^
    """
    if position + 1 == len(pattern):
        raise InvalidPattern("a backslash with nothing after it", pattern, position)
    char = pattern[position + 1]
    if char in CONTROLS:
        return CONTROLS[char], position + 2
    if char.isascii() and char.isalnum():
        raise UnsupportedPattern(f"the escape '\\{char}'", pattern, position)
    return char, position + 2


def read_char(pattern: str, position: int) -> tuple[str, int]:
    r"""Return one character inside a class, plain or escaped, and the position after it. Given.

    >>> read_char("[a]", 1), read_char(r"[\]]", 1)
    (('a', 2), (']', 3))
    """
    if pattern[position] == "\\":
        return parse_escape(pattern, position)
    return pattern[position], position + 1


def parse_item(pattern: str, position: int) -> tuple[set[str], int]:
    r"""Return the characters of one item of a class, a character or a range, and the position after it. Given.

    A hyphen makes a range, except as the first character, before the closing bracket, or at the pattern's end.

    >>> chars, after = parse_item("[a-cx]", 1)
    >>> sorted(chars), after
    (['a', 'b', 'c'], 4)
    >>> parse_item("[a-]", 1)
    ({'a'}, 2)
    """
    first, after = read_char(pattern, position)
    is_range = pattern[after : after + 1] == "-" and pattern[after + 1 : after + 2] not in ("]", "")
    if not is_range:
        return {first}, after
    last, after = read_char(pattern, after + 1)
    if last < first:
        raise InvalidPattern(f"the range {first!r} to {last!r} runs backwards", pattern, position)
    return {chr(code) for code in range(ord(first), ord(last) + 1)}, after


def parse_class(pattern: str, position: int) -> tuple[frozenset[str], int]:
    """Return the characters of the class whose bracket opens at ``position``, and the position after it. Given.

    If the class is empty, negated or never closed, the error has the position of that bracket. ``[]b]`` counts as
    empty, because engines disagree on it.

    >>> chars, after = parse_class("x[0-2a]+", 1)
    >>> sorted(chars), after
    (['0', '1', '2', 'a'], 7)
    """
    after = position + 1
    if pattern.startswith("^", after):
        raise UnsupportedPattern("a negated class '[^'", pattern, position)
    chars: set[str] = set()
    while not pattern.startswith("]", after):
        if after == len(pattern):
            raise InvalidPattern("this class is never closed", pattern, position)
        more, after = parse_item(pattern, after)
        chars |= more
    if not chars:
        raise InvalidPattern("this class is empty (for the bracket itself write '\\]')", pattern, position)
    return frozenset(chars), after + 1


def _parse_single(pattern: str, position: int) -> tuple[frozenset[str], int]:
    r"""Return the character of an atom that isn't a class, as a set, and the position after it. Given.

    >>> _parse_single(r"0\.5", 1)
    (frozenset({'.'}), 3)
    """
    char, after = read_char(pattern, position)
    return frozenset(char), after


def parse_atoms(pattern: str) -> list[Atom]:
    r"""Cut a pattern into its atoms.

    Returns:
        The atoms in order. An ``Atom`` holds its characters, whether a ``+`` repeats it, its source (``+`` included)
        and its position.

    Raises:
        InvalidPattern: for a ``+`` at the start of the pattern, where there's nothing to repeat.
        UnsupportedPattern: for a character of ``UNSUPPORTED`` outside a class, with the text given there, and for the
            second ``+`` of two.
        LimitExceeded: if the pattern is longer than ``MAX_PATTERN`` (given), or if a class has more than 4,096
            characters (``Atom`` checks that).
        The first two carry the position of the character. If there are several faults, report the leftmost, and let the
        errors of the functions above through.

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
        # subtle: each atom takes its own '+' along, so a '+' here is the pattern's first character or the second of two
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


def refuse_ambiguity(atoms: Sequence[Atom], pattern: str) -> None:
    """Refuse a pattern in which a character may mean both "stay" and "go on".

    After the first digit of ``[0-9]+[0-9]``, another digit can mean either. But the automaton is in one state at a time
    and can't look ahead, so whichever you choose is wrong for some text.

    Raises:
        UnsupportedPattern: at the position of the second atom. The message names the source of both, because the author
            may want to change either. If several pairs conflict, report the leftmost.

    >>> refuse_ambiguity(parse_atoms("[0-9]+x[0-9]"), "[0-9]+x[0-9]")
    >>> refuse_ambiguity(parse_atoms("[0-9]+[89]"), "[0-9]+[89]")
    Traceback (most recent call last):
    labkit.errors.UnsupportedPattern: '[0-9]+' and then '[89]': both take '8', at position 6 of '[0-9]+[89]'
        [0-9]+[89]
              ^
    """
    # begin TODO
    # subtle: only neighbours can conflict, and only if the left one is repeated
    for left, right in pairwise(atoms):
        common = left.chars & right.chars
        if left.plus and common:
            problem = f"{left.source!r} and then {right.source!r}: both take {min(common)!r}"
            raise UnsupportedPattern(problem, pattern, right.position)
    # end TODO


def compile_pattern(pattern: str) -> Fsm:
    """Compile a pattern to an automaton in which state i means "atoms 0 to i - 1 have matched".

    From state i the characters of atom i lead to state i + 1. If a ``+`` repeats that atom, they also lead from state
    i + 1 back to itself. Only the last state accepts.

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
    # n atoms make n + 1 states, because the last one means that all of them have matched
    rows: list[dict[str, int]] = [{} for _ in range(len(atoms) + 1)]
    for state, atom in enumerate(atoms):
        step = dict.fromkeys(sorted(atom.chars), state + 1)
        rows[state] |= step
        # subtle: the loop is at the state after the atom, because '+' wants one character first
        if atom.plus:
            rows[state + 1] |= step
    return Fsm(tuple(rows), initial=0, accepting=frozenset({len(atoms)}))
    # end TODO
