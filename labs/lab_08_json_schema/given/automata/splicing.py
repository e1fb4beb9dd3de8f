"""Automata spliced into automata: a symbol of a skeleton is replaced by a whole language, or by nothing.

These symbols are *markers*: the 2,048 surrogates (D800 to DFFF), which occur in no JSON text.
"""

from collections.abc import Collection, Mapping

import numpy as np

from labkit.automata.dfa import DEAD, Dfa
from labs.lab_08_json_schema import solution as lab

EMPTY = Dfa([0], [DEAD], np.zeros((1, 0)), initial=0, accepting=[True])
"""The automaton that matches only the empty text."""


def substitute(skeleton: Dfa, automata: Mapping[int, Dfa]) -> Dfa:
    """Return a skeleton with an automaton in place of each of some symbols, by the lab's own function.

    >>> from labs.lab_06_regex_to_dfa.solution import compile_dfa, fullmatch
    >>> lists = substitute(compile_dfa("<N(,N)*>"), {ord("N"): compile_dfa("[0-9]+")})
    >>> fullmatch(lists, "<1,23,4>"), fullmatch(lists, "<1,,4>")
    (True, False)
    """
    return lab.splice(skeleton, automata)


def erase(dfa: Dfa, symbols: Collection[int]) -> Dfa:
    """Return the minimal automaton of a language with some symbols deleted from its texts.

    >>> from labs.lab_06_regex_to_dfa.solution import compile_dfa, fullmatch
    >>> erased = erase(compile_dfa("a-b|c-+"), [ord("-")])
    >>> fullmatch(erased, "ab"), fullmatch(erased, "c"), fullmatch(erased, "c-")
    (True, True, False)
    """
    return lab.splice(dfa, dict.fromkeys(symbols, EMPTY))
