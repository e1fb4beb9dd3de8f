"""Required calls come first. The oracles: ``str.find`` over short texts, and ``json`` over all short rows of tokens."""

import json
from itertools import product

import pytest

from labkit.automata.dfa import DEAD
from labkit.engine import SamplingParams
from labkit.engine.request import Request
from labkit.vocabulary import Vocabulary
from labs.assembled import tool_outputs
from labs.lab_06_regex_to_dfa.solution import compile_dfa, fullmatch
from labs.lab_09_inside_an_engine.given.guides import allowed
from labs.lab_11_tool_calls.given.joining import bounded
from labs.lab_11_tool_calls.solution import join

OPENINGS = [
    {"<": "a>|bb>"},
    {"ab": "1", "b1": "a"},
    {"aab": "b"},
    {"xab<": "1", "ab": "1|<1"},
    {"xa": "1", "1": "a"},
    {"<a": "1", "<b": None},
    {"aa": "1", "ab": None, "b": "1"},
]


def begins_with_a_call(text, openings):
    """The opening that is complete first begins at the start."""
    ends = [(text.find(each) + len(each), -len(each)) for each in openings if each in text]
    return bool(ends) and sum(min(ends)) == 0


@pytest.mark.parametrize("parallel", [True, False])
@pytest.mark.parametrize("openings", OPENINGS)
def test_of_all_answers_those_that_begin_with_a_call(openings, parallel):
    bodies = {text: (compile_dfa(body), 0) if body else None for text, body in openings.items()}
    bodies = {text: body and (body[0], body[0].initial) for text, body in bodies.items()}
    joined = join(bodies, required=True, parallel=parallel)
    first = bounded(joined.dfa, len(joined.held) // 2, bodies, None)
    chars, found = "ab<>1x", 0
    for length in range(6):
        for text in map("".join, product(chars, repeat=length)):
            expected = fullmatch(joined.dfa, text) and begins_with_a_call(text, openings)
            found += expected
            assert fullmatch(first, text) == expected, text
    assert found
    # No way leads to where no answer ends: a token that is allowed can be followed by others.
    state, reached = [first.initial], {first.initial}
    while state:
        following = {int(each) for each in first.transitions[state.pop()] if each != DEAD} - reached
        reached |= following
        state += following
    ends = {state for state in reached if first.accepting[state]}
    while more := {s for s in reached - ends if ends & {*first.transitions[s].tolist()}}:
        ends |= more
    assert ends == reached


CLOSED = {"type": "object", "properties": {"a": {"enum": [1]}}, "required": ["a"], "additionalProperties": False}
OPEN = {"type": "object", "properties": {"a": {"enum": [1]}}, "required": ["a"], "additionalProperties": {"enum": [2]}}
TOKENS = [b'<tool_call>{"name":"f","arguments":', b"<tool_", b'call>{"name":"g","arguments":']
TOKENS += [b'{"a":1', b',"b":2', b"}}</tool_call>", b"Hm", b"</s>"]
SMALL = Vocabulary(TOKENS, eos_id=7)
MOST = 6


MEMBERS = {"f": [["a"]], "g": [["a", *["b"] * n] for n in range(MOST)]}


def tool(name, schema, strict):
    return {"type": "function", "function": {"name": name, "parameters": schema, "strict": strict}}


def is_answer(text, choice):
    """Read with ``str`` and ``json`` alone: each call is whole, and its members are those its tool allows."""
    said, *calls = text.split("<tool_call>")
    if choice != "auto" and (said or not calls):
        return False
    for call in calls:
        body, end, _ = call.partition("</tool_call>")
        try:
            pairs = dict(json.loads(body, object_pairs_hook=list))
        except ValueError:
            return False
        named = choice["function"]["name"] if isinstance(choice, dict) else pairs["name"]
        keys = [key for key, _ in pairs["arguments"]]
        if not end or pairs["name"] != named or keys not in MEMBERS[named]:
            return False
    return True


@pytest.mark.parametrize("choice", ["auto", "required", {"type": "function", "function": {"name": "g"}}], ids=str)
def test_every_answer_of_up_to_six_tokens(choice):
    """A strict tool gets what its schema has and no more; a schema that allows more members gets them in any number."""
    manager = tool_outputs(SMALL, "hermes")
    asked = [tool("f", CLOSED, True), tool("g", OPEN, False)]
    form = {"type": "tools", "tools": asked, "tool_choice": choice}
    manager.add(Request("a", (0,), SamplingParams(max_tokens=MOST + 1), form))
    guide = manager.tickets["a"][1].result(timeout=30)

    def answers(state, row):
        """Yield the rows of tokens that the masks lead to within the budget."""
        for token in allowed(guide.mask(state, MOST + 1 - len(row)), len(SMALL)).nonzero()[0].tolist():
            if token == SMALL.eos_id:
                yield row
            else:
                yield from answers(guide.advance(state, token), (*row, token))

    rows = [row for length in range(MOST + 1) for row in product(range(len(SMALL) - 1), repeat=length)]
    texts = {row: b"".join(TOKENS[token] for token in row).decode() for row in rows}
    expected = {row for row, text in texts.items() if is_answer(text, choice)}
    assert set(answers(guide.initial, ())) == expected
    found = [texts[row] for row in expected]
    assert any('"b":2' in text for text in found)
    assert isinstance(choice, dict) or any(text.count("<tool_call>") == 2 for text in found)
