"""An engine's choices, which are no errors: how members are ordered, which may come, and what a keyword implies.

Where an engine refuses a valid text, a choice explains it in one of two ways. Either the same value in a form that
respects the choice gets through. Or the schema, with the choice written into it, no longer takes the value.

>>> schema = {"type": "object", "properties": {"a": {}, "b": {"type": "integer"}}}
>>> forbidding(schema, {"c": 1, "b": 2}), forbidding({"minLength": 1}, 7), forbidding({"type": "string"}, "x")
('closed', 'implied types', None)
>>> forbidding({"type": "array", "minItems": 1}, [7])  # to xgrammar, items that aren't described are none
'closed arrays'
"""

import json
from collections.abc import Callable, Iterator
from itertools import product
from typing import Any

from course.showcase.audit.oracle import Oracle

ONE = (
    *("items", "additionalItems", "additionalProperties", "contains", "propertyNames"),
    *("unevaluatedItems", "unevaluatedProperties"),
)
NAMED = ("properties", "patternProperties", "$defs", "definitions")
"""Keywords of one schema, and of some with names, about other places than their own."""

NO_PLACE = ("not", "if", "const", "enum", "default", "examples")
"""Keywords that decide, which must stay as they are, and keywords of values."""

SPOKEN_OF = {
    "object": "properties required patternProperties additionalProperties propertyNames minProperties maxProperties"
    " dependentRequired dependentSchemas dependencies unevaluatedProperties",
    "array": "items prefixItems additionalItems minItems maxItems uniqueItems contains minContains maxContains"
    " unevaluatedItems",
    "string": "minLength maxLength pattern format",
    "number": "minimum maximum exclusiveMinimum exclusiveMaximum multipleOf",
}
"""Types, and the keywords that speak of them."""


MOVES = 60
"""How many orders of a value's members are tried."""


def in_form(schema: Any, value: Any, stops: Callable[[Any], int | None]) -> str | None:
    """Return the policy under which the same value gets through in another form, or None if none of them does.

    Args:
        stops: how many characters of a value's text are read, or None if all are.

    >>> stops = lambda value: None if [*value] == ["a", "b"] else 2  # an engine with an order of its own
    >>> in_form({}, {"b": 1, "a": 2}, stops), in_form({}, {"b": 1}, stops)
    ('order', None)
    """
    whole, tries = _whole(value), MOVES
    if repr(whole) != repr(value) and stops(whole) is None:
        return "numbers"
    moved = _arranged([*_named(schema)], whole)
    at = stops(moved)
    while at is not None:
        for other in _moved(moved, at):
            tries -= 1
            now = stops(other)
            if now is None or now > at:
                moved, at = other, now
                break
            if not tries:
                return None
        else:
            return None
    return "order" if repr(moved) != repr(whole) else None


def _named(schema: Any) -> Iterator[list[str]]:
    """Yield the names that each ``properties`` in a schema mentions."""
    parts = schema.items() if isinstance(schema, dict) else enumerate(schema) if isinstance(schema, list) else ()
    for key, each in parts:
        if key == "properties" and isinstance(each, dict):
            yield [*each]
        yield from _named(each)


def _arranged(named: list[list[str]], value: Any) -> Any:
    """Return a value with its members in the order in which a schema names most of them.

    >>> _arranged([["a"], ["a", "b"]], {"c": 1, "b": 1, "a": 1})
    {'a': 1, 'b': 1, 'c': 1}
    """
    if isinstance(value, list):
        return [_arranged(named, each) for each in value]
    if not isinstance(value, dict):
        return value
    order = max(named, key=lambda names: len(value.keys() & {*names}), default=[])
    known = [name for name in order if name in value]
    return {name: _arranged(named, value[name]) for name in dict.fromkeys((*known, *value))}


def _moved(value: Any, at: int) -> Iterator[Any]:
    """Yield a value with a member moved to where its text is read no further, or before that.

    >>> [*_moved({"c": 1, "a": {"y": 2, "x": 3}}, len('{"c": 1, "a": {'))][:2]
    [{'c': 1, 'a': {'x': 3, 'y': 2}}, {'a': {'y': 2, 'x': 3}, 'c': 1}]
    """
    if isinstance(value, list):
        end = 1
        for place, each in enumerate(value):
            begin, end = end, end + _size(each) + 2
            if begin <= at < end - 2:
                yield from ([*value[:place], one, *value[place + 1 :]] for one in _moved(each, at - begin))
    elif isinstance(value, dict):
        end, names = 1, [*value]
        for place, name in enumerate(names):
            inside = end + _size(name) + 2
            end = inside + _size(value[name]) + 2
            if at < end - 2:
                if at >= inside:
                    yield from (value | {name: one} for one in _moved(value[name], at - inside))
                for of, to in product(range(place, len(names)), reversed(range(place + 1))):
                    if of == to:
                        continue
                    rest = names[:of] + names[of + 1 :]
                    yield {key: value[key] for key in (*rest[:to], names[of], *rest[to:])}
                return


def forbidding(schema: Any, value: Any) -> str | None:
    """Return the policy under which a schema doesn't take a value, though it is valid."""
    if isinstance(schema, str):
        return None
    if Oracle(schema).valid(value, formats=True) is False:
        return "formats"
    for policy in ("closed", "implied types", "closed, implied types", "closed, each part by itself", "closed arrays"):
        try:
            changed = implied(schema) if "implied" in policy else schema
            changed = closed(changed) if "closed" in policy else changed
            changed = _rewritten(changed, _closed_by_itself, True) if "itself" in policy else changed
            changed = _rewritten(changed, _closed_arrays, True) if "arrays" in policy else changed
        except (RecursionError, TypeError, AttributeError):  # a schema of a strange shape
            continue
        if changed != schema and Oracle(_newest(changed)).valid(value) is False:
            return policy
    return None


def _newest(schema: Any) -> Any:
    return schema | {"$schema": "https://json-schema.org/draft/2020-12/schema"} if isinstance(schema, dict) else schema


def closed(schema: Any) -> Any:
    """Return a schema whose objects have no members but those that are mentioned.

    >>> closed({"properties": {"a": {}}, "additionalProperties": True})
    {'properties': {'a': {}}, 'additionalProperties': True}
    >>> closed({"prefixItems": [True]})  # nor arrays other items
    {'prefixItems': [True], 'unevaluatedItems': False}
    >>> closed({"items": {"required": ["a"]}})
    {'items': {'required': ['a'], 'unevaluatedProperties': False}}
    >>> closed({"definitions": {"a": {"full": {"required": ["a"]}}}})  # a reference may lead to #/definitions/a/full
    {'definitions': {'a': {'full': {'required': ['a'], 'unevaluatedProperties': False}}}}
    """
    return _rewritten(schema, _closed, True)


def implied(schema: Any) -> Any:
    """Return a schema that has the types that its keywords speak of.

    >>> implied({"minLength": 1, "not": {"minLength": 3}})
    {'minLength': 1, 'not': {'minLength': 3}, 'type': ['string']}
    """
    return _rewritten(schema, _implied, True)


def _rewritten(schema: Any, rewrite: Callable[[dict[str, Any], bool], dict[str, Any]], is_place: bool) -> Any:
    """Rewrite a schema and those in it, but not what decides (``if``, ``not``), which would turn the meaning round."""
    if not isinstance(schema, dict):
        return schema
    made = dict(schema)
    for key, each in schema.items():
        if key in ONE or (key == "items" and not isinstance(each, list)):
            made[key] = _rewritten(each, rewrite, True)
        elif key in NAMED and isinstance(each, dict):
            made[key] = {name: _rewritten(one, rewrite, True) for name, one in each.items()}
        elif key in ("items", "prefixItems") and isinstance(each, list):
            made[key] = [_rewritten(one, rewrite, True) for one in each]
        elif key in ("allOf", "anyOf", "oneOf") and isinstance(each, list):
            branches = [_with_names(one, schema) if key != "allOf" and rewrite is _closed else one for one in each]
            made[key] = [_rewritten(one, rewrite, key != "allOf") for one in branches]
        elif key in ("then", "else"):
            made[key] = _rewritten(each, rewrite, False)
        elif key == "dependentSchemas" and isinstance(each, dict):
            made[key] = {name: _rewritten(one, rewrite, False) for name, one in each.items()}
        elif key not in NO_PLACE:  # a reference may lead there
            made[key] = _rewritten(each, rewrite, True)
    return rewrite(made, is_place)


def _with_names(branch: Any, around: dict[str, Any]) -> Any:
    """Return an option that knows the names around it, so that it can be closed by itself."""
    if not isinstance(branch, dict) or not branch.keys() & {"properties", "required", "patternProperties"}:
        return branch
    return branch | {"properties": dict.fromkeys(around.get("properties", {}), True) | branch.get("properties", {})}


def _closed_by_itself(schema: dict[str, Any], is_place: bool) -> dict[str, Any]:
    says_more = schema.keys() & {"properties", "patternProperties"} and "additionalProperties" not in schema
    return schema | {"additionalProperties": False} if says_more else schema


def _closed_arrays(schema: dict[str, Any], is_place: bool) -> dict[str, Any]:
    """Return an array of no items at all, if the schema doesn't say what they are."""
    said = {"items", "unevaluatedItems", "contains"} & schema.keys()
    return schema | {"unevaluatedItems": False} if is_place and schema.get("type") == "array" and not said else schema


def _closed(schema: dict[str, Any], is_place: bool) -> dict[str, Any]:
    if "prefixItems" in schema and not schema.keys() & {"items", "unevaluatedItems"}:
        schema = schema | {"unevaluatedItems": False}
    said = {"additionalProperties", "unevaluatedProperties"} & schema.keys()
    about = schema.keys() & {*SPOKEN_OF["object"].split(), "allOf", "anyOf", "oneOf", "if"}
    named = schema.get("type")
    is_object = named == "object" or (isinstance(named, list) and "object" in named)
    return schema | {"unevaluatedProperties": False} if is_place and not said and (about or is_object) else schema


def _implied(schema: dict[str, Any], is_place: bool) -> dict[str, Any]:
    if schema.keys() & {"type", "enum", "const"}:
        return schema
    types = [name for name, keywords in SPOKEN_OF.items() if schema.keys() & set(keywords.split())]
    return schema | {"type": types} if types else schema


def _size(value: Any) -> int:
    return len(json.dumps(value, ensure_ascii=False))


def _whole(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _whole(each) for key, each in value.items()}
    if isinstance(value, list):
        return [_whole(each) for each in value]
    return int(value) if isinstance(value, float) and value.is_integer() and abs(value) < 1e15 else value
