"""OpenAI's dialect with its own client: several choices, biases, parsed answers, metadata, many at a time."""

import json
import re

import openai
import pytest

from labkit.small_model.tokenizer import Tokenizer
from tests.showcase.server.wire import CHAT, HTTP, eventually, is_idle

ASKED = [{"role": "user", "content": "Ada is 36 and lives in Rome. Person as JSON."}]
WORDS = {"type": "regex", "pattern": "[a-z]{3,12}"}
PERSON = {
    "type": "object",
    "properties": {"name": {"type": "string", "maxLength": 12}, "age": {"type": "integer"}},
    "required": ["name", "age"],
}
TOOL = {"type": "function", "function": {"name": "add", "parameters": PERSON}}


def ask(client, **more):
    asked = {"model": "small", "messages": ASKED, "seed": 3, "temperature": 1.5, "max_completion_tokens": 60} | more
    return client.chat.completions.create(**asked)


def in_pieces(stream):
    """The text and the finish reasons of each index of a stream, and the usage."""
    texts, ends, roles, usage = {}, {}, {}, None
    for chunk in stream:
        usage = chunk.usage or usage
        for choice in chunk.choices:
            assert choice.index not in ends, "a choice goes on after its end"
            delta = choice.delta
            calls = "".join(call.function.arguments or "" for call in delta.tool_calls or ())
            texts[choice.index] = texts.get(choice.index, "") + (delta.content or "") + calls
            roles.setdefault(choice.index, []).extend([delta.role] * bool(delta.role))
            ends |= {choice.index: choice.finish_reason} if choice.finish_reason else {}
    assert set(map(tuple, roles.values())) == {("assistant",)}
    return texts, ends, usage


SAME = {
    "guided_json": ("structured_outputs", {"json": PERSON}, PERSON),
    "guided_json, as a text": ("structured_outputs", {"json": PERSON}, json.dumps(PERSON)),
    "guided_regex": ("response_format", WORDS, WORDS["pattern"]),
    "guided_choice": ("structured_outputs", {"choice": ["yes", "no"]}, ["yes", "no"]),
    "guided_grammar": ("response_format", {"type": "grammar", "grammar": 'root ::= "a"+'}, 'root ::= "a"+'),
}


@pytest.mark.parametrize("name", SAME)
def test_what_vllm_called_guided_is_a_constraint_like_the_others(client, name):
    key, value, guided = SAME[name]
    answers = [ask(client, extra_body=body) for body in ({key: value}, {name.partition(",")[0]: guided})]
    assert len({answer.choices[0].message.content for answer in answers}) == 1


@pytest.mark.parametrize("key", ["json", "json_object"])
def test_structured_outputs_take_vllms_options_for_json(client, key):
    options = {key: PERSON if key == "json" else True, "disable_any_whitespace": True}
    text = ask(client, extra_body={"structured_outputs": options}, max_completion_tokens=400).choices[0].message.content
    json.loads(text)
    assert not re.search(r"\s", re.sub(r'"(?:[^"\\]|\\.)*"', "", text)), "white space outside of strings"


def test_harmless_keys_are_ignored_with_a_warning_and_null_without(client):
    plain = ask(client)
    keys = {"reasoning_effort": "low", "verbosity": "low", "guided_decoding_backend": "outlines", "tempo": None}
    answer = ask(client, extra_body=keys)
    assert answer.choices[0].message.content == plain.choices[0].message.content
    assert [warning.partition(" ")[0] for warning in answer.warnings] == [
        "guided_decoding_backend",
        "reasoning_effort",
        "verbosity",
    ]
    assert not hasattr(plain, "warnings")
    first = next(iter(ask(client, extra_body=keys, stream=True)))
    assert first.warnings == answer.warnings


def test_each_prompt_of_a_list_gets_the_choices_that_it_gets_alone(client):
    def complete(prompt, **more):
        return client.completions.create(model="small", prompt=prompt, max_tokens=8, seed=3, n=2, **more)

    prompts = ["Ada is 36", "teal as a hex"]
    alone = [complete(prompt) for prompt in prompts]
    together = complete(prompts)
    assert [choice.index for choice in together.choices] == [0, 1, 2, 3]
    assert [choice.text for choice in together.choices] == [one.text for each in alone for one in each.choices]
    assert together.usage.total_tokens == sum(each.usage.total_tokens for each in alone)
    ids = [Tokenizer.load().encode(prompt) for prompt in prompts]
    assert [choice.text for choice in complete(ids).choices] == [choice.text for choice in together.choices]
    texts = dict.fromkeys(range(4), "")
    for chunk in complete(prompts, stream=True):
        for choice in chunk.choices:
            texts[choice.index] += choice.text
    assert [*texts.values()] == [choice.text for choice in together.choices]
    for wrong, said in ((["a"] * 5, "5 prompts with 2 choices"), ([], "empty"), (["a", ""], "empty"), ([[]], "empty")):
        with pytest.raises(openai.BadRequestError, match=said):
            complete(wrong)


def test_each_choice_is_what_its_own_seed_gives_alone(client):
    answer = ask(client, n=4, response_format=WORDS)
    assert [choice.index for choice in answer.choices] == [0, 1, 2, 3]
    alone = [ask(client, seed=3 + place, response_format=WORDS) for place in range(4)]
    found = [choice.message.content for choice in answer.choices]
    assert found == [each.choices[0].message.content for each in alone] and len({*found}) > 1
    assert answer.usage.completion_tokens == sum(each.usage.completion_tokens for each in alone)
    assert answer.usage.prompt_tokens == alone[0].usage.prompt_tokens


def test_a_stream_of_choices_is_the_whole_answer_in_pieces(client):
    whole = ask(client, n=3, response_format=WORDS)
    texts, ends, usage = in_pieces(
        ask(client, n=3, response_format=WORDS, stream=True, stream_options={"include_usage": True})
    )
    assert texts == {choice.index: choice.message.content for choice in whole.choices}
    assert ends == {choice.index: choice.finish_reason for choice in whole.choices} and usage == whole.usage


def test_choices_with_tools_have_calls_of_their_own(client):
    more = {"n": 3, "tools": [TOOL], "tool_choice": "required", "max_completion_tokens": 120}
    whole = ask(client, **more)
    calls = [choice.message.tool_calls[0] for choice in whole.choices]
    assert len({call.id for call in calls}) == 3 and all(
        "name" in json.loads(call.function.arguments) for call in calls
    )
    texts, ends, _ = in_pieces(ask(client, stream=True, **more))
    said = ["".join(call.function.arguments for call in choice.message.tool_calls) for choice in whole.choices]
    assert texts == dict(enumerate(said)) and {*ends.values()} == {"tool_calls"}


def test_who_leaves_a_stream_of_choices_aborts_them_all(slow_server):
    with openai.OpenAI(base_url=f"{slow_server}/v1", api_key="none", max_retries=0) as client:
        stream = ask(client, n=2, response_format={"type": "regex", "pattern": "[a-z]{50}"}, stream=True)
        next(iter(stream))
        stream.close()
        assert eventually(lambda: is_idle(slow_server))
        with pytest.raises(openai.RateLimitError):  # one runs at a time and two may wait: four are too many
            ask(client, n=4)
        assert eventually(lambda: is_idle(slow_server))


def test_a_bias_chooses_within_the_mask_and_never_outside(client):
    ids = {text: Tokenizer.load().encode(text) for text in ("7", "x")}
    (seven,), (x,) = ids["7"], ids["x"]
    digits = {"type": "regex", "pattern": "[0-9]{6}"}
    for seed in range(3):
        answer = ask(client, seed=seed, response_format=digits, logit_bias={str(seven): 100, str(x): 100})
        assert answer.choices[0].message.content == "777777"
        answer = ask(client, seed=seed, response_format=digits, logit_bias={str(seven): -100, str(x): 100})
        assert re.fullmatch("[0-689]{6}", answer.choices[0].message.content)


def test_metadata_comes_back_and_what_changes_nothing_is_taken(client):
    plain = ask(client, response_format=WORDS)
    more = {"store": False, "service_tier": "auto", "modalities": ["text"], "prompt_cache_key": "k", "user": "ada"}
    answer = ask(client, response_format=WORDS, metadata={"order": "7"}, safety_identifier="s", **more)
    assert answer.metadata == {"order": "7"} and plain.metadata is None
    assert answer.choices == plain.choices


def test_one_model_by_its_name(client):
    assert client.models.retrieve("small") == client.models.list().data[0]
    with pytest.raises(openai.NotFoundError) as refused:
        client.models.retrieve("gpt-4o")
    assert (refused.value.param, refused.value.code) == ("model", "model_not_found")


def test_every_answer_has_the_clients_request_id_or_one_of_its_own(server, client):
    def id_of(response):
        (value,) = response.headers.get_list("x-request-id")
        return value

    answer = client.chat.completions.with_raw_response.create(model="small", messages=ASKED, max_tokens=3)
    assert answer.headers["x-request-id"].startswith("req-")
    body = {"model": "small", "messages": ASKED, "max_tokens": 3}
    for given in ({}, {"tempo": 1}, {"stream": True}):
        assert id_of(HTTP.post(server + CHAT, json=body | given, headers={"x-request-id": "a:b/c"})) == "a:b/c"
    for name in ("two words", "x" * 129, ""):
        found = id_of(HTTP.get(server + "/nothing", headers={"x-request-id": name}))
        assert found != name and found.startswith("req-")
    assert id_of(HTTP.get(server + "/health", headers={"host": "evil.example"})).startswith("req-")
