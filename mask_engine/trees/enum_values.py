"""The values of ``const`` and ``enum``: any JSON values, arrays and objects too."""

from collections.abc import Sequence
from typing import Any

from labkit.automata.work import spend
from labkit.errors import LimitExceeded
from labs.lab_06_regex_to_dfa.given.check import MAX_PATTERN
from labs.lab_08_json_schema import solution as lab
from labs.lab_08_json_schema.given.whitespace import Whitespace


def value_regex(value: Any, space: Whitespace) -> str:
    r"""Return an expression for one JSON value with its white space; members keep the order of the value.

    A number with a whole value is written with or without its fraction: ``2`` is ``2.0`` to JSON Schema.

    >>> from labs.lab_08_json_schema.given.whitespace import policy
    >>> value_regex({"a": [1, None]}, policy("compact"))
    '\\{"a":(?:\\[1(?:\\.0)?,null\\])\\}'
    """
    if isinstance(value, (list, tuple)):
        return _bracketed([value_regex(item, space) for item in value], r"\[", r"\]", space)
    if isinstance(value, dict):
        members = [lab.member_regex(key, value_regex(item, space), space) for key, item in value.items()]
        return _bracketed(members, r"\{", r"\}", space)
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e16:
        value = int(value)
    fraction = r"(?:\.0)?" if type(value) is int else ""
    return lab.literal_regex(value) + fraction


def _bracketed(items: Sequence[str], opening: str, closing: str, space: Whitespace) -> str:
    inside = space.edge + space.comma.join(items) + (space.edge if items else "")
    return opening + inside + closing


def values_regex(values: Sequence[Any], space: Whitespace) -> str:
    """Return an expression for one of several values; scalars by the lab's own function."""
    characters = sum(len(value) for value in values if isinstance(value, str))
    if characters > MAX_PATTERN:
        raise LimitExceeded(f"the values of an enum, {characters:,} characters", MAX_PATTERN)
    spend(6 * characters)  # each is spelled
    if all(isinstance(value, str | bool) or value is None for value in values):
        return lab.enum_regex(values)
    return f"(?:{'|'.join(value_regex(value, space) for value in values)})"
