"""The given parts of a step: shares, the rectangle, stop strings, and what the saved passes are worth."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from labkit.checking import check_array
from labkit.checking.properties import PROPERTY
from labkit.engine import SamplingParams
from labkit.vocabulary import Vocabulary
from labs.lab_09_inside_an_engine.given.guides import GuideOfFunctions
from labs.lab_10_jump_forward.given.steps import before_stop, expected_speedup, ragged_batch, share_step
from labs.lab_10_jump_forward.given.streams import Stream
from labs.lab_10_jump_forward.given.tokens import TokenBytes
from labs.lab_10_jump_forward.solution import (
    StructuredOutputState,
    append_tail,
    longest_tokens,
    single_tokens,
    within_budget,
)
from mask_engine import compile_guide

WORDS = Vocabulary([b"na", b"me", b"1", b"\xc3", b"\xa9", b"N", b"N-n", b"</s>"], eos_id=7)


@given(st.lists(st.integers(0, 40), max_size=8), st.integers(0, 30))
@PROPERTY
def test_shares_are_fair(pending, more):
    """Everybody moves on, nobody gets more than it has, nothing is wasted, and no one gets much more than another."""
    limit = sum(count > 0 for count in pending) + more
    shares = share_step(pending, limit)
    assert len(shares) == len(pending) and sum(shares) == min(limit, sum(pending))
    for count, share in zip(pending, shares, strict=True):
        assert type(share) is int and min(count, 1) <= share <= count
        assert share == count or share >= max(shares) - 1


@pytest.mark.parametrize(
    ("pieces", "tokens", "lengths"),
    [
        ([[7], [5, 6, 7], []], [[7, 0, 0], [5, 6, 7], [0, 0, 0]], [1, 3, 0]),
        ([[7], [8]], [[7], [8]], [1, 1]),
        ([[]], [[0]], [0]),
        ([], [], []),
    ],
)
def test_a_batch_of_unequal_rows_is_a_rectangle(pieces, tokens, lengths):
    got = ragged_batch(pieces)
    check_array(got[0], np.intp, (len(pieces), max([1, *lengths])), "the tokens")
    check_array(got[1], np.intp, (len(pieces),), "the lengths")
    assert (got[0].tolist(), got[1].tolist()) == (tokens, lengths)


@pytest.mark.parametrize(
    ("text", "tail", "stop", "expected"),
    [
        (b"", [b"na", b"me", b"x"], ["name"], 2),
        (b"na", [b"m", b"e", b"x"], ["name"], 2),
        (b"", [b"na", b"me", b"x"], [], 3),
        (b"", [b"na", b"me", b"x"], ["x", "m"], 2),
        (b"", [b"n", b"a"], ["name"], 2),
        (b"\xc3", [b"\xa9", b"n"], ["é"], 1),
        (b"", [], ["n"], 0),
        (b"", [b"1", b"12", b"2"], ["11"], 2),
    ],
)
def test_the_token_that_completes_a_stop_string_is_the_last(text, tail, stop, expected):
    assert before_stop(text, tail, stop) == expected


@pytest.mark.parametrize(
    ("forced", "cost", "expected"),
    [(0, 0, 1), (0.25, 0, 4 / 3), (0.4, 0, 5 / 3), (0.5, 0.5, 4 / 3), (0.5, 2, 2 / 3), (1, 0.1, 10), (1, 0, math.inf)],
)
def test_the_formula(forced, cost, expected):
    assert expected_speedup(forced, cost) == pytest.approx(expected)


@pytest.mark.parametrize(("forced", "cost"), [(-0.1, 0), (1.1, 0), (0.5, -1), (math.nan, 0), (0.5, math.nan)])
def test_the_formula_refuses_what_is_no_share_or_no_cost(forced, cost):
    with pytest.raises(ValueError, match="a share of"):
        expected_speedup(forced, cost)


@pytest.mark.parametrize(
    ("run", "expected"),
    [(b"name1", [0, 1, 2]), (b"nam", [0]), (b"na?me", [0]), (b"", []), (b"N-na", [6]), (b"</s>", [])],
)
def test_the_longest_tokens_never_go_beyond_the_run(run, expected):
    assert longest_tokens(run, TokenBytes(WORDS)) == expected


@pytest.mark.parametrize(
    ("needed", "room", "kept"),
    [
        *[([3, 2, 1, 0], 5, 4), ([3, 2, 1, 0], 4, 0), ([0, 9, 1], 5, 3), ([0, 9, 1], 4, 1), ([None, 0, 5], 4, 2)],
        *[([0, math.inf], 9, 1), ([math.inf], 9, 0), ([None, None, 1], 5, 3), ([], 9, 0), ([0, None], 9, 1)],
    ],
)
def test_a_tail_leaves_room_for_a_match_and_eos(needed, room, kept):
    guide = GuideOfFunctions(0, max, max, max, bool, lambda state: needed[state])
    states = [None if each is None else place for place, each in enumerate(needed)]
    assert within_budget(guide, states, room) == kept


@pytest.mark.parametrize(
    ("options", "pattern", "kept", "reason"),
    [
        *[({}, "name1+", 3, None), ({}, "name1", 3, "stop"), ({"stop": ("am",)}, "name1+", 2, "stop")],
        *[({"max_tokens": 2}, "name1+", 2, "length"), ({"max_tokens": 3}, "name1", 3, "stop")],
        ({"stop": ("me",), "max_tokens": 2}, "name1+", 2, "stop"),
    ],
)
def test_what_a_tail_does_to_a_request(options, pattern, kept, reason):
    guide = compile_guide(WORDS, regex=pattern)
    state = StructuredOutputState(guide)
    for token_id in (0, 1, 2):
        state.advance(token_id)
    stream = Stream([1], state, SamplingParams(**{"max_tokens": 9, **options}))
    append_tail(stream, [0, 1, 2], -0.5, TokenBytes(WORDS))
    assert (stream.ids, stream.finish_reason) == ([0, 1, 2][:kept], reason)
    assert stream.logprobs == [-0.5, None, None][:kept]


def test_a_stop_string_is_looked_for_in_bytes():
    """A token may end inside a character, and then there's no text to decode."""
    state = StructuredOutputState(compile_guide(WORDS, regex="é"))
    state.advance(3)
    append_tail(stream := Stream([1], state, SamplingParams(max_tokens=9, stop=("x",))), [3], -0.5, TokenBytes(WORDS))
    assert (stream.ids, stream.finish_reason) == ([3], None)


@pytest.mark.parametrize(
    ("pattern", "remaining", "expected"),
    [
        *[("name1", 9, [0, 1, 2]), ("name1", 4, [0, 1, 2]), ("name1", 3, []), ("name1", 0, []), ("name|na", 9, [0])],
        *[("na(me)*1", 9, [0]), ("na(me|11)1", 4, [0, 1, 2]), ("na(me|11)1", 9, [0])],  # me and 1, unless time is short
    ],
)
def test_tokens_that_are_forced_one_by_one(pattern, remaining, expected):
    guide = compile_guide(WORDS, regex=pattern)
    assert single_tokens(guide, guide.initial, remaining) == expected
