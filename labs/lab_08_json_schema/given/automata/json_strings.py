r"""From an automaton of texts to the automaton of the JSON strings for these texts, in every form.

A character is written raw, by a short escape, or by ``\u`` and four hexadecimal digits; beyond U+FFFF by two of these.
No form of one character is a prefix of a form of another, so the result is deterministic: it has the states of the
given automaton, and a tree of escapes for each of them. Equal branches are shared.
"""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from labkit.automata.dfa import DEAD, MAX_DFA_STATES, MAX_TRANSITIONS, Dfa
from labkit.errors import LimitExceeded
from labs.lab_06_regex_to_dfa.given.columns import merge_columns
from labs.lab_08_json_schema.given.automata.escape_trees import Forest, Tree
from labs.lab_08_json_schema.given.automata.operations import ANY, NOTHING, intersect, is_empty

SHORT = {'"': '"', "\\": "\\", "/": "/", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
"""The short escapes: the letter after the backslash, and the character that it means."""

_SPECIAL = frozenset("".join(SHORT) + "u0123456789abcdefABCDEF")
"""The characters of escapes, and the quote."""

_ENDS = 2
"""The result has two states between those of the automaton and the escapes: the first state and the last."""


def encode_string(values: Dfa) -> Dfa:
    r"""Return the automaton of the JSON strings, quotes included, whose value an automaton matches.

    Args:
        values: an automaton over code points, of the texts themselves. Texts with a lone surrogate are dropped.

    Returns:
        A minimal automaton over code points.

    Raises:
        LimitExceeded: if it is larger than the limits of ``labkit.automata.dfa``.

    >>> from labs.lab_06_regex_to_dfa.solution import compile_dfa, fullmatch
    >>> dfa = encode_string(compile_dfa("é|\n"))
    >>> [fullmatch(dfa, text) for text in ['"é"', r'"\u00e9"', r'"\n"', r'"\u000A"', '"\n"', "é"]]
    [True, True, True, True, False, False]
    """
    values = intersect(values, ANY)
    if is_empty(values):
        return NOTHING
    escapes = Escapes(values)
    after = [escapes.after_backslash(state) for state in range(len(values))]
    bounds, classes, columns = _columns(values)
    n_states = len(values) + _ENDS + len(escapes.rows)
    if n_states * len(columns) > MAX_TRANSITIONS:
        size = f"{n_states:,} states by {len(columns)} classes"
        raise LimitExceeded(
            f"the automaton of a JSON string, its escapes included, has a table of {size}", MAX_TRANSITIONS
        )
    table = _fill(values, after, list(escapes.rows), columns)
    accepting = np.arange(n_states) == len(values) + 1
    return merge_columns(Dfa(bounds, classes, table, len(values), accepting))


class Escapes:
    """The states inside escapes. States with equal rows are merged, so branches are shared."""

    def __init__(self, values: Dfa) -> None:
        self._values = values
        self._forest = Forest(values)
        self._targets = [[*row, DEAD] for row in values.transitions.tolist()]  # one more, for class -1 to find
        self._planted: dict[tuple[object, ...], int] = {}
        self.rows: dict[tuple[tuple[str, int], ...], int] = {}

    def after_backslash(self, state: int) -> int:
        """Return the state after a backslash, or -1 if the automaton allows no escape in ``state``."""
        row = {letter: self._values.step(state, ord(meant)) for letter, meant in SHORT.items()}
        return self._state(row | {"u": self._plant(self._forest.after_u, state)})

    def _plant(self, tree: Tree, state: int) -> int:
        """Return the state for a tree, which depends only on where the classes of its leaves lead."""
        targets = self._targets[state]
        key = (tree, *(targets[symbol_class] for symbol_class in tree.classes))
        if key not in self._planted:
            below = [(chars, self._plant(child, state)) for chars, child in zip(tree.step, tree.children, strict=True)]
            row = {char: target for chars, target in below for char in chars}
            self._planted[key] = self._state(row) if tree.children else targets[tree.classes[0]]
        return self._planted[key]

    def _state(self, row: Mapping[str, int]) -> int:
        """Return the number of the state with this row, adding it if it is new; -1 if it is dead."""
        live = tuple((char, target) for char, target in row.items() if target != DEAD)
        if not live:
            return DEAD
        number = self.rows.setdefault(live, len(self._values) + _ENDS + len(self.rows))
        if number >= MAX_DFA_STATES:
            raise LimitExceeded(
                "the automaton of a JSON string, its escapes included, has too many states", MAX_DFA_STATES
            )
        return number


Column = tuple[int, str]
"""The class of a raw character, -1 if it must be escaped; and the character if it is special, else an empty text."""


def _columns(values: Dfa) -> tuple[list[int], list[int], list[Column]]:
    """Return ``bounds`` and ``classes`` of the result, and the column of each class."""
    single = {0x20, *(bound for char in _SPECIAL for bound in (ord(char), ord(char) + 1))}
    bounds = sorted(single.union(values.bounds.tolist()))
    kinds = [_column(values, bound) for bound in bounds]
    numbers = {kind: number for number, kind in enumerate(dict.fromkeys(kinds))}
    return bounds, [numbers[kind] for kind in kinds], list(numbers)


def _column(values: Dfa, symbol: int) -> Column:
    char = chr(symbol)
    raw = DEAD if symbol < 0x20 or char in '"\\' else values.class_of(symbol)
    return raw, char if char in _SPECIAL else ""


def _fill(
    values: Dfa, after: list[int], rows: list[tuple[tuple[str, int], ...]], columns: list[Column]
) -> NDArray[np.int32]:
    """Return the table: the automaton's states, the first, the last, and those of the escapes."""
    n_values = len(values)
    table = np.full((n_values + _ENDS + len(rows), len(columns)), DEAD, dtype=np.int32)
    for number, (raw, _) in enumerate(columns):
        if raw != DEAD:
            table[:n_values, number] = values.transitions[:, raw]
    special = {char: number for number, (_, char) in enumerate(columns) if char}
    table[:n_values, special["\\"]] = after
    table[:n_values, special['"']] = np.where(values.accepting, n_values + 1, DEAD)
    table[n_values, special['"']] = values.initial
    for state, row in enumerate(rows, start=n_values + _ENDS):
        table[state, [special[char] for char, _ in row]] = [target for _, target in row]
    return table
