"""``sampler`` over HTTP: lab 13's samplers beside the rest of a body."""

import threading

import pytest

from tests.showcase.server.api.test_server import HEX, begun, body, content_of, events, post
from tests.showcase.server.wire import eventually, is_idle, metric

COLOURS = {"choice": ["#ff0000", "#00ff00", "#008080", "#008b8b"]}
NOW = {"type": "function", "function": {"name": "now", "parameters": {"type": "object"}}}
DRAWN = ["rejection", "smc", "adaptive"]


@pytest.mark.parametrize("sampler", ["masked", *DRAWN])
def test_each_sampler_gives_a_legal_answer(server, sampler):
    asked = {"structured_outputs": COLOURS, "max_tokens": 12, "sampler": sampler, "seed": 1}
    content, reason = content_of(post(server, **asked))
    assert content in COLOURS["choice"] and reason == "stop"
    if sampler != "adaptive":  # whose answer depends on what it has learned
        assert content_of(post(server, **asked)) == (content, reason)


@pytest.mark.parametrize("sampler", DRAWN)
def test_a_stream_is_the_answer_with_seed_stop_and_budget(server, sampler):
    """Rejection takes a colour that the model would write itself: it has no mask that would help."""
    asked = {"response_format": HEX, "max_tokens": 9, "seed": 5, "stop": ["a"], "sampler": sampler}
    whole = post(server, **asked)
    found = events(post(server, stream=True, **asked))
    said = "".join(event["choices"][0]["delta"]["content"] for event in found)
    reason, stop = (found[-1]["choices"][0][key] for key in ("finish_reason", "stop_reason"))
    assert "a" not in said and said.startswith("#") and reason == "stop" and (stop == "a" or len(said) == 7)
    if sampler != "adaptive":
        assert content_of(whole) == (said, reason)


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"response_format": None}, "the request has no constraint"),
        ({"tools": [NOW]}, "needs a constraint on the whole answer"),
        ({"response_format": {"type": "regex", "pattern": "zebra{9}"}, "sampler": "rejection"}, "50 attempts"),
    ],
)
def test_what_has_no_meaning_names_the_constraint(server, wrong, said):
    response = post(server, **{"response_format": HEX, "max_tokens": 30, "sampler": "smc", **wrong})
    error = response.json()["error"]
    assert (response.status_code, error["param"]) == (400, "response_format") and said in error["message"]


@pytest.mark.parametrize("stream", [False, True])
def test_a_client_that_vanishes_midway_ends_its_sampler(slow_server, stream):
    asked = {"response_format": {"type": "regex", "pattern": "[a-z]{900}"}, "max_tokens": 950, "sampler": "smc"}
    connection = begun(slow_server, body(stream=stream, **asked))
    assert eventually(lambda: metric(slow_server, "kv_cache_slots_used") == 1)
    connection.close()
    assert eventually(lambda: is_idle(slow_server))
    assert all(thread.name != "text sampler" for thread in threading.enumerate())
    assert content_of(post(slow_server, response_format=HEX, max_tokens=12))[1] == "stop"
