"""Cases of scalars: conjunctions of what is asked of a null or boolean, a number, or a string."""

from dataclasses import dataclass, field, replace
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise
from typing import Any

from labs.lab_08_json_schema.given.values import equal
from mask_engine.reading.bounds import Bound, tightest
from mask_engine.reading.places import Named


def meet_enums(one: tuple[Any, ...] | None, other: tuple[Any, ...] | None) -> tuple[Any, ...] | None:
    """Return the values that are in both; None is every value.

    >>> meet_enums((1, "a", True), (True, 1.0))  # 1.0 is 1 to JSON Schema, and true isn't
    (1, True)
    """
    if one is None or other is None:
        return one if other is None else other
    return tuple(value for value in one if any(equal(value, also) for also in other))


Refused = tuple[tuple[str, str], ...]
"""What is asked and not covered: each problem and its place. Only a case that may hold some value is refused."""

SILENT, PASSED_OVER, SPOKEN_OF, NAMED = range(4)
"""How loud a schema asks for the type of a case. It says nothing of any type; it has no ``type``, and keywords for
other types only; it has a keyword for this type; its ``type`` or ``enum`` names it. Of several schemas the loudest
counts.

Without ``type`` JSON Schema allows every type, but people who write ``{"minLength": 2}`` mean texts: as in lab 08,
values of a type that is passed over are not written."""


@dataclass(frozen=True)
class Few:
    """A null or a boolean: which values may stand."""

    values: frozenset[bool | None]
    every: frozenset[bool | None]
    refused: Refused = ()
    voice: int = field(default=SILENT, compare=False)

    def meet(self, other: "Few") -> "Few":
        """Return the case that asks for both."""
        values, refused = self.values & other.values, self.refused + other.refused
        return Few(values, self.every, refused, max(self.voice, other.voice))

    def negate(self) -> "list[Few]":
        """Return the cases of the other values of the type."""
        return [Few(self.every - self.values, self.every)]


@dataclass(frozen=True)
class Numeric:
    """A number: bounds, whether it is whole (None: either), and divisors that must and must not divide it."""

    low: Bound | None = None
    high: Bound | None = None
    whole: bool | None = None
    multiples: tuple[Decimal, ...] = ()
    others: tuple[Decimal, ...] = ()
    enum: tuple[Any, ...] | None = None
    empty: bool = False
    refused: Refused = ()
    voice: int = field(default=SILENT, compare=False)

    def meet(self, other: "Numeric") -> "Numeric":
        """Return the case that asks for both."""
        wholes = {self.whole, other.whole} - {None}
        found = Numeric(
            low=tightest([bound for bound in (self.low, other.low) if bound], is_low=True),
            high=tightest([bound for bound in (self.high, other.high) if bound], is_low=False),
            whole=next(iter(wholes), None),
            multiples=tuple(dict.fromkeys(self.multiples + other.multiples)),
            others=tuple(dict.fromkeys(self.others + other.others)),
            enum=meet_enums(self.enum, other.enum),
            empty=self.empty or other.empty or len(wholes) == 2,
            refused=self.refused + other.refused,
            voice=max(self.voice, other.voice),
        )
        if found.enum is not None:
            found = replace(found, enum=tuple(value for value in found.enum if found.allows(value)))
        return found

    def allows(self, value: Any) -> bool:
        """Return whether a number satisfies all but ``enum``."""
        exact = Decimal(repr(value))
        if self.low and (exact < self.low.value or (self.low.open and exact == self.low.value)):
            return False
        if self.high and (exact > self.high.value or (self.high.open and exact == self.high.value)):
            return False
        if self.whole is not None and self.whole != (exact == exact.to_integral_value()):
            return False
        return all(_divides(by, exact) for by in self.multiples) and not any(_divides(by, exact) for by in self.others)

    def never(self) -> bool:
        """Return whether it is certain that no number satisfies it."""
        if self.empty or self.enum == ():
            return True
        if self.low is None or self.high is None:
            return False
        if self.low.value == self.high.value:
            return self.low.open or self.high.open or self.whole is (self.low.value % 1 != 0)
        return self.low.value > self.high.value

    def negate(self) -> "list[Numeric]":
        """Return cases of all other numbers."""
        if self.empty:
            return [Numeric()]
        found = []
        if self.low:
            found.append(Numeric(high=Bound(self.low.value, not self.low.open)))
        if self.high:
            found.append(Numeric(low=Bound(self.high.value, not self.high.open)))
        if self.whole is not None:
            found.append(Numeric(whole=not self.whole))
        found += [Numeric(others=(divisor,)) for divisor in self.multiples]
        found += [Numeric(multiples=(divisor,)) for divisor in self.others]
        if self.enum is not None:  # between, below, and above the values
            points = [None, *(Bound(value, True) for value in sorted({Decimal(repr(v)) for v in self.enum})), None]
            found += [Numeric(low=low, high=high) for low, high in pairwise(points)]
        return found + [Numeric(refused=(problem,)) for problem in self.refused]


def _divides(divisor: Decimal, value: Decimal) -> bool:
    return (Fraction(value) / Fraction(divisor)).denominator == 1


@dataclass(frozen=True)
class Text:
    """A string: lengths, patterns that must or must not match, formats, and values."""

    least: int = 0
    most: int | None = None
    patterns: tuple[Named, ...] = ()
    formats: tuple[Named, ...] = ()
    enum: tuple[str, ...] | None = None
    excluded: frozenset[str] = frozenset()
    refused: Refused = ()
    voice: int = field(default=SILENT, compare=False)

    def meet(self, other: "Text") -> "Text":
        """Return the case that asks for both."""
        return Text(
            least=max(self.least, other.least),
            most=min((most for most in (self.most, other.most) if most is not None), default=None),
            patterns=tuple(dict.fromkeys(self.patterns + other.patterns)),
            formats=tuple(dict.fromkeys(self.formats + other.formats)),
            enum=meet_enums(self.enum, other.enum),
            excluded=self.excluded | other.excluded,
            refused=self.refused + other.refused,
            voice=max(self.voice, other.voice),
        )

    def alone(self) -> Named | None:
        """Return the pattern or format that is all that is asked but ``enum``; None if more is, or less."""
        asked = self.patterns + self.formats
        return asked[0] if len(asked) == 1 and replace(self, patterns=(), formats=(), enum=None) == Text() else None

    def negate(self) -> "list[Text]":
        """Return cases of all other strings."""
        found = [Text(patterns=(Named(each.name, each.place, not each.must),)) for each in self.patterns]
        if self.least:
            found.append(Text(most=self.least - 1))
        if self.most is not None:
            found.append(Text(least=self.most + 1))
        # An automaton of a format leaves out what validators disagree on, so what it does not match is no certain no.
        problem = "the negation of the format {!r} is not supported"
        found += [Text(refused=((problem.format(name), place),)) for name, place, _ in self.formats]
        if self.enum is not None:
            found.append(Text(excluded=frozenset(self.enum)))
        found += [Text(enum=(value,)) for value in sorted(self.excluded)]
        return found + [Text(refused=(problem,)) for problem in self.refused]
