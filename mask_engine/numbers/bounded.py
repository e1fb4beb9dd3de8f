"""JSON numbers by value: those between two bounds, and multiples, as automata over their texts.

Values are compared exactly, whatever a float would make of them. ``-0`` and ``-0.0`` are zero.
"""

from decimal import Decimal
from functools import lru_cache

from labkit.automata.dfa import Dfa
from labs.lab_08_json_schema import solution as lab
from mask_engine.numbers.magnitudes import EQUAL, GREATER, LESS, check_places, plain, scientific
from mask_engine.operations import NOTHING, automaton_of, compiled, intersect, union

_EXPONENT = "([eE][+-]?[0-9]+)?"
_ZERO = rf"0(\.0+)?{_EXPONENT}"
_POSITIVE = rf"([1-9][0-9]*(\.[0-9]+)?|0\.[0-9]*[1-9][0-9]*){_EXPONENT}"
_PART, _NEGATED = 0xD800, 0xD801


@lru_cache(maxsize=64)
def number_automaton(low: Decimal | None, high: Decimal | None, low_open: bool = False, high_open: bool = False) -> Dfa:
    """Return the automaton of the JSON numbers between two bounds.

    Args:
        low: the least number, or None.
        high: the greatest number, or None.
        low_open: whether ``low`` itself is excluded.
        high_open: whether ``high`` itself is excluded.

    Returns:
        A minimal automaton. Without a bound, and beside a bound 0, numbers may be in any notation of JSON;
        beside any other in plain decimals and in normalised scientific notation (see ``magnitudes``).

    Raises:
        ValueError: if a bound is infinite or no number.
        LimitExceeded: if a bound has too many digits.

    >>> from labs.lab_06_regex_to_dfa.solution import fullmatch
    >>> dfa = number_automaton(Decimal("-0.5"), Decimal(100), high_open=True)
    >>> [text for text in ["-0.5", "-0.51", "99.9", "100.0", "1e2", "9.9e+01", "-5E-1"] if fullmatch(dfa, text)]
    ['-0.5', '99.9', '9.9e+01', '-5E-1']
    """
    above = frozenset({GREATER} if low_open else {EQUAL, GREATER})
    below = frozenset({LESS} if high_open else {EQUAL, LESS})
    both = ((low, above), (high, below))
    sides = [side for side in both if side[0] is not None] or both[:1]
    positive = intersect(*[_compared(bound, orders) for bound, orders in sides])
    # After a minus sign, below a bound is above its opposite.
    opposite = [(None if each is None else each.copy_negate(), frozenset(-n for n in orders)) for each, orders in sides]
    negative = intersect(*[_compared(bound, orders) for bound, orders in opposite])
    return lab.splice(compiled(f"{chr(_PART)}|-{chr(_NEGATED)}"), {_PART: positive, _NEGATED: negative})


@lru_cache(maxsize=64)
def integer_automaton(low: int | None, high: int | None) -> Dfa:
    """Return the automaton of the integers between two bounds, inclusive, in canonical form.

    Returns:
        A minimal automaton.

    Raises:
        LimitExceeded: if a bound has too many digits.

    >>> from labs.lab_06_regex_to_dfa.solution import fullmatch
    >>> dfa = integer_automaton(-3, None)
    >>> fullmatch(dfa, "-3"), fullmatch(dfa, "-4"), fullmatch(dfa, "1234")
    (True, False, True)
    """
    numbers = number_automaton(*(None if bound is None else Decimal(bound) for bound in (low, high)))
    return intersect(numbers, automaton_of(lab.number_tree(integer=True)))


@lru_cache(maxsize=64)
def _compared(bound: Decimal | None, orders: frozenset[int]) -> Dfa:
    """Return the unsigned texts whose order to a bound is one of ``orders``; all without a bound."""
    if bound is None:
        return compiled(f"{_ZERO}|{_POSITIVE}")
    check_places(bound)
    if bound <= 0:
        regexes = {EQUAL: _ZERO, GREATER: _POSITIVE} if bound == 0 else {GREATER: f"{_ZERO}|{_POSITIVE}"}
        wanted = [regex for order, regex in regexes.items() if order in orders]
        return compiled("|".join(wanted)) if wanted else NOTHING
    return union(lab.compare_digits(plain(bound), orders), scientific(bound, orders))
