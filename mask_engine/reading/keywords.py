"""The keywords of one schema that don't put schemas together: a case of each type."""

from typing import Any

from labkit.errors import InvalidSchema
from labkit.reading import Reading
from labs.lab_08_json_schema.given.pointers import below
from labs.lab_08_json_schema.given.subset import count
from labs.lab_08_json_schema.given.values import TYPES
from mask_engine.formats.registry import COVERED, UNCOVERED, WIDER
from mask_engine.reading.arrays import ALL, Array, Every, Some
from mask_engine.reading.bounds import read_bounds, read_decimal
from mask_engine.reading.objects import Keys, Members, Object, satisfying
from mask_engine.reading.places import NEVER, Child, Named
from mask_engine.reading.references import OLD_DRAFTS
from mask_engine.reading.scalars import Numeric, Text, meet_enums

_NO_CONTAINS = ("2019-09",)


def types_of(schema: dict[str, Any], pointer: str) -> frozenset[str] | None:
    """Return the types that ``type`` names, None if there's no such keyword; a number may be an integer.

    Raises:
        InvalidSchema: if a keyword has a value that it can't have, as all functions here do.

    >>> sorted(types_of({"type": ["number", "null"]}, ""))
    ['integer', 'null', 'number']
    """
    if "type" not in schema:
        return None
    names = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
    for name in names:
        if not isinstance(name, str) or name not in TYPES:
            problem = f"unknown type {name!r:.80}; the types are {', '.join(TYPES)}"
            raise InvalidSchema(problem, below(pointer, "type"))
    return frozenset(names) | ({"integer"} if "number" in names else frozenset())


def values_of(schema: dict[str, Any], pointer: str) -> tuple[Any, ...] | None:
    """Return the values of ``enum``, of ``const``, or of both."""
    one = tuple(_listed(schema, "enum", pointer)) if "enum" in schema else None
    return meet_enums(one, (schema["const"],) if "const" in schema else None)


def number_case(schema: dict[str, Any], pointer: str) -> Numeric:
    """Return the case of the numbers that satisfy a schema's keywords."""
    low, high = read_bounds(schema, pointer)
    if "multipleOf" not in schema:
        return Numeric(low, high)
    place = below(pointer, "multipleOf")
    if (divisor := read_decimal(schema["multipleOf"], place)) <= 0:
        raise InvalidSchema(f"multipleOf must be more than 0, not {schema['multipleOf']!r:.80}", place)
    return Numeric(low, high, multiples=(divisor,))


def text_case(schema: dict[str, Any], pointer: str, reading: Reading) -> Text:
    """Return the case of the texts that satisfy a schema's keywords.

    >>> case = text_case({"minLength": 2, "format": "postcode"}, "", Reading())
    >>> case.least, case.formats  # the standard has no such format, so it's a mere note
    (2, ())
    """
    for keyword in ("pattern", "format"):
        if not isinstance(schema.get(keyword, ""), str):
            raise InvalidSchema(f"{keyword} must be a text, not {schema[keyword]!r:.80}", below(pointer, keyword))
    patterns = (Named(schema["pattern"], below(pointer, "pattern")),) if "pattern" in schema else ()
    formats: tuple[Named, ...] = ()
    name = schema.get("format", "")
    if reading.asserts_formats and (name in COVERED or name in UNCOVERED):
        wider = {} if reading.implied else WIDER
        formats = (Named(wider.get(name, name), below(pointer, "format")),)
    return Text(_count(schema, "minLength", pointer) or 0, _count(schema, "maxLength", pointer), patterns, formats)


def array_case(schema: dict[str, Any], pointer: str, draft: str) -> Array:
    """Return the case of the arrays that satisfy a schema's keywords.

    Until 2019 ``prefixItems`` was a list of ``items``.

    Args:
        draft: what the document's ``$schema`` says.
    """
    words = ("items", "additionalItems") if isinstance(schema.get("items"), list) else ("prefixItems", "items")
    first, rest = _listed(schema, words[0], pointer), _child(schema, words[1], pointer)
    every = [Every(n, n + 1, ((each, below(pointer, words[0], n)),)) for n, each in enumerate(first)]
    every += [] if rest is None else [Every(len(first), ALL, rest)]
    some: tuple[Some, ...] = ()
    containing: tuple[Child, ...] = ()
    if (child := _child(schema, "contains", pointer)) is not None:
        counts = {} if any(name in draft for name in OLD_DRAFTS) else schema
        least = count(counts.get("minContains", 1), below(pointer, "minContains"))
        most = None if counts.get("maxContains") is None else _count(counts, "maxContains", pointer)
        some = (Some(0, ALL, child, least, most),)
        containing = () if any(name in draft for name in _NO_CONTAINS) else (child,)
    return Array(
        every=tuple(every),
        some=some,
        least=_count(schema, "minItems", pointer) or 0,
        most=_count(schema, "maxItems", pointer),
        unique=(below(pointer, "uniqueItems"),) if schema.get("uniqueItems") is True else (),
        evaluated=ALL if rest is not None else len(first),
        containing=containing,
    )


def object_case(schema: dict[str, Any], pointer: str) -> Object:
    """Return the case of the objects that satisfy a schema's keywords."""
    place, declared = below(pointer, "properties"), mapping(schema, "properties", pointer)
    every = [Members(Keys((key,)), ((child, below(place, key)),)) for key, child in declared.items()]
    place = below(pointer, "patternProperties")
    for pattern, child in mapping(schema, "patternProperties", pointer).items():
        keys = Keys(patterns=(Named(pattern, below(place, pattern)),))
        every.append(Members(keys, ((child, below(place, pattern)),)))
    evaluated = [one.keys for one in every]
    if (others := _child(schema, "additionalProperties", pointer)) is not None:
        evaluated.append(Keys(outside=(Keys(tuple(declared)), *evaluated[len(declared) :])))
        every.append(Members(evaluated[-1], others))
    if (names := _child(schema, "propertyNames", pointer)) is not None:
        every.append(Members(Keys(outside=(satisfying(names),)), NEVER))
    return Object(
        declared=tuple(declared),
        every=tuple(every),
        some=tuple(Members(Keys((key,)), ()) for key in _required(schema, pointer)),
        least=_count(schema, "minProperties", pointer) or 0,
        most=_count(schema, "maxProperties", pointer),
        written=tuple(evaluated[len(declared) :]),
        evaluated=tuple(evaluated),
    )


def mapping(schema: dict[str, Any], keyword: str, pointer: str) -> dict[str, Any]:
    """Return the object that a keyword has; an empty one if it isn't there."""
    found = schema.get(keyword, {})
    if not isinstance(found, dict):
        raise InvalidSchema(f"{keyword} must be an object, not {found!r:.80}", below(pointer, keyword))
    return found


def _listed(schema: dict[str, Any], keyword: str, pointer: str) -> list[Any]:
    found = schema.get(keyword, [])
    if not isinstance(found, list):
        raise InvalidSchema(f"{keyword} must be a list, not {found!r:.80}", below(pointer, keyword))
    return found


def _count(schema: dict[str, Any], keyword: str, pointer: str) -> int | None:
    return count(schema[keyword], below(pointer, keyword)) if keyword in schema else None


def _child(schema: dict[str, Any], keyword: str, pointer: str) -> Child | None:
    return ((schema[keyword], below(pointer, keyword)),) if keyword in schema else None


def _required(schema: dict[str, Any], pointer: str) -> list[str]:
    required = schema.get("required", [])
    if isinstance(required, bool):  # draft 3 wrote it into the member; nothing in this place
        return []
    if not isinstance(required, list) or not all(isinstance(key, str) for key in required):
        raise InvalidSchema(f"required must be a list of keys, not {required!r:.80}", below(pointer, "required"))
    return list(dict.fromkeys(required))
