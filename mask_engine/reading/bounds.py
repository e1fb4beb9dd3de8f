"""Numeric bounds of a schema, read exactly: ``0.1`` is one tenth, unlike the float."""

import math
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from labkit.errors import InvalidSchema
from labs.lab_08_json_schema.given.pointers import below


@dataclass(frozen=True)
class Bound:
    """A bound, and whether it is itself excluded (open)."""

    value: Decimal
    open: bool = False


def read_bounds(schema: dict[str, Any], pointer: str) -> tuple[Bound | None, Bound | None]:
    """Return the lower and the upper bound of a schema, the tighter one where there are two.

    In draft 4 ``exclusiveMinimum`` is true or false and modifies ``minimum``; since then it is a bound of its own.

    >>> read_bounds({"minimum": 0.1, "exclusiveMaximum": 3}, "")
    (Bound(value=Decimal('0.1'), open=False), Bound(value=Decimal('3'), open=True))
    """
    low = _read_side(schema, pointer, "minimum", "exclusiveMinimum")
    high = _read_side(schema, pointer, "maximum", "exclusiveMaximum")
    return tightest(low, is_low=True), tightest(high, is_low=False)


def tightest(bounds: list[Bound], *, is_low: bool) -> Bound | None:
    """Return the tightest bound; None if there is none."""
    sign = 1 if is_low else -1
    return max(bounds, key=lambda bound: (sign * bound.value, bound.open), default=None)


def _read_side(schema: dict[str, Any], pointer: str, plain: str, exclusive: str) -> list[Bound]:
    strict = schema.get(exclusive)
    found = []
    if plain in schema:
        found.append(Bound(read_decimal(schema[plain], below(pointer, plain)), strict is True))
    if strict is not None and not isinstance(strict, bool):
        found.append(Bound(read_decimal(strict, below(pointer, exclusive)), True))
    return found


def read_decimal(value: Any, pointer: str) -> Decimal:
    """Return a number of a schema exactly.

    Raises:
        InvalidSchema: if it is not a number, or not finite.

    >>> read_decimal(0.1, "/minimum"), read_decimal(1e26, "/minimum")  # as written, not as the float's binary fraction
    (Decimal('0.1'), Decimal('1E+26'))
    """
    if type(value) not in (int, float) or value != value or value in (float("inf"), float("-inf")):
        raise InvalidSchema(f"{value!r:.80} is not a finite number", pointer)
    return Decimal(repr(value))


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
