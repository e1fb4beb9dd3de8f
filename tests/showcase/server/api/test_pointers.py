"""Events by JSON pointer in streams: those of the text that the stream carries, each in the chunk that brings it."""

import json
from itertools import chain

import pytest

from course.showcase.json_reader import JsonReader
from tests.showcase.server.api.test_server import COMPLETIONS, PERSON, events, post
from tests.showcase.test_json_reader import expected

TOLD = {"stream": True, "stream_options": {"include_pointers": True}}
SCHEMA = {"type": "json_schema", "json_schema": {"name": "person", "schema": PERSON}}
ITEMS = {"type": "array", "items": {"anyOf": [{"type": "number"}, {"type": "string"}, PERSON]}, "minItems": 2}


def streamed(server, path="/v1/chat/completions", **more):
    """The text of each chunk, the events of each, and why it ended."""
    chunks = [chunk["choices"][0] for chunk in events(post(server, path, **more, **TOLD))]
    texts = [chunk["text"] if path == COMPLETIONS else chunk["delta"]["content"] for chunk in chunks]
    return texts, [chunk["pointers"] for chunk in chunks], chunks[-1]["finish_reason"]


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(
    "asked",
    [
        {"response_format": SCHEMA},
        {"response_format": {"type": "json_object"}},
        {"structured_outputs": {"json": ITEMS}},
        {"structured_outputs": {"json": {"type": "integer"}}},
        {"structured_outputs": {"json": {"type": "object", "additionalProperties": {"type": "string"}}}},
    ],
    ids=["schema", "json_object", "anyOf", "a number alone", "any keys"],
)
def test_a_whole_answer(server, asked, seed):
    """A hot model writes what its training never had: the mask alone keeps it to JSON."""
    texts, found, reason = streamed(server, seed=seed, temperature=3, max_tokens=80, **asked)
    text = "".join(texts)
    assert reason == "stop" and [*chain(*found)] == list(expected(json.loads(text)))
    reader = JsonReader()
    assert found[:-1] == [reader.feed(each) for each in texts[:-1]]


def test_thoughts_have_none_and_the_content_after_them_has(server):
    """Beside tools and thinking, the content is read as ever, and what isn't content is not."""
    asked = {"tools": [{"type": "function", "function": {"name": "now"}}], "thinking_token_budget": 8, "seed": 3}
    asked |= {"response_format": {"type": "json_schema", "schema": {"type": "integer"}}, "max_tokens": 60}
    chunks = [chunk["choices"][0] for chunk in events(post(server, **asked, **TOLD))]
    content = "".join(chunk["delta"].get("content") or "" for chunk in chunks)
    told = [event for chunk in chunks for event in chunk["pointers"] if "call" not in event]
    assert told == list(expected(json.loads(content))) if content else not told
    assert any(chunk["delta"].get("reasoning_content") and not chunk["pointers"] for chunk in chunks)


def test_completions_tell_them_too(server):
    asked = {"model": "small", "prompt": "x", "max_tokens": 60, "response_format": SCHEMA}
    texts, found, _ = streamed(server, COMPLETIONS, seed=1, **asked)
    assert [*chain(*found)] == list(expected(json.loads("".join(texts))))


def test_what_is_cut_stays_open(server):
    """By ``max_tokens``, and by a stop string, which may cut a number too."""
    asked = {"structured_outputs": {"json": {"type": "string", "minLength": 30}}, "temperature": 0}
    texts, found, reason = streamed(server, stop="a", max_tokens=80, **asked)
    assert reason == "stop" and not "".join(texts).endswith('"')
    assert [*chain(*found)] == [{"pointer": "", "event": "begin"}]
    number = {"structured_outputs": {"json": {"type": "integer", "minimum": 1000}}, "temperature": 0}
    *_, digit = "".join(streamed(server, max_tokens=20, **number)[0])
    _, found, reason = streamed(server, stop=digit, max_tokens=20, **number)
    assert reason == "stop" and [event["event"] for event in chain(*found)] in ([], ["begin"])


def test_nobody_is_told_who_does_not_ask(server):
    chunks = events(post(server, stream=True, response_format=SCHEMA))
    assert not any("pointers" in chunk["choices"][0] for chunk in chunks)


@pytest.mark.parametrize("asked", [{}, {"response_format": {"type": "text"}}, {"structured_outputs": {"regex": "a"}}])
def test_an_answer_that_is_no_json_has_none(server, asked):
    response = post(server, **asked, **TOLD)
    error = response.json()["error"]
    assert (response.status_code, error["param"]) == (400, "stream_options") and "constraint to JSON" in error[
        "message"
    ]


def test_each_choice_tells_its_own(server):
    chunks = events(post(server, n=3, seed=5, temperature=2, max_tokens=60, response_format=SCHEMA, **TOLD))
    for index in range(3):
        own = [chunk["choices"][0] for chunk in chunks if chunk["choices"][0]["index"] == index]
        text = "".join(choice["delta"]["content"] for choice in own)
        assert [event for choice in own for event in choice["pointers"]] == list(expected(json.loads(text)))
