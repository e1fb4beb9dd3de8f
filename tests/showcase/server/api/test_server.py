"""The server over loopback: answers, streams, refusals that name what is wrong, clients that vanish."""

import json
import math
import re
import signal

import httpx
import jsonschema
import pytest
from openai.types import Completion
from openai.types.chat import ChatCompletion, ChatCompletionChunk

from labkit.small_model import SmallModel
from labkit.vocabulary import Vocabulary
from tests.showcase.server.conftest import server_process
from tests.showcase.server.wire import CHAT, HTTP, eventually, is_idle, metric, opened, posted

COMPLETIONS = "/v1/completions"
HEX = {"type": "regex", "pattern": "#[0-9a-f]{6}"}
PERSON = {
    "type": "object",
    "properties": {"name": {"type": "string", "maxLength": 12}, "age": {"type": "integer"}},
    "required": ["name", "age"],
    "additionalProperties": False,
}


def body(**more):
    return {
        "model": "small",
        "messages": [{"role": "user", "content": "teal as a hex colour"}],
        "max_tokens": 40,
        **more,
    }


def post(server, path=CHAT, **content):
    given = content if path == COMPLETIONS else body(**content)
    return HTTP.post(server + path, content=json.dumps(given), headers={"content-type": "application/json"})


def content_of(response):
    assert response.status_code == 200, response.text
    ChatCompletion.model_validate_json(response.text, strict=True)
    (choice,) = response.json()["choices"]
    return choice["message"]["content"], choice["finish_reason"]


def events(response):
    lines = [line.removeprefix("data: ") for line in response.text.split("\n\n") if line]
    assert response.headers["content-type"].startswith("text/event-stream") and lines[-1] == "[DONE]"
    for line in lines[:-1]:
        assert '"chat' not in line or ChatCompletionChunk.model_validate_json(line, strict=True)
    return [json.loads(line) for line in lines[:-1]]


def is_person(text):
    return jsonschema.validate(json.loads(text), PERSON) is None


RECURSIVE = {"type": "object", "properties": {"next": {"$ref": "#"}}, "additionalProperties": False}
NESTED = 'root ::= "{" ("\\"a\\":" root)? "}"'
FORMATS = {
    "regex": ({"response_format": HEX}, lambda text: re.fullmatch("#[0-9a-f]{6}", text)),
    "json_object": ({"response_format": {"type": "json_object"}}, lambda text: isinstance(json.loads(text), dict)),
    "OpenAI's shape": (
        {"response_format": {"type": "json_schema", "json_schema": {"name": "p", "schema": PERSON, "strict": True}}},
        is_person,
    ),
    "the short shape": ({"response_format": {"type": "json_schema", "schema": PERSON}}, is_person),
    "instructor's": (
        {"response_format": {"type": "json_object", "schema": PERSON}},
        is_person,
    ),
    "recursion": ({"structured_outputs": {"json": RECURSIVE}}, json.loads),
    "a grammar": ({"response_format": {"type": "grammar", "grammar": NESTED}}, json.loads),
    "vLLM's grammar": ({"structured_outputs": {"grammar": NESTED}}, json.loads),
    "vLLM's choice": ({"structured_outputs": {"choice": ["a+b", "a.b (c)"]}}, lambda text: text in ("a+b", "a.b (c)")),
    "vLLM's json in a string": (
        {"structured_outputs": {"json": json.dumps(PERSON)}, "response_format": {"type": "text"}},
        is_person,
    ),
}


@pytest.mark.parametrize("name", FORMATS)
def test_each_way_to_ask_for_a_format(server, name):
    asked, valid = FORMATS[name]
    response = post(server, seed=1, temperature=1.5, **asked)
    text, reason = content_of(response)
    assert reason == "stop" and valid(text) not in (None, False) and "warnings" not in response.json()


@pytest.mark.parametrize("asked", [{}, {"response_format": HEX}, {"stop": ["8", "f"]}], ids=["free", "regex", "stop"])
def test_a_stream_is_the_answer_in_pieces(server, asked):
    text, reason = content_of(post(server, seed=5, **asked))
    found = events(post(server, seed=5, stream=True, stream_options={"include_usage": True}, **asked))
    *chunks, last = found
    assert {each["object"] for each in found} == {"chat.completion.chunk"} and len({each["id"] for each in found}) == 1
    assert chunks[0]["choices"][0]["delta"]["role"] == "assistant"
    assert "".join(each["choices"][0]["delta"]["content"] for each in chunks) == text
    assert [each["choices"][0]["finish_reason"] for each in chunks] == [None] * (len(chunks) - 1) + [reason]
    assert last["choices"] == [] and last["usage"]["completion_tokens"] == len(chunks)


def test_logprobs_in_both_dialects(server):
    chat = post(server, seed=2, temperature=0, logprobs=True, top_logprobs=2).json()["choices"][0]
    for entry in chat["logprobs"]["content"]:
        assert entry["logprob"] == entry["top_logprobs"][0]["logprob"] <= 0 and len(entry["top_logprobs"]) == 2
    assert (
        b"".join(bytes(entry["bytes"]) for entry in chat["logprobs"]["content"][:-1]).decode()
        == chat["message"]["content"]
    )
    answer = post(server, COMPLETIONS, model="small", prompt="x", logprobs=1, max_tokens=3)
    assert Completion.model_validate_json(answer.text, strict=True)
    plain = answer.json()["choices"][0]["logprobs"]
    assert len(plain["tokens"]) == len(plain["token_logprobs"]) == len(plain["top_logprobs"]) <= 3
    assert "mask" not in plain and "mask_cost" not in plain and "mask" not in chat["logprobs"]["content"][0]


def test_receipts_in_both_dialects_say_what_the_mask_took(server):
    """The model wants to say something else than seven digits; ``kept`` adds up what the logprobs say of them."""
    asked = {"seed": 1, "max_tokens": 9, "response_format": {"type": "regex", "pattern": "[0-9]{7}"}}
    chat = post(server, logprobs=True, top_logprobs=20, **asked).json()["choices"][0]["logprobs"]
    plain = post(server, COMPLETIONS, model="small", prompt="teal as", logprobs=20, **asked).json()["choices"][0][
        "logprobs"
    ]
    for masks, tops, cost in (
        (
            [entry["mask"] for entry in chat["content"]],
            [{each["token"]: each["logprob"] for each in entry["top_logprobs"]} for entry in chat["content"]],
            chat["mask_cost"],
        ),
        (plain["mask"], plain["top_logprobs"], plain["mask_cost"]),
    ):
        for mask, top in zip(masks, tops, strict=True):
            seen = sum(math.exp(logprob) for token, logprob in top.items() if token.isdecimal() and token.isascii())
            assert seen - 1e-6 <= mask["kept"] <= seen + (1 - sum(map(math.exp, top.values()))) + 1e-6
            assert mask["bits"] == pytest.approx(-math.log2(mask["kept"])) and mask["first_choice"] == next(iter(top))
            assert mask["first_choice_forbidden"] == (not mask["first_choice"].isdecimal())
        assert cost == {
            "bits": pytest.approx(sum(mask["bits"] for mask in masks)),
            "noticed": sum(mask["bits"] >= 0.01 for mask in masks),
            "tokens": len(masks),
            "first_choices_forbidden": sum(mask["first_choice_forbidden"] for mask in masks),
        }
        assert cost["bits"] > 5 and cost["first_choices_forbidden"]
    stream = events(post(server, logprobs=True, stream=True, **asked))
    streamed = [chunk["choices"][0]["logprobs"] for chunk in stream]
    assert [each["content"][0]["mask"] for each in streamed] == [entry["mask"] for entry in chat["content"]]
    assert not any("mask_cost" in each for each in streamed)


LONG = "word " * 900


def schema_format(**more):
    return {"response_format": {"type": "json_schema", "json_schema": {"name": "p", "schema": PERSON, **more}}}


REFUSED = {
    "unknown_parameter": [{"foo": 1}, {"response_format": {"type": "regex", "pattern": "a", "flags": "i"}}],
    "invalid_value": [
        *[
            {"messages": []},
            {"messages": [{"role": "judge", "content": "x"}]},
            {"temperature": "warm"},
        ],
        *[{"sampler": "best"}, {"temperature": -1}, {"top_p": 0}, {"n": 9}, {"frequency_penalty": 2.1}],
        {"presence_penalty": -2.1},
        *[{"logit_bias": {"5": 101}}, {"logit_bias": {"05": 1}}, {"logit_bias": {"99999": 1}}],
        *[{"metadata": {"k": "v" * 513}}, {"metadata": {str(n): "" for n in range(17)}}],
        *[schema_format(whitespace="pretty"), {"stop": [""]}, {"response_format": {"type": "xml"}}],
        *[{"response_format": {"type": "json_schema"}}, {"structured_outputs": {"choice": []}}],
        *[{"structured_outputs": {"choice": ["a", "b\ud800"]}}, {"structured_outputs": {"json": "{"}}],
        {"response_format": {"type": "grammar", "grammar": 7}},
        {"messages": [{"role": "user", "content": "\ud800"}]},
    ],
    "unsupported_value": [
        *[{"sampler": "smc", "response_format": HEX, "logit_bias": {"5": 1}}, {"store": True}],
        *[{"sampler": "smc", "response_format": HEX, "top_k": 3}, {"sampler": "rejection", "temperature": 0}],
        *[{"sampler": "adaptive", "repetition_penalty": 2}, {"sampler": "smc", "logprobs": True}],
        *[{"modalities": ["text", "audio"]}, {"messages": [{"role": "user", "content": [{"type": "image_url"}]}]}],
    ],
    "invalid_schema": [
        {"response_format": {"type": "json_object", "schema": {"type": "strin"}}},
        {"response_format": {"type": "json_schema", "schema": {"type": "strin"}}},
    ],
    "context_length_exceeded": [{"messages": [{"role": "user", "content": LONG}]}, {"max_tokens": 1020}],
    "missing_parameter": [{"response_format": {"type": "regex"}}],
    "unsupported_pattern": [{"response_format": {"type": "regex", "pattern": r"(a)\1"}}],
    "conflicting_constraints": [{"structured_outputs": {"regex": "a", "choice": ["b"]}}, {"structured_outputs": {}}],
    "invalid_grammar": [
        {"structured_outputs": {"grammar": "root ::= x"}},
        {"structured_outputs": {"grammar": "root ::= root"}},
    ],
    "budget_too_small": [{"structured_outputs": {"regex": "[^\\s\\S]"}}],
    "unsupported_schema": [{"response_format": {"type": "json_schema", "schema": {"format": "idn-email"}}}],
}
"""By its code each request that is refused, and named by its first key."""
REFUSED_OTHERWISE = [
    ({"structured_outputs": {"regex": "a"}, "response_format": HEX}, None, "conflicting_constraints"),
    ({"guided_regex": "a", "guided_json": {}}, None, "conflicting_constraints"),
    ({"response_format": HEX, "guided_regex": "a"}, None, "conflicting_constraints"),
    ({"guided_regex": "(a"}, "guided_regex", "invalid_pattern"),
    ({"response_format": HEX, "max_tokens": 2}, "max_tokens", "budget_too_small"),
]


ROWS = [(wrong, next(iter(wrong)), code) for code, wrongs in REFUSED.items() for wrong in wrongs] + REFUSED_OTHERWISE


@pytest.mark.parametrize(("wrong", "param", "code"), ROWS, ids=[str(each[0])[:50] for each in ROWS])
@pytest.mark.parametrize("stream", [False, True], ids=["whole", "stream"])
def test_a_wrong_request_is_refused_in_openais_shape_and_alone(server, wrong, param, code, stream):
    response = post(server, stream=stream, **wrong)
    assert response.status_code == 400, response.text
    error = response.json()["error"]
    assert (error["param"], error["code"], error["type"]) == (param, code, "invalid_request_error")
    assert len(error["message"]) > 10


def test_what_is_no_request_at_all(server):
    assert HTTP.get(server + "/v2/nothing").json()["error"]["code"] == "not_found"
    assert HTTP.get(server + CHAT).status_code == 405


def test_models_health_and_metrics(server):
    assert [model["id"] for model in HTTP.get(server + "/v1/models").json()["data"]] == ["small"]
    assert HTTP.get(server + "/health").status_code == 200
    page = HTTP.get(server + "/metrics")
    assert page.headers["content-type"].startswith("text/plain; version=0.0.4")
    for line in page.text.splitlines():
        assert re.fullmatch(r'# (HELP|TYPE) course_\w+ .+|course_\w+(\{\w+="[\w.+]+"\})? [0-9.e+-]+', line), line
    before = metric(server, "generation_tokens_total")
    count = post(server, seed=3).json()["usage"]["completion_tokens"]
    assert metric(server, "generation_tokens_total") == before + count


ENDLESS = {"structured_outputs": {"regex": "[a-z]{900}"}, "max_tokens": 1000}


def begun(address, content):
    """A connection that has sent a request and reads nothing."""
    return opened(address, posted(content))


def test_a_full_queue_says_when_to_come_back(slow_server):
    connections = []
    for running, waiting in [(1, 0), (1, 1), (1, 2)]:
        connections.append(begun(slow_server, body(**ENDLESS)))
        expected = {"requests_running": running, "requests_waiting": waiting}
        assert eventually(lambda wanted=expected: {n: metric(slow_server, n) for n in wanted} == wanted)
    refused = post(slow_server)
    assert refused.status_code == 429 and int(refused.headers["Retry-After"]) >= 1
    assert refused.json()["error"]["code"] == "queue_full"
    for connection in connections:
        connection.close()
    assert eventually(lambda: is_idle(slow_server))


def test_after_sigterm_a_running_request_finishes():
    """Where the grace is too short it is told: the load test sees that."""
    with server_process(30, 0.02) as (address, process):
        asked = body(stream=True, structured_outputs={"regex": "[a-z]{100}"}, max_tokens=101)
        with httpx.stream("POST", address + CHAT, json=asked, timeout=60) as response:
            lines = response.iter_lines()
            next(lines)
            process.send_signal(signal.SIGTERM)
            assert "[DONE]" in [line for line in lines if line][-1]
        process.wait(timeout=60)


@pytest.mark.parametrize(("calls", "n_vocabularies"), [(None, 1), ("hermes", 1), ("mistral", 2)])
def test_the_servers_engine_keeps_the_vocabularies_of_its_guides(calls, n_vocabularies, tmp_path, monkeypatch):
    """Mistral's special text is a token, which is text in the guides of its calls."""
    from course.showcase.serving import make_engine

    small = Vocabulary.small()
    fresh = Vocabulary(small.token_bytes, eos_id=small.eos_id, special_ids=small.special_ids)
    monkeypatch.setattr(Vocabulary, "small", lambda: fresh)
    make_engine(SmallModel.load("early"), tool_calls=calls, cache=tmp_path)
    assert len(list(tmp_path.iterdir())) == n_vocabularies
