"""Requests that OpenAI's client sends to vLLM, replayed: our answers have the shape that vLLM documents.

``vllm_api.json`` has the requests, and the keys and types of the answers, written from the documents that it names.
"""

import json
import re
from pathlib import Path

import httpx
import jsonschema
import pytest

TEXT = (Path(__file__).parent / "vllm_api.json").read_text(encoding="utf-8")
API = json.loads(TEXT.replace('"#car"', json.dumps(json.loads(TEXT)["car"])))
EXCHANGES = pytest.mark.parametrize("exchange", API["exchanges"], ids=lambda each: each["name"])


def compared(found, shape, path=()):
    """Yield what is wrong, and with which key."""
    if isinstance(shape, str) and shape.startswith("#"):
        shape = API["shapes"][shape[1:]]
    if isinstance(shape, list) and isinstance(found, list):
        for each in found:
            yield from compared(each, shape[0], path)
    elif isinstance(shape, dict) and isinstance(found, dict):
        for key in found.keys() - {key.removesuffix("?") for key in shape}:
            yield "unknown", ".".join([*path, key])
        for key, inner in shape.items():
            name = key.removesuffix("?")
            if name == key not in found:
                yield "missing", ".".join([*path, key])
            elif name in found and (found[name] is not None or name == key):
                yield from compared(found[name], inner, (*path, name))
    else:
        wanted = shape if isinstance(shape, str) else type(shape).__name__
        kinds, _, value = wanted.partition(":")
        if type(found).__name__ not in kinds.split("|") or value not in ("", found):
            yield f"{found!r} is no {wanted}", ".".join(path)


@pytest.fixture(scope="module")
def answers(server):
    """What the server sends for each recorded body: an answer, or the events of a stream; the kind of each object."""

    def replay(exchange):
        response = httpx.post(server + exchange["path"], json=exchange["body"], timeout=30)
        assert response.status_code == 200, response.text
        if not exchange["body"].get("stream"):
            return [response.json()]
        *lines, done, nothing = response.text.split("\n\n")
        assert (done, nothing) == ("data: [DONE]", "")
        assert response.headers["content-type"].startswith("text/event-stream")
        return [json.loads(line.removeprefix("data: ")) for line in lines]

    return {exchange["name"]: replay(exchange) for exchange in API["exchanges"]}


@EXCHANGES
def test_keys_and_types_are_the_documented_ones(answers, exchange):
    kind = API["kinds"][exchange["path"]][bool(exchange["body"].get("stream"))]
    wrong = {said for found in answers[exchange["name"]] for said in compared(found, API["shapes"][kind])}
    assert wrong <= {("unknown", key) for key in API["ours_alone"]}


@EXCHANGES
def test_the_answer_is_valid(answers, exchange):
    objects = answers[exchange["name"]]
    choices = [choice for found in objects for choice in found["choices"]]
    messages = [choice.get("message") or choice.get("delta") or {"content": choice["text"]} for choice in choices]
    text = "".join(message["content"] for message in messages)
    assert [choice["finish_reason"] for choice in choices] == [None] * (len(choices) - 1) + ["stop"]
    if "schema" in exchange:
        jsonschema.validate(json.loads(text), exchange["schema"])
    else:
        assert re.fullmatch(exchange["matches"], text)
    if exchange["body"].get("stream"):
        assert objects[-1]["choices"] == [] and objects[-1]["usage"]["completion_tokens"] == len(choices)
        assert [place for place, message in enumerate(messages) if "role" in message] in ([0], [])
        assert len({found["id"] for found in objects}) == 1
