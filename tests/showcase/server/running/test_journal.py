"""What an operator is told: a line for each request, however it ended, and numbers that Prometheus can read."""

import json
import logging
import re
import shlex
import time

import pytest

from course.showcase.server.journal import LOG
from tests.showcase.server.api.test_tool_calls import TIMER, Scripted
from tests.showcase.server.conftest import served
from tests.showcase.server.wire import CHAT, HTTP, eventually, is_idle, opened, posted

HEX = {"type": "regex", "pattern": "#[0-9a-f]{6}"}


def body(**more):
    return {"model": "small", "messages": [{"role": "user", "content": "x"}], "max_tokens": 20, "seed": 1} | more


@pytest.fixture
def lines():
    """The lines of the log, each as a dictionary; an earlier test's last one may come late, and is left out."""
    found, start = [], time.time()

    class Kept(logging.Handler):
        def emit(self, record):
            line = dict(part.split("=", 1) for part in shlex.split(record.getMessage()))
            if record.created - float(line.get("total_ms", 0)) / 1000 >= start:
                found.append(line)

    handler = Kept()
    LOG.addHandler(handler)
    LOG.setLevel(logging.INFO)
    yield found
    LOG.removeHandler(handler)
    LOG.setLevel(logging.NOTSET)


def only(lines):
    assert eventually(lambda: lines)
    (line,) = lines
    lines.clear()
    return line


def test_an_answer_is_a_line(server, lines):
    """The second time the grammar is there, so nobody waits for it."""
    form = {"type": "regex", "pattern": "#[0-9a-f]{5}[0-9a-f]"}  # of no other test
    for first in (True, False):
        answer = HTTP.post(server + CHAT, json=body(response_format=form), headers={"x-request-id": "a1"}).json()
        line = only(lines)
        assert line["request_id"] == "a1" and (line["method"], line["path"]) == ("POST", CHAT)
        assert (line["status"], line["format"], line["end"], line["client"]) == ("200", "regex", "stop", "served")
        assert line["prompt_tokens"] == str(answer["usage"]["prompt_tokens"])
        assert line["tokens"] == str(answer["usage"]["completion_tokens"])
        assert ("compile_ms" in line) == first and not {"param", "code", "metadata"} & line.keys()
        spent = [float(line[name]) for name in ("compile_ms", "first_token_ms", "total_ms") if name in line]
        assert spent == sorted(spent)


def test_a_stream_of_choices_is_one_line(server, lines):
    HTTP.post(server + CHAT, json=body(stream=True, n=2, metadata={"order": 'a "7"'}, response_format=HEX))
    line = only(lines)
    assert (line["end"], line["client"]) == ("stop,stop", "served")
    assert json.loads(line["metadata"]) == {"order": 'a "7"'} and line["request_id"].startswith("req-")


def test_a_refusal_is_a_line(server, lines):
    for wrong, status, param, code in (
        (body(tempo=1), "400", "tempo", "unknown_parameter"),
        (body(model="large"), "404", "model", "model_not_found"),
        (body(response_format=HEX, max_tokens=2), "400", "max_tokens", "budget_too_small"),
    ):
        HTTP.post(server + CHAT, json=wrong)
        line = only(lines)
        assert (line["status"], line["param"], line["code"], line["client"]) == (status, param, code, "served")


def test_what_is_no_request_for_an_answer_is_a_line_too(server, lines):
    HTTP.get(server + "/nothing%0Aelse x")
    assert (line := only(lines))["status"] == "404" and line["code"] == "not_found" and "\\n" in line["path"]
    HTTP.get(server + "/health", headers={"host": "evil.example"})
    assert only(lines)["status"] == "400"
    HTTP.get(server + "/health")
    HTTP.get(server + "/metrics")
    assert not lines, "these come every few seconds"


@pytest.mark.parametrize("stream", [False, True], ids=["whole", "stream"])
def test_a_client_that_goes_is_a_line(slow_server, lines, stream):
    asked = body(stream=stream, response_format=HEX | {"pattern": "[a-z]{200}"}, max_tokens=201)
    with opened(slow_server, posted(asked)) as connection:
        if stream:
            connection.recv(100)
        else:
            assert eventually(lambda: not is_idle(slow_server))
    line = only(lines)
    assert (line["client"], line["end"], line["status"]) == ("gone", "abort", "200" if stream else "499")
    assert eventually(lambda: is_idle(slow_server))


def page(server):
    """The samples of the page by their names and labels, each of a family that is described once."""
    text = HTTP.get(server + "/metrics").text
    for kind in ("HELP", "TYPE"):
        described = re.findall(rf"^# {kind} (\S+)", text, re.M)
        assert len(described) == len({*described}) > 10
    found = re.findall(r'^([a-z_]+)(?:\{([a-z_]+="[^"\\]*")\})? (\S+)$', text, re.M)
    assert len(found) == sum(not line.startswith("#") for line in text.splitlines())
    assert {re.sub("_(bucket|sum|count)$", "", name) for name, *_ in found} <= {*described}
    return {(name, labels or None): float(value) for name, labels, value in found}


def test_metrics_count_compiles_and_first_tokens():
    with served() as address:
        before = page(address)
        assert before["course_compile_seconds_count", None] == before["course_first_token_seconds_count", None] == 0
        for count in (3, 3, 4, 5):  # the second finds its grammar
            HTTP.post(address + CHAT, json=body(response_format=HEX | {"pattern": f"[a-z]{{{count}}}"}))
        HTTP.post(address + CHAT, json=body(tempo=1))
        HTTP.post(address + CHAT, json=body())
        found = page(address)
        assert found["course_compile_seconds_count", None] == 3
        assert found["course_first_token_seconds_count", None] == 5
        assert found["course_http_responses_total", 'status="400"'] == 1
        assert found["course_first_token_seconds_bucket", 'le="+Inf"'] == 5
        assert found["course_first_token_seconds_sum", None] >= found["course_compile_seconds_sum", None] > 0


UNREAD = {
    "not JSON": ("<tool_call>\n{name: set_timer}\n</tool_call>", 80, 1),
    "never closed": ('<tool_call>\n{"name": "set_timer", "argu', 80, 1),
    "cut off": ('<tool_call>\n{"name": "set_timer", "arguments": {"minutes": 3, "label": "tea"}}\n</tool_call>', 8, 1),
    "a call": ('<tool_call>\n{"name": "set_timer", "arguments": {"minutes": 3, "label": "tea"}}\n</tool_call>', 80, 0),
    "no call": ("Three minutes < four minutes.", 80, 0),
}


@pytest.mark.parametrize("stream", [False, True], ids=["whole", "stream"])
def test_calls_that_cannot_be_read_are_counted(stream):
    model = Scripted()
    with served(model=model, masked=False) as address:
        expected = 0
        for name, (answer, most, counts) in UNREAD.items():
            model.want([answer], 0)
            HTTP.post(address + CHAT, json=body(tools=[TIMER], max_tokens=most, stream=stream))
            expected += counts
            assert page(address)["course_tool_calls_unread_total", None] == expected, name
