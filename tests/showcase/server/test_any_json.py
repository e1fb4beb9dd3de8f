"""Schemas with places for any value, cut to a depth: below it they allow what they allowed, and never anything new."""

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from course.showcase.server.any_json import JSON_DEPTH, any_value, bounded

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 2) | st.text("ab", max_size=2),
    lambda inner: (
        st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from(["a", "b", "items"]), inner, max_size=2)
    ),
    max_leaves=6,
)

SCHEMAS = [
    True,
    {},
    {"title": "Any"},
    {"type": "object"},
    {"type": "array", "maxItems": 1},
    {"type": "object", "properties": {"a": {}, "items": {"type": "array"}}, "required": ["a"]},
    {"type": "object", "additionalProperties": True},
    {"type": "object", "additionalProperties": {"type": "array", "items": {}}},
    {"anyOf": [{"type": "integer"}, {"type": "array", "prefixItems": [True], "items": False}]},
    {"type": "object", "properties": {"a": {"$ref": "#/$defs/x"}}, "$defs": {"x": {"type": "array"}}},
    {"oneOf": [{}, {"type": "array"}]},
    {"not": {"type": "array", "items": {}}},
    {"type": "object", "properties": {"a": {"const": {}}}},
]


def nesting(value):
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else None
    return 0 if inner is None else 1 + max(map(nesting, inner), default=0)


@given(st.sampled_from(SCHEMAS), VALUES)
def test_a_bounded_schema_allows_what_the_schema_allows_to_the_depth(schema, value):
    allowed, within = (jsonschema.Draft202012Validator(each).is_valid(value) for each in (schema, bounded(schema)))
    assert within == allowed if nesting(value) <= JSON_DEPTH else allowed >= within


@pytest.mark.parametrize("depth", range(3))
def test_any_value_counts_open_brackets(depth):
    value = 1
    for bracket in range(depth + 1):
        assert jsonschema.Draft202012Validator(any_value(depth)).is_valid(value) and nesting(value) == bracket
        value = [value]
    assert not jsonschema.Draft202012Validator(any_value(depth)).is_valid(value)
