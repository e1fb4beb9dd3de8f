"""``POST /v1/explain``: what ``course explain --json`` says, for whatever constraint, and within limits."""

import json
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import asdict

import pytest

from course.showcase.explain.report import explain
from course.showcase.server.app import MAX_EXPLAINING
from course.student.core.catalog import ROOT
from labkit.scenes.prompted import prompted
from labkit.vocabulary import Vocabulary
from mask_engine import compile_guide
from tests.showcase.server.api.test_server import PERSON, post
from tests.showcase.server.conftest import served
from tests.showcase.server.wire import HTTP, WAIT, eventually, opened, posted

EXPLAIN = "/v1/explain"
BRACKETS = 'root ::= "[" root? "]"'


PAIR = {"type": "object", "properties": {"a": {}, "b": {}}}


def schema_format(**more):
    return {"response_format": {"type": "json_schema", "json_schema": {"name": "p", "schema": PAIR, **more}}}


def ask(server, text, **asked):
    content = json.dumps({"text": text, **asked})
    return HTTP.post(server + EXPLAIN, content=content, headers={"content-type": "application/json"})


@pytest.mark.parametrize(
    ("asked", "text", "guide", "schema"),
    [
        ({"response_format": {"type": "regex", "pattern": "0x[0-9a-f]+"}}, "0x1g", {"regex": "0x[0-9a-f]+"}, None),
        ({"structured_outputs": {"json": PERSON}}, '{"name": 1', {"json_schema": PERSON}, PERSON),
        (schema_format(strict=False), '{"c": nul', {"json_schema": PAIR, "closed": False}, PAIR),
        (schema_format(order="any"), '{"b": 1, "a":x', {"json_schema": PAIR, "order": "any"}, PAIR),
        (schema_format(reading="validator"), '{"b": 1, "a":x', {"json_schema": PAIR, "reading": "validator"}, PAIR),
        ({"structured_outputs": {"grammar": BRACKETS}}, "[[x", {"grammar": BRACKETS}, None),
        ({"structured_outputs": {"choice": ["yes", "no"]}}, "yea", {"regex": "yes|no"}, None),
        ({"response_format": {"type": "json_object"}}, "[1]", {"json_schema": {"type": "object"}}, {"type": "object"}),
    ],
    ids=["regex", "schema", "open schema", "any order", "a validator", "grammar", "choice", "json_object"],
)
def test_it_is_what_the_command_says(server, asked, text, guide, schema):
    response = ask(server, text, **asked)
    assert response.status_code == 200, response.text
    wanted = json.loads(json.dumps(asdict(explain(compile_guide(Vocabulary.toy(), **guide), text.encode(), schema))))
    found = response.json()
    # The states of an automaton that was made elsewhere have other numbers.
    assert {**found, "path": ""} == {**wanted, "path": ""} and found["path"]


@pytest.mark.parametrize("text", ["#ee-", "#ee82ee", "é", ""])
def test_with_a_prompt_it_adds_the_models_odds(server, text):
    """Those of the command; the engine's pass may differ in the last bits."""
    guide = compile_guide(Vocabulary.toy(), regex="#[0-9a-f]{6}|é+x")
    asked = "Hex code of violet?"
    found = ask(server, text, prompt=asked, structured_outputs={"regex": "#[0-9a-f]{6}|é+x"}).json()["odds"]
    wanted = explain(guide, text.encode(), model=prompted(asked)).odds
    assert [token for token, _ in found["likely"]] == [token for token, _ in wanted.likely]
    assert [share for _, share in found["likely"]] == pytest.approx([share for _, share in wanted.likely], abs=1e-4)
    assert found["kept"] == pytest.approx(wanted.kept, abs=1e-4) and found["first_choice"] == wanted.first_choice


@pytest.mark.parametrize(
    ("content", "param", "says"),
    [
        ({"text": "a"}, "response_format", "nothing to explain without a constraint"),
        ({"text": 1, "response_format": {"type": "json_object"}}, "text", "text"),
        ({"text": "a", "model": "small", "response_format": {"type": "json_object"}}, "model", "model"),
        ({"text": "a" * 100_001, "structured_outputs": {"regex": "a*"}}, "text", "at most 100000"),
        ({"text": "a", "prompt": "x " * 3000, "structured_outputs": {"regex": "a*"}}, "prompt", "the context is 1024"),
        ({"text": "\ud800", "structured_outputs": {"regex": "a*"}}, "text", "unicode"),
        ({"text": "a", "structured_outputs": {"regex": "(a"}}, "structured_outputs", "position"),
    ],
)
def test_what_cannot_be_explained_is_refused_by_name(server, content, param, says):
    response = ask(server, **content)
    error = response.json()["error"]
    assert (response.status_code, error["param"]) == (400, param) and says in error["message"]


def test_only_so_many_at_a_time_and_one_whose_client_has_gone_is_ended():
    """The next one is told to come back; answers go on meanwhile."""
    futures = []

    def explain(asked, text, logits):
        futures.append(Future())
        return futures[-1]

    some = {"text": "a", "structured_outputs": {"regex": "a"}}
    with served(explain=explain) as address:
        connections = [opened(address, posted(some, EXPLAIN)) for _ in range(MAX_EXPLAINING)]
        assert eventually(lambda: len(futures) == MAX_EXPLAINING)
        refused = ask(address, **some)
        assert (refused.status_code, refused.json()["error"]["code"]) == (429, "queue_full")
        assert int(refused.headers["Retry-After"]) >= 1 and post(address, max_tokens=2).status_code == 200
        for connection in connections:
            connection.close()
        assert eventually(lambda: all(future.cancelled() for future in futures))
        with ThreadPoolExecutor() as threads:
            answer = threads.submit(ask, address, **some)
            assert eventually(lambda: len(futures) > MAX_EXPLAINING)
            futures[-1].set_result('{"verdict": "whole"}')
            assert answer.result(WAIT).json() == {"verdict": "whole"}


def test_the_body_on_the_page_of_mistakes(server):
    page = (ROOT / "book" / "pages" / "mistakes.md").read_text(encoding="utf-8")
    found = ask(server, **json.loads(page.rpartition("```json\n")[2].partition("```")[0])).json()
    assert (found["verdict"], found["at"], found["place"]) == ("refused", 10, "/price")
    named = page.partition("You get what `--json` prints: ")[2].partition(" and the rest")[0]
    assert {name.strip("`\n ,") for name in named.split(",")} <= found.keys()
