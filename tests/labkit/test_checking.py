"""How the labs' tests check: where an answer differs, which call gave it, and which promise it broke."""

import math
import re
from contextlib import nullcontext
from types import SimpleNamespace

import numpy as np
import pytest

from labkit.automata import Atom, Fsm
from labkit.checking import check_array, check_close, check_equal, check_mask
from labkit.checking.differences import difference
from labkit.checking.promises import check_promises
from labkit.checking.showing import shown

AB = Atom(frozenset("ab"), True, "[ab]+", 0)
ROW = {"a": 1, "b": 1}
EXPECTED = Fsm((ROW, {"a": 1}), initial=0, accepting=frozenset({1}))


def says(*lines):
    """Return a pattern for a message of exactly these lines."""
    return "^" + re.escape("\n".join(lines)) + "$"


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


def test_close_means_an_array_of_the_shape_as_close_as_it_is_told():
    for got in ([0.5, 0.5], np.float64(0.5), np.array([0.5]), np.array([[0.5, 0.5]]), None):
        with pytest.raises(AssertionError, match=r"^f must give a NumPy array of shape \[2\]; yours gave "):
            check_close(got, [0.5, 0.5], "f")
    check_close(np.array([1.0 + 1e-13], np.float64), [1.0], "f")
    check_close(np.array([1.0001], np.float32), [1.0], "f", rtol=1e-3)
    check_close(np.array([1e-31]), [0.0], "f", atol=1e-30)
    for near in (1.0 + 1e-11, np.nan, np.inf):
        with pytest.raises(AssertionError, match=r"f\n    expected .1\.0.\n    yours "):
            check_close(np.array([near]), [1.0], "f")
    with pytest.raises(AssertionError, match=r"\n    item 7: expected 0\.125, yours nan$"):
        check_close(np.array([0.125] * 7 + [np.nan]), [0.125] * 8, "f")


# Checks -----------------------------------------------------------------------------------------------

Text = type("Text", (str,), {})


@pytest.mark.parametrize(
    ("value", "told"),
    [
        ([1.0, 2.0], "a NumPy array, float32[2]; yours gave list: [1.0, 2.0]"),
        (np.zeros(2), "float32[2]; yours gave float64[2]"),
        (np.zeros((1, 2), np.float32), "float32[2]; yours gave float32[1, 2]"),
        (np.float32(1), f"a NumPy array, float32[2]; yours gave float32: {np.float32(1)!r}"),
        (np.ma.masked_array([1, 2]).astype(np.float32), "a NumPy array, float32[2]; yours gave MaskedArray"),
        (np.zeros(2, ">f4" if np.little_endian else "<f4"), "float32[2]; yours gave "),
    ],
    ids=str,
)
def test_arrays_are_exact(value, told):
    check_array(np.zeros(2, np.float32), np.float32, (2,), "f")
    with pytest.raises(AssertionError, match=re.escape(f"f must give {told}")):
        check_array(value, np.float32, (2,), "f")


UNEQUAL = [(1, True), (1.0, 1), (np.int64(2), 1), ([1], (1,)), ([1, True], [1, 1]), ([np.int64(2)], [1])]
UNEQUAL += [((1, [2.0]), (1, [2])), ([1], [1, 2]), ({1}, frozenset({1})), (Text("a"), "a"), (None, False)]
UNEQUAL += [("", None), (math.nan, 0.0)]


@pytest.mark.parametrize(("got", "expected"), UNEQUAL)
def test_equal_means_the_same_type_too(got, expected):
    with pytest.raises(AssertionError, match=says("f", f"    expected {expected!r}", f"    yours    {got!r}")):
        check_equal(got, expected, "f")


@pytest.mark.parametrize(
    ("got", "expected"), [(np.int64(1), 1), ([np.int64(1)], [1]), (({"a": np.True_}, np.str_("b")), ({"a": True}, "b"))]
)
def test_numbers_of_numpy_are_named(got, expected):
    with pytest.raises(AssertionError, match=r"yours.*\n    right but for the type: NumPy's numbers aren't Python's"):
        check_equal(got, expected, "f")
    itself = [np.int64(1)]
    itself.append(itself)
    with pytest.raises(AssertionError, match="expected"):
        check_equal(itself, [1, [1]], "f")


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ([0], "token 0 is 'long': expected bit 1, your mask says 0\n    why 0"),
        ([0, 4, 3], "token 3 is 'a': expected bit 1, your mask says 0\n    why 3\n(In all, 3 of 5 bits are wrong.)"),
        ([1, 3], "token 1 is 'b': expected bit 0, your mask says 1\n(In all, 2 of 5 bits are wrong.)"),
        ([2], "token 2 is None: expected bit 0, your mask says 1\n    why 2"),
    ],
)
def test_a_wrong_mask_is_told_by_its_shortest_token(wrong, told):
    texts, expected = ("long", "b", None, "a", "cc"), np.array([True, False, False, True, True])
    got = expected.copy()
    check_mask(got, expected, texts, "here")
    got[wrong] = ~got[wrong]
    with pytest.raises(AssertionError, match=says(f"here, {told}")):
        check_mask(got, expected, texts, "here", story=lambda i: "" if i == 1 else f"why {i}")
    with pytest.raises(AssertionError, match=r"^here, the mask must give .*bool"):
        check_mask(got.astype(int), expected, texts, "here")


# Probing ----------------------------------------------------------------------------------------------


# Promises -----------------------------------------------------------------------------------------------

NUMBERS = {"of [2, 1]": (([2, 1],), [1, 2]), "of (3,)": (((3,),), [3])}


def lab(function):
    """Return a lab whose one function this is."""
    return SimpleNamespace(ordered=function, in_place=nullcontext)


BROKEN = {
    "growing": (
        lambda items, seen=[]: seen.extend(items) or sorted(seen),
        "ordered of (3,), called twice: it remembers something of earlier calls",
    ),
    "in place": (
        lambda items: (items.sort() if isinstance(items, list) else None) or sorted(items),
        "ordered of [2, 1] must leave its arguments as they are, and yours changed the argument `items`",
    ),
    "kept": (
        lambda items, known={}: known.setdefault(tuple(items), sorted(items)),
        "the function keeps the result that it gave, and the caller has changed it",
    ),
    "one list, filled anew": (
        lambda items, buffer=[]: buffer.clear() or buffer.extend(sorted(items)) or buffer,
        "ordered of (3,): a later call changed this result",
    ),
    "good twice": (
        lambda items, calls=[]: sorted(items) if calls.append(1) or len(calls) < 3 else [],
        "ordered of (3,), called again: it remembers something of other calls",
    ),
}


@pytest.mark.parametrize(("function", "says"), BROKEN.values(), ids=BROKEN)
def test_a_broken_promise_is_named(function, says):
    with pytest.raises(AssertionError) as caught:
        check_promises(lab(function), "ordered", NUMBERS)
    assert says in str(caught.value)


def test_memory_is_named_where_a_file_loaded_anew_is_right():
    """An answer that happens to be an earlier call's is no memory: that would send the student looking for it."""

    def by_length(items, known={}):  # noqa: B006
        """Return what the first items of this length gave."""
        return known.setdefault(len(items) > 0, sorted(items))

    again = SimpleNamespace(ordered=lambda items: by_length(items, {}))
    with pytest.raises(AssertionError, match="loaded anew: yours remembers something of earlier calls"):
        check_promises(SimpleNamespace(**vars(lab(by_length)), loaded_anew=lambda: again), "ordered", NUMBERS)
    constant = lab(lambda items: [1, 2])
    with pytest.raises(AssertionError) as caught:
        check_promises(SimpleNamespace(**vars(constant), loaded_anew=lambda: constant), "ordered", NUMBERS)
    assert "remembers" not in str(caught.value)
    with pytest.raises(AssertionError, match=r"yours    <re\.Match object"):  # two of them are never equal
        check_promises(lab(lambda items: re.match("7", "7")), "ordered", NUMBERS)


def test_results_hold_no_argument_and_nothing_twice():
    """A part of an argument, a view of an array and a row that is used twice are found."""
    with pytest.raises(AssertionError, match="the result is the argument `items`"):
        check_promises(lab(lambda items: items), "ordered", {"of [1]": (([1],), [1])})
    view = {"of an array": ((np.array([1, 2]),), np.array([1, 2]))}
    with pytest.raises(AssertionError, match="the result shares memory with the argument `items`"):
        check_promises(lab(lambda items: items[:]), "ordered", view)
    with pytest.raises(AssertionError, match="holds the same object twice"):
        check_promises(lab(lambda items: [items.copy()] * 2), "ordered", {"of [1]": (([1],), [[1], [1]])})


def test_what_is_right_passes():
    """Values, arrays bit for bit, errors, and judgements of the test."""

    def judged(got, what):
        check_equal(len(got), 2, what)

    check_promises(lab(sorted), "ordered", NUMBERS | {"of None": ((None,), TypeError), "of two": (([2, 1],), judged)})
    zero = {"of -0.0": ((np.array([-0.0]),), np.array([0.0]))}
    with pytest.raises(AssertionError):
        check_promises(lab(np.sort), "ordered", zero)
    check_promises(lab(b"\xff".decode), "ordered", {"of UTF-8, by a subclass": (("utf-8",), ValueError)})
    with pytest.raises(AssertionError, match="must raise TypeError; yours gave"):
        check_promises(lab(sorted), "ordered", {"of [1]": (([1],), TypeError)})
    with pytest.raises(TypeError) as caught:
        check_promises(lab(sorted), "ordered", {"of None": ((None,), [])})
    assert caught.value.__notes__ == ["the call: ordered of None", "expected []"]
