"""Bodies and errors without a server; schemas with places for any value, which a depth bounds and nothing widens."""

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from course.showcase.server.any_json import JSON_DEPTH, any_value, bounded
from course.showcase.server.errors import refusal
from course.showcase.server.protocol import ChatCompletionRequest, CompletionRequest
from labkit.engine import SamplingParams
from labkit.errors import BudgetTooSmall, LimitExceeded, QueueFull
from labkit.small_model.tokenizer import Tokenizer

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


# The rest of what the bodies say ----------------------------------------------------------------------


def chat(*messages, **more):
    return ChatCompletionRequest(model="small", messages=[{"role": r, "content": c} for r, c in messages], **more)


def test_one_message_is_the_prompt_that_the_model_was_trained_on():
    tokenizer = Tokenizer.load()
    assert chat(("user", "teal")).prompt_ids(tokenizer) == tokenizer.prompt("teal")
    parts = [{"type": "text", "text": "te"}, {"type": "text", "text": "al"}]
    assert chat(("user", parts)).prompt_ids(tokenizer) == tokenizer.prompt("teal")


def test_a_conversation_is_turns_and_instructions_belong_to_the_question_after_them():
    ids = chat(("system", "Be brief."), ("user", "Hi"), ("assistant", "Ho"), ("user", "Hm")).prompt_ids(
        Tokenizer.load()
    )
    said = "<|user|>Be brief.\nHi<|assistant|>Ho<|end|><|user|>Hm<|assistant|>"
    assert Tokenizer.load().decode(ids, special=True) == said


def test_what_a_body_leaves_out_changes_nothing():
    body = CompletionRequest(model="small", prompt="x")
    assert body.params(99) == SamplingParams(max_tokens=16)
    assert chat(("user", "x")).params(99) == SamplingParams(max_tokens=99)
    assert chat(("user", "x"), max_tokens=5, max_completion_tokens=7).params(99).max_tokens == 7
    full = chat(("user", "x"), top_k=-1, stop="a", logprobs=True, top_logprobs=3, temperature=0, seed=0, min_p=0.5)
    expected = SamplingParams(max_tokens=9, stop=("a",), logprobs=3, temperature=0, seed=0, min_p=0.5)
    assert full.params(9) == expected


@pytest.mark.parametrize(
    ("error", "status", "param", "code"),
    [
        (QueueFull("grammars wait for their compile", 4), 429, None, "queue_full"),
        (BudgetTooSmall(3, 5), 400, "max_tokens", "budget_too_small"),
        (BudgetTooSmall(3, float("inf")), 400, "response_format", "budget_too_small"),
        (LimitExceeded("too large", 5), 400, "response_format", "limit_exceeded"),
        (ValueError("no"), 400, "response_format", "invalid_value"),
        (ZeroDivisionError(), 500, None, "internal_error"),
    ],
)
def test_what_a_client_is_told_of_an_exception(error, status, param, code):
    told = refusal(error, "response_format")
    assert (told.status, told.param, told.code) == (status, param, code)
    assert (told.headers is not None) == (status == 429)
