"""Strings and numbers of a case as automata; long strings by rules that double."""

from dataclasses import replace
from functools import cache

from labkit.automata.dfa import Dfa
from labkit.errors import LimitExceeded
from labs.lab_06_regex_to_dfa.solution import compile_dfa
from labs.lab_08_json_schema import solution as lab
from labs.lab_08_json_schema.given.automata.operations import ANY, NOTHING, difference, encode, intersect
from labs.lab_08_json_schema.given.compiling.enum_values import values_regex
from labs.lab_08_json_schema.given.compiling.scalars import numeric_automaton, simple
from labs.lab_08_json_schema.given.compiling.whitespace import policy
from labs.lab_08_json_schema.given.numbers.multiples import multiple_automaton
from labs.lab_12_pushdown.given.schemas.building.letters import Letters
from labs.lab_12_pushdown.given.schemas.building.rules import Rules
from labs.lab_12_pushdown.given.schemas.reading.scalars import Few, Numeric, Text
from labs.lab_12_pushdown.given.schemas.reading.texts import enum_values, needed_lengths, text_values, unbounded_values

MOST_WRITTEN_OUT = 1_000
"""The longest string whose characters are states of one automaton."""

MAX_PRODUCT = 60_000
"""The most states of an automaton times the characters that are counted beside it."""

_FRACTION = (
    r"-?(0|[1-9][0-9]*)\.[0-9]*[1-9][0-9]*"
    r"|-?[1-9](\.[0-9]+)?[eE]-0*([1-9]|[1-9][0-9]|[12][0-9]{2})"
)
"""Numbers that are not whole: a digit after the point that counts, or one digit before it and a negative exponent."""

_PLAIN = r"-?(0|[1-9][0-9]*)(\.[0-9]+)?"


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
    whole = case.whole is True
    found = numeric_automaton(case.flat(), integer=whole)
    if case.whole is False:
        found = intersect(found, compile_dfa(_FRACTION))
    if case.others:
        found = intersect(found, compile_dfa(_PLAIN))
        for divisor in case.others:
            found = difference(found, multiple_automaton(divisor))
    return found


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
    counted = max(least, most or 0)
    if free is ANY:
        if counted <= MOST_WRITTEN_OUT:
            short = counted <= 500
            bounds = {"minLength": least} | ({} if most is None else {"maxLength": most})
            return simple("string", **bounds) if short else encode(text_values(case))
        markers = Letters()
        body = rules.repeat("a text", _character(), least, most)
        return markers.compile(f'"{markers.add(body)}"')
    if counted * len(free) > MAX_PRODUCT:
        problem = f"a string of up to {counted:,} characters beside a pattern or format of {len(free):,} states"
        raise LimitExceeded(problem, MAX_PRODUCT)
    return encode(text_values(replace(case, least=least, most=most)))
