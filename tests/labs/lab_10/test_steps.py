"""The given parts of a step: shares, the rectangle, stop strings, and what the saved passes are worth."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from labkit.checking import check_array
from labkit.checking.properties import PROPERTY
from labs.lab_10_jump_forward.given.steps import before_stop, expected_speedup, ragged_batch, share_step


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
