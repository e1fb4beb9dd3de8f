"""Random schemas with values to try on them. The schemas are closed, so that a valid value can be written."""

import random
from collections.abc import Callable
from typing import Any

KEYS = ("a", "b", "été", 'q"t', "a b")
WORDS = ("", "x", "ab", "été", 'say "hi"', "back\\slash", "new\nline", "\U0001f600", "a/b", "12", "\u007f")


def random_schema(rng: random.Random, depth: int = 2) -> dict[str, Any]:
    """A schema of what lab 08 covers."""

    def some(**keywords: Any) -> dict[str, Any]:
        return {key: value for key, value in keywords.items() if rng.random() < 0.4}

    kind = rng.randrange(12 if depth else 6)
    if kind < 6:
        return _simple(rng, some)[kind]
    if kind < 10:
        return (_object if kind < 8 else _array)(rng, some, depth)
    if kind == 10:
        return {"anyOf": [random_schema(rng, depth - 1) for _ in range(2)]}
    return {"allOf": [rng.choice([*_simple(rng, some)[:2], _object(rng, some, 1)]) for _ in range(2)]}


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
        whole = kind == "integer" or rng.random() < 0.5
        return rng.choice((0, 1, -1, 2, 3, 7, 10, -4, 100) if whole else (0.5, -2.5, 2.25, 1e20, 1e-7, 3.0))
    if kind == "string":
        return rng.choice(WORDS)
    return rng.choice((None, True, False))


def _simple(rng: random.Random, some: Callable[..., dict[str, Any]]) -> list[dict[str, Any]]:
    """Schemas of values that hold no others; ``some`` takes some of the keywords that it is given."""
    pattern = rng.choice(("a", "^a", "b$", "^[a-z]*$", r"\d", r"^[!-~]+$", "é|x", r"^.{1,3}$"))
    bounds = {"minimum": rng.choice((-3, 0.5, 2)), "maximum": rng.choice((2, 7.25, 1e20))}
    strict = {"exclusiveMinimum": rng.choice((0, 1.5)), "exclusiveMaximum": rng.choice((3, 10.5))}
    whole = {"minimum": rng.choice((-3, 0, 2)), "maximum": rng.choice((2, 7, 100)), "exclusiveMinimum": 0}
    values = [random_value(rng, 1) for _ in range(rng.randrange(1, 4))]
    return [
        {"type": "string", **some(minLength=rng.randrange(3), maxLength=rng.randrange(5), pattern=pattern)},
        {"type": "number", **some(**bounds, **strict)},
        {"type": "integer", **some(**whole)},
        {"enum": values, **some(type=rng.choice(("string", "number", "integer", "array")))},
        {"type": rng.choice(("boolean", "null"))},
        {"type": rng.sample(["string", "null", "integer", "boolean"], 2), **some(minLength=1, minimum=1)},
    ]


def _object(rng: random.Random, some: Callable[..., dict[str, Any]], depth: int) -> dict[str, Any]:
    keys = sorted(rng.sample(KEYS, rng.randrange(1, 4)), key=KEYS.index)
    extra = rng.choice((False, random_schema(rng, 0)))
    return {
        "type": "object",
        "properties": {key: random_schema(rng, depth - 1) for key in keys},
        **some(required=rng.sample(keys, rng.randrange(len(keys) + 1)), additionalProperties=extra),
        **(some(minProperties=rng.randrange(3)) if rng.random() < 0.3 else {}),
    }


def _array(rng: random.Random, some: Callable[..., dict[str, Any]], depth: int) -> dict[str, Any]:
    if rng.random() < 0.5:
        counts = some(minItems=rng.randrange(3), maxItems=rng.randrange(1, 4))
        return {"type": "array", "items": random_schema(rng, depth - 1), **counts}
    first = [random_schema(rng, depth - 1) for _ in range(rng.randrange(1, 3))]
    rest = rng.choice((False, random_schema(rng, 0)))
    return {"type": "array", "prefixItems": first, "items": rest, **some(minItems=rng.randrange(4))}
