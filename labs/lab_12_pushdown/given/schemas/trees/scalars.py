"""Strings and numbers of a case as trees. A length alone is counted by the walk, also beside a pattern."""

from functools import lru_cache
from math import inf

from labkit.automata.dfa import Dfa
from labkit.automata.syntax import Node
from labs.lab_06_regex_to_dfa.given.lazy import Tree
from labs.lab_08_json_schema import solution as lab
from labs.lab_08_json_schema.given.automata.operations import ANY, is_empty
from labs.lab_08_json_schema.given.compiling.enum_values import values_regex
from labs.lab_08_json_schema.given.compiling.scalars import first_integer, last_integer
from labs.lab_08_json_schema.given.compiling.whitespace import policy
from labs.lab_08_json_schema.given.formats.registry import format_tree
from labs.lab_12_pushdown.given.schemas.building.strings import _fewer_or_counted, numeric
from labs.lab_12_pushdown.given.schemas.reading.scalars import Few, Numeric, Text
from labs.lab_12_pushdown.given.schemas.reading.texts import enum_values, needed_lengths, pattern_tree, unbounded_values
from labs.lab_12_pushdown.given.schemas.trees.integers import between
from labs.lab_12_pushdown.given.schemas.trees.pieces import (
    NOTHING,
    Fewest,
    choice,
    parsed,
    quoted,
    string_of,
    words,
)

FEW_WORDS = 20
"""More texts of ``enum`` than this are read by the automaton of them all."""

MOST_DIGITS = 60
"""The most digits of bounds that are compared digit by digit in a tree."""

FEW_STATES = 500
"""Beside automata of so many states the walk counts the characters; of larger ones, pairs with a count are made."""


def few_tree(case: Few) -> Tree:
    """Return the tree of null, true and false."""
    return parsed(lab.enum_regex(sorted(case.values, key=str, reverse=True))) if case.values else NOTHING


def number_tree(case: Numeric) -> Tree:
    """Return the tree of the numbers of a case."""
    if case.never():
        return NOTHING
    if case.enum is not None:
        values = [value for value in case.enum if case.allows(value)]
        return parsed(values_regex(values, policy("compact"))) if values else NOTHING
    if case.multiples or case.others or case.whole is False:
        return _or_nothing(numeric(case))
    if case.whole and (case.low or case.high):
        low, high = first_integer(case.low), last_integer(case.high)
        if max(abs(low or 0), abs(high or 0)) < 10**MOST_DIGITS:
            return between(low, high)
    if case.low or case.high:
        return _or_nothing(numeric(case))
    return parsed(lab.json_schema_to_regex({"type": "integer" if case.whole else "number"}))


def _or_nothing(numbers: Dfa) -> Tree:
    return NOTHING if is_empty(numbers) else numbers


def text_tree(case: Text) -> Tree:
    """Return the tree of the strings of a case, in JSON.

    Raises:
        LimitExceeded: if a length must be counted beside an automaton that is too large for it.
    """
    if case.enum is not None:
        values = enum_values(case)
        return words(values) if len(values) > FEW_WORDS else choice(list(map(quoted, values)))
    if case.most is not None and case.most < case.least:
        return NOTHING
    if not (case.patterns or case.formats or case.excluded):
        return parsed(lab.string_regex(case.least, case.most))
    return _restricted(Text(case.least, case.most, case.patterns, case.formats, None, case.excluded))


@lru_cache(maxsize=256)
def _restricted(case: Text) -> Tree:
    if (alone := _one_alone(case)) is not None:
        return NOTHING if Fewest()(alone) == inf else string_of(alone)
    free = unbounded_values(case)
    least, most = needed_lengths(free, case.least, case.most)
    if free is ANY:
        return parsed(lab.string_regex(least, most))
    if most is not None and least == 0 and len(free) <= FEW_STATES:
        counted = string_of(free, most)
        return NOTHING if Fewest()(counted) == inf else counted
    values: Dfa = free if (least, most) == (0, None) else _fewer_or_counted(case, free, least, most)
    return NOTHING if is_empty(values) else string_of(values)


def _one_alone(case: Text) -> Node | None:
    """Return the tree of a pattern or a format that is all that is asked; None if it is not, or has no tree."""
    if case.excluded or case.least or case.most is not None or len(case.patterns) + len(case.formats) != 1:
        return None
    if case.formats:
        return format_tree(case.formats[0][0])
    pattern, place, must = case.patterns[0]
    return pattern_tree(pattern, place) if must else None
