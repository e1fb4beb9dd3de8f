"""Automata for numbers with all their keywords."""

import math

from labkit.automata.dfa import Dfa
from labs.lab_08_json_schema import solution as lab
from mask_engine.numbers.bounded import integer_automaton, number_automaton
from mask_engine.numbers.multiples import multiple_automaton
from mask_engine.operations import automaton_of, compiled, intersect
from mask_engine.reading.bounds import Bound
from mask_engine.reading.flat_schema import FlatSchema

_FLOAT = "[^eE]*([eE][+-]?0*[12]?[0-9]{1,2})?"
"""Exponents below 300. Further out a reader's float is 0 or infinite, and on the other side of a bound."""


def numeric_automaton(flat: FlatSchema, *, integer: bool) -> Dfa:
    """JSON numbers within the bounds. Without bounds the lab's own regular expression is enough."""
    if not (flat.low or flat.high or flat.multiples):
        return automaton_of(lab.number_tree(integer=integer))
    multiples = [multiple_automaton(divisor) for divisor, _ in flat.multiples]
    if not integer and not (flat.low or flat.high):
        return intersect(*multiples)
    if integer:
        bounded = integer_automaton(first_integer(flat.low), last_integer(flat.high))
    else:
        bounded = number_automaton(
            flat.low.value if flat.low else None,
            flat.high.value if flat.high else None,
            low_open=bool(flat.low and flat.low.open),
            high_open=bool(flat.high and flat.high.open),
        )
        bounded = intersect(bounded, compiled(_FLOAT))
    return intersect(bounded, *multiples)


def first_integer(bound: Bound | None) -> int | None:
    """Return the least integer above a lower bound."""
    if bound is None:
        return None
    first = math.ceil(bound.value)
    return first + 1 if bound.open and first == bound.value else first


def last_integer(bound: Bound | None) -> int | None:
    """Return the greatest integer below an upper bound."""
    if bound is None:
        return None
    last = math.floor(bound.value)
    return last - 1 if bound.open and last == bound.value else last
