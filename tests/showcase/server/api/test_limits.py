"""Whatever a request asks too much of, the answer is a 400 that says so: OpenAI's clients send it again after a 500."""

import json

import httpx
import pytest

from course.showcase.server.errors import ApiError
from course.showcase.server.processes import Processes
from course.showcase.server.tool_calls import ToolAnswer
from labkit.automata.work import spend
from labkit.engine import RequestOutput, SamplingParams
from labkit.vocabulary import Vocabulary
from tests.showcase.server.conftest import served


def schema(value):
    return {"type": "json_schema", "json_schema": {"name": "hard", "schema": value}}


def regex(pattern):
    return {"type": "regex", "pattern": pattern}


def grammar(*rules):
    return {"type": "grammar", "grammar": "\n".join(rules)}


def chain(length, node, last=True):
    """Return a schema of definitions, each of which is made of the next one."""
    defs = {f"a{place}": node({"$ref": f"#/$defs/a{place + 1}"}) for place in range(length)}
    return schema({"$ref": "#/$defs/a0", "$defs": defs | {f"a{length}": last}})


def two_members(inner):
    return {"type": "object", "properties": {"x": inner, "y": inner}, "required": ["x", "y"]}


TOO_MUCH = {
    "two members, each with two, and so on": (chain(30, two_members), "budget_too_small"),
    "too deep": (chain(60, two_members), "limit_exceeded"),
    "a long chain of allOf": (chain(1_000, lambda inner: {"allOf": [inner, inner]}), "limit_exceeded"),
    "a long chain of not": (chain(1_000, lambda inner: {"not": inner}), "limit_exceeded"),
    "a long chain of $ref": (chain(1_000, dict), None),
    "more items than a float counts": (schema({"type": "array", "minItems": 10**400}), "budget_too_small"),
    "many items of many items": (chain(35, lambda inner: {"minItems": 10**9, "items": inner}), "budget_too_small"),
    "a bound of 5,000 digits": (schema({"type": "integer", "minimum": 10**4_000}), "limit_exceeded"),
    "rounds in rounds": (regex("((a{1,1000}){1,1000}){1,1000}"), None),
    "optional rounds in each other": (regex("(" * 30 + "a" + "){0,50}" * 30), "too_much_work"),
    "more rounds than a float counts": (regex("(" * 60 + "a" + "){1000000}" * 60), "budget_too_small"),
    "groups in groups": (regex("(" * 5_000 + "a" + ")" * 5_000), "limit_exceeded"),
    "a long pattern": (regex("a" * 300_000), "limit_exceeded"),
    "a rule of rounds": (grammar('root ::= "(" root ")" | "a"{99999999999}'), "limit_exceeded"),
    "parentheses": (grammar("root ::= " + "(" * 3_000 + '"a"' + ")" * 3_000), "limit_exceeded"),
}


@pytest.fixture(scope="module")
def limited():
    """A server that compiles as the real one does: in processes, with limits."""
    processes = Processes()
    with served(processes=processes) as address:
        yield address
    processes.close()


@pytest.mark.parametrize("stream", [False, True], ids=["whole", "stream"])
@pytest.mark.parametrize("name", TOO_MUCH)
def test_what_asks_too_much_is_a_400(name, stream, limited):
    """It names the key of the request and the limit; only an answer that is within it may come as well."""
    response_format, code = TOO_MUCH[name]
    body = {"model": "small", "prompt": "hi", "max_tokens": 40, "seed": 1, "stream": stream}
    answer = httpx.post(f"{limited}/v1/completions", json=body | {"response_format": response_format}, timeout=60)
    events = [line for line in answer.text.splitlines() if "{" in line]
    error = json.loads(events[-1].removeprefix("data: ")).get("error")
    assert answer.status_code in ((200, 400) if stream or code is None else (400,))
    if code is not None:
        assert (error["type"], error["code"]) == ("invalid_request_error", code)
        assert error["param"] in ("response_format", "max_tokens") and error["message"]
    else:
        assert error is None or error["type"] == "invalid_request_error"


@pytest.mark.parametrize("name", TOO_MUCH)
def test_what_asks_too_much_is_explained_or_a_400(name, limited):
    body = {"response_format": TOO_MUCH[name][0], "text": "a"}
    answer = httpx.post(f"{limited}/v1/explain", json=body, timeout=60)
    assert answer.status_code in (200, 400), answer.text


def test_an_answer_whose_calls_take_too_much_to_read_is_a_400():
    class Reader:
        thoughts = ()

        def feed(self, text):
            spend(10**9)

    small = Vocabulary.small()
    more = {"reader": Reader(), "written": small, "params": SamplingParams(), "content_is_json": False}
    answer = ToolAnswer("one", "small", 1, small, 0, **more)
    with pytest.raises(ApiError, match="reading the calls of this answer takes too much work") as caught:
        answer.chunks(RequestOutput("one", token_id=small.token_bytes.index(b"a"), text="a"), first=True)
    assert (caught.value.status, caught.value.code) == (400, "too_much_work")
