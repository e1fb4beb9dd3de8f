"""Multiples of a number, read digit by digit: a state is the remainder of the digits so far.

Multiples are exact: 19.99 is a multiple of 0.01, although the float is not.
"""

from decimal import Decimal
from fractions import Fraction
from functools import lru_cache

from labkit.automata.dfa import Dfa
from labkit.errors import LimitExceeded
from labs.lab_08_json_schema import solution as lab
from labs.lab_08_json_schema.given.explore import explore
from mask_engine.numbers.bounded import integer_automaton
from mask_engine.operations import NOTHING, compiled, union

MAX_REMAINDERS = 10_000
"""The most remainders, for all places after the point together."""

_EXACT_DIGITS = 16
_LAST_EXPONENT = 307
_EXPONENT = 0xD800
LARGEST = rf"[1-9](\.[0-9]{{1,{_EXACT_DIGITS}}})?[eE]\+?0*30[0-7]|1(\.[0-6][0-9]{{0,{_EXACT_DIGITS - 1}}})?[eE]\+?0*308"
"""The largest floats, with exponents from 300 on."""

_Reading = tuple[str, int, int]
"""The part of the number that is being read, the remainder so far, and the places after the point."""

_SCIENTIFIC = rf"-?[1-9](\.[0-9]{{1,{_EXACT_DIGITS}}})?[eE]\+?0*{chr(_EXPONENT)}"


@lru_cache(maxsize=64)
def multiple_automaton(divisor: Decimal) -> Dfa:
    """Return the automaton of the JSON numbers that are multiples of a number.

    Args:
        divisor: above 0.

    Returns:
        A minimal automaton. It reads plain decimals of any length. Scientific notation is read for large numbers only,
        and for divisors whose multiples are the same for exact values and floats (see ``_large``).

    Raises:
        ValueError: if the divisor is not above 0, or not finite.
        LimitExceeded: if there are too many remainders. For each place there are as many as the divisor without its
            point.

    >>> from labs.lab_06_regex_to_dfa.solution import fullmatch
    >>> dfa = multiple_automaton(Decimal("0.05"))
    >>> [text for text in ["0.1", "-19.95", "19.99", "20", "0.050", "1e+26"] if fullmatch(dfa, text)]
    ['0.1', '-19.95', '20', '0.050', '1e+26']
    """
    if not divisor.is_finite() or divisor <= 0:
        raise ValueError(f"a divisor must be a number above 0, not {divisor}")
    modulus, places = _without_point(divisor)
    if modulus * (places + 1) > MAX_REMAINDERS:
        raise LimitExceeded(f"the divisor {divisor:.20g} has too many remainders", MAX_REMAINDERS)

    def step(at: _Reading, char: str) -> _Reading | None:
        part, remainder, done = at
        match part, char:
            case "start", "-":
                return "sign", 0, 0
            case "start" | "sign", "0":
                return "zero", 0, 0
            case "zero" | "integer", ".":
                return "point", remainder, 0
            case "start" | "sign" | "integer", _ if char.isdigit():
                return "integer", (10 * remainder + int(char)) % modulus, 0
            case "point" | "fraction", _ if char.isdigit() and done < places:
                return "fraction", (10 * remainder + int(char)) % modulus, done + 1
            case "point" | "fraction", "0":
                return "fraction", remainder, done
        return None

    def accepts(at: _Reading) -> bool:
        part, remainder, done = at  # missing places are zeros
        return part in ("zero", "integer", "fraction") and remainder * 10 ** (places - done) % modulus == 0

    plain = explore(("start", 0, 0), step, accepts, "-.0123456789")
    return union(plain, _large(Fraction(modulus, 10**places)))


def _without_point(divisor: Decimal) -> tuple[int, int]:
    """Return an integer, and by how many places its point must move to the left to give the divisor."""
    if abs(divisor.adjusted()) > MAX_REMAINDERS:
        raise LimitExceeded(f"the divisor {divisor:.20g} has too many remainders", MAX_REMAINDERS)
    value, places = Fraction(divisor), 0
    while value.denominator > 1:
        value, places = value * 10, places + 1
    return int(value), places


def _large(divisor: Fraction) -> Dfa:
    """Large multiples in scientific notation; none but of divisors such as 0.1, 0.25, 1, 2 and 4.

    Their numerator is a power of two. A number with at most 16 digits after the point is a multiple of it if its
    exponent is greater by that power, and so is the nearest float. Of any other divisor a float may be no multiple
    although the text is one: 1e26 as a float is no multiple of 5.
    """
    power = divisor.numerator.bit_length() - 1
    if divisor.numerator != 2**power or power > _LAST_EXPONENT - _EXACT_DIGITS:
        return NOTHING
    large = lab.splice(compiled(_SCIENTIFIC), {_EXPONENT: integer_automaton(_EXACT_DIGITS + power, _LAST_EXPONENT)})
    return union(large, compiled(f"-?({LARGEST})"))
