"""Grammars as plain data: an automaton for each rule, in which some symbols are calls of rules."""

from dataclasses import dataclass

import numpy as np

from labkit.automata.dfa import CODE_POINTS, DEAD, Dfa
from labkit.errors import LimitExceeded

CALL = 0xDFFF
"""The call of rule 0; rule k is called by ``CALL - k``. These are surrogates: no UTF-8 has them, so no text does."""

MAX_RULES = 1024
"""The surrogates from DC00 to DFFF. Those below are lab 08's markers."""


def call(rule: int) -> str:
    r"""Return the character that calls a rule.

    Raises:
        LimitExceeded: if there can be no such rule.

    >>> call(1)
    '\udffe'
    """
    if not 0 <= rule < MAX_RULES:
        raise LimitExceeded(f"rule {rule} of a grammar", MAX_RULES)
    return chr(CALL - rule)


def called_rules(dfa: Dfa) -> list[int]:
    """Return the rules that an automaton over code points calls, ascending.

    >>> called_rules(Dfa([0, CALL - 3, CALL - 2], [-1, 0, -1], [[1], [-1]], 0, [False, True]))
    [3]
    """
    alive = (dfa.transitions != DEAD).any(axis=0)
    return sorted(
        CALL - code
        for symbol_class, ranges in enumerate(dfa.class_ranges)
        if alive[symbol_class]
        for first, last in ranges
        for code in range(max(first, CALL - MAX_RULES + 1), min(last, CALL) + 1)
    )


@dataclass(frozen=True, eq=False)
class Grammar:
    """A context-free grammar: each rule is an automaton over characters and calls.

    Args:
        rules: automata over code points; rule 0 is the root. The symbol ``CALL - k`` stands for any text of rule k.
        names: one for each rule, for messages.

    Raises:
        LimitExceeded: if there are more rules than ``MAX_RULES``.
        ValueError: if there is no rule, the names do not fit, an automaton reads bytes, or a call has no rule.

    The grammar ``S = "a" S "b" | ""``, in which state 1 has read the a and state 2 the S:

    >>> s = Dfa([0, 97, 98, 99, CALL, CALL + 1], [-1, 0, 1, -1, 2, -1],
    ...         [[1, -1, -1], [-1, -1, 2], [-1, 3, -1], [-1, -1, -1]], 0, [True, False, False, True])
    >>> len(Grammar((s,), ("S",)))
    1
    >>> Grammar((s,), ("S", "T"))
    Traceback (most recent call last):
    ValueError: a grammar of 1 rules with 2 names
    """

    rules: tuple[Dfa, ...]
    names: tuple[str, ...]

    def __post_init__(self) -> None:
        if not self.rules or len(self.rules) != len(self.names):
            raise ValueError(f"a grammar of {len(self.rules)} rules with {len(self.names)} names")
        if len(self.rules) > MAX_RULES:
            raise LimitExceeded(f"a grammar has {len(self.rules):,} rules", MAX_RULES)
        for rule, name in zip(self.rules, self.names, strict=True):
            if rule.symbols != CODE_POINTS:
                raise ValueError(f"rule {name} reads bytes; a grammar is made of automata over code points")
            codes = np.arange(CALL - MAX_RULES + 1, CALL - len(self.rules) + 1)
            called = rule.classes[rule.bounds.searchsorted(codes, side="right") - 1]
            alive = (called >= 0) & (rule.transitions != DEAD).any(axis=0)[called] if rule.n_classes else called >= 0
            if alive.any():
                wrong = CALL - int(codes[alive][-1])
                raise ValueError(f"rule {name} calls rule {wrong}, but the rules are 0 to {len(self) - 1}")

    def __len__(self) -> int:
        """Return the number of rules."""
        return len(self.rules)
