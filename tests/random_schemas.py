"""Random schemas with values to try on them. The schemas are closed, so that a valid value can be written."""

import random
from typing import Any

KEYS = ("a", "b", "été", 'q"t', "a b")
WORDS = ("", "x", "ab", "été", 'say "hi"', "back\\slash", "new\nline", "\U0001f600", "a/b", "12", "\u007f")


def random_schema(rng: random.Random, depth: int = 2) -> dict[str, Any]:
    """A schema of what lab 08 covers."""
    makers = [_string, _number, _integer, _enum, _plain, _types]
    if depth:
        makers += [_object, _object, _array, _any_of, _tuple, _all_of]
    return rng.choice(makers)(rng, depth)


def random_value(rng: random.Random, depth: int = 2) -> Any:
    """Any JSON value out of a small stock, so that schemas are hit often."""
    kind = rng.randrange(8 if depth else 6)
    if kind == 0:
        return rng.choice((None, True, False))
    if kind in (1, 2):
        return rng.choice((0, 1, -1, 2, 3, 7, 10, 100, 0.5, -2.5, 1.0, 2.25, 1e20, 1e-7))
    if kind in (3, 4, 5):
        return rng.choice(WORDS)
    if kind == 6:
        return [random_value(rng, depth - 1) for _ in range(rng.randrange(4))]
    return {key: random_value(rng, depth - 1) for key in KEYS if rng.random() < 0.4}


def value_for(rng: random.Random, schema: Any, depth: int = 6) -> Any:
    """A value that is likely, not certain, to satisfy a schema; keys in their order."""
    if not isinstance(schema, dict) or depth == 0 or rng.random() < 0.05:
        return random_value(rng, 1)
    if "enum" in schema:
        return rng.choice(schema["enum"])
    if "const" in schema:
        return schema["const"]
    for keyword in ("anyOf", "oneOf"):
        if schema.get(keyword):
            return value_for(rng, {**schema, keyword: None, **rng.choice(schema[keyword])}, depth - 1)
    if "allOf" in schema:
        return value_for(rng, {k: v for part in schema["allOf"] for k, v in part.items()}, depth - 1)
    return _value_of_type(rng, schema, depth)


def _value_of_type(rng: random.Random, schema: dict[str, Any], depth: int) -> Any:
    kind = schema.get("type")
    kind = rng.choice(kind) if isinstance(kind, list) else kind
    if kind == "object" or "properties" in schema:
        required = schema.get("required", ())
        members = schema.get("properties", {}).items()
        found = {k: value_for(rng, child, depth - 1) for k, child in members if k in required or rng.random() < 0.6}
        if isinstance(schema.get("additionalProperties"), dict) and rng.random() < 0.5:
            found |= {"zz": value_for(rng, schema["additionalProperties"], depth - 1)}
        return found
    if kind == "array":
        first = [value_for(rng, child, depth - 1) for child in schema.get("prefixItems", ())]
        rest = schema.get("items")
        more = [value_for(rng, rest, depth - 1) for _ in range(rng.randrange(4))] if isinstance(rest, dict) else []
        return first + more if rng.random() < 0.8 else first[:1]
    if kind in ("integer", "number"):
        return (
            rng.choice((0, 1, -1, 2, 3, 7, 10, -4, 100))
            if kind == "integer" or rng.random() < 0.5
            else rng.choice((0.5, -2.5, 2.25, 1e20, 1e-7, 3.0))
        )
    if kind == "string":
        return rng.choice(WORDS)
    return rng.choice((None, True, False))


def _maybe(rng: random.Random, **keywords: Any) -> dict[str, Any]:
    return {key: value for key, value in keywords.items() if rng.random() < 0.4}


def _string(rng: random.Random, depth: int) -> dict[str, Any]:
    pattern = rng.choice(("a", "^a", "b$", "^[a-z]*$", r"\d", r"^\S+$", "é|x", r"^.{1,3}$"))
    return {"type": "string", **_maybe(rng, minLength=rng.randrange(3), maxLength=rng.randrange(5), pattern=pattern)}


def _number(rng: random.Random, depth: int) -> dict[str, Any]:
    bounds = {"minimum": rng.choice((-3, 0.5, 2)), "maximum": rng.choice((2, 7.25, 1e20))}
    strict = {"exclusiveMinimum": rng.choice((0, 1.5)), "exclusiveMaximum": rng.choice((3, 10.5))}
    return {"type": "number", **_maybe(rng, **bounds, **strict)}


def _integer(rng: random.Random, depth: int) -> dict[str, Any]:
    bounds = {"minimum": rng.choice((-3, 0, 2)), "maximum": rng.choice((2, 7, 100)), "exclusiveMinimum": 0}
    return {"type": "integer", **_maybe(rng, **bounds)}


def _enum(rng: random.Random, depth: int) -> dict[str, Any]:
    values = [random_value(rng, 1) for _ in range(rng.randrange(1, 4))]
    return {"enum": values, **_maybe(rng, type=rng.choice(("string", "number", "integer", "array")))}


def _plain(rng: random.Random, depth: int) -> dict[str, Any]:
    return {"type": rng.choice(("boolean", "null"))}


def _types(rng: random.Random, depth: int) -> dict[str, Any]:
    return {"type": rng.sample(["string", "null", "integer", "boolean"], 2), **_maybe(rng, minLength=1, minimum=1)}


def _object(rng: random.Random, depth: int) -> dict[str, Any]:
    keys = sorted(rng.sample(KEYS, rng.randrange(1, 4)), key=KEYS.index)
    extra = rng.choice((False, random_schema(rng, 0)))
    return {
        "type": "object",
        "properties": {key: random_schema(rng, depth - 1) for key in keys},
        **_maybe(rng, required=rng.sample(keys, rng.randrange(len(keys) + 1)), additionalProperties=extra),
        **(_maybe(rng, minProperties=rng.randrange(3)) if rng.random() < 0.3 else {}),
    }


def _array(rng: random.Random, depth: int) -> dict[str, Any]:
    counts = _maybe(rng, minItems=rng.randrange(3), maxItems=rng.randrange(1, 4))
    return {"type": "array", "items": random_schema(rng, depth - 1), **counts}


def _tuple(rng: random.Random, depth: int) -> dict[str, Any]:
    first = [random_schema(rng, depth - 1) for _ in range(rng.randrange(1, 3))]
    rest = rng.choice((False, random_schema(rng, 0)))
    return {"type": "array", "prefixItems": first, "items": rest, **_maybe(rng, minItems=rng.randrange(4))}


def _any_of(rng: random.Random, depth: int) -> dict[str, Any]:
    return {"anyOf": [random_schema(rng, depth - 1) for _ in range(2)]}


def _all_of(rng: random.Random, depth: int) -> dict[str, Any]:
    return {"allOf": [rng.choice((_string, _number, _object))(rng, 1) for _ in range(2)]}
