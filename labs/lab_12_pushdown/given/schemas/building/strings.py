"""Strings and numbers of a case as automata; long strings by rules that double."""

from dataclasses import replace
from functools import cache, lru_cache

import numpy as np

from labkit.automata.dfa import CODE_POINTS, DEAD, Dfa
from labkit.automata.grammar import CALL
from labkit.automata.syntax import Ranges
from labs.lab_06_regex_to_dfa.solution import compile_dfa
from labs.lab_08_json_schema import solution as lab
from labs.lab_08_json_schema.given.automata.escape_trees import ESCAPED
from labs.lab_08_json_schema.given.automata.operations import ANY, NOTHING, encode, intersect, is_empty
from labs.lab_08_json_schema.given.automata.tables import subtract_ranges
from labs.lab_08_json_schema.given.compiling.enum_values import values_regex
from labs.lab_08_json_schema.given.compiling.scalars import simple
from labs.lab_08_json_schema.given.compiling.whitespace import policy
from labs.lab_08_json_schema.given.schemas.reading.scalars import Few, Numeric, Text
from labs.lab_08_json_schema.given.schemas.reading.texts import (
    enum_values,
    needed_lengths,
    text_values,
    unbounded_values,
)
from labs.lab_08_json_schema.given.schemas.trees.counting import fewer_or_counted
from labs.lab_08_json_schema.given.schemas.trees.scalars import restricted_numbers
from labs.lab_12_pushdown.given.schemas.building.letters import Letters
from labs.lab_12_pushdown.given.schemas.building.rules import Rules

MOST_EXPRESSED = 500
"""The longest string that is compiled from lab 08's expression."""

MOST_WRITTEN_OUT = 1_000
"""The longest string whose characters are states of one automaton."""

MOST_ENCODED = 60_000
"""The most states of a string whose escapes are states too, estimated from its values; beyond, escapes are rules."""


@cache
def _character() -> Dfa:
    return compile_dfa(lab.character_regex())


def few_automaton(case: Few) -> Dfa:
    """Return the automaton of null, true and false."""
    return compile_dfa(lab.enum_regex(sorted(case.values, key=str, reverse=True))) if case.values else NOTHING


def numeric(case: Numeric) -> Dfa:
    """Return the automaton of the numbers of a case."""
    if case.never():
        return NOTHING
    if case.enum is not None:
        values = [value for value in case.enum if case.allows(value)]
        return compile_dfa(values_regex(values, policy("compact"))) if values else NOTHING
    return restricted_numbers(case)


def string(case: Text, rules: Rules) -> Dfa:
    """Return the automaton of the strings of a case, in JSON.

    Raises:
        LimitExceeded: if a length must be counted beside an automaton that is too large for it.
    """
    if case.enum is not None:
        values = enum_values(case)
        return compile_dfa(values_regex(values, policy("compact"))) if values else NOTHING
    if case.most is not None and case.most < case.least:
        return NOTHING
    free = unbounded_values(case)
    least, most = needed_lengths(free, case.least, case.most)
    found = _written_out(replace(case, least=least, most=most))
    if found is not None:
        return found
    if free is ANY:
        markers = Letters()
        body = rules.repeat("a text", _character(), least, most)
        return markers.compile(f'"{markers.add(body)}"')
    return _with_escapes_as_rules(fewer_or_counted(case, free, least, most), rules)


@lru_cache(maxsize=256)
def _written_out(case: Text) -> Dfa | None:
    """Return the automaton of a case without rules; None if it would be large."""
    free = unbounded_values(case)
    counted = max(case.least, case.most or 0)
    if free is ANY and counted <= MOST_EXPRESSED:
        bounds = {"minLength": case.least} | ({} if case.most is None else {"maxLength": case.most})
        return simple("string", **bounds)
    if counted > MOST_WRITTEN_OUT if free is ANY else counted * len(free) > MOST_ENCODED // 4:
        return None
    values = text_values(case)
    # Each interval of the alphabet that is treated alike needs states for its escapes.
    return encode(values) if len(values) * (14 + len(values.bounds) // 4) <= MOST_ENCODED else None


def _with_escapes_as_rules(values: Dfa, rules: Rules) -> Dfa:
    """Return the automaton of the JSON strings of some values; each class of characters has a rule for its escapes.

    So a state of the values stays one state, and does not become one for each prefix of an escape.
    """
    if not values.n_classes:
        return NOTHING
    pieces: list[tuple[int, int, int]] = [(0x22, 0x22, 2 * values.n_classes)]
    for symbol_class, ranges in enumerate(values.class_ranges):
        pieces += [(first, last, symbol_class) for first, last in subtract_ranges(ranges, ESCAPED)]
        if not is_empty(found := _escapes(ranges)):
            code = CALL - rules.once(ranges, "an escape", found)
            pieces.append((code, code, values.n_classes + symbol_class))
    bounds, classes = [0], [DEAD]
    for first, last, symbol_class in sorted(pieces):
        if bounds[-1] == first:
            classes[-1] = symbol_class
        else:
            bounds.append(first)
            classes.append(symbol_class)
        if last + 1 < CODE_POINTS:
            bounds.append(last + 1)
            classes.append(DEAD)
    start, end = len(values), len(values) + 1
    table = np.full((len(values) + 2, 2 * values.n_classes + 1), DEAD, np.int32)
    table[:start, : values.n_classes] = values.transitions
    table[:start, values.n_classes : -1] = values.transitions
    table[:start, -1] = np.where(values.accepting, end, DEAD)
    table[start, -1] = values.initial
    return Dfa(bounds, classes, table, start, np.arange(len(table)) == end)


@lru_cache(maxsize=256)
def _escapes(ranges: Ranges) -> Dfa:
    """Return the automaton of the escapes of some characters."""
    bounds = [0, *sorted({bound for first, last in ranges for bound in (first, last + 1)} - {0, CODE_POINTS})]
    inside = [any(first <= bound <= last for first, last in ranges) for bound in bounds]
    one = Dfa(bounds, [0 if yes else DEAD for yes in inside], [[1], [DEAD]], 0, [False, True])
    whole = encode(one)
    # Without the quotes: from the state after the first one, by a backslash only, to one before the last one.
    first = whole.step(whole.initial, ord('"'))
    if first == DEAD or whole.step(first, ord("\\")) == DEAD:
        return NOTHING
    ends = [whole.step(state, ord('"')) != DEAD for state in range(len(whole))]
    return intersect(Dfa(whole.bounds, whole.classes, whole.transitions, first, ends), compile_dfa(r"\\(?s:.)+"))
