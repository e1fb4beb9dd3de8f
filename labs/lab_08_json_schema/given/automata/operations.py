"""Automata as sets of texts, for the rest of ``given``: the student's functions, by short names.

Results are minimal automata.
"""

from functools import lru_cache

import numpy as np

from labkit.automata.dfa import DEAD, Dfa
from labs.lab_06_regex_to_dfa.given.words import literals
from labs.lab_06_regex_to_dfa.solution import compile_dfa, minimize_dfa, product
from labs.lab_08_json_schema import solution as lab
from labs.lab_08_json_schema.given.automata.splicing import EMPTY, erase, substitute

__all__ = ["ANY", "EMPTY", "NOTHING", "compiled", "difference", "encode", "erase", "intersect", "is_empty", "literals"]
__all__ += ["substitute", "union"]

NOTHING = Dfa([0], [DEAD], np.zeros((1, 0)), initial=0, accepting=[False])
"""The automaton that matches no text at all."""

ANY = Dfa([0, 0xD800, 0xE000], [0, DEAD, 0], [[0]], initial=0, accepting=[True])
"""The automaton of all texts; a lone surrogate is not a character."""


compiled = lru_cache(maxsize=256)(compile_dfa)
"""``compile_dfa``, which keeps the automata of the expressions that come up again and again."""


def is_empty(dfa: Dfa) -> bool:
    """Return whether an automaton matches no text.

    >>> is_empty(NOTHING), is_empty(EMPTY)
    (True, False)
    """
    return lab.shared_text([dfa]) is None


def union(*dfas: Dfa) -> Dfa:
    """Return the minimal automaton of the texts that at least one automaton matches.

    >>> yes_or_no = union(literals(["yes"]), literals(["no"]))
    >>> len(yes_or_no), is_empty(union())
    (5, True)
    """
    return lab.any_of(dfas)


def intersect(*dfas: Dfa) -> Dfa:
    """Return the minimal automaton of the texts that all automata match.

    >>> is_empty(intersect(literals(["a", "b"]), literals(["b", "c"]), literals(["c", "a"])))
    True
    """
    return lab.all_of(dfas)


def difference(left: Dfa, right: Dfa) -> Dfa:
    """Return the minimal automaton of the texts that the left automaton matches and the right one does not.

    >>> len(difference(literals(["a", "bc"]), literals(["bc"])))
    2
    """
    return minimize_dfa(product(left, right, lambda one, other: one and not other))


def encode(values: Dfa) -> Dfa:
    """Return the minimal automaton of the JSON strings whose value an automaton matches; no value has a surrogate.

    >>> len(encode(EMPTY)), is_empty(encode(NOTHING))
    (3, True)
    """
    values = intersect(values, ANY)
    return NOTHING if is_empty(values) else lab.encode_string(values)
