"""Lab 08, the engine: references inside one document, held against the standard's own words."""

import json
from collections import Counter
from random import Random
from typing import Any
from urllib.parse import urldefrag, urljoin

import pytest

from labkit.automata.work import at_most
from labkit.errors import InvalidSchema, LimitExceeded, TooMuchWork
from mask_engine import compile_json_schema
from mask_engine.reading.references import MAX_SCOPES, Document

LEAVES = {"integer": 1, "string": "a", "null": None}
WHERE = [f"http://root.example/{name}" for name in ("a", "sub/b", "sub/c", "d")]
VALUES: list[Any] = [*LEAVES.values(), [], [[]]]
VALUES += [[value] for value in LEAVES.values()] + [[[value]] for value in LEAVES.values()] + [[[[1]]]]


def random_document(random: Random) -> dict[str, Any]:
    """Return a schema with three others in it that have an ``$id``: one of them is inside another."""
    inner = _resource(random, "c")
    outer = _resource(random, "sub/b")
    outer["$defs"]["c"] = inner
    root = _resource(random, "http://root.example/a")
    root["$defs"]["b"] = outer
    root["$defs"]["d"] = _resource(random, "d")
    return root


def _resource(random: Random, name: str) -> dict[str, Any]:
    leaf = {random.choice(["$anchor", "$dynamicAnchor"]): "leaf", "type": random.choice([*LEAVES])}
    whole = {"$id": name, "$defs": {"leaf": leaf}, random.choice(["$anchor", "$dynamicAnchor"]): "whole"}
    there = random.choice(["", *WHERE, "/sub/b", "/sub/c", "/d"]) + random.choice(
        ["#leaf", "#/$defs/leaf", "#whole", "#"]
    )
    reference = {random.choice(["$ref", "$dynamicRef"]): there}
    items = {"type": "array", "items": reference}
    return whole | random.choice([reference, items, items, {"anyOf": [{"type": "null"}, items]}])


def holds(value: Any, schema: Any, scope: list[str], documents: dict[str, Any]) -> bool:
    """Return whether a value satisfies a schema: an oracle for ``random_document``, as the standard words it.

    ``jsonschema`` can't be asked: it takes each ``$ref`` to a dynamic anchor as dynamic.

    Args:
        scope: the URIs of the documents on the way here, the outermost first.
    """
    for keyword in schema.keys() & {"$ref", "$dynamicRef"}:
        uri, name = urldefrag(urljoin(scope[-1], schema[keyword]))
        found = _part(documents[uri], name)
        if keyword == "$dynamicRef" and name in ("leaf", "whole") and "$dynamicAnchor" in found:
            uri = next(uri for uri in [*scope, uri] if "$dynamicAnchor" in _part(documents[uri], name))
        return holds(value, _part(documents[uri], name), [*scope, uri], documents)
    if "anyOf" in schema:
        return any(holds(value, branch, scope, documents) for branch in schema["anyOf"])
    if schema["type"] != "array":
        return value == LEAVES[schema["type"]]
    return isinstance(value, list) and all(holds(item, schema["items"], scope, documents) for item in value)


def _part(document: Any, fragment: str) -> Any:
    return document["$defs"]["leaf"] if fragment in ("leaf", "/$defs/leaf") else document


@pytest.mark.parametrize("seed", range(4))
def test_each_reference_means_what_the_standard_says(seed):
    """Identifiers, anchors and dynamic anchors of four schemas, one in another, with relative references."""
    random, seen = Random(seed), Counter[bool]()
    for _ in range(150):
        document = random_document(random)
        inner = document["$defs"]
        schemas = dict(zip(WHERE, [document, inner["b"], inner["b"]["$defs"]["c"], inner["d"]], strict=True))
        try:
            matcher = compile_json_schema(document)
        except InvalidSchema as refused:
            assert "leads back to itself" in refused.problem, document
            continue
        for value in VALUES:
            expected = holds(value, document, [WHERE[0]], schemas)
            assert matcher.fullmatch(json.dumps(value)) == expected, (document, value)
            seen[expected] += 1
    assert min(seen[True], seen[False]) > 100


DRAFT_4 = "http://json-schema.org/draft-04/schema#"
STRING = {"type": "string"}
EXTENDED = {
    "$schema": "https://json-schema.org/draft/2019-09/schema",
    "$id": "http://root.example/strict",
    "$recursiveAnchor": True,
    "$ref": "tree",
    "required": ["n"],
    "$defs": {"tree": {"$id": "tree", "$recursiveAnchor": True, "type": "object", "properties": {
        "n": {"type": "integer"}, "next": {"$recursiveRef": "#"}}}},
}  # fmt: skip
CASES = [
    (EXTENDED, '{"n": 1} | {"n": 1, "next": {"n": 2}}', '{"n": 1, "next": {}} | {}'),
    ({**EXTENDED, "$recursiveAnchor": False}, '{"n": 1, "next": {}}', "{}"),
    ({"$id": "urn:x:1", "$ref": "urn:x:1#/$defs/a%20b~1c", "$defs": {"a b/c": STRING}}, '"a"', "1"),
    ({"$ref": "#it", "definitions": {"a": {"$id": "#it", **STRING}}}, '"a"', "1"),
    ({"properties": {"$id": {"$ref": "#/$defs/s"}}, "required": ["$id"], "$defs": {"s": STRING}}, '{"$id": "a"}', "{}"),
    ({"items": {"$ref": "s"}, "type": "array", "$defs": {"a": {"$id": "s", **STRING}},
      "const": [{"$id": "s"}]}, "", '["a"]'),
    ({"$schema": "http://json-schema.org/draft-07/schema#", "$ref": "#/definitions/a", "definitions": {
        "a": {"$id": "b", "$ref": "#/definitions/s"}, "s": STRING}}, '"a"', "1"),
    ({"$schema": DRAFT_4, "$ref": "s", "definitions": {"a": {"id": "s", **STRING}, "b": {"$id": "s"}}}, '"a"', "1"),
    ({"items": {"$ref": "#/definitions/a"}, "definitions": {"a": {"id": "s", "$ref": "#/definitions/s"}, "s": STRING}},
     '["a"]', "[1]"),
    ({"$ref": "http://[", "$defs": {"a": {"$id": "http://[", **STRING}}}, '"a"', "1"),
]  # fmt: skip


@pytest.mark.parametrize(("schema", "accepted", "refused"), CASES)
def test_what_older_drafts_and_odd_names_mean(schema, accepted, refused):
    """2019-09's dynamic reference, draft 7's anchors and siblings, a URN, names that are escaped, or are no URI."""
    matches = compile_json_schema(schema).fullmatch
    assert [text for text in filter(None, accepted.split(" | ")) if not matches(text)] == []
    assert [text for text in refused.split(" | ") if matches(text)] == []


def branching(depth: int) -> dict[str, Any]:
    """Return a schema in which each of some levels leads to either of two documents that bind a name of their own."""
    levels = {}
    for level in range(depth):
        for side in "ab":
            anchor = {"$dynamicAnchor": f"n{level}", "type": "null"}
            branches = [{"$ref": f"{level + 1}{other}"} for other in "ab"] if level + 1 < depth else [STRING]
            levels[f"{level}{side}"] = {"$id": f"{level}{side}", "$defs": {"x": anchor}, "anyOf": branches}
    return {"$ref": "0a", "$defs": levels}


def test_ways_through_dynamic_anchors_are_limited():
    """Each of 2 ** n ways may bind names to other anchors, so their number is limited, and the work is counted."""
    assert compile_json_schema(branching(4)).fullmatch('"a"')
    with pytest.raises(LimitExceeded, match=f"so many ways to them; the limit is {MAX_SCOPES}"):
        compile_json_schema(branching(12))
    with at_most(5_000), pytest.raises(TooMuchWork):
        Document(branching(600))
