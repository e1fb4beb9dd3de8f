"""Strings and numbers of a case as trees. A length alone is counted by the walk, also beside a pattern."""

from dataclasses import replace
from functools import lru_cache
from math import inf

from labkit.automata.dfa import Dfa
from labkit.automata.trees import NOTHING, choice
from labs.lab_08_json_schema import solution as lab
from labs.lab_08_json_schema.given.integers import integer_between
from labs.lab_08_json_schema.given.whitespace import policy
from mask_engine.formats.registry import format_tree
from mask_engine.numbers.bounded import integer_automaton, number_automaton
from mask_engine.numbers.multiples import LARGEST, multiple_automaton
from mask_engine.operations import ANY, automaton_of, compiled, difference, intersect, is_empty
from mask_engine.patterns.lazy import Tree
from mask_engine.reading.bounds import first_integer, last_integer
from mask_engine.reading.scalars import Few, Numeric, Text
from mask_engine.reading.texts import (
    enum_values,
    needed_lengths,
    pattern_tree,
    unbounded_values,
)
from mask_engine.trees.counting import fewer_or_counted
from mask_engine.trees.enum_values import values_tree
from mask_engine.trees.pieces import Fewest, quoted, string_of, words

FEW_WORDS = 20
"""More texts of ``enum`` than this are read by the automaton of them all."""

MOST_DIGITS = 60
"""The most digits of bounds that are compared digit by digit in a tree."""

FEW_STATES = 500
"""Beside automata of so many states the walk counts the characters; of larger ones, pairs with a count are made."""

MOST_WALKED = 500
"""The longest texts whose characters the walk counts: each count is a rest, and rests have a limit."""

_FRACTION = (
    r"-?(0|[1-9][0-9]*)\.[0-9]*[1-9][0-9]*"
    r"|-?[1-9](\.[0-9]+)?[eE]-0*([1-9]|[1-9][0-9]|[12][0-9]{2})"
)
"""Numbers that are not whole: a digit after the point that counts, or one digit before it and a negative exponent."""

_WHOLE = (
    r"-?(0|[1-9][0-9]*)(\.0+)?([eE]\+?0*[12]?[0-9]{1,2})?"
    r"|-?(0|[1-9][0-9]*)\.[0-9]{1,16}[eE]\+?0*(1[6-9]|[2-9][0-9]|[12][0-9]{2})"
    rf"|-?({LARGEST})"
)
"""Whole numbers: zeros after the point, or no more digits there than the exponent moves it. So a float is written."""

_FLOAT = "[^eE]*([eE][+-]?0*[12]?[0-9]{1,2})?"
"""Exponents below 300. Further out a reader's float is 0 or infinite, and on the other side of a bound."""

_PLAIN = r"-?(0|[1-9][0-9]*)(\.[0-9]+)?"


def few_tree(case: Few) -> Tree:
    """Return the tree of null, true and false."""
    return lab.enum_tree(sorted(case.values, key=str, reverse=True))


def number_tree(case: Numeric, *, plain: bool = True) -> Tree:
    """Return the tree of the numbers of a case.

    Args:
        plain: whether whole numbers are written without a point and an exponent.
    """
    if not plain and case.whole and case.enum is None and not case.never():
        numbers = intersect(restricted_numbers(replace(case, whole=None)), compiled(_WHOLE))
        return NOTHING if is_empty(numbers) else numbers
    if case.never():
        return NOTHING
    if case.enum is not None:
        values = [value for value in case.enum if case.allows(value)]
        return values_tree(values, policy("compact"))
    bounds = case.low or case.high
    if bounds and case.whole and not case.multiples and not case.others:
        low, high = first_integer(case.low), last_integer(case.high)
        if max(abs(low or 0), abs(high or 0)) < 10**MOST_DIGITS:
            return integer_between(low, high)
    if bounds or case.multiples or case.others or case.whole is False:
        numbers = restricted_numbers(case)
        return NOTHING if is_empty(numbers) else numbers
    return lab.number_tree(integer=bool(case.whole))


@lru_cache(maxsize=64)
def restricted_numbers(case: Numeric) -> Dfa:
    """Return the automaton of the numbers of a case without ``enum``."""
    found = intersect(_bounded(case), *map(multiple_automaton, case.multiples))
    if case.whole is False:
        found = intersect(found, compiled(_FRACTION))
    if case.others:
        found = intersect(found, compiled(_PLAIN))
        for divisor in case.others:
            found = difference(found, multiple_automaton(divisor))
    return found


def _bounded(case: Numeric) -> Dfa:
    """Return the automaton of the numbers within a case's bounds."""
    low, high = case.low, case.high
    if not (low or high):
        return automaton_of(lab.number_tree(integer=case.whole is True))
    if case.whole is True:
        return integer_automaton(first_integer(low), last_integer(high))
    low_open, high_open = bool(low and low.open), bool(high and high.open)
    found = number_automaton(low and low.value, high and high.value, low_open=low_open, high_open=high_open)
    return intersect(found, compiled(_FLOAT))


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
        return lab.string_tree(case.least, case.most)
    return _restricted(Text(case.least, case.most, case.patterns, case.formats, None, case.excluded))


@lru_cache(maxsize=256)
def _restricted(case: Text) -> Tree:
    if (alone := _one_alone(case)) is not None:
        return NOTHING if Fewest()(alone) == inf else string_of(alone)
    free = unbounded_values(case)
    least, most = needed_lengths(free, case.least, case.most)
    if free is ANY:
        return lab.string_tree(least, most)
    if most is not None and most <= MOST_WALKED and least == 0 and len(free) <= FEW_STATES:
        counted = string_of(free, most)
        return NOTHING if Fewest()(counted) == inf else counted
    values: Dfa = free if (least, most) == (0, None) else fewer_or_counted(case, free, least, most)
    return NOTHING if is_empty(values) else string_of(values)


def _one_alone(case: Text) -> Tree | None:
    """Return the tree of a pattern or a format that is all that is asked; None if it is not, or has no tree."""
    alone = case.alone()
    if alone is None or not alone.must:
        return None
    return format_tree(alone.name) if case.formats else pattern_tree(alone)
