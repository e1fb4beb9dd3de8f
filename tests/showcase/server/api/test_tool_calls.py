"""Tools over HTTP: the real openai client's loop, every tool_choice, with masks and without them.

A ``Scripted`` model insists on given answers, right or wrong, so that a test knows what the masks have changed.
"""

import json
import re
import sys
import time
from contextlib import ExitStack
from functools import cache

import jsonschema
import numpy as np
import openai
import pydantic
import pytest
from openai.lib.streaming.chat import ChatCompletionStreamState

from course.showcase.cli import serve as command
from labkit.engine import ScriptedModel
from labkit.small_model.tasks.forms import closed
from labkit.small_model.tokenizer import Tokenizer
from tests.showcase.server.conftest import served
from tests.showcase.server.wire import HTTP, eventually, is_idle
from tests.showcase.test_json_reader import expected

TOKENIZER = Tokenizer.load()


def tool(name, **properties):
    parameters = {"parameters": closed(properties)} if properties else {}
    return {"type": "function", "function": {"name": name, **parameters}}


def named(name):
    return {"type": "function", "function": {"name": name}}


WEATHER = tool("get_weather", city={"type": "string"}, unit={"enum": ["celsius", "fahrenheit"]})
TIMER = tool("set_timer", minutes={"type": "integer"}, label={"type": "string"})
ASKED = [{"role": "user", "content": "How warm is it in Rome? Use celsius."}]
ROME = '{"city": "Rome", "unit": "celsius"}'


def hermes(name, arguments):
    return f'<tool_call>\n{{"name": {json.dumps(name)}, "arguments": {arguments}}}\n</tool_call>'


class Scripted(ScriptedModel):
    """A model that wants to write given answers, the first to a first question, and so on; it notes its prompts."""

    def __init__(self):
        super().__init__(self.row, len(TOKENIZER.vocabulary), max_positions=8192)

    def want(self, answers, pause):
        self.wanted, self.pause, self.prompts = [TOKENIZER.answer(answer) for answer in answers], pause, set()

    def row(self, ids):
        asked = [place for place, token in enumerate(ids) if token == TOKENIZER.special_ids["<|assistant|>"]]
        row = np.random.default_rng([len(ids), ids[-1]]).random(len(TOKENIZER.vocabulary), np.float32)
        if asked:  # otherwise this is the first piece of a long prompt
            self.prompts.add(TOKENIZER.decode(ids[: asked[-1] + 1], special=True))
            answer, place = self.wanted[min(len(asked), len(self.wanted)) - 1], len(ids) - asked[-1] - 1
            row[answer[place] if place < len(answer) else TOKENIZER.eos_id] = 60
        return row

    def forward(self, *arguments, **options):
        time.sleep(self.pause)
        return super().forward(*arguments, **options)


@pytest.fixture(scope="module")
def serve():
    """Return a client of a server whose model wants these answers, or whose model is the small one if there are none.

    Servers with the same options are one, until the module's end.
    """
    with ExitStack() as stack:

        @cache
        def start(scripted, **options):
            model = Scripted() if scripted else None
            address = stack.enter_context(served(model=model, **options))
            client = stack.enter_context(openai.OpenAI(base_url=f"{address}/v1", api_key="none", max_retries=0))
            client.model, client.address = model, address
            return client

        def serve(*answers, pause=0.0, masked=False, calls="hermes"):
            client = start(bool(answers), masked=masked, calls=calls)
            if answers:
                client.model.want(answers, pause)
            return client

        yield serve


def ask(client, messages=ASKED, tools=(WEATHER, TIMER), **more):
    (choice,) = client.chat.completions.create(model="small", messages=messages, tools=tools, **more).choices
    return choice


def calls_of(choice):
    return [(call.function.name, json.loads(call.function.arguments)) for call in choice.message.tool_calls or ()]


def check(choice, *tools):
    """Each call is one of these tools', with arguments that its schema allows; ids differ."""
    known = {each["function"]["name"]: each["function"].get("parameters", closed({})) for each in tools}
    for name, arguments in calls_of(choice):
        jsonschema.validate(arguments, known[name])
    ids = [call.id for call in choice.message.tool_calls]
    assert ids and len({*ids}) == len(ids) and {call.type for call in choice.message.tool_calls} == {"function"}


def streamed(client, messages=ASKED, tools=(WEATHER, TIMER), **more):
    """What a stream's chunks add up to, for OpenAI's own reader of streams, and the chunks."""
    chunks = [*client.chat.completions.create(model="small", messages=messages, tools=tools, stream=True, **more)]
    state = ChatCompletionStreamState()
    for chunk in chunks:
        state.handle_chunk(chunk)
    reasons = [chunk.choices[0].finish_reason for chunk in chunks]
    assert chunks[0].choices[0].delta.role == "assistant" and reasons[:-1] == [None] * (len(reasons) - 1)
    return whole(state.get_final_completion().choices[0]), chunks


def whole(choice):
    calls = [(call.function.name, call.function.arguments) for call in choice.message.tool_calls or ()]
    return choice.message.content, calls, choice.finish_reason


# The loop ---------------------------------------------------------------------------------------------

LOOP = (f"One moment.\n{hermes('get_weather', ROME)}", "It is 13 degrees.")
MASKED = pytest.mark.parametrize("masked", [False, True], ids=["no masks", "masks"])


@MASKED
def test_the_loop_of_call_result_and_answer(serve, masked):
    client = serve(*LOOP, masked=masked)
    choice = ask(client)
    check(choice, WEATHER)
    assert whole(choice) == ("One moment.\n", [("get_weather", ROME)], "tool_calls")
    told = {"role": "tool", "tool_call_id": choice.message.tool_calls[0].id, "content": '{"temperature": 13}'}
    answer = ask(client, [*ASKED, choice.message, told])
    assert whole(answer) == ("It is 13 degrees.", [], "stop") and answer.message.tool_calls is None
    head = "Tools:\nget_weather(city: string, unit: celsius|fahrenheit)\nset_timer(minutes: integer, label: string)"
    first = f"<|user|>{head}\nStyle: hermes\n{ASKED[0]['content']}<|assistant|>"
    again = f'{first}{LOOP[0]}<|end|><|user|>Result: {{"temperature": 13}}<|assistant|>'
    assert client.model.prompts == {first, again}


def test_the_client_parses_the_arguments_of_strict_tools(serve):
    timer = pydantic.create_model("Timer", minutes=int, label=str)
    asked = [{"role": "user", "content": "Timer of 20 minutes for the rope"}]
    more = {"model": "small", "messages": asked, "tools": [openai.pydantic_function_tool(timer)], "max_tokens": 100}
    with serve(masked=True).chat.completions.stream(**more, tool_choice="required", seed=2) as stream:
        kinds = {event.type for event in stream}
        final = stream.get_final_completion().choices[0]
    assert {"tool_calls.function.arguments.delta", "tool_calls.function.arguments.done"} <= kinds
    assert final.message.tool_calls and final.finish_reason == "tool_calls"
    assert all(isinstance(call.function.parsed_arguments, timer) for call in final.message.tool_calls)


# Streams ----------------------------------------------------------------------------------------------

TEA = '{"minutes": 3, "label": "tea"}'
BOTH = f"{hermes('get_weather', ROME)}\n{hermes('set_timer', TEA)}"
MISTRAL = f'[TOOL_CALLS] [{{"name": "get_weather", "arguments": {ROME}}}]'
ANSWERS = {
    "words, a call, words": f"One.\n{hermes('get_weather', ROME)}\nThat is all.",
    "two calls": BOTH,
    "white space and words": f"\n {BOTH} \nDone.",
    "nothing but white space": " \n",
    "the start of a trigger at the end": "Hello <tool> there <tool_c",
    "letters of two bytes": hermes("get_weather", '{"city": "Zürich—東京", "unit": "celsius"}'),
}


@MASKED
@pytest.mark.parametrize("answer", ANSWERS.values(), ids=ANSWERS)
def test_a_stream_adds_up_to_the_whole_answer(serve, answer, masked):
    client = serve(answer, masked=masked)
    expected = whole(ask(client, temperature=0))
    assert streamed(client, temperature=0, tool_choice="auto")[0] == expected
    calls = re.findall(r'"name": "(\w+)", "arguments": (\{.*\})\}', answer)
    texts = re.sub(r"<tool_call>.*?</tool_call>", "", answer, flags=re.S)
    text = None if calls and not texts.strip() else texts
    found = [(name, json.loads(arguments)) for name, arguments in expected[1]]
    assert found == [(name, json.loads(arguments)) for name, arguments in calls]
    assert expected[2] == ("tool_calls" if calls else "stop")
    # Without masks the parser drops white space beside calls; with them, text is free when it is written.
    assert expected[0] == text or (calls and not masked and (expected[0] or "").strip() == (text or "").strip())


# Masks ------------------------------------------------------------------------------------------------

WRONG = {
    "arguments of another tool": hermes("set_timer", ROME),
    "a name that no tool has": hermes("get_time", ROME),
    "a member that it does not have": hermes("set_timer", '{"minutes": 3, "label": "tea", "loud": true}'),
    "a member missing": hermes("set_timer", '{"minutes": 3}'),
    "a wrong type": hermes("set_timer", '{"minutes": "three", "label": "tea"}'),
    "no JSON": "<tool_call>\nset_timer(3)\n</tool_call>",
    "no end": '<tool_call>\n{"name": "set_timer", "arg',
}


@pytest.mark.parametrize("answer", WRONG.values(), ids=WRONG)
def test_masks_turn_a_wrong_call_into_one_that_its_schema_allows(serve, answer):
    client = serve(answer, masked=True)
    choice = ask(client, seed=1, max_tokens=100)
    check(choice, WEATHER, TIMER)
    assert choice.finish_reason == "tool_calls"


@pytest.mark.parametrize("answer", [WRONG["no JSON"], WRONG["no end"], "<tool_call>"])
def test_without_masks_what_is_no_call_stays_content(serve, answer):
    client = serve(answer)
    assert whole(ask(client)) == (answer, [], "stop") == streamed(client)[0]
    content, calls, reason = whole(ask(serve(hermes("get_weather", ROME)), max_tokens=12))
    assert content.startswith("<tool_call>") and (calls, reason) == ([], "length"), "cut off"


@MASKED
def test_a_special_token_begins_a_call_and_its_name_in_letters_does_not(serve, masked):
    client = serve(MISTRAL, calls="mistral", masked=masked)
    assert whole(ask(client)) == (None, [("get_weather", ROME)], "tool_calls") == streamed(client)[0]
    client.model.wanted = [[*TOKENIZER.encode(MISTRAL), TOKENIZER.eos_id]]
    assert whole(ask(client)) == (MISTRAL, [], "stop") == streamed(client)[0]


# tool_choice --------------------------------------------------------------------------------------------

PROSE = "It is warm in Rome today."


@MASKED
def test_none_makes_no_call_and_the_model_sees_no_tools(serve, masked):
    client = serve(BOTH, masked=masked)
    content, calls, reason = whole(ask(client, tool_choice="none", max_tokens=60))
    assert not calls and reason in ("stop", "length") and ("<tool_call>" in content) is not masked
    assert client.model.prompts == {f"<|user|>{ASKED[0]['content']}<|assistant|>"}
    constrained = ask(client, tool_choice="none", response_format={"type": "regex", "pattern": "[a-z]{5}"})
    assert re.fullmatch("[a-z]{5}", constrained.message.content)


def test_no_second_call_where_calls_may_not_be_parallel(serve):
    client = serve(BOTH, masked=True)
    assert len(ask(client, max_tokens=150).message.tool_calls) == 2
    choice = ask(client, parallel_tool_calls=False, max_tokens=150)
    assert calls_of(choice) == [("get_weather", json.loads(ROME))]


@pytest.mark.parametrize("tool_choice", ["required", named("set_timer")], ids=str)
@pytest.mark.parametrize("answer", [PROSE, f"\n {BOTH}"])
def test_a_call_that_must_come_comes_first(serve, answer, tool_choice):
    """Nothing is said before it, whatever the model would say; after it, the model is free again."""
    client, alone = serve(answer, masked=True), isinstance(tool_choice, dict)
    more = {"tool_choice": tool_choice, "seed": 1, "max_tokens": 100, "temperature": 1.5}
    (_, calls, reason), chunks = streamed(client, **more)
    told = [delta for delta in (chunk.choices[0].delta for chunk in chunks) if delta.content or delta.tool_calls]
    assert told[0].tool_calls and calls and reason == "tool_calls"
    check(ask(client, **more), *([TIMER] if alone else [WEATHER, TIMER]))
    assert all("set_timer(" in prompt and ("get_weather" in prompt) != alone for prompt in client.model.prompts)


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        ({"tool_choice": "required"}, True),
        ({"parallel_tool_calls": False}, True),
        ({"tools": [WEATHER, TIMER | {"function": TIMER["function"] | {"strict": True}}]}, True),
        (
            {"tools": [WEATHER, TIMER | {"function": TIMER["function"] | {"strict": True}}], "tool_choice": "none"},
            False,
        ),
        ({"tool_choice": "auto"}, False),
    ],
)
def test_without_masks_a_warning_says_that_nothing_enforces_it(serve, asked, says):
    more = {"model": "small", "messages": ASKED, "tools": [WEATHER, TIMER], "max_tokens": 150} | asked
    assert not hasattr(serve(BOTH, masked=True).chat.completions.create(**more), "warnings")
    client = serve(BOTH)
    answer = client.chat.completions.create(**more)
    first, *others = client.chat.completions.create(**more, stream=True)
    assert hasattr(answer, "warnings") == hasattr(first, "warnings") == says
    assert not says or ("without masks" in answer.warnings[0] and first.warnings == answer.warnings)
    assert not any(hasattr(other, "warnings") for other in others)


# Thinking, and a format beside tools ----------------------------------------------------------------------


def some(mode, *names):
    return {"type": "allowed_tools", "allowed_tools": {"mode": mode, "tools": [named(name) for name in names]}}


def flat(mode, *names):
    """The shape of the Responses API."""
    return {"type": "allowed_tools", "mode": mode, "tools": [{"type": "function", "name": name} for name in names]}


REPORT = {"type": "json_schema", "json_schema": {"name": "report", "schema": closed({"warm": {"type": "boolean"}})}}
THOUGHT = "I need the weather, not <tool_call>."
TURNS = (f"<think>{THOUGHT}</think>{hermes('get_weather', ROME)}", '<think>It is 13.</think>{"warm": false}')
"""The model goes on from what its prompt has begun."""


def test_it_thinks_and_calls_and_then_thinks_and_answers_in_json(serve):
    client, messages = serve(*TURNS, masked=True), list(ASKED)
    more = {"response_format": REPORT, "extra_body": {"thinking_token_budget": 60}}
    call = {"id": "call_1", "type": "function", "function": {"name": "get_weather", "arguments": ROME}}
    for thought, wanted in (
        (THOUGHT, (None, [("get_weather", ROME)], "tool_calls")),
        ("It is 13.", ('{"warm": false}', [], "stop")),
    ):
        choice = ask(client, messages, **more)
        found, chunks = streamed(client, messages, **more)
        assert whole(choice) == found == wanted and choice.message.reasoning_content == thought
        deltas = [chunk.choices[0].delta for chunk in chunks]
        thoughts = [getattr(delta, "reasoning_content", "") for delta in deltas]
        assert len([each for each in thoughts if each]) > 2 and "".join(thoughts) == thought
        told = [bool(thought) for thought, delta in zip(thoughts, deltas, strict=True) if delta.model_fields_set]
        assert told.index(False, 1) >= told.count(True), "thoughts come first"
        messages += [{"role": "assistant", "content": None, "tool_calls": [call], "reasoning_content": thought}]
        messages += [{"role": "tool", "tool_call_id": "call_1", "content": "13"}]
    # The prompt begins the block, and earlier thoughts are not told again.
    first, again = sorted(client.model.prompts, key=len)
    assert again.startswith(first) and THOUGHT not in again


@pytest.mark.parametrize("shape", [some, flat])
def test_allowed_tools(serve, shape):
    client = serve(hermes("get_weather", ROME), masked=True)
    choice = ask(client, tool_choice=shape("auto", "set_timer"), max_tokens=100, seed=3)
    assert "get_weather" not in [name for name, _ in calls_of(choice)]
    must = ask(client, tool_choice=shape("required", "set_timer"), max_tokens=100)
    check(must, TIMER)
    both = ask(client, tool_choice=shape("required", "set_timer", "get_weather"), max_tokens=100)
    assert calls_of(both) == [("get_weather", json.loads(ROME))]
    (first, _) = sorted(client.model.prompts, key=len)
    assert "set_timer(" in first and "get_weather(" not in first


def test_without_masks_thoughts_are_told_apart_and_a_format_is_refused(serve):
    client = serve(*TURNS)
    more = {"extra_body": {"thinking_token_budget": 60}}
    answer = client.chat.completions.create(model="small", messages=ASKED, tools=[WEATHER], **more)
    message = answer.choices[0].message
    assert "thinking_token_budget" in answer.warnings[0] and message.reasoning_content == THOUGHT
    assert message.tool_calls[0].function.arguments == ROME
    with pytest.raises(openai.BadRequestError, match="needs the masks") as refused:
        ask(client, response_format=REPORT)
    assert refused.value.param == "response_format"


# What is refused ----------------------------------------------------------------------------------------

CALL = {"id": "call_1", "type": "function", "function": {"name": "get_weather", "arguments": ROME}}
BROKEN = CALL | {"function": {"name": "get_weather", "arguments": "[1]"}}

REFUSED = [
    *[{"tools": [{"type": "function", "function": {}}]}, {"tools": [tool("")]}, {"tools": [TIMER, TIMER]}],
    *[{"tools": [TIMER | {"strict": True}]}, {"tools": []}, {"tool_choice": "any"}, {"tool_choice": named("get_time")}],
    *[{"tool_choice": some("auto", "get_time")}, {"tool_choice": some("auto")}, {"thinking_token_budget": -1}],
    *[{"tool_choice": "required", "tools": None}, {"response_format": {"type": "regex", "pattern": "(a"}}],
    *[{"messages": [{"role": "tool", "tool_call_id": "x", "content": ""}]}],
    *[{"messages": [{"role": "tool", "content": ""}]}, {"messages": [{"role": "assistant", "tool_calls": [BROKEN]}]}],
    *[{"messages": [{"role": "user", "content": "", "tool_calls": [CALL]}]}, {"messages": [{"role": "assistant"}]}],
    {"thinking_token_budget": 1, "response_format": REPORT},
    {"max_tokens": 3, "tool_choice": "required"},
    *[{"tools": [tool("f", x={"type": "strin"})]}, {"tools": [TIMER, tool("f", x={"format": "regex"})]}],
    {"tools": [tool("f", x=False)]},
]


@pytest.mark.parametrize("wrong", REFUSED, ids=str)
def test_wrong_bodies_are_refused_by_the_key(serve, wrong):
    client = serve(masked=True)
    body = {"model": "small", "messages": ASKED, "tools": [TIMER], "max_tokens": 60} | wrong
    for _ in range(2):  # a failure is not kept in the cache
        answer = HTTP.post(f"{client.base_url}chat/completions", json=body)
        assert (answer.status_code, answer.json()["error"]["param"]) == (400, next(iter(wrong))), answer.text
    assert eventually(lambda: is_idle(client.address))


def test_a_tool_that_cannot_compile_is_refused_with_its_place_and_not_compiled_without_masks(serve):
    tools = [TIMER, tool("f", x={"type": "strin"})]
    with pytest.raises(openai.BadRequestError, match="at /tools/1/function/parameters/properties/x/type") as refused:
        ask(serve(masked=True), tools=tools, stream=True)
    assert refused.value.code == "invalid_schema" and ask(serve(), tools=tools, max_tokens=60).finish_reason


def test_a_server_without_lab_11_takes_no_tools_and_no_thinking(serve):
    client = serve(calls=None)
    for asked, param in (({"tools": [TIMER]}, "tools"), ({"thinking_token_budget": 9}, "thinking_token_budget")):
        with pytest.raises(openai.BadRequestError, match="takes no tools and no thinking") as refused:
            client.chat.completions.create(model="small", messages=ASKED, extra_body=asked)
        assert (refused.value.param, refused.value.code) == (param, "unsupported_value")
    assert client.chat.completions.create(model="small", messages=ASKED, max_tokens=3).choices


OPTIONS = [{}, {"tool_call_masks": False}, {"tool_call_masks": False, "jump": "whole"}]


@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize("here", [True, False], ids=["lab 11", "no lab 11"])
def test_a_copy_that_ends_before_lab_11_is_served_without_tools(options, here, monkeypatch):
    """The masks of calls are the default, and no reason to need the lab."""
    from course.showcase import serving

    made = []

    class Noted:
        started = True

        def __init__(self, service, *_):
            made.append(service)

        def run(self):
            pass

    monkeypatch.setattr(serving, "Server", Noted)
    if not here:
        monkeypatch.setitem(sys.modules, "labs.lab_11_tool_calls.solution", None)
    assert command(**({"jump": None, "allowed_host": ["a.example", "b.example"]} | options)) == 0
    (service,) = made
    assert service.allowed_hosts == ["127.0.0.1", "a.example", "b.example"]
    assert (service.tool_calls and service.tool_calls.masks) is (options == {} if here else None)


def test_a_fault_of_the_labs_is_told(serve, monkeypatch):
    """Here ``feed`` of lab 11's stream, as a TODO that is still open would."""
    from labs.lab_11_tool_calls.solution import ToolCallStream

    client = serve(BOTH, masked=True)

    def fails(self, text):
        raise NotImplementedError("TODO 11")

    monkeypatch.setattr(ToolCallStream, "feed", fails)
    with pytest.raises(openai.InternalServerError, match="TODO 11"):
        ask(client)
    with pytest.raises(openai.APIError, match="TODO 11"):
        streamed(client)
    monkeypatch.undo()
    assert eventually(lambda: is_idle(client.address)) and len(calls_of(ask(client))) == 2


AFTER = f', {{"name": "set_timer", "arguments": {TEA}}}]'
TWO = {"hermes": BOTH, "mistral": MISTRAL.removesuffix("]") + AFTER}


@pytest.mark.parametrize("calls", TWO)
def test_arguments_tell_their_parts_by_json_pointer(serve, calls):
    """Those of each call, by its index, in the chunks that bring them."""
    client = serve(TWO[calls], masked=True, calls=calls)
    asked = {"tool_choice": "required", "max_tokens": 200, "stream": True}
    stream = client.chat.completions.create(
        model="small", messages=ASKED, tools=[WEATHER, TIMER], stream_options={"include_pointers": True}, **asked
    )
    told, arguments = [], {}
    for chunk in stream:
        (choice,) = chunk.choices
        told += choice.pointers
        for call in choice.delta.tool_calls or ():
            arguments[call.index] = arguments.get(call.index, "") + call.function.arguments
    wanted = [event | {"call": n} for n, text in arguments.items() for event in expected(json.loads(text))]
    assert told == wanted and {*arguments} == {0, 1}
