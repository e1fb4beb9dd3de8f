"""The student's automaton, lifted to the small model's tokens, in lab 09's engine."""

import json

import numpy as np
import pytest

from labkit.automata.dfa import DEAD
from labkit.engine import Engine, SamplingParams, ScriptedModel
from labkit.errors import BudgetTooSmall
from labkit.oracles.automata import walk
from labkit.vocabulary import Vocabulary
from labs.lab_09_inside_an_engine.given.guides import allowed
from labs.lab_11_tool_calls.given.formats import format_named
from labs.lab_11_tool_calls.given.grammars import spelling
from labs.lab_11_tool_calls.given.tools import Tool
from labs.lab_11_tool_calls.solution import ToolCallStream, tool_automaton
from mask_engine import guide_of, tool_outputs

SMALL = Vocabulary.small()
SCHEMA = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"], "additionalProperties": False}
TOOLS = [Tool("f", SCHEMA), Tool("now")]
ASKED = [
    {"type": "function", "function": {"name": "f", "parameters": SCHEMA}},
    {"type": "function", "function": {"name": "now"}},
]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("hermes", "so <tool_"),
        ("hermes", '<tool_call>{"name": "'),
        ("mistral", "\x01 ["),
        ("mistral_bare", "Hm. \x01f"),
        ("llama4_pythonic", "[1] [f"),
        ("llama_function_tag", "<function=now>{}</function"),
    ],
)
def test_masks_are_those_of_the_texts(name, text):
    """A token that is text is allowed if the automaton survives its characters; half a character only in free text."""
    row = format_named(name)
    chars, vocabulary = spelling(row, SMALL)
    joined = tool_automaton(row, TOOLS, spelled=chars)
    guide, state = guide_of(vocabulary, joined.dfa), joined.dfa.initial
    ids = {token: i for i, token in enumerate(vocabulary.token_bytes) if i not in vocabulary.special_ids}
    for byte in text.encode():
        state = guide.advance(state, ids[bytes([byte])])
    got = set(np.flatnonzero(allowed(guide.mask(state), len(vocabulary))).tolist())
    texts = {i: t for i, t in enumerate(vocabulary.texts()) if t and i not in vocabulary.special_ids}
    expected = {i for i, token in texts.items() if walk(joined.dfa, joined.dfa.initial, text + token)[-1] != DEAD}
    assert {i for i in got if i in texts} == expected
    assert (vocabulary.eos_id in got) == bool(joined.dfa.accepting[walk(joined.dfa, joined.dfa.initial, text)[-1]])


def answer_of(manager, seed, max_tokens, **choice):
    """Return the message of a model that draws its tokens at random."""
    model = ScriptedModel(lambda ids: np.zeros(len(SMALL), np.float32), len(SMALL))
    engine = Engine(model, SMALL, manager)
    request = engine.add_request(
        [1],
        SamplingParams(max_tokens=max_tokens, seed=seed),
        response_format={"type": "tools", "tools": ASKED, **choice},
    )
    engine.generate(request)
    if request.error is not None:
        raise request.error
    text = b"".join(manager.vocabulary.token_bytes[i] for i in request.output_token_ids if i != SMALL.eos_id).decode()
    row = manager.row
    joined = tool_automaton(row, TOOLS, choice.get("tool_choice"), spelled=manager.spelled)
    stream = ToolCallStream(row, TOOLS, joined, manager.spelled)
    stream.feed(text)
    stream.finish()
    return stream.message(request.finish_reason)


@pytest.mark.parametrize("name", ["hermes", "mistral_bare", "mistral_v13", "llama3_json", "xlam", "glm47"])
def test_a_required_call_is_made_within_any_budget(name):
    """Even a model that writes at random calls a tool, rightly, before its tokens are spent."""
    manager = tool_outputs(SMALL, name)
    for seed in range(2):
        message, reason = answer_of(manager, seed, 60, tool_choice="required")
        assert reason == "tool_calls"
        for call in message["tool_calls"]:
            arguments = json.loads(call["function"]["arguments"])
            assert call["function"]["name"] in ("f", "now")
            assert (type(arguments.get("n")) is int) == (call["function"]["name"] == "f")
    with pytest.raises(BudgetTooSmall):
        answer_of(manager, 0, 3, tool_choice="required")
