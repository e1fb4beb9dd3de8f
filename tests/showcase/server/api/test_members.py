"""Members that a schema does not mention, and their order: what a request lets come, from its body to the masks."""

import json
from contextlib import suppress

import pytest

from labkit.errors import TokenNotAllowed
from labkit.server.protocol import CompletionRequest, read_body
from labkit.vocabulary import Vocabulary
from labs.assembled import guide_of_format
from labs.lab_09_inside_an_engine.solution import read_response_format

SCHEMA = {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]}
FORBIDDEN, WANTED = SCHEMA | {"additionalProperties": False}, SCHEMA | {"additionalProperties": True}


def form(**named):
    return {"response_format": {"type": "json_schema", "json_schema": {"name": "n", **named}}}


ASKED = [
    (form(schema=SCHEMA), False),
    (form(schema=SCHEMA, strict=None), False),
    (form(schema=SCHEMA, strict=True), False),
    (form(schema=SCHEMA, strict=False), True),
    (form(schema=FORBIDDEN, strict=False), False),
    (form(schema=WANTED, strict=True), True),
    ({"response_format": {"type": "json_schema", "schema": SCHEMA}}, False),
    ({"response_format": {"type": "json_object"}}, True),
    ({"structured_outputs": {"json": SCHEMA}}, False),
]
"""Of a request's body what it asks for, and whether a member that the schema does not mention may come."""


@pytest.mark.parametrize(("asked", "may_come"), ASKED, ids=str)
def test_members_that_a_schema_does_not_mention(asked, may_come):
    guide = guide_of(asked)
    assert is_written(guide, '{"a": 1}')
    assert is_written(guide, '{"a": 1, "b": [null]}') == may_come


@pytest.mark.parametrize(
    ("named", "any_order"),
    [({}, False), ({"order": "schema", "strict": False}, False), ({"order": "any"}, True)],
    ids=str,
)
def test_the_order_of_members(named, any_order):
    guide = guide_of(form(schema={"type": "object", "properties": {"a": {}, "b": {}}, "required": ["b"]}, **named))
    assert is_written(guide, '{"a": 1, "b": [null]}')
    assert is_written(guide, '{"b": [null], "a": 1}') == any_order


def guide_of(asked):
    """Return the guide of a request."""
    body = json.dumps({"model": "small", "prompt": "x"} | asked).encode()
    return guide_of_format(Vocabulary.bytes(), read_response_format(read_body(CompletionRequest, body).asked()))


def is_written(guide, text):
    """Return whether the masks let all of the text come, and then EOS."""
    state = guide.initial
    with suppress(TokenNotAllowed):
        for token_id in [*text.encode(), 256]:
            state = guide.advance(state, token_id)
        return True
    return False
