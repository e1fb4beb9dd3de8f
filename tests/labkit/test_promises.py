"""Checks of promises: each broken one is found, and its message says which it is."""

from contextlib import nullcontext
from types import SimpleNamespace

import numpy as np
import pytest

from labkit.checking import check_equal
from labkit.checking.promises import check_promises

NUMBERS = {"of [2, 1]": (([2, 1],), [1, 2]), "of (3,)": (((3,),), [3])}


def lab(function):
    """Return a lab whose one function this is."""
    return SimpleNamespace(ordered=function, in_place=nullcontext)


def growing(items, seen=[]):  # noqa: B006
    """Return what came so far, too."""
    seen += items
    return sorted(seen)


def by_length(items, known={}):  # noqa: B006
    """Return what the first items of this length gave."""
    return known.setdefault(len(items) > 0, sorted(items))


def in_place(items):
    """Sort the caller's own list."""
    if isinstance(items, list):
        items.sort()
    return sorted(items)


def the_argument(items):
    """Return the argument, which may be in order already."""
    return items


def kept(items, known={}):  # noqa: B006
    """Return a list that is kept for the next call."""
    return known.setdefault(tuple(items), sorted(items))


def one_list(items, buffer=[]):  # noqa: B006
    """Return one list, filled anew each time."""
    buffer[:] = sorted(items)
    return buffer


def every_other_call(items, calls=[]):  # noqa: B006
    """Answer well twice."""
    calls.append(1)
    return sorted(items) if len(calls) < 3 else []


@pytest.mark.parametrize(
    ("function", "says"),
    [
        (growing, "ordered of (3,), called twice: it remembers something of earlier calls"),
        (in_place, "ordered of [2, 1] must leave its arguments as they are; it changed the first"),
        (kept, "the function keeps the result that it gave, and the caller has changed it"),
        (one_list, "ordered of (3,): a later call changed this result"),
        (every_other_call, "ordered of (3,), called again: it remembers something of other calls"),
    ],
)
def test_a_broken_promise_is_named(function, says):
    """The message says what the function did."""
    with pytest.raises(AssertionError) as caught:
        check_promises(lab(function), "ordered", NUMBERS)
    assert says in str(caught.value)


def test_memory_is_named_where_a_file_loaded_anew_is_right():
    """An answer that happens to be an earlier call's is no memory: that would send the student looking for it."""
    again = SimpleNamespace(ordered=lambda items: by_length(items, {}))
    with pytest.raises(AssertionError, match="loaded anew: yours remembers something of earlier calls"):
        check_promises(SimpleNamespace(**vars(lab(by_length)), loaded_anew=lambda: again), "ordered", NUMBERS)
    constant = lab(lambda items: [1, 2])
    with pytest.raises(AssertionError) as caught:
        check_promises(SimpleNamespace(**vars(constant), loaded_anew=lambda: constant), "ordered", NUMBERS)
    assert "remembers" not in str(caught.value)


def test_results_hold_no_argument_and_nothing_twice():
    """A part of an argument, a view of an array and a row that is used twice are found."""
    with pytest.raises(AssertionError, match="the result is a part of its first argument"):
        check_promises(lab(the_argument), "ordered", {"of [1]": (([1],), [1])})
    view = {"of an array": ((np.array([1, 2]),), np.array([1, 2]))}
    with pytest.raises(AssertionError, match="the result is a part of its first argument"):
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
    with pytest.raises(AssertionError, match="must raise TypeError; yours gave"):
        check_promises(lab(sorted), "ordered", {"of [1]": (([1],), TypeError)})
    with pytest.raises(TypeError) as caught:
        check_promises(lab(sorted), "ordered", {"of None": ((None,), [])})
    assert caught.value.__notes__ == ["the call: ordered of None", "expected []"]
