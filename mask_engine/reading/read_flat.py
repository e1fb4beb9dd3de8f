"""From one schema object to a ``FlatSchema``, without the keywords that combine schemas."""

from decimal import Decimal
from typing import Any

from labkit.errors import InvalidSchema
from labs.lab_08_json_schema.given.keywords import speaks_of
from labs.lab_08_json_schema.given.pointers import below
from labs.lab_08_json_schema.given.subset import count
from labs.lab_08_json_schema.given.values import TYPES
from mask_engine.reading.bounds import read_bounds, read_decimal
from mask_engine.reading.flat_schema import Child, FlatSchema, meet_enums


def read_flat(schema: dict[str, Any], pointer: str) -> FlatSchema:
    """Return the keywords of one schema object as a flat schema.

    Raises:
        InvalidSchema: if a keyword has a value that it cannot have.

    >>> read_flat({"type": ["string", "null"], "minLength": 2}, "").least_length
    2
    """
    low, high = read_bounds(schema, pointer)
    prefix, rest = _read_items(schema, pointer)
    return FlatSchema(
        pointer=pointer,
        types=_read_types(schema, pointer),
        enum=_read_enum(schema, pointer),
        mentions=frozenset(filter(None, map(speaks_of, schema))),
        low=low,
        high=high,
        multiples=_read_multiples(schema, pointer),
        least_length=_read_count(schema, pointer, "minLength") or 0,
        most_length=_read_count(schema, pointer, "maxLength"),
        patterns=_read_text(schema, pointer, "pattern"),
        formats=_read_text(schema, pointer, "format"),
        prefix=prefix,
        rest=rest,
        least_items=_read_count(schema, pointer, "minItems") or 0,
        most_items=_read_count(schema, pointer, "maxItems"),
        properties=_read_properties(schema, pointer),
        required=_read_required(schema, pointer),
        additional=_read_child(schema, pointer, "additionalProperties"),
        least_members=_read_count(schema, pointer, "minProperties") or 0,
        most_members=_read_count(schema, pointer, "maxProperties"),
    )


def _read_types(schema: dict[str, Any], pointer: str) -> frozenset[str] | None:
    if "type" not in schema:
        return None
    names = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
    for name in names:
        if not isinstance(name, str) or name not in TYPES:
            problem = f"unknown type {name!r:.80}; the types are {', '.join(TYPES)}"
            raise InvalidSchema(problem, below(pointer, "type"))
    return frozenset(names) | ({"integer"} if "number" in names else frozenset())


def _read_enum(schema: dict[str, Any], pointer: str) -> tuple[Any, ...] | None:
    """Return the values of ``enum``, of ``const``, or of both."""
    if "enum" in schema and not isinstance(schema["enum"], list):
        raise InvalidSchema(f"enum must be a list, not {schema['enum']!r:.80}", below(pointer, "enum"))
    one = tuple(schema["enum"]) if "enum" in schema else None
    return meet_enums(one, (schema["const"],) if "const" in schema else None)


def _read_multiples(schema: dict[str, Any], pointer: str) -> tuple[tuple[Decimal, str], ...]:
    if "multipleOf" not in schema:
        return ()
    place = below(pointer, "multipleOf")
    divisor = read_decimal(schema["multipleOf"], place)
    if divisor <= 0:
        raise InvalidSchema(f"multipleOf must be more than 0, not {schema['multipleOf']!r:.80}", place)
    return ((divisor, place),)


def _read_count(schema: dict[str, Any], pointer: str, keyword: str) -> int | None:
    return count(schema[keyword], below(pointer, keyword)) if keyword in schema else None


def _read_text(schema: dict[str, Any], pointer: str, keyword: str) -> tuple[tuple[str, str], ...]:
    if keyword not in schema:
        return ()
    if not isinstance(schema[keyword], str):
        raise InvalidSchema(f"{keyword} must be a text, not {schema[keyword]!r:.80}", below(pointer, keyword))
    return ((schema[keyword], below(pointer, keyword)),)


def _read_child(schema: dict[str, Any], pointer: str, keyword: str) -> Child | None:
    return ((schema[keyword], below(pointer, keyword)),) if keyword in schema else None


def _read_items(schema: dict[str, Any], pointer: str) -> tuple[tuple[Child, ...], Child | None]:
    """Return the schemas of the first items, and of the others. Until 2019 ``prefixItems`` was a list of ``items``."""
    tuple_keyword, rest_keyword = "prefixItems", "items"
    if isinstance(schema.get("items"), list):
        tuple_keyword, rest_keyword = "items", "additionalItems"
    first = schema.get(tuple_keyword, [])
    if not isinstance(first, list):
        raise InvalidSchema(f"{tuple_keyword} must be a list, not {first!r:.80}", below(pointer, tuple_keyword))
    prefix = tuple(((child, below(pointer, tuple_keyword, index)),) for index, child in enumerate(first))
    rest = _read_child(schema, pointer, rest_keyword)
    return prefix, rest


def _read_properties(schema: dict[str, Any], pointer: str) -> dict[str, Child]:
    place = below(pointer, "properties")
    declared = schema.get("properties", {})
    if not isinstance(declared, dict):
        raise InvalidSchema(f"properties must be an object, not {declared!r:.80}", place)
    return {key: ((child, below(place, key)),) for key, child in declared.items()}


def _read_required(schema: dict[str, Any], pointer: str) -> tuple[str, ...]:
    required = schema.get("required", [])
    if isinstance(required, bool):  # draft 3 wrote it into the member; nothing in this place
        return ()
    if not isinstance(required, list) or not all(isinstance(key, str) for key in required):
        raise InvalidSchema(f"required must be a list of keys, not {required!r:.80}", below(pointer, "required"))
    return tuple(dict.fromkeys(required))
