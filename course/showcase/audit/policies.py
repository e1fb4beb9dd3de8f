"""An engine's choices, which are no errors: how members are ordered, which may come, and what a keyword implies.

Where an engine refuses a valid text, a choice explains it in one of two ways. Either the same value in a form that
respects the choice gets through. Or the schema, with the choice written into it, no longer takes the value.

>>> schema = {"type": "object", "properties": {"a": {}, "b": {"type": "integer"}}}
>>> [*forms({"enum": [{"a": 1, "b": 2}]}, {"b": 2, "a": 1})]
[('order', {'a': 1, 'b': 2})]
>>> [(policy, form) for policy, form in forms(schema, {"c": 1, "b": 2.0, "a": 3})]  # doctest: +NORMALIZE_WHITESPACE
[('numbers', {'c': 1, 'b': 2, 'a': 3}), ('order', {'a': 3, 'b': 2, 'c': 1}), ('closed', {'a': 3, 'b': 2})]
>>> forbidding(schema, {"c": 1, "b": 2}), forbidding({"minLength": 1}, 7), forbidding({"type": "string"}, "x")
('closed', 'implied types', None)
"""

import re
from collections.abc import Callable, Iterator
from typing import Any

from course.showcase.audit.oracle import Oracle
from course.showcase.explain.places import asked_by

ONE = (
    *("items", "additionalItems", "additionalProperties", "contains", "propertyNames"),
    *("unevaluatedItems", "unevaluatedProperties"),
)
NAMED = ("properties", "patternProperties", "$defs", "definitions")
"""Keywords of one schema, and of some with names, about other places than their own."""

SPOKEN_OF = {
    "object": "properties required patternProperties additionalProperties propertyNames minProperties maxProperties"
    " dependentRequired dependentSchemas dependencies unevaluatedProperties",
    "array": "items prefixItems additionalItems minItems maxItems uniqueItems contains minContains maxContains"
    " unevaluatedItems",
    "string": "minLength maxLength pattern format",
    "number": "minimum maximum exclusiveMinimum exclusiveMaximum multipleOf",
}
"""Types, and the keywords that speak of them."""


def forms(schema: Any, value: Any) -> Iterator[tuple[str, Any]]:
    """Yield a value in the forms that policies ask for, each with the policy, and on top of those before it."""
    if isinstance(schema, str):
        return
    before, found = repr(value), _whole(value)
    for policy in ("numbers", "order", "closed"):
        found = found if policy == "numbers" else _arranged(schema, found, policy == "closed")
        if repr(found) != before:
            before = repr(found)
            yield policy, found


def forbidding(schema: Any, value: Any) -> str | None:
    """Return the policy under which a schema doesn't take a value, though it is valid."""
    if isinstance(schema, str):
        return None
    if Oracle(schema).valid(value, formats=True) is False:
        return "formats"
    for policy in ("closed", "implied types", "closed, implied types", "closed, each part by itself"):
        try:
            changed = implied(schema) if "implied" in policy else schema
            changed = closed(changed) if "closed" in policy else changed
            changed = _rewritten(changed, _closed_by_itself, True) if "itself" in policy else changed
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
    return rewrite(made, is_place)


def _with_names(branch: Any, around: dict[str, Any]) -> Any:
    """Return an option that knows the names around it, so that it can be closed by itself."""
    if not isinstance(branch, dict) or not branch.keys() & {"properties", "required", "patternProperties"}:
        return branch
    return branch | {"properties": dict.fromkeys(around.get("properties", {}), True) | branch.get("properties", {})}


def _closed_by_itself(schema: dict[str, Any], is_place: bool) -> dict[str, Any]:
    says_more = schema.keys() & {"properties", "patternProperties"} and "additionalProperties" not in schema
    return schema | {"additionalProperties": False} if says_more else schema


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


def _whole(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _whole(each) for key, each in value.items()}
    if isinstance(value, list):
        return [_whole(each) for each in value]
    return int(value) if isinstance(value, float) and value.is_integer() and abs(value) < 1e15 else value


def _arranged(schema: Any, value: Any, prune: bool, steps: tuple[str | int, ...] = ()) -> Any:
    """Return a value with its members in the schema's order; ``prune`` leaves out those that are not mentioned."""
    if isinstance(value, dict | list):
        for option in _options(schema, steps):
            if option == value:
                return option
    if isinstance(value, list):
        return [_arranged(schema, each, prune, (*steps, number)) for number, each in enumerate(value)]
    if not isinstance(value, dict):
        return value
    names, patterns, is_open = _mentioned(schema, steps)
    known = [key for key in names if key in value]
    others = [key for key in value if key not in names]
    if prune and not is_open:
        others = [key for key in others if any(re.search(each, key) for each in patterns)]
    return {key: _arranged(schema, value[key], prune, (*steps, key)) for key in known + others}


def _options(schema: Any, steps: tuple[str | int, ...]) -> list[Any]:
    """Return the values that a schema names at a place, in its own spelling."""
    try:
        parts = [part for _, part in asked_by(schema, steps) if isinstance(part, dict)]
    except Exception:  # a reference that leads nowhere
        return []
    return [option for part in parts for option in [*(part.get("enum") or []), part.get("const")]]


def _mentioned(schema: Any, steps: tuple[str | int, ...]) -> tuple[list[str], list[str], bool]:
    """Return the names that a schema mentions at a place, its patterns, and whether it says that others may come."""
    names, patterns, is_open = list[str](), list[str](), False
    try:
        parts = [part for _, part in asked_by(schema, steps) if isinstance(part, dict)]
    except Exception:  # a reference that leads nowhere
        return [], [], True
    for part in parts:
        inner = [part.get("then"), part.get("else"), *(part.get("dependentSchemas") or {}).values()]
        for each in (part, *(one for one in inner if isinstance(one, dict))):
            names += [*(each.get("properties") or {})]
            patterns += [*(each.get("patternProperties") or {})]
            said = [each[key] for key in ("additionalProperties", "unevaluatedProperties") if key in each]
            is_open |= any(one is not False for one in said)
    for part in parts:
        names += [name for name in part.get("required") or () if isinstance(name, str)]
    return [*dict.fromkeys(names)], patterns, is_open
