"""Drafts over HTTP: the same greedy answers, what usage, log and metrics say of them, and clients that leave."""

import json
import re

import pytest

from tests.showcase.server.api.test_server import HEX, content_of, events, post
from tests.showcase.server.conftest import served
from tests.showcase.server.running.test_journal import lines, only  # noqa: F401 (a fixture)
from tests.showcase.server.wire import CHAT, eventually, metric

PERSON = {"type": "object", "properties": {"name": {"type": "string"}, "age": {"type": "integer"}}}
TOOLS = [{"type": "function", "function": {"name": "send", "parameters": PERSON}}]
ASKED = {
    "text": {},
    "regex": {"response_format": HEX},
    "schema": {"response_format": {"type": "json_schema", "json_schema": {"name": "person", "schema": PERSON}}},
    "tools": {"tools": TOOLS, "tool_choice": "required"},
    "thinking": {"response_format": HEX, "thinking_token_budget": 20},
    "a stop string": {"stop": ["e"]},
    "one token": {"max_tokens": 1},
}


@pytest.fixture(scope="module")
def drafting():
    with served(draft=4) as address:
        yield address


def said_of(answer):
    """An answer without its usage, and without what no two answers share."""
    assert answer.status_code == 200, answer.text
    rest = {key: value for key, value in answer.json().items() if key not in ("id", "created", "usage")}
    return re.sub(r'"id": "\w+"', "", json.dumps(rest))


@pytest.mark.parametrize("asked", ASKED.values(), ids=ASKED)
def test_a_greedy_answer_is_the_same_whole_and_as_a_stream(server, drafting, asked):
    asked = {"max_tokens": 40, "temperature": 0} | asked
    plain, drafted = post(server, **asked), post(drafting, **asked)
    assert said_of(plain) == said_of(drafted)
    usage, other = plain.json()["usage"], drafted.json()["usage"]
    kept = other.pop("completion_tokens_details", None)
    assert usage == other and (kept is None) == (asked["max_tokens"] == 1)
    if not asked.keys() & {"tools", "thinking_token_budget"}:
        found = events(post(drafting, stream=True, **asked))
        said = "".join(event["choices"][0]["delta"]["content"] for event in found)
        assert said == content_of(plain)[0]


def test_usage_log_and_metrics_tell_how_many_tokens_were_drafted_and_kept(drafting, lines):  # noqa: F811
    names = ("drafted_tokens_total", "accepted_tokens_total", "turns_total", "generation_tokens_total")
    before = [metric(drafting, name) for name in names]
    lines.clear()
    usage = post(drafting, temperature=0, max_tokens=40, n=2, **ASKED["schema"]).json()["usage"]
    line = only([line for line in lines if line["path"] == CHAT] if eventually(lambda: lines) else [])
    drafted, accepted, turns, tokens = (metric(drafting, name) - was for name, was in zip(names, before, strict=True))
    kept = usage["completion_tokens_details"]
    assert kept == {"accepted_prediction_tokens": accepted, "rejected_prediction_tokens": drafted - accepted}
    assert (line["drafted"], line["accepted"]) == (str(int(drafted)), str(int(accepted)))
    assert 0 < accepted < drafted and turns < tokens == usage["completion_tokens"]
    streamed = events(
        post(drafting, temperature=0, max_tokens=40, stream=True, stream_options={"include_usage": True}, n=2)
    )
    assert streamed[-1]["usage"]["completion_tokens_details"]["accepted_prediction_tokens"] >= 0


def test_a_server_without_drafts_says_nothing_of_them(server):
    assert "completion_tokens_details" not in post(server, max_tokens=5).json()["usage"]
    assert metric(server, "drafted_tokens_total") == 0
