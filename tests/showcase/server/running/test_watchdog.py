"""One client's constraint must not keep the others waiting: what asks too much, and what nobody has counted.

``python -m tests.showcase.server.running.test_watchdog`` is a server whose constraints can get stuck.
"""

import json
import re
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from queue import SimpleQueue

import httpx
import pytest

from course.student.core.catalog import ROOT
from tests.showcase.server.api.test_limits import TOO_MUCH, limited  # noqa: F401
from tests.showcase.server.serving import make
from tests.showcase.server.wire import CHAT, HTTP, WAIT, eventually, metric

LOOPS, WAITS = 13, 14
"""The seeds of requests whose constraint gets stuck: in a loop of Python's, or where no error can be raised."""


def loop():
    while True:
        pass


def stuck_server():
    """A server that gets stuck at the third token of such a request."""
    server = make(grace=0.5)
    masks = server._service.worker.engine.structured_outputs
    advance, ways = masks.advance, {LOOPS: loop, WAITS: SimpleQueue().get}

    def advanced(request, token_id):
        advance(request, token_id)
        if len(request.output_token_ids) == 3 and request.sampling_params.seed in ways:
            ways[request.sampling_params.seed]()

    masks.advance = advanced
    return server


@pytest.fixture
def stuck():
    command = [sys.executable, "-m", "tests.showcase.server.running.test_watchdog"]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    try:
        yield re.search(r"http://[0-9.:]+", process.stdout.readline())[0], process
    finally:
        process.kill()
        process.communicate(timeout=60)


def asked(address, seed, n=100, **more):
    body = {"model": "small", "messages": [{"role": "user", "content": "hi"}], "seed": seed, "max_tokens": n + 1}
    form = {"response_format": {"type": "regex", "pattern": f"[a-z]{{{n}}}"}}
    return HTTP.post(address + CHAT, json=body | form | more)


def is_busy(address):
    answer = HTTP.get(address + "/health")
    return answer.status_code == 503 and answer.json()["error"]


def test_a_constraint_that_never_returns_ends_its_own_request_alone(stuck):
    """The others get the answers that they'd have got alone, and the next request the same."""
    address, _ = stuck
    alone = asked(address, 1).json()["choices"][0]["message"]["content"]
    with ThreadPoolExecutor() as threads:
        others = [threads.submit(asked, address, 1) for _ in range(3)]
        at_fault = threads.submit(asked, address, LOOPS)
        eventually(lambda: is_busy(address) or at_fault.done())
        error = at_fault.result(WAIT).json()["error"]
        assert at_fault.result(WAIT).status_code == 400
        assert (error["type"], error["code"]) == ("invalid_request_error", "turn_too_long")
        assert [each.result(WAIT).json()["choices"][0]["message"]["content"] for each in others] == [alone] * 3
    assert eventually(lambda: HTTP.get(address + "/health").status_code == 200)
    before = metric(address, "grammar_misses_total")
    assert asked(address, 1).json()["choices"][0]["message"]["content"] == alone
    assert metric(address, "grammar_misses_total") == before + 1, "the guide may be half made"


def test_an_engine_that_is_stuck_for_good_is_told_and_ends_when_it_is_told_to(stuck):
    address, process = stuck
    with ThreadPoolExecutor() as threads:
        at_fault = threads.submit(asked, address, WAITS)
        assert eventually(lambda: is_busy(address))
        error = is_busy(address)
        assert error["code"] == "engine_busy"
        assert re.search(r"busy for [0-9.]+ s, since 20.*Z, with chatcmpl-", error["message"])
        assert HTTP.get(address + "/metrics").status_code == 503
        process.send_signal(signal.SIGTERM)
        assert at_fault.result(WAIT).status_code in (400, 503)
    process.wait(timeout=60)


def test_what_asks_too_much_leaves_another_clients_stream_as_it_is(limited):  # noqa: F811
    """With ``-s`` it says how long that stream had to wait for a token at most."""
    letters = {"response_format": {"type": "regex", "pattern": "[a-z]{400}"}}
    body = {"model": "small", "prompt": "hi", "seed": 1, "max_tokens": 401, "stream": True} | letters

    def stream():
        times, text = [time.monotonic()], ""
        with httpx.stream("POST", limited + "/v1/completions", json=body, timeout=120) as answer:
            for line in answer.iter_lines():
                if line.startswith("data: {"):
                    times.append(time.monotonic())
                    text += json.loads(line.removeprefix("data: "))["choices"][0]["text"]
        return text, max(after - before for before, after in pairwise(times[1:]))

    def bomb(response_format):
        hard = {"model": "small", "prompt": "hi", "max_tokens": 40, "response_format": response_format}
        return httpx.post(limited + "/v1/completions", json=hard, timeout=120).status_code

    (alone, quiet), beside = stream(), []
    with ThreadPoolExecutor(1) as threads:
        statuses = [threads.submit(bomb, response_format) for response_format, _ in TOO_MUCH.values()]
        while not statuses[-1].done():
            beside.append(stream())
    gap = max(gap for _, gap in beside)
    print(f"the longest wait for a token: {quiet * 1000:.0f} ms alone, {gap * 1000:.0f} ms beside {len(statuses)}")
    assert {text for text, _ in beside} == {alone} and len(alone) == 400
    assert {status.result(WAIT) for status in statuses} <= {200, 400}


if __name__ == "__main__":
    stuck_server().run()
