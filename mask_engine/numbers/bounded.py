"""JSON numbers by value: those between two bounds, as automata over their texts.

Values are compared exactly, whatever a float would make of them. ``-0`` and ``-0.0`` are zero.
"""

from decimal import Decimal
from functools import lru_cache

from labkit.automata.dfa import Dfa
from labkit.automata.trees import regex_of
from labkit.errors import LimitExceeded
from labs.lab_08_json_schema import solution as lab
from labs.lab_08_json_schema.given.integers import integer_between
from mask_engine.operations import NOTHING, automaton_of, compiled, intersect, union

MAX_PLACES = 1_500
"""The most digits that a bound may have, written out without an exponent."""

_LESS, _EQUAL, _GREATER = -1, 0, 1
_EXPONENT = "([eE][+-]?[0-9]+)?"
_ZERO = rf"0(\.0+)?{_EXPONENT}"
_POSITIVE = rf"([1-9][0-9]*(\.[0-9]+)?|0\.[0-9]*[1-9][0-9]*){_EXPONENT}"
_MANTISSA = r"[1-9](\.[0-9]+)?"
_ONE, _OTHER = 0xD800, 0xD801
"""Markers for ``splice``."""


@lru_cache(maxsize=64)
def number_automaton(
    low: Decimal | None, high: Decimal | None, low_open: bool = False, high_open: bool = False, integer: bool = False
) -> Dfa:
    """Return the automaton of the JSON numbers between two bounds.

    Args:
        low: the least number, or None.
        high: the greatest number, or None.
        low_open: whether ``low`` itself is excluded.
        high_open: whether ``high`` itself is excluded.
        integer: whether only plain decimals are asked for.

    Returns:
        A minimal automaton. Without a bound, and beside a bound 0, numbers may be in any notation of JSON;
        beside any other in plain decimals and in normalised scientific notation: one digit, not zero, before the
        point. (In ``0.001e5`` one would have to count the zeros.)

    Raises:
        ValueError: if a bound is infinite or no number.
        LimitExceeded: if a bound has too many digits.

    >>> from labs.lab_06_regex_to_dfa.solution import fullmatch
    >>> dfa = number_automaton(Decimal("-0.5"), Decimal(100), high_open=True)
    >>> [text for text in ["-0.5", "-0.51", "99.9", "100.0", "1e2", "9.9e+01", "-5E-1"] if fullmatch(dfa, text)]
    ['-0.5', '99.9', '9.9e+01', '-5E-1']
    """
    above = frozenset({_GREATER} if low_open else {_EQUAL, _GREATER})
    below = frozenset({_LESS} if high_open else {_EQUAL, _LESS})
    both = ((low, above), (high, below))
    sides = [side for side in both if side[0] is not None] or both[:1]
    positive = intersect(*[_compared(bound, orders, integer) for bound, orders in sides])
    # After a minus sign, below a bound is above its opposite.
    opposite = [(None if each is None else each.copy_negate(), frozenset(-n for n in orders)) for each, orders in sides]
    negative = intersect(*[_compared(bound, orders, integer) for bound, orders in opposite])
    return lab.splice(compiled(f"{chr(_ONE)}|-{chr(_OTHER)}"), {_ONE: positive, _OTHER: negative})


@lru_cache(maxsize=64)
def integer_automaton(low: int | None, high: int | None) -> Dfa:
    """Return the minimal automaton of the integers between two bounds, inclusive, in canonical form.

    Raises:
        LimitExceeded: if a bound has too many digits.

    >>> from labs.lab_06_regex_to_dfa.solution import fullmatch
    >>> dfa = integer_automaton(-3, None)
    >>> fullmatch(dfa, "-3"), fullmatch(dfa, "-4"), fullmatch(dfa, "1234")
    (True, False, True)
    """
    first, last = (None if bound is None else Decimal(bound) for bound in (low, high))
    return intersect(number_automaton(first, last, integer=True), automaton_of(lab.number_tree(integer=True)))


@lru_cache(maxsize=64)
def _compared(bound: Decimal | None, orders: frozenset[int], integer: bool) -> Dfa:
    """Return the unsigned texts whose order to a bound is one of ``orders``; all without a bound."""
    if bound is None:
        return compiled(f"{_ZERO}|{_POSITIVE}")
    _check_places(bound)
    if bound <= 0:
        regexes = {_EQUAL: _ZERO, _GREATER: _POSITIVE} if bound == 0 else {_GREATER: f"{_ZERO}|{_POSITIVE}"}
        wanted = [regex for order, regex in regexes.items() if order in orders]
        return compiled("|".join(wanted)) if wanted else NOTHING
    plain = lab.compare_digits(_without_zeros(f"{bound:f}"), orders)
    return plain if integer else union(plain, _scientific(bound, orders))


def _scientific(bound: Decimal, orders: frozenset[int]) -> Dfa:
    """Return the normalised scientific numbers in some orders to a bound: by exponent, then by what's before it."""
    first, *others = map(str, bound.as_tuple().digits)
    mantissa = lab.compare_digits(_without_zeros(f"{first}.{''.join(others)}"), orders)
    exponent = bound.adjusted()
    further = {_LESS: _integers(None, exponent - 1), _GREATER: _integers(exponent + 1, None)}
    other = "|".join(further[order] for order in sorted(orders - {_EQUAL}))
    pattern = f"{_MANTISSA}[eE](?:{other})|{chr(_ONE)}[eE](?:{_integers(exponent, exponent)})"
    return lab.splice(compiled(pattern), {_ONE: intersect(mantissa, compiled(_MANTISSA))})


def _integers(low: int | None, high: int | None) -> str:
    """Return a pattern of the integers between two bounds, with a sign or without, and with any zeros first."""
    found = []
    if high is None or high >= 0:
        found.append(r"\+?0*" + regex_of(integer_between(max(low or 0, 0), high)))
    if low is None or low <= 0:
        found.append("-0*" + regex_of(integer_between(max(-(high or 0), 0), None if low is None else -low)))
    return "|".join(found)


def _without_zeros(decimal: str) -> str:
    return decimal.rstrip("0").rstrip(".") if "." in decimal else decimal


def _check_places(bound: Decimal) -> None:
    if not bound.is_finite():
        raise ValueError(f"{bound} is no bound for numbers")
    exponent = bound.as_tuple().exponent
    if max(abs(bound.adjusted()), abs(int(exponent)), len(bound.as_tuple().digits)) > MAX_PLACES:
        raise LimitExceeded(f"the bound {bound:.20g} has too many digits", MAX_PLACES)
