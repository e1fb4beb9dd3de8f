"""The Responses API with OpenAI's own client, which checks the events of a stream itself."""

import json
import re

import openai
import pytest
from pydantic import BaseModel

from tests.showcase.server.wire import HTTP

ADA = "Ada is 36 and lives in Rome. Person as JSON."
ASKED = {"model": "small", "input": ADA, "temperature": 0, "max_output_tokens": 60}
CITY = {"type": "object", "properties": {"city": {"type": "string", "maxLength": 12}}, "required": ["city"]}
WEATHER = {"type": "function", "name": "get_weather", "parameters": CITY | {"additionalProperties": False}}
LOGPROBS = ["message.output_text.logprobs"]


class Person(BaseModel):
    name: str
    age: int


def as_chat(client, **more):
    messages = [{"role": "user", "content": ADA}]
    return client.chat.completions.create(model="small", messages=messages, temperature=0, max_tokens=60, **more)


def test_a_response_has_the_text_of_the_same_chat_completion(client):
    response = client.responses.create(**ASKED, metadata={"of": "us"})
    chat = as_chat(client)
    assert response.output_text == chat.choices[0].message.content
    assert (response.status, response.metadata, response.output[0].status) == ("completed", {"of": "us"}, "completed")
    assert response.usage.input_tokens == chat.usage.prompt_tokens
    assert response.usage.total_tokens == chat.usage.total_tokens


def test_a_stream_is_the_whole_response_in_pieces(client):
    whole = client.responses.create(**ASKED, top_logprobs=2, include=LOGPROBS)
    with client.responses.stream(**ASKED, top_logprobs=2, include=LOGPROBS) as stream:
        events = [*stream]
    assert [event.sequence_number for event in events] == [*range(len(events))]
    assert [events[0].type, events[-1].type] == ["response.created", "response.completed"]
    assert "".join(event.delta for event in events if event.type == "response.output_text.delta") == whole.output_text
    found = events[-1].response
    assert found.output_text == whole.output_text and found.usage == whole.usage
    assert found.output[0].content[0].logprobs == whole.output[0].content[0].logprobs
    assert len(found.output[0].content[0].logprobs) == whole.usage.output_tokens


def test_parse_gives_an_object_whole_and_from_a_stream(client):
    parsed = client.responses.parse(**ASKED, text_format=Person)
    assert isinstance(parsed.output_parsed, Person)
    with client.responses.stream(**ASKED, text_format=Person) as stream:
        assert stream.get_final_response().output_parsed == parsed.output_parsed


def test_instructions_come_before_the_question(client):
    asked = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": ADA}]
    parts = [{"role": "user", "content": [{"type": "input_text", "text": ADA}]}]
    texts = {
        client.responses.create(**ASKED, instructions="Be brief.").output_text,
        client.responses.create(**ASKED | {"input": asked}).output_text,
        client.responses.create(**ASKED | {"input": parts}, instructions="Be brief.").output_text,
    }
    assert len(texts) == 1


@pytest.mark.parametrize("choice", ["required", {"type": "function", "name": "get_weather"}])
def test_a_call_comes_whole_in_pieces_and_goes_back_with_its_result(client, choice):
    asked = ASKED | {"input": "How warm is it in Rome?", "tools": [WEATHER], "tool_choice": choice}
    response = client.responses.create(**asked)
    call = response.output[-1]
    assert (call.type, call.name, [*json.loads(call.arguments)]) == ("function_call", "get_weather", ["city"])
    with client.responses.stream(**asked) as stream:
        events = [*stream]
    done = [event.arguments for event in events if event.type == "response.function_call_arguments.done"]
    assert done == [call.arguments] == [events[-1].response.output[-1].arguments]
    result = {"type": "function_call_output", "call_id": call.call_id, "output": "21 degrees"}
    turns = [{"role": "user", "content": asked["input"]}, *[item.to_dict() for item in response.output], result]
    after = client.responses.create(**ASKED | {"input": turns}, tools=[WEATHER])
    made = {"id": "a", "type": "function", "function": {"name": call.name, "arguments": call.arguments}}
    messages = [turns[0], {"role": "assistant", "content": None, "tool_calls": [made]}]
    messages.append({"role": "tool", "tool_call_id": "a", "content": "21 degrees"})
    function = {key: value for key, value in WEATHER.items() if key != "type"}
    chat = client.chat.completions.create(
        model="small",
        messages=messages,
        tools=[{"type": "function", "function": function}],
        temperature=0,
        max_tokens=60,
    )
    assert after.output_text == chat.choices[0].message.content
    assert after.usage.input_tokens == chat.usage.prompt_tokens


def test_what_max_output_tokens_cuts_off_is_incomplete(client):
    response = client.responses.create(**ASKED | {"max_output_tokens": 3})
    assert (response.status, response.incomplete_details.reason) == ("incomplete", "max_output_tokens")
    with client.responses.stream(**ASKED | {"max_output_tokens": 3}) as stream:
        assert [*stream][-1].type == "response.incomplete"


REFUSED = [
    ({"previous_response_id": "resp_1"}, "previous_response_id", "whole conversation"),
    ({"conversation": "conv_1"}, "conversation", "whole conversation"),
    ({"tools": [{"type": "web_search"}]}, "tools", "function"),
    ({"input": [{"role": "user", "content": [{"type": "input_image"}]}]}, "input", "input_text"),
    ({"input": [{"type": "item_reference", "id": "a"}]}, "input", "item_reference"),
    ({"input": ""}, "input", "at least 1"),
    ({"input": [{"type": "function_call_output", "call_id": "a", "output": ""}]}, "input", "call"),
    ({"text": {"format": {"type": "json_schema", "name": "a", "schema": {"type": 1}}}}, "text", "type"),
    ({"text": {"format": {"type": "json_object"}}, "guided_regex": "a"}, None, "text.format and guided_regex"),
    ({"max_output_tokens": 10**6}, "max_output_tokens", "the context is"),
    ({"tools": [WEATHER], "tool_choice": {"type": "function", "name": "b"}}, "tool_choice", ""),
    ({"model": "gpt"}, "model", "small"),
    ({"background": True}, "background", ""),
]


@pytest.mark.parametrize(("more", "param", "said"), REFUSED, ids=str)
@pytest.mark.parametrize("stream", [False, True])
def test_what_is_refused_names_the_key_that_was_sent(server, more, param, said, stream):
    answer = HTTP.post(f"{server}/v1/responses", json=ASKED | {"stream": stream} | more)
    error = answer.json()["error"]
    assert answer.status_code in (400, 404) and error["param"] == param and said in error["message"], error
    assert not re.search(r"\bmax_tokens|response_format", error["message"])


def test_what_is_not_here_says_what_is(client):
    with pytest.raises(openai.NotFoundError, match="/v1/chat/completions, /v1/completions, /v1/responses"):
        client.responses.retrieve("resp_1")
    with pytest.raises(openai.NotFoundError, match="/v1/embeddings: this server has"):
        client.embeddings.create(model="small", input="a")
