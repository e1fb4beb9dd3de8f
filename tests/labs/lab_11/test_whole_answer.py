"""Thinking, then calls or an answer, under one mask. Oracle: ``re`` on whole texts, over all short rows of tokens."""

import re
from dataclasses import replace
from itertools import product

import pytest

from course.showcase.server.whole_answer import WholeAnswer
from labkit.engine import SamplingParams
from labkit.engine.request import Request
from labkit.errors import BudgetTooSmall, ThinkingTooShort, TokenNotAllowed
from labkit.vocabulary import Vocabulary
from labs.lab_09_inside_an_engine.given.guides import allowed
from labs.lab_11_tool_calls.given.formats import FORMATS, Format
from labs.lab_11_tool_calls.given.tools import read_tools
from labs.lab_11_tool_calls.solution import ToolCallStream
from mask_engine import tool_outputs

TINY = Format("tiny", ("<",), ("{name}{arguments}",), closing=">", repeat=",", thinks=("think", "aab"))
"""A call is ``<n{}>``; the end of thinking overlaps with itself."""

TOKENS = [b"a", b"ab", b"b<n", b"<", b"n{}>", b"m{}>", b"{}>", b",", b"0", b"b0"]
EOS, LONGEST = len(TOKENS), 5
SMALL = Vocabulary([*TOKENS, b"</s>"], eos_id=EOS)
"""Tokens end the block and go on into a call or an answer, and some texts have several spellings."""

TOOLS = [{"type": "function", "function": {"name": name}} for name in "nm"]
NAMED = {"type": "function", "function": {"name": "m"}}


def among(mode, *names):
    tools = [{"type": "function", "function": {"name": name}} for name in names]
    return {"type": "allowed_tools", "allowed_tools": {"mode": mode, "tools": tools}}


CHOICES = {
    "auto": ("auto", "nm", False),
    "none": ("none", "", False),
    "required": ("required", "nm", True),
    "named": (NAMED, "m", True),
    "some": (among("auto", "n"), "n", False),
    "one of some": (among("required", "m", "n"), "nm", True),
}
RULES = 'root ::= "a" inner "b0" | "0" | "a" dead\ninner ::= root | ""\ndead ::= "b" dead'
FORMS = {
    "free": (None, None),
    "regex": ({"type": "regex", "pattern": "0(0|a)*|b0"}, "0[0a]*|b0"),
    "choice": ({"type": "choice", "choices": ["0", "<n{}>", "<n{}>0"]}, "0|<n{}>0?"),
    "schema": ({"type": "json_schema", "schema": {"enum": [0, 0]}}, "0"),
    "object": ({"type": "json_object"}, r"\{\}"),
    "grammar": ({"type": "grammar", "grammar": 'root ::= "b0" | "a"*'}, "b0|a*"),
    "rules": ({"type": "grammar", "grammar": RULES}, "|".join(["0", *(f"a{{{n}}}0?(b0){{{n}}}" for n in range(1, 9))])),
}


@pytest.fixture(autouse=True)
def tiny(monkeypatch):
    monkeypatch.setitem(FORMATS, "tiny", TINY)


def rows():
    """Every row of tokens with its text, and the same taken apart: how many tokens think, and what comes then."""
    for length in range(LONGEST + 1):
        for row in product(range(EOS), repeat=length):
            text = b"".join(TOKENS[token] for token in row).decode()
            thought, end, rest = text.partition("aab")
            size = sum(len(b"".join(TOKENS[token] for token in row[:n])) < len(thought + end) for n in range(length))
            yield row, text, size if end else None, rest


ROWS = list(rows())


def pattern(names, required, parallel, form):
    call = rf"<[{names}]\{{\}}>" if names else "(?!)"
    if form is not None:
        calls = f"{call}(,{call})*" if parallel else call
        return re.compile(calls if required else f"({calls})|({form})")
    if required:
        return re.compile(f"{call}([^<]|{call})*" if parallel else f"{call}[^<]*")
    return re.compile(f"([^<]|{call})*" if parallel else f"[^<]*({call}[^<]*)?")


def guide_for(**asked):
    manager = tool_outputs(SMALL, "tiny")
    form = {"type": "tools", "tools": TOOLS} | asked
    manager.add(Request("a", (0,), SamplingParams(max_tokens=9), form))
    return manager.tickets["a"][1].result(timeout=30)


def answers(guide, max_tokens, vocabulary=SMALL):
    """The rows of tokens that the masks lead to within a budget; each mask within it leads on."""
    found, open_rows = set(), [(guide.initial, ())]
    while open_rows:
        state, row = open_rows.pop()
        tokens = allowed(guide.mask(state, max_tokens - len(row)), len(vocabulary)).nonzero()[0].tolist()
        assert tokens or not row
        for token in tokens:
            if token == vocabulary.eos_id:
                found.add(row)
            else:
                open_rows.append((guide.advance(state, token), (*row, token)))
    return found


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("choice", CHOICES)
def test_every_short_answer(choice, form):
    asked, names, required = CHOICES[choice]
    body, text_pattern = FORMS[form]
    for parallel in (True, False):
        fits = pattern(names, required, parallel, text_pattern).fullmatch
        more = {"tool_choice": asked, "parallel_tool_calls": parallel, "response_format": body}
        plain = {row for row, text, _, _ in ROWS if fits(text)}
        thinking = {row: size for row, _, size, rest in ROWS if size and fits(rest)}
        for most in (2, LONGEST + 1):
            assert answers(guide_for(**more), most) == {row for row in plain if len(row) < most}
        for budget in (2, 3, 6):
            guide = guide_for(**more, thinking=budget)
            for most in (3, LONGEST + 1) if budget < 6 else (LONGEST + 1,):
                expected = {row for row, size in thinking.items() if size <= budget and len(row) < most}
                assert answers(guide, most) == expected, (parallel, budget, most)


def test_what_fits_no_budget():
    with pytest.raises(ThinkingTooShort, match="1 tokens for thinking are too few: the block needs at least 2 to end"):
        guide_for(thinking=1)
    guide = guide_for(thinking=3, tool_choice="required")
    assert guide.tokens_to_accept(guide.initial) == 4  # a, ab, < and n{}>
    with pytest.raises(TokenNotAllowed, match="with 2 tokens left to think"):
        guide.advance(guide.advance(guide.initial, 8), 8)
    manager = tool_outputs(SMALL, "tiny")
    form = {"type": "tools", "tools": TOOLS, "tool_choice": "required", "thinking": 9}
    request = Request("a", (0,), SamplingParams(max_tokens=3), form)
    manager.add(request)
    with pytest.raises(BudgetTooSmall):
        manager.ready(request)


SPECIAL = Vocabulary([b"<", b"aab", b"[X]", b"n{}>", b"0", b"a", b"b", b"</s>"], eos_id=7, special_ids={0, 1, 2, 7})


@pytest.mark.parametrize("form", [None, "(?s:.)?"])
def test_special_tokens_are_no_text(form, monkeypatch):
    """Where the end of thinking is a token, its letters are text, and it's nowhere else in the answer."""
    monkeypatch.setitem(FORMATS, "tiny", replace(TINY, special=("<",)))
    manager = tool_outputs(SPECIAL, "tiny")
    asked = {"type": "regex", "pattern": form} if form else None
    body = {"type": "tools", "tools": TOOLS, "response_format": asked, "thinking": 3}
    manager.add(Request("a", (0,), SamplingParams(max_tokens=9), body))
    guide = manager.tickets["a"][1].result(timeout=30)

    def following(*tokens):
        state = guide.initial
        for token in tokens:
            state = guide.advance(state, token)
        return set(allowed(guide.mask(state), len(SPECIAL)).nonzero()[0].tolist())

    assert following() == {1, 3, 4, 5, 6}
    assert following(5, 5) == {1}
    assert following(5, 1) == ({0, 4, 5, 6, 7} if form else {0, 3, 4, 5, 6, 7})
    assert following(1, 0) == {3} and following(1, 4) == ({7} if form else {0, 3, 4, 5, 6, 7})
    if form:  # alone, a format has no special tokens either
        manager.add(Request("b", (0,), SamplingParams(max_tokens=9), asked))
        mask = manager.tickets["b"][1].result(timeout=30).mask(0)
        assert set(allowed(mask, len(SPECIAL)).nonzero()[0].tolist()) == {4, 5, 6, 7}


# Reading --------------------------------------------------------------------------------------------------

READ = {
    "text": ("hmaab0", None, ("hm", "0", [])),
    "what looks like the end": ("aaabb", None, ("a", "b", [])),
    "a call": ("aab<n{}>", None, ("", None, ["n"])),
    "text and a call": ("xaab0<n{}>a", None, ("x", "0a", ["n"])),
    "not ended": ("xaa", None, ("xaa", "", [])),
    "a format": ("aab0", "regex", ("", "0", [])),
    "calls beside a format": ("aab<n{}>,<m{}>", "regex", ("", None, ["n", "m"])),
    "both, and a call in the end": ("aab<n{}>", "choice", ("", None, ["n"])),
    "both, and none in the end": ("aab<n{}>0", "choice", ("", "<n{}>0", [])),
    "neither": ("aab<x", "choice", ("", "<x", [])),
    "nothing": ("aab", "grammar", ("", "", [])),
}


@pytest.mark.parametrize("name", READ)
def test_an_answer_in_pieces(name):
    text, form, expected = READ[name]
    guide = guide_for(thinking=6, response_format=form and FORMS[form][0])
    for size in (1, 2, 99):
        answer = WholeAnswer(ToolCallStream(TINY, read_tools(TOOLS), guide.answer()), guide.form(), "aab")
        told = [answer.feed(text[start : start + size]) for start in range(0, len(text), size)] + [answer.finish()]
        message, reason = answer.message("stop")
        calls = [call["function"]["name"] for call in message.get("tool_calls", ())]
        assert (message["reasoning_content"], message["content"], calls) == expected
        assert reason == ("tool_calls" if calls else "stop") and answer.message("length")[1] == "length"
        assert "".join(part for texts, _ in told for part in texts) == (expected[1] or "")
        assert [delta["function"]["name"] for _, deltas in told for delta in deltas if "id" in delta] == calls


# Strict, and what is refused ----------------------------------------------------------------------------------


def strictly(name, parameters, strict):
    return {"type": "function", "function": {"name": name, "parameters": parameters, "strict": strict}}


@pytest.mark.parametrize("strict", [True, False, None])
def test_a_tool_that_is_not_strict_takes_any_object(strict):
    tools = [strictly("n", {"type": "object", "properties": {}, "additionalProperties": False}, strict)]
    tree = tool_outputs(BYTES, "tiny").wanted({"tools": tools})[1]
    guide = tool_outputs(BYTES, "tiny").compile_tools(*tree)
    state = guide.initial
    for byte in b"<n{":
        state = guide.advance(state, byte)
    assert bool(guide.mask(state)[ord('"') // 32] >> ord('"') % 32 & 1) is (strict is False)


BYTES = Vocabulary([*(bytes([byte]) for byte in range(256)), b"</s>"], eos_id=256)


def test_formats_that_cannot_stand_beside_calls():
    with pytest.raises(ValueError, match="messages have headers"):
        tool_outputs(BYTES, "harmony").compile_tools((), "none", True, None, 5)
