"""Unsigned numbers in scientific notation, compared with a bound digit by digit and by exact value.

The notation is normalised: one digit, not zero, before the point. Others are refused beside a bound: in ``0.001e5`` one
would have to count the zeros. Plain decimals are the lab's own ``compare_digits``.
"""

from collections.abc import Collection
from decimal import Decimal
from typing import NamedTuple

from labkit.automata.dfa import Dfa
from labkit.errors import LimitExceeded
from labs.lab_08_json_schema.given.explore import explore

LESS, EQUAL, GREATER = -1, 0, 1

MAX_PLACES = 1_500
"""The most digits that a bound may have, written out without an exponent."""

_ALPHABET = "0123456789.+-eE"


class Digits(NamedTuple):
    """Digits compared with a reference: their number, and the order of the first ones that differ."""

    length: int = 0
    order: int = EQUAL

    def read(self, char: str, reference: str) -> "Digits":
        """Return the comparison after one more digit. After its last digit the reference is read as zeros.

        >>> Digits().read("4", "42").read("1", "42")
        Digits(length=2, order=-1)
        """
        expected = reference[self.length] if self.length < len(reference) else "0"
        order = self.order or (char > expected) - (char < expected)
        return Digits(min(self.length + 1, len(reference) + 1), order)

    def as_integer(self, reference: str) -> int:
        """Return how an integer with these digits compares with the reference: the longer one is greater."""
        if self.length != len(reference):
            return GREATER if self.length > len(reference) else LESS
        return self.order

    def as_fraction(self, reference: str) -> int:
        """Return how the digits after a point compare, if the reference does not end with a zero."""
        return self.order or (LESS if self.length < len(reference) else EQUAL)


class Reading(NamedTuple):
    """The state of reading a number: the current part, its digits, and the order of the digits before the exponent."""

    part: str = "start"
    digits: Digits = Digits()
    before: int = EQUAL
    minus: bool = False


class Scientific:
    """Normalised scientific notation, compared with a bound above 0: by the exponent, then by the digits before it."""

    def __init__(self, bound: Decimal) -> None:
        self._digits = "".join(map(str, bound.as_tuple().digits)).rstrip("0")
        self._exponent = bound.adjusted()
        self._places = str(abs(self._exponent)) if self._exponent else ""

    def step(self, at: Reading, char: str) -> Reading | None:
        """Return the reading after one more character."""
        match at.part, char:
            case "start", _ if char.isdigit() and char != "0":
                return Reading("first", at.digits.read(char, self._digits))
            case "first", ".":
                return at._replace(part="point")
            case "point" | "fraction", _ if char.isdigit():
                return Reading("fraction", at.digits.read(char, self._digits))
            case "first" | "fraction", "e" | "E":
                return Reading("letter", before=at.digits.as_fraction(self._digits))
            case "letter", "+" | "-":
                return at._replace(part="sign", minus=char == "-")
            case "letter" | "sign" | "exponent", _ if char.isdigit():
                leading = char == "0" and not at.digits.length
                digits = at.digits if leading else at.digits.read(char, self._places)
                return at._replace(part="exponent", digits=digits)
        return None

    def order(self, at: Reading) -> int | None:
        """Return how the number compares with the bound; None if it cannot end here."""
        return (self._exponents(at) or at.before) if at.part == "exponent" else None

    def _exponents(self, at: Reading) -> int:
        """Return how the exponent compares with that of the bound. Either may be negative."""
        size = at.digits.as_integer(self._places)
        if at.minus:
            return LESS if self._exponent > 0 else -size
        return GREATER if self._exponent < 0 else size


def scientific(bound: Decimal, orders: Collection[int]) -> Dfa:
    """Return the automaton of the normalised scientific numbers whose order to a bound above 0 is one of ``orders``.

    >>> dfa = scientific(Decimal(100), [LESS])
    >>> dfa.step(dfa.initial, ord("0"))
    -1
    """
    rule = Scientific(bound)
    return explore(Reading(), rule.step, lambda at: rule.order(at) in orders, _ALPHABET)


def plain(bound: Decimal) -> str:
    """Return a bound as a plain decimal without needless zeros.

    >>> plain(Decimal("2.50")), plain(Decimal("1E+2"))
    ('2.5', '100')
    """
    whole, _, fraction = f"{bound:f}".partition(".")
    return f"{whole}.{fraction}".rstrip("0").rstrip(".") if fraction else whole


def check_places(bound: Decimal) -> None:
    """Check that a bound is finite, and not too long to be written out.

    Raises:
        ValueError: if it is infinite or not a number.
        LimitExceeded: beyond ``MAX_PLACES``.

    >>> check_places(Decimal("1e5000"))
    Traceback (most recent call last):
    labkit.errors.LimitExceeded: the bound 1e+5000 has too many digits; the limit is 1,500
    """
    if not bound.is_finite():
        raise ValueError(f"{bound} is no bound for numbers")
    exponent = bound.as_tuple().exponent
    if max(abs(bound.adjusted()), abs(int(exponent)), len(bound.as_tuple().digits)) > MAX_PLACES:
        raise LimitExceeded(f"the bound {bound:.20g} has too many digits", MAX_PLACES)
