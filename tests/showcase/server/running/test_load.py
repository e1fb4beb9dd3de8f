"""Many clients at a time: each answer is checked, nothing stays behind, and at the end nobody is left waiting."""

import json
import random
import re
import signal
import threading
import time
from collections import Counter

import httpx
import pytest

from labkit.small_model.tasks.forms import JsonForm
from labkit.small_model.tasks.judging import judge
from tests.showcase.server.conftest import server_process
from tests.showcase.server.wire import CHAT, eventually, is_idle, metric, opened, posted

PROMPTS = ("teal as a hex colour", "Write 5 March 2024 as YYYY-MM-DD.", "Tell me a joke about cats", "Ada, 36, Rome.")
PERSON = {
    "type": "object",
    "properties": {"name": {"type": "string"}, "age": {"type": "integer"}, "pets": {"type": "array"}},
    "required": ["name", "age"],
    "additionalProperties": False,
}
FIND = {"type": "function", "function": {"name": "find", "parameters": PERSON, "strict": True}}
MALFORMED = ({"tempo": 1}, {"response_format": {"type": "regex", "pattern": "(a"}}, {"tool_choice": "required"})
HEAVY = (r"(((a{1,1000}){1,1000}){1,1000}){1,1000}", r"\w{1,5000}\s\W{1,5000}", "(a|b)*a(a|b){90}")
"""Patterns whose automata, made in full, take minutes and gigabytes."""


def fits(schema):
    return lambda text: judge(JsonForm(schema), text).valid


def regex(dice):
    pattern = dice.choice(["#[0-9a-f]{6}", r"\d{4}-\d\d-\d\d", "[a-z]+( [a-z]+){0,3}"])
    return {"response_format": {"type": "regex", "pattern": pattern}}, lambda text: re.fullmatch(pattern, text, re.A)


def word(dice):
    return "".join(dice.choices("abcdefgh", k=8))


def new_schema(dice):
    """It was never asked for before, so it has to be compiled."""
    schema = {"type": "object", "properties": {word(dice): {"type": "boolean"}}, "additionalProperties": False}
    return {"structured_outputs": {"json": schema}}, fits(schema)


KINDS = {
    "free": lambda dice: ({"max_tokens": dice.randrange(1, 60)}, lambda text: True),
    "regex": regex,
    "choice": lambda dice: (
        {"structured_outputs": {"choice": ["yes", "a+b", "né"]}},
        ("yes", "a+b", "né").__contains__,
    ),
    "new schema": new_schema,
    "object": lambda dice: ({"response_format": {"type": "json_object"}}, fits({"type": "object"})),
    "tools": lambda dice: ({"tools": [FIND], "tool_choice": "required"}, fits(PERSON)),
    "heavy": lambda dice: (
        {"response_format": {"type": "regex", "pattern": f"{dice.choice(HEAVY)}|{word(dice)}"}},
        bool,
    ),
    "malformed": lambda dice: (dice.choice(MALFORMED), None),
}
"""More of the body, and whether a text is a valid answer."""


def visit(address, kind, dice):
    """Make one request, and return how it ended: what's wrong is an ``AssertionError``."""
    more, valid = KINDS[kind](dice)
    prompt = [{"role": "user", "content": dice.choice(PROMPTS)}]
    body = {"model": "small", "messages": prompt, "max_tokens": 150, "seed": dice.randrange(1 << 30)} | more
    manner = dice.choice(("whole", "whole", "stream", "slow", "abort", "vanish")) if valid else "whole"
    if manner == "vanish":
        opened(address, posted(body)).close()
        return "aborted"
    body["stream"] = manner != "whole"
    with httpx.stream("POST", address + CHAT, json=body, timeout=60) as response:
        if response.status_code != 200:
            error = json.loads(response.read())["error"]
            assert response.status_code == 503 or (response.status_code == 400 and kind in ("malformed", "heavy")), (
                error
            )
            return "told" if response.status_code == 503 else "refused"
        assert valid, "a malformed body was answered"
        text, reason = "", None
        for number, event in enumerate(events(response, body["stream"])):
            if "error" in event:  # the server stops, or the constraint takes too much
                return "told"
            (made,) = event["choices"]
            text, reason = text + said(made["delta"] if body["stream"] else made["message"]), made["finish_reason"]
            if manner == "abort" and number == 2:
                return "aborted"
            time.sleep(0.03 * (manner == "slow"))
        return checked(kind, valid, text, reason)


def events(response, stream):
    """The events of a stream, which has to say that it's done; or the whole answer."""
    if not stream:
        yield json.loads(response.read())
        return
    for line in response.iter_lines():
        if line == "data: [DONE]":
            return
        if line:
            yield json.loads(line.removeprefix("data: "))
    raise AssertionError("a stream ended without [DONE]")


def said(message):
    """The text of a message or a delta, or the arguments of its first call."""
    calls = [call for call in message.get("tool_calls") or () if call.get("index", 0) == 0][:1]
    return (message.get("content") or "").strip("\n") + "".join(call["function"]["arguments"] for call in calls)


def checked(kind, valid, text, reason):
    if kind != "heavy" or reason != "length":
        assert valid(text), (kind, text)
        assert kind == "free" or reason in ("stop", "tool_calls"), (kind, reason)
    return "answered"


def crowd(address, clients, is_over):
    """Let clients come one after the other in each thread; return how often each kind ended how, and what was wrong."""
    outcomes, wrong = Counter(), []

    def work(number):
        dice, turn = random.Random(number), 0
        while not is_over(turn):
            kind, turn = list(KINDS)[(number + turn) % len(KINDS)], turn + 1
            try:
                outcomes[kind, visit(address, kind, dice)] += 1
            except Exception as error:  # a lost connection is as wrong as a wrong answer
                wrong.append(repr(error))

    threads = [threading.Thread(target=work, args=(number,)) for number in range(clients)]
    for thread in threads:
        thread.start()
    return threads, outcomes, wrong


def test_under_load_every_answer_is_valid_and_nothing_stays_behind():
    with server_process(0.2, 0.0) as (address, _):
        threads, outcomes, wrong = crowd(address, 4, lambda turn: turn > len(KINDS))
        for thread in threads:
            thread.join(60)
        assert wrong == []
        assert {kind for kind, outcome in outcomes if outcome != "aborted"} == {*KINDS}
        assert {outcome for _, outcome in outcomes} >= {"answered", "refused", "aborted"}
        assert eventually(lambda: is_idle(address))
        assert metric(address, "resident_memory_bytes") < 400e6


def test_a_server_that_stops_leaves_nobody_without_an_answer():
    """Whoever is there at the end is served, or told."""
    with server_process(0.2, 0.05) as (address, process):
        stop = threading.Event()
        threads, outcomes, wrong = crowd(address, 8, lambda turn: stop.is_set())
        assert eventually(lambda: sum(outcomes.values()) > 8)
        stop.set()
        time.sleep(1)  # whoever was about to come has come
        process.send_signal(signal.SIGTERM)
        for thread in threads:
            thread.join(60)
        assert process.wait(timeout=60) is not None and wrong == []
        assert {outcome for _, outcome in outcomes} & {"told", "answered"}


@pytest.mark.parametrize("kind", sorted({*KINDS} - {"free", "malformed"}))
def test_what_is_no_answer_is_found(kind):
    """Where any text will do, no text is none."""
    with pytest.raises(AssertionError):
        checked(kind, KINDS[kind](random.Random(0))[1], "?" * (kind != "heavy"), "stop")
