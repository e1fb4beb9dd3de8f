"""Whole automata of trees: for what does not walk, and to look at."""

from typing import Any

from labkit.automata.dfa import Dfa
from labkit.errors import UnsupportedSchema
from labs.lab_06_regex_to_dfa.solution import minimize_dfa, nfa_to_dfa
from mask_engine.operations import NOTHING
from mask_engine.patterns.lazy import LazyDfa, Tree
from mask_engine.trees.compiler import schema_tree


def schema_automaton(schema: Any, *, whitespace: str = "flexible") -> Dfa:
    """Return the minimal automaton of the JSON texts that a schema allows.

    Raises:
        InvalidSchema, UnsupportedSchema, LimitExceeded: as ``schema_tree`` and ``in_full``.

    >>> from labs.lab_06_regex_to_dfa.solution import fullmatch
    >>> automaton = schema_automaton({"type": "object", "properties": {"n": {"minimum": 3}}, "required": ["n"]})
    >>> fullmatch(automaton, '{"n": 3.5}'), fullmatch(automaton, '{"n": 2}'), fullmatch(automaton, "{}")
    (True, False, False)
    """
    tree = schema_tree(schema, whitespace=whitespace)
    return NOTHING if tree is None else in_full(tree)


def in_full(tree: Tree) -> Dfa:
    """Return the minimal automaton of a tree.

    Raises:
        UnsupportedSchema: if what it matches nests without end.

    >>> from mask_engine.trees.pieces import quoted
    >>> len(in_full(quoted("a")))  # before, between and after the three characters of "a" in quotes
    4
    """
    states = LazyDfa(tree)
    if states.nests:
        raise UnsupportedSchema("values that nest without end have no automaton in full", "")
    return minimize_dfa(nfa_to_dfa(states))
