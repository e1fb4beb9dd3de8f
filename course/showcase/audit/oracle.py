r"""What ``jsonschema`` says of a value, and where even it must not be asked.

A schema is read as its own ``$schema`` says and as draft 2020-12, which engines implement. Where the two differ, nobody
is wrong. Nor is anybody where Python's patterns differ from ECMAScript's, or where a number has more digits than Python
keeps: there, the oracle says None.

>>> [Oracle({"type": "string", "pattern": r"^\w+$"}).valid(value) for value in ("ab", "", "é")]
[True, False, None]
"""

import json
import re
from collections.abc import Iterator
from decimal import Decimal, InvalidOperation
from typing import Any

import jsonschema
import regex
from jsonschema.validators import extend, validator_for
from referencing.jsonschema import EMPTY_REGISTRY

NEWEST = jsonschema.Draft202012Validator

_YOUNG = {
    *("prefixItems", "minContains", "maxContains", "dependentRequired", "dependentSchemas", "unevaluatedItems"),
    *("unevaluatedProperties", "$anchor", "$dynamicRef", "$dynamicAnchor", "$defs"),
}
"""Keywords that draft 7 does not know: a schema without ``$schema`` that has one is of a newer draft."""

_PATTERNS = re.compile(r'"(pattern|patternProperties)":')
_LONG_NUMBER = re.compile(r"\d(?:[.]?\d){15}|[eE][+-]?\d{3}")
_PLAIN = re.compile(r"[\x20-\x7e]*")


class Oracle:
    """A schema, or a pattern, and what values it takes.

    Args:
        is_checked: whether it is known to be a schema by its draft; finding that out takes most of the time.
    """

    def __init__(self, schema: Any, is_checked: bool = False) -> None:
        self.schema = schema
        self._validators: list[Any] = []
        self._has_patterns = self._has_formats = False
        self.is_schema = False
        if isinstance(schema, str):
            return
        text = json.dumps(schema)
        self._has_patterns, self._has_formats = bool(_PATTERNS.search(text)), '"format":' in text
        try:
            bare = {key: schema[key] for key in schema if key != "$schema"} if isinstance(schema, dict) else schema
            for read_as in _drafts(schema):
                if not is_checked:
                    read_as.check_schema(schema)
                # With ``$schema``, jsonschema would change to a validator of that draft, and without our arithmetic.
                self._validators.append(_exact(read_as)(bare, registry=EMPTY_REGISTRY))
            self.is_schema = True
        except Exception:  # it is no schema, or none that can be read
            self._validators = []

    def valid(self, value: Any, formats: bool = False) -> bool | None:
        """Return whether a value is valid, or None if that isn't settled: a value may be valid only if formats are
        checked, in a ``oneOf`` of two of them.

        Args:
            formats: whether texts must have their formats, as far as ``jsonschema`` knows them.
        """
        if isinstance(self.schema, str):
            return _matches(self.schema, value)
        if not _is_clear(value, self._has_patterns):
            return None
        found = set()
        try:
            for validator in self._validators:
                checker = type(validator).FORMAT_CHECKER if formats else None
                found.add(validator.evolve(format_checker=checker).is_valid(value))
        except Exception:  # a reference that leads nowhere, a pattern of another dialect, or no end
            return None
        said = found.pop() if len(found) == 1 else None
        by_format = said is False and not formats and self._has_formats and self.valid(value, formats=True) is not False
        return None if by_format else said

    def blamed(self, value: Any, inner: bool = False) -> frozenset[str]:
        """Return the keywords that refuse a value.

        Args:
            inner: also those that refuse it in the options of an ``anyOf``.

        >>> oracle = Oracle({"anyOf": [{"items": {"type": "null"}}]})
        >>> sorted(oracle.blamed([1])), sorted(oracle.blamed([1], inner=True))
        (['anyOf'], ['anyOf', 'type'])
        """
        if isinstance(self.schema, str):
            return frozenset({"regex"})
        found = set[str]()
        try:
            waiting = [*self._validators[0].iter_errors(value)]
            while waiting:
                error = waiting.pop()
                found.add("false" if error.validator is None else error.validator)
                waiting += error.context if inner else []
        except Exception:  # no oracle, or no end
            pass
        return frozenset(found)


def read_json(text: str) -> tuple[str, Any]:
    """Return ``"clear"`` and the value of a JSON text; or what else it is: it may be unclear what a text means.

    >>> read_json("[1]"), read_json('{"a": 1, "a": 2}'), read_json("[1,]")
    (('clear', [1]), ('a key comes twice', None), ('not JSON: Expecting value', None))
    """
    twice = False

    def members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        nonlocal twice
        twice |= len({key for key, _ in pairs}) < len(pairs)
        return dict(pairs)

    def constant(name: str) -> Any:
        raise json.JSONDecodeError(f"{name} is no value", text, 0)

    try:
        value = json.loads(text, object_pairs_hook=members, parse_constant=constant)
    except json.JSONDecodeError as error:
        return f"not JSON: {error.msg}", None
    except (ValueError, RecursionError):
        return "too large", None
    if twice or _LONG_NUMBER.search(text):
        return "a key comes twice" if twice else "a number of many digits", None
    return "clear", value


def _drafts(schema: Any) -> list[Any]:
    declared = schema.get("$schema") if isinstance(schema, dict) else None
    if declared is not None:
        own = validator_for(schema, default=NEWEST)
        return [NEWEST, *[own] * (own is not NEWEST)]
    mentioned = set(_keys(schema))
    return [NEWEST] if mentioned & _YOUNG else [NEWEST, jsonschema.Draft7Validator]


def _keys(value: Any) -> Iterator[str]:
    for each in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from _keys(each)
    if isinstance(value, dict):
        yield from value


def _exact(read_as: Any) -> Any:
    """Return a draft's validator, with ``multipleOf`` in decimal numbers: 19.99 is a multiple of 0.01."""

    def multiple_of(validator: Any, divisor: Any, value: Any, schema: Any) -> Iterator[Any]:
        if validator.is_type(value, "number"):
            try:
                rest = Decimal(repr(value)) % Decimal(repr(divisor))
            except InvalidOperation:
                raise ValueError("more digits than are counted") from None
            if rest:
                yield jsonschema.ValidationError(f"{value} is not a multiple of {divisor}")

    return extend(read_as, {"multipleOf": multiple_of})


def _is_clear(value: Any, has_patterns: bool) -> bool:
    """Return whether Python reads a value as everybody does: its texts where there are patterns, and its numbers."""
    if isinstance(value, dict):
        return all(_is_clear(each, has_patterns) for pair in value.items() for each in pair)
    if isinstance(value, list):
        return all(_is_clear(each, has_patterns) for each in value)
    if isinstance(value, str):
        halves = any("\ud800" <= char <= "\udfff" for char in value)  # of a character, which is none
        return not halves and (not has_patterns or bool(_PLAIN.fullmatch(value)))
    return isinstance(value, bool) or not isinstance(value, int | float) or not _LONG_NUMBER.search(repr(value))


def _matches(pattern: str, text: Any) -> bool | None:
    if not isinstance(text, str) or not _PLAIN.fullmatch(text):
        return None
    try:
        found = {bool(re.fullmatch(pattern, text)), bool(regex.fullmatch(pattern, text, timeout=1))}
    except Exception:
        return None
    return found.pop() if len(found) == 1 else None
