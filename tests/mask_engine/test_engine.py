"""A guide keeps its contract (for masks: ``lab_07/test_masks.py``; for whose functions run: ``test_plainest.py``)."""

import gc
import weakref
from functools import cache, partial

import numpy as np
import pytest

from labkit.errors import InvalidPattern, InvalidSchema, TokenNotAllowed, UnsupportedPattern
from labkit.vocabulary import Vocabulary
from labs.lab_07_bytes_and_vocabularies import solution as lab_07
from labs.lab_11_tool_calls.given.tools import read_tools
from mask_engine import FINISHED, compile_guide, tool_outputs
from tests.labs.soak import ASKED

TEXTS = ["0", "1", "12", ".", ".5", "-", "a", "ab", "b", "ba", "abc", "c", "é", "é!", "aé", "€", "x", "xy", "01", " "]
SPECIAL = {0: b"<s>", 3: b"</s>", 9: b"a", 40: b"\xc3\xa9"}
"""Special tokens among the others; two of them look legal."""


@cache
def vocabulary():
    """Return 51 tokens, which is no multiple of 32: texts, each byte of é and €, no bytes, and special tokens."""
    ordinary = iter([*(text.encode() for text in TEXTS), b"\xc3", b"\xa9", b"\xe2", b"\x82", b"\xac", b"\x82\xac", b""])
    more = iter(f"word{n}".encode() for n in range(60))
    tokens = [SPECIAL.get(i) if i in SPECIAL else next(ordinary, None) or next(more) for i in range(51)]
    return Vocabulary(tokens, eos_id=3, special_ids=SPECIAL)


def bits(row, size=51):
    """Return a packed row of so many tokens as a set of ids, by Python's own arithmetic."""
    assert type(row) is np.ndarray and row.dtype == np.int32 and row.shape == (-(-size // 32),)
    whole = sum((int(word) & 0xFFFFFFFF) << 32 * n for n, word in enumerate(row))
    assert whole >> size == 0, "bits after the last token"
    return {i for i in range(size) if whole >> i & 1}


# For each door of the engine -----------------------------------------------------------------------------------------


LIST = {"type": "array", "items": {"$ref": "#/$defs/list"}}
TOOLS = [
    {"type": "object", "properties": {"n": {"type": "integer", "minimum": 3}, "a": {"enum": ["x", "y"]}}},
    {"type": "object", "properties": {"a": {"$ref": "#/$defs/list"}}, "$defs": {"list": LIST}},
]


def called(vocabulary, parameters, format_name):
    """Return the guide of an answer that calls a tool."""
    tools = read_tools([{"type": "function", "function": {"name": "set", "parameters": parameters}}])
    return tool_outputs(vocabulary, format_name).compile_tools(tools, "required", False).guide


MAKERS = [
    *(partial(compile_guide, **asked) for asked in ASKED),
    *(partial(called, parameters=schema, format_name=name) for schema in TOOLS for name in ("hermes", "qwen3_coder")),
]
"""For every door of the engine, what makes a guide for a vocabulary."""


def fresh_vocabulary():
    return Vocabulary(vocabulary().token_bytes, eos_id=3, special_ids=SPECIAL)


# The contract of a guide ------------------------------------------------------------------------------


@pytest.fixture
def guide():
    return compile_guide(vocabulary(), regex="(ab)*")


def number_of(token):
    return next(i for i, each in enumerate(vocabulary().token_bytes) if each == token and i not in SPECIAL)


def test_states_are_ints_and_numpys_numbers_will_do(guide):
    state = guide.advance(guide.initial, np.int64(number_of(b"a")))
    assert isinstance(guide.initial, int) and isinstance(state, int) and state != guide.initial
    assert guide.advance(np.int32(state), number_of(b"b")) == guide.initial


def test_rows_are_shared_and_read_only(guide):
    row = guide.mask(guide.initial)
    assert np.shares_memory(row, guide.mask(guide.initial)) and not row.flags.writeable
    with pytest.raises(ValueError, match="read-only"):
        row[0] = 0
    longer = compile_guide(vocabulary(), regex="[a-c]{9}")
    states = [longer.initial]
    for _ in range(3):
        states.append(longer.advance(states[-1], number_of(b"c")))
    assert len({longer.mask(state).ctypes.data for state in states}) == 1, "what allows the same is one row"


def test_eos_leads_to_the_finished_state(guide):
    """Nothing may follow there, and the text is whole."""
    finished = guide.advance(guide.initial, 3)
    assert finished == FINISHED and bits(guide.mask(finished)) == bits(guide.mask(finished, 5)) == set()
    assert guide.is_accepting(finished) and guide.is_whole(finished) and guide.tokens_to_accept(finished) == 0
    for token_id in (3, number_of(b"a")):
        with pytest.raises(TokenNotAllowed, match="finished"):
            guide.advance(finished, token_id)


@pytest.mark.parametrize("token_id", [0, 9, -1, -48, 51, 10**9, "b", "eos"])
def test_what_the_mask_does_not_allow_cannot_be_advanced(guide, token_id):
    state = guide.advance(guide.initial, number_of(b"a"))
    refused = {"b": number_of(b"a"), "eos": 3}.get(token_id, token_id)
    with pytest.raises(TokenNotAllowed) as caught:
        guide.advance(state, refused)
    assert caught.value.token_id == refused


def test_a_batch_of_rows(guide):
    state = guide.advance(guide.initial, number_of(b"a"))
    out = np.full((4, 2), -1, np.int32)
    guide.fill([guide.initial, state, FINISHED, state], out)
    assert out.tolist() == [guide.mask(s).tolist() for s in (guide.initial, state, FINISHED, state)]
    guide.fill((guide.initial,) * 4, out, remaining=[1, 2, 3, None])
    assert out.tolist() == [guide.mask(guide.initial, n).tolist() for n in (1, 2, 3, None)]
    guide.fill([guide.initial] * 4, out, remaining=1)
    assert [bits(row) for row in out] == [{3}] * 4
    guide.fill([], np.zeros((0, 2), np.int32))
    every_other = np.zeros((4, 4), np.int32)[::2, ::2]
    guide.fill([state, guide.initial], every_other)
    assert every_other.tolist() == [guide.mask(state).tolist(), guide.mask(guide.initial).tolist()]


WRONG_BUFFERS = ["(2, 2), np.int64", "(2, 2), np.uint32", "(1, 2), np.int32", "(2, 3), np.int32", "(4,), np.int32"]
WRONG_BUFFER = (ValueError, r"out must be int32\[2, 2\] for 2 states; it is ")
NO_SOURCE = (ValueError, "one of regex, json_schema and grammar")
REFUSED = {
    **{f"guide.fill([0, 0], np.zeros({buffer}))": WRONG_BUFFER for buffer in WRONG_BUFFERS},
    "guide.mask(guide.initial, 0)": (ValueError, "a mask for 0 remaining tokens"),
    "guide.fill([0, 0], np.zeros((2, 2), np.int32), remaining=[1])": (ValueError, r"zip\(\) argument"),
    "guide.mask(10**6)": (ValueError, f"state {10**6} is none of"),
    "guide.mask(-7)": (ValueError, "state -7 is none of"),
    "compile_guide(vocabulary())": NO_SOURCE,
    "compile_guide(vocabulary(), regex='a', json_schema=True)": NO_SOURCE,
    "compile_guide(vocabulary(), regex='(a')": (InvalidPattern, "unterminated"),
    "compile_guide(vocabulary(), json_schema=False)": (InvalidSchema, "no value satisfies"),
    "compile_guide(vocabulary(), regex='(?=a)a')": (UnsupportedPattern, "the lookahead"),
}
"""A call, and the error that it raises."""


@pytest.mark.parametrize("call", REFUSED)
def test_what_is_refused(guide, call):
    kind, message = REFUSED[call]
    with pytest.raises(kind, match=message):
        eval(call)


def test_a_vocabulary_is_made_ready_once_and_not_kept(monkeypatch):
    made = []
    index = lab_07.TokenVocabularyIndex
    monkeypatch.setattr(lab_07, "TokenVocabularyIndex", lambda *given: made.append(0) or index(*given))
    real = fresh_vocabulary()
    guides = [compile_guide(real, regex=pattern) for pattern in ("a", "b")]
    assert len(made) == 1
    compile_guide(fresh_vocabulary(), regex="a")
    assert len(made) == 2, "another object is another vocabulary, be its tokens the same"
    gone = weakref.ref(real)
    del real
    gc.collect()
    assert gone() is None and bits(guides[0].mask(guides[0].initial)) == {number_of(b"a")}


@pytest.mark.parametrize("make", MAKERS)
def test_a_guide_is_gone_when_nobody_needs_it(make):
    """A server makes thousands of guides. What holds itself would stay until somebody collects garbage."""
    guide = make(fresh_vocabulary())
    for remaining in (None, 40, 2):
        guide.mask(guide.initial, remaining)
    fsm = getattr(guide, "_fsm", None) or guide.guide._fsm  # a guide of tools has one of its own
    fsm = getattr(fsm, "fsm", fsm)
    parts = [fsm, getattr(fsm, "characters", fsm), getattr(getattr(fsm, "characters", fsm), "_made", fsm)]
    held = [weakref.ref(each) for each in parts]
    gc.disable()
    try:
        del guide, fsm, parts
        assert [each() for each in held] == [None] * 3
    finally:
        gc.enable()
