"""The failure messages of the labs' tests: where an answer differs, and which call gave it."""

import math

import numpy as np
import pytest

from labkit.automata import Atom, Fsm
from labkit.checking import check_close, check_equal
from labkit.checking.calls import check_call, reporting
from labkit.checking.differences import difference
from labkit.checking.showing import shown

AB = Atom(frozenset("ab"), True, "[ab]+", 0)
ROW = {"a": 1, "b": 1}
EXPECTED = Fsm((ROW, {"a": 1}), initial=0, accepting=frozenset({1}))


def automaton(*rows, initial=0, accepting=(1,)):
    return Fsm(tuple(rows), initial=initial, accepting=frozenset(accepting))


@pytest.mark.parametrize(
    ("got", "expected", "told"),
    [
        ({1}, {1, 2}, "missing: 2"),
        (set("cb"), set("ab"), "missing: 'a'; too many: 'c'"),
        (set(), set("abcdefgh"), "missing: 'a', 'b', 'c', 'd', 'e', 'f' and 2 more"),
        (({"a"}, 3), ({"a", "b"}, 3), "item 0, missing: 'b'"),
        ([1, 2], [1, 2, 3], "item 2 is missing: 3"),
        ([[1], [2]], [[1]], "item 1 is too many: [2]"),
        ([1, True], [1, 1], "item 1: expected 1, yours True"),
        ([(1,)], [[1]], "item 0: must be a list, yours is a tuple"),
        ([None], [{}], "item 0: must be a dict, yours is None"),
        ({"a": 1}, {"a": 1, "b": 2}, "no entry for 'b', expected 2"),
        ({"a": 1, "c": 3}, {"a": 1}, "too many: 'c'"),
        ({"a": [1, 3]}, {"a": [1, 2]}, "at 'a', item 1: expected 2, yours 3"),
        ("x" * 50 + "a", "x" * 50 + "b", "from character 50 on: expected 'b', yours 'a'"),
        (AB, Atom(frozenset("ab"), True, "[ab]", 0), "source: expected '[ab]', yours '[ab]+'"),
        ([AB], [Atom(frozenset("abc"), True, "[ab]+", 0)], "atom 0, chars, missing: 'c'"),
        ([], [AB], f"atom 0 is missing: {shown(AB)}"),
        (automaton(ROW, {}), EXPECTED, "state 1: expected 'a' -> 1, yours has no transition on 'a'"),
        (automaton(ROW, {"a": 0}), EXPECTED, "state 1: expected 'a' -> 1, yours 'a' -> 0"),
        (automaton(ROW, ROW), EXPECTED, "state 1: expected no transition on 'b', yours 'b' -> 1"),
        (automaton({}, {}, {}), EXPECTED, "expected 2 states, yours has 3"),
        (automaton(ROW, {"a": 1}, initial=1), EXPECTED, "initial: expected 0, yours 1"),
        (automaton(ROW, {"a": 1}, accepting=(0, 1)), EXPECTED, "accepting, too many: 0"),
        (Fsm([ROW, {"a": 1}], 0, frozenset({1})), EXPECTED, "transitions must be a tuple, yours is a list"),
        ([1, 2], [1, 2], ""),
        ([1], (1,), ""),
    ],
    ids=lambda value: value if isinstance(value, str) else None,
)
def test_a_difference_is_told_by_its_place(got, expected, told):
    assert difference(got, expected) == told


def test_a_long_answer_is_shown_around_the_difference_and_it_is_said_in_words():
    right = list(range(500))
    wrong = [*right[:400], 0, *right[401:]]
    with pytest.raises(AssertionError) as caught:
        check_equal(wrong, right, "the ids")
    first, expected, yours, where = str(caught.value).split("\n")
    assert (first, where) == ("the ids", "    item 400: expected 400, yours 0")
    assert "399, 400, 401" in expected and "399, 0, 401" in yours and len(expected) < 330


def test_sets_are_shown_in_order_whatever_they_are_in_and_what_contains_itself_too():
    assert shown({"x": ({"c", "a", "b"}, [frozenset({2, 1})])}) == "{'x': ({'a', 'b', 'c'}, [frozenset({1, 2})])}"
    assert shown((1,)) == "(1,)" and shown(AB).startswith("Atom(chars=frozenset({'a', 'b'}), plus=True")
    endless = []
    endless.append(endless)
    assert shown(endless) == "[[...]]"


def test_what_a_call_raises_names_the_call():
    with pytest.raises(TypeError) as caught:
        check_call(math, "gcd", (None, 7), 1)
    assert caught.value.__notes__ == ["the call: gcd(None, 7)", "expected 1"]
    with reporting("nothing"):
        pass


@pytest.mark.parametrize("got", [[0.5, 0.5], np.float64(0.5), np.array([0.5]), np.array([[0.5, 0.5]]), None])
def test_close_wants_an_array_of_the_shape(got):
    check_close(np.array([0.5, 0.5]), [0.5, 0.5], "f")
    with pytest.raises(AssertionError, match=r"^f must give a NumPy array of shape \[2\]; yours gave "):
        check_close(got, [0.5, 0.5], "f")


def test_close_means_as_close_as_it_is_told():
    check_close(np.array([1.0 + 1e-13], np.float64), [1.0], "f")
    check_close(np.array([1.0001], np.float32), [1.0], "f", rtol=1e-3)
    check_close(np.array([1e-31]), [0.0], "f", atol=1e-30)
    for near in (1.0 + 1e-11, np.nan, np.inf):
        with pytest.raises(AssertionError, match=r"f\n    expected .1\.0.\n    yours "):
            check_close(np.array([near]), [1.0], "f")
    with pytest.raises(AssertionError, match=r"\n    item 7: expected 0\.125, yours nan$"):
        check_close(np.array([0.125] * 7 + [np.nan]), [0.125] * 8, "f")
