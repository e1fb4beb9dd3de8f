"""Random schemas with all keywords, and random values for them."""

from random import Random
from typing import Any

KEYS = ["a", "b", "ab", "c"]
TYPES = ["null", "boolean", "integer", "number", "string", "array", "object"]
KEYWORDS = ["type", "properties", "required", "patternProperties", "additionalProperties", "propertyNames"]
KEYWORDS += ["prefixItems", "items", "contains", "allOf", "anyOf", "oneOf", "not", "if", "dependentRequired"]
KEYWORDS += ["dependentSchemas", "unevaluatedProperties", "unevaluatedItems", "leaf"]
KEYWORDS += ["minProperties", "maxProperties", "minItems", "maxItems"]


def random_value(random: Random, depth: int = 2) -> Any:
    """Return a JSON value of this depth at most."""
    match random.randrange(8 if depth else 6):
        case 0:
            return random.choice([None, True, False])
        case 1 | 2:
            return random.choice([0, 1, 2, -1, 5])
        case 3:
            return random.choice([0.5, 1.5, -2.25])
        case 4 | 5:
            return random.choice(["", "a", "b", "ab", "ba", "abc"])
        case 6:
            return [random_value(random, depth - 1) for _ in range(random.randrange(4))]
    return {key: random_value(random, depth - 1) for key in random.sample(KEYS, random.randrange(4))}


def random_document(random: Random) -> dict[str, Any]:
    """Return a schema with a definition, to which its ``$ref``s lead."""
    body = {"$defs": {"d": _schema(random, 1)}}
    while len(body) == 1:
        body |= schema if isinstance(schema := _schema(random, 2), dict) else {}
    return body


def _schema(random: Random, depth: int) -> Any:
    if random.random() < 0.08:
        return random.choice([True, False, {}])
    if depth <= 0:
        return _leaf(random)
    schema: dict[str, Any] = {}
    for keyword in random.choices(KEYWORDS, k=random.choice([1, 1, 2, 2, 3])):
        schema |= _keyword(random, keyword, depth - 1)
    return schema


def _leaf(random: Random) -> dict[str, Any]:
    return random.choice(
        [
            {"type": random.choice(TYPES)},
            {"const": random_value(random, 1)},
            {"enum": [random_value(random, 1) for _ in range(random.randrange(1, 4))]},
            {"minimum": random.choice([0, 1, 0.5])},
            {"exclusiveMaximum": random.choice([1, 2])},
            {random.choice(["minLength", "maxLength"]): random.randrange(3)},
            {"pattern": random.choice(["^a", "^b", "a"])},
            {"multipleOf": random.choice([2, 0.5])},
            {"required": [random.choice(KEYS)]},
            {random.choice(["minItems", "maxItems", "minProperties", "maxProperties"]): random.randrange(3)},
            {"$ref": random.choice(["#", "#/$defs/d"])},
        ]
    )


def _keyword(random: Random, keyword: str, depth: int) -> dict[str, Any]:
    def inner() -> Any:
        return _schema(random, depth)

    match keyword:
        case "type":
            return {"type": random.choice(["object", "array", "string", "number", ["object", "array"]])}
        case "properties" | "dependentSchemas":
            return {keyword: {key: inner() for key in random.sample(KEYS, random.randrange(1, 3))}}
        case "required":
            return {keyword: random.sample(KEYS, random.randrange(1, 3))}
        case "patternProperties":
            return {keyword: {pattern: inner() for pattern in random.sample(["^a", "b", "^c"], random.randrange(1, 3))}}
        case "additionalProperties" | "unevaluatedProperties" | "unevaluatedItems" | "items":
            return {keyword: random.choice([False, inner()])}
        case "propertyNames":
            return {keyword: random.choice([{"pattern": "^a"}, {"maxLength": 1}, {"enum": ["a", "b"]}])}
        case "prefixItems" | "allOf" | "anyOf" | "oneOf":
            return {keyword: [inner() for _ in range(random.randrange(1, 3))]}
        case "contains":
            counts = {"minContains": random.randrange(3), "maxContains": random.randrange(3)}
            return {keyword: inner()} | (counts if random.random() < 0.4 else {})
        case "not":
            return {keyword: inner()}
        case "if":
            return {keyword: inner(), "then": inner()} | ({"else": inner()} if random.random() < 0.7 else {})
        case "dependentRequired":
            return {keyword: {random.choice(KEYS): random.sample(KEYS, 2)}}
        case "leaf":
            return _leaf(random)
    return {keyword: random.randrange(4)}
