"""The load test: small, against a server with the stand-in; and what it says of servers that do wrong."""

import io
import json
import random
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from rich.console import Console

from course.showcase.load.clients import MANNERS, visit
from course.showcase.load.compare import KINDS as COMPARED
from course.showcase.load.compare import run_compare, run_drafts
from course.showcase.load.errands import KINDS, MALFORMED, make_errand
from course.showcase.load.run import run_load, stopped_while_working
from tests.showcase.server.conftest import server_process


def test_a_short_load_finds_nothing_wrong_and_sigterm_leaves_nobody_without_an_answer():
    said = Console(file=io.StringIO(), width=100)
    with server_process(0.2, 0.05) as (address, process):
        code = run_load(said, address, seconds=0.5, clients=8, seed=0)
        visits, end = stopped_while_working(address, process, clients=8, seed=1)
        assert process.returncode is not None and end.startswith("SIGTERM with 8 clients: ")
    assert {each.outcome for each in visits} <= {"answered", "refused", "aborted", "told", "busy"}, visits
    assert any(each.outcome == "told" for each in visits)
    text = said.file.getvalue()
    # In so short a time the memory has not settled: what is said about it alone may be wrong.
    assert code == 0 or text.splitlines()[-1].startswith("the server holds over"), text
    assert all(kind in text for kind in (*KINDS, "malformed")) and " 8 at a time" in text


def test_constrained_streams_are_compared_with_free_ones():
    """What the table says of the speeds depends on this computer, and so does the exit status."""
    said = Console(file=io.StringIO(), width=120)
    with server_process(0.2, 0.05) as (address, _):
        code = run_compare(said, address, seconds=0.3, clients=4, rounds=1)
    lines = said.file.getvalue().splitlines()
    rows = [line.split() for line in lines if line.strip().startswith(tuple(COMPARED))]
    assert lines[0].startswith("4 streams of 100 tokens, 1 rounds") and len(rows) == len(COMPARED)
    assert rows[0].count("1.00") == 3, "free streams are compared with themselves"
    new = [float(row[len(kind.split())]) for kind, row in zip(COMPARED, rows, strict=True)]
    assert new[0] == 0 < sum(new), "grammars a second: free streams have none"
    assert code == any(line.startswith("too slow") for line in lines)


def test_streams_with_drafts_are_compared_with_those_without():
    """On two servers of its own, as `course load --compare --draft 3` has them."""
    said = Console(file=io.StringIO(), width=120)
    assert run_drafts(said, 3, seconds=0.4, clients=1, rounds=1) == 0
    lines = said.file.getvalue().splitlines()
    rows = [line.split() for line in lines if line.strip().startswith(("free", "one schema", "tickets"))]
    assert lines[0].startswith("1 streams of 100 tokens, 1 rounds") and len(rows) == 3
    assert all(1 <= float(row[-1]) <= 4 for row in rows), "tokens a pass"


def test_a_server_that_ends_a_stream_early_is_not_compared():
    page = "course_generation_tokens_total 1\ncourse_process_cpu_seconds_total 1\n"
    with (
        impostor((200, {}, EVENT), page) as address,
        pytest.raises(ValueError, match=r"ended early: .* 200 after 1 tok"),
    ):
        run_compare(Console(file=io.StringIO()), address, seconds=1, clients=3, rounds=1)


@contextmanager
def impostor(answer, page=""):
    """A server whose every answer is the same: status, headers and body; and so is its page of metrics."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            self.rfile.read(int(self.headers["Content-Length"]))
            status, headers, body = answer
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body.encode())

        def do_GET(self):
            self.send_response(200)
            self.end_headers()
            self.wfile.write(page.encode())

        def log_message(self, *arguments):
            pass

    running = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=running.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{running.server_port}"
    finally:
        running.shutdown()
        running.server_close()
        thread.join(60)


def chat(text, reason="stop"):
    return json.dumps({"choices": [{"message": {"content": text}, "finish_reason": reason}]})


def call(arguments):
    function = {"name": "find", "arguments": arguments}
    message = {"content": None, "tool_calls": [{"id": "call_1", "type": "function", "function": function}]}
    return json.dumps({"choices": [{"message": message, "finish_reason": "tool_calls"}]})


def error(code="x"):
    return json.dumps({"error": {"message": "no", "type": "t", "param": None, "code": code}})


def seed_of(kind, manner="whole"):
    """A seed with which a client asks for this kind in this manner; of ``tools, forced``, a call has to come."""
    name, _, forced = kind.partition(", ")
    for seed in range(1000):
        dice = random.Random(seed)
        errand = make_errand(dice)
        if (errand.kind, errand.body.get("tool_choice", "auto") != "auto") == (name, bool(forced)) and (
            not errand.valid or dice.choices(list(MANNERS), weights=list(MANNERS.values()))[0] == manner
        ):
            return seed
    raise AssertionError(kind, manner)


def delta(**call):
    choice = {"delta": {"tool_calls": [{"index": 0} | call]}, "finish_reason": None}
    return f"data: {json.dumps({'choices': [choice]})}\n\n"


def calls(*pieces):
    first = delta(id="call_1", function={"name": "find", "arguments": ""})
    return first + "".join(delta(function={"arguments": piece}) for piece in pieces) + "data: [DONE]\n\n"


EVENT = 'data: {"choices": [{"delta": {"content": "?"}, "finish_reason": "stop"}]}\n\n'


@pytest.mark.parametrize(
    ("kind", "manner", "answer", "outcome"),
    [
        ("regex", "whole", (200, {}, chat("?")), "invalid"),
        ("choice", "whole", (200, {}, chat("yes", "length")), "invalid"),
        ("schema", "whole", (200, {}, chat('{"name": "x"}')), "invalid"),
        ("json_object", "whole", (200, {}, chat("[]")), "invalid"),
        ("free", "whole", (200, {}, chat("?", "length")), "answered"),
        ("free", "whole", (200, {}, "{"), "lost"),
        ("free", "whole", (500, {}, error()), "invalid"),
        ("free", "whole", (503, {}, error()), "told"),
        ("free", "whole", (429, {"Retry-After": "1"}, error()), "busy"),
        ("free", "whole", (429, {}, error()), "invalid"),
        ("malformed", "whole", (200, {}, chat("?")), "invalid"),
        ("malformed", "whole", (400, {}, error()), "refused"),
        ("malformed", "whole", (400, {}, error(None)), "invalid"),
        ("regex", "whole", (400, {}, error()), "invalid"),
        ("tools, forced", "whole", (200, {}, chat("?")), "invalid"),
        ("tools", "whole", (200, {}, call('{"name": "Ada", "age": 36}')), "answered"),
        ("tools", "whole", (200, {}, call('{"name": "Ada", "age": 36, "town": "Rome"}')), "invalid"),
        ("tools", "whole", (200, {}, call('{"name": ')), "invalid"),
        ("tools", "stream", (200, {}, calls('{"name": "Ada"', ', "age": 36}')), "answered"),
        ("tools", "stream", (200, {}, calls("{")), "invalid"),
        ("free", "stream", (200, {}, EVENT), "lost"),
        ("free", "stream", (200, {}, EVENT + "data: [DONE]\n\n"), "answered"),
        ("regex", "slow", (200, {}, EVENT + "data: [DONE]\n\n"), "invalid"),
        ("free", "stream", (200, {}, f"data: {error()}\n\n"), "told"),
        ("free", "abort", (200, {}, EVENT * 5), "aborted"),
    ],
)
def test_what_the_load_test_makes_of_an_answer(kind, manner, answer, outcome):
    with impostor(answer) as address:
        assert visit(address, random.Random(seed_of(kind, manner))).outcome == outcome


def test_a_server_that_is_not_there_loses_requests():
    with impostor((200, {}, "")) as address:
        pass
    assert visit(address, random.Random(0)).outcome == "lost"


def test_every_kind_comes():
    kinds = {make_errand(random.Random(seed)).kind for seed in range(200)}
    assert kinds == {*KINDS, "malformed"} and len(MALFORMED) > 5
