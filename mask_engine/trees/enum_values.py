"""The values of ``const`` and ``enum``: any JSON values, arrays and objects too."""

from collections.abc import Sequence
from typing import Any

from labkit.automata.syntax import Node
from labkit.automata.trees import Whitespace, char, choice, optional, row, text
from labkit.automata.work import spend
from labkit.errors import LimitExceeded
from labs.lab_06_regex_to_dfa.given.check import MAX_PATTERN
from labs.lab_08_json_schema import solution as lab


def value_tree(value: Any, space: Whitespace) -> Node:
    r"""Return the tree of one JSON value with its white space; members keep the order of the value.

    A number with a whole value is written with or without its fraction: ``2`` is ``2.0`` to JSON Schema.

    >>> from labkit.automata.trees import regex_of
    >>> from labs.lab_08_json_schema.given.whitespace import policy
    >>> print(regex_of(value_tree({"a": [1, None]}, policy("compact"))))
    \{"a":\[1(?:\.0)?,null\]\}
    """
    if isinstance(value, (list, tuple)):
        inside = [part for item in value for part in (space.comma, value_tree(item, space))][1:]
        return row(char("["), space.edge, *inside, *([space.edge] if value else []), char("]"))
    if isinstance(value, dict):
        return lab.object_tree(
            [(lab.member_tree(key, value_tree(item, space), space), True) for key, item in value.items()], space
        )
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e16:
        value = int(value)
    return row(lab.literal_tree(value), optional(text(".0"))) if type(value) is int else lab.literal_tree(value)


def values_tree(values: Sequence[Any], space: Whitespace) -> Node:
    """Return the tree of one of several values; scalars by the lab's own function."""
    characters = sum(len(value) for value in values if isinstance(value, str))
    if characters > MAX_PATTERN:
        raise LimitExceeded(f"the values of an enum, {characters:,} characters", MAX_PATTERN)
    spend(6 * characters)  # each is spelled
    if all(isinstance(value, str | bool) or value is None for value in values):
        return lab.enum_tree(values)
    return choice([value_tree(value, space) for value in values])
