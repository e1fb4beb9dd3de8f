"""The client that people use, over loopback: openai's, sync and async, and its parsed answers."""

import asyncio
import re
from typing import Literal

import pytest
from pydantic import BaseModel

from tests.bridges.extras import needs

pytestmark = needs(
    "fastapi", "uvicorn", "openai", extra="pip install -r requirements/serve.txt openai -c constraints.txt"
)

ASKED = [{"role": "user", "content": "Ada is 36 and lives in Rome. Person as JSON."}]
HEX = {"type": "regex", "pattern": "#[0-9a-f]{6}"}


class Pet(BaseModel):
    kind: Literal["cat", "dog"]
    name: str


class Person(BaseModel):
    name: str
    age: int
    pets: list[Pet] = []


def test_a_stream(client):
    stream = client.chat.completions.create(
        model="small", messages=ASKED, stream=True, response_format=HEX, stream_options={"include_usage": True}
    )
    *chunks, last = stream
    text = "".join(chunk.choices[0].delta.content for chunk in chunks)
    assert re.fullmatch(HEX["pattern"], text) and last.usage.completion_tokens == len(chunks)
    assert last.id.startswith("chatcmpl-")
    pieces = client.completions.create(model="small", prompt="x", max_tokens=5, stream=True)
    assert [piece.choices[0].finish_reason for piece in pieces][-1] in ("stop", "length")


@pytest.mark.parametrize("seed", range(5))
def test_parsed_answers_are_objects_of_the_class(client, seed):
    answer = client.chat.completions.parse(
        model="small", messages=ASKED, response_format=Person, seed=seed, temperature=1.3, max_completion_tokens=120
    )
    assert isinstance(answer.choices[0].message.parsed, Person)


def test_a_stream_that_is_parsed(client):
    with client.chat.completions.stream(
        model="small", messages=ASKED, response_format=Person, max_tokens=120
    ) as stream:
        kinds = {event.type for event in stream}
        assert isinstance(stream.get_final_completion().choices[0].message.parsed, Person)
    assert {"chunk", "content.delta", "content.done"} <= kinds


def test_errors_are_the_clients_own(client, openai):
    with pytest.raises(openai.BadRequestError) as refused:
        client.chat.completions.create(
            model="small", messages=ASKED, response_format={"type": "regex", "pattern": "(a"}
        )
    error = refused.value
    assert (error.status_code, error.param, error.code) == (400, "response_format", "invalid_pattern")
    with pytest.raises(openai.NotFoundError):
        client.chat.completions.create(model="large", messages=ASKED)
    with pytest.raises(openai.BadRequestError, match="no rule") as refused:
        client.completions.create(
            model="small", prompt="x", extra_body={"structured_outputs": {"grammar": "root ::= x"}}
        )
    assert (refused.value.param, refused.value.code) == ("structured_outputs", "invalid_grammar")


def test_twenty_at_a_time_get_what_each_gets_alone(server, client, openai):
    async def ask(made, seed):
        answer = await made.chat.completions.create(model="small", messages=ASKED, seed=seed, response_format=HEX)
        return answer.choices[0].message.content

    async def all_at_once():
        async with openai.AsyncOpenAI(base_url=f"{server}/v1", api_key="none") as made:
            return await asyncio.gather(*(ask(made, seed) for seed in range(20)))

    alone = [
        client.chat.completions.create(model="small", messages=ASKED, seed=seed, response_format=HEX)
        for seed in range(20)
    ]
    assert asyncio.run(all_at_once()) == [answer.choices[0].message.content for answer in alone]
