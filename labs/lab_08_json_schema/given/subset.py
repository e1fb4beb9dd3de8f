"""The subset of JSON Schema that the lab itself compiles: check it and drop its annotations."""

import math
from copy import copy
from typing import Any

from labkit.errors import InvalidSchema, UnsupportedSchema
from labs.lab_08_json_schema.given.check import check_text
from labs.lab_08_json_schema.given.keywords import ANNOTATIONS
from labs.lab_08_json_schema.given.pointers import below
from labs.lab_08_json_schema.given.values import TYPES

_BY_TYPE: dict[str, tuple[str, ...]] = {
    "object": ("properties", "required"),
    "array": ("items", "minItems", "maxItems"),
    "string": ("minLength", "maxLength"),
}
_COUNTS = ("minItems", "maxItems", "minLength", "maxLength")

_ANY = "{}, which no regular expression describes; let {} say which"


def check_subset(schema: Any, pointer: str) -> dict[str, Any]:
    """Return a copy of a schema of the lab's subset, without annotations, its counts as integers.

    Args:
        pointer: the JSON pointer to the schema, for errors.

    Raises:
        InvalidSchema: if it is not a schema, or a keyword has an invalid value.
        UnsupportedSchema: for a keyword that constrains and is not in the subset, or a place for any value.

    >>> check_subset({"type": "string", "maxLength": 3.0, "title": "a name"}, "")
    {'type': 'string', 'maxLength': 3}
    >>> check_subset({"type": "string", "pattern": "a"}, "/items")
    Traceback (most recent call last):
    labkit.errors.UnsupportedSchema: the keyword 'pattern' is not supported here, at /items/pattern
    """
    if not isinstance(schema, dict):
        raise _not_a_schema(schema, pointer)
    # Lists and objects are copied, so that changes to them leave the caller's schema alone.
    kept = {keyword: copy(value) for keyword, value in schema.items() if keyword not in ANNOTATIONS}
    kind = _type(kept, pointer)
    allowed = {"enum", "type"} if "enum" in kept else {"type", *_BY_TYPE.get(kind, ())}
    for keyword in kept:
        if keyword not in allowed:
            raise UnsupportedSchema(f"the keyword {keyword!r:.80} is not supported here", below(pointer, keyword))
    if "type" not in kept and "enum" not in kept:
        raise UnsupportedSchema(_ANY.format("any JSON value may stand here", "type or enum"), pointer)
    _check_shapes(kept, pointer)
    return kept | {keyword: count(kept[keyword], below(pointer, keyword)) for keyword in _COUNTS if keyword in kept}


def is_covered(schema: Any) -> bool:
    """Return whether a schema is an array or an object without a keyword beyond the lab's, and without a mistake.

    Only the schema itself is looked at, and not what is inside.

    >>> is_covered({"type": "array", "items": {}, "title": "a list"}), is_covered({"type": "array", "minContains": 1})
    (True, False)
    """
    kind = schema.get("type") if isinstance(schema, dict) else None
    if kind not in ("array", "object"):
        return False
    allowed = ("type", *_BY_TYPE[kind])
    if not all(keyword in allowed or keyword in ANNOTATIONS for keyword in schema):
        return False
    if kind == "array":
        return isinstance(schema.get("items"), dict | bool)
    declared, required = schema.get("properties"), schema.get("required", [])
    shaped = isinstance(declared, dict) and isinstance(required, list | tuple)
    return shaped and all(isinstance(key, str) and key in declared for key in required)


def count(value: Any, pointer: str) -> int:
    """Return a count of characters, items or members.

    Raises:
        InvalidSchema: if it is not a whole number, or less than 0.

    >>> count(2.0, "/minItems")
    2
    """
    whole = type(value) is int or (isinstance(value, float) and value.is_integer())
    if not whole or value < 0:
        raise InvalidSchema(f"{value!r:.80} is no count: it must be a whole number, 0 or more", pointer)
    return int(value)


def _type(schema: dict[str, Any], pointer: str) -> str:
    kind = schema.get("type", "")
    if "type" in schema and (not isinstance(kind, str) or kind not in TYPES):
        if isinstance(kind, list):
            raise UnsupportedSchema("a list of types is not supported here", below(pointer, "type"))
        raise InvalidSchema(f"unknown type {kind!r:.80}; the types are {', '.join(TYPES)}", below(pointer, "type"))
    return str(kind)


def _check_shapes(schema: dict[str, Any], pointer: str) -> None:
    """Check the keywords whose values are lists and objects, and those that a type needs."""
    for keyword, kind, what in (
        ("enum", list, "a list"),
        ("required", list, "a list"),
        ("properties", dict, "an object"),
    ):
        if keyword in schema and not isinstance(schema[keyword], kind):
            raise InvalidSchema(f"{keyword} must be {what}, not {schema[keyword]!r:.80}", below(pointer, keyword))
    if "enum" in schema:
        return _check_values(schema["enum"], below(pointer, "enum"))
    if schema["type"] == "array" and "items" not in schema:
        raise UnsupportedSchema(_ANY.format("the items may be any JSON value", "items"), pointer)
    if schema["type"] == "object" and "properties" not in schema:
        raise UnsupportedSchema(_ANY.format("the members may be any JSON value", "properties"), pointer)
    for key in schema.get("properties", ()):
        check_text(key, below(pointer, "properties"))
    for key in schema.get("required", ()):
        if not isinstance(key, str):
            raise InvalidSchema(f"required must be a list of keys, and {key!r:.80} is none", below(pointer, "required"))
        if key not in schema["properties"]:
            problem = f"the required key {key!r:.80} is not declared, so any JSON value may stand there"
            raise UnsupportedSchema(problem, below(pointer, "required"))


def _check_values(values: list[Any], pointer: str) -> None:
    """Check that the values of an ``enum`` are scalars that JSON can write."""
    for index, value in enumerate(values):
        if isinstance(value, (list, dict)):
            problem = "an array or an object among the values of enum is not supported here"
            raise UnsupportedSchema(problem, below(pointer, index))
        if isinstance(value, float) and not math.isfinite(value):
            raise InvalidSchema(f"{value!r} is no JSON value", below(pointer, index))
        if isinstance(value, str) and not value.isprintable():
            check_text(value, below(pointer, index))


def _not_a_schema(schema: Any, pointer: str) -> InvalidSchema | UnsupportedSchema:
    if isinstance(schema, bool):
        what = "any JSON value" if schema else "no value"
        return UnsupportedSchema(f"the schema {str(schema).lower()}, for {what}, is not supported here", pointer)
    return InvalidSchema(f"a schema is an object, not {schema!r:.80}", pointer)
