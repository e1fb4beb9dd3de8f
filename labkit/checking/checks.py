"""Checks of answers. Each failure message is the smallest counterexample."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from labkit.automata import Dfa, Fsm
from labkit.automata.dfa import DEAD
from labkit.checking.differences import difference, same
from labkit.checking.showing import alike_up_to, cut, shown

_BY_EYE = 30
"""Values of up to this many characters are compared by eye: no line says where they differ."""

_OF_NUMPY = "right but for the type: NumPy's numbers aren't Python's; int(), float(), bool() and .tolist() convert them"
"""What a failure says if only the type of numbers is wrong, which a student might not see in ``np.True_``."""


def check_type(value: object, kind: type | tuple[type, ...], what: str) -> None:
    """Assert that ``value`` is exactly of one of the given types; a subclass, or NumPy's namesake, is not.

    >>> check_type(True, bool, "f('a')")
    >>> check_type(1, bool, "f('a')")
    Traceback (most recent call last):
    AssertionError: f('a') must give bool; yours gave int: 1
    """
    kinds = kind if isinstance(kind, tuple) else (kind,)
    if type(value) not in kinds:
        wanted = " or ".join(each.__name__ if each is not type(None) else "None" for each in kinds)
        raise AssertionError(f"{what} must give {wanted}; yours gave {_described(value)}")


def check_array(value: object, dtype: DTypeLike, shape: tuple[int, ...], what: str) -> None:
    """Assert that ``value`` is an array of exactly this dtype and shape.

    >>> check_array(np.zeros(3), np.float64, (3,), "softmax")
    >>> check_array([True], np.bool_, (1,), "build_mask")
    Traceback (most recent call last):
    AssertionError: build_mask must give a NumPy array, bool[1]; yours gave list: [True]
    """
    wanted = f"{np.dtype(dtype).name}{list(shape)}"
    if type(value) is not np.ndarray:
        raise AssertionError(f"{what} must give a NumPy array, {wanted}; yours gave {_described(value)}")
    if value.dtype != np.dtype(dtype) or value.shape != shape:
        raise AssertionError(f"{what} must give {wanted}; yours gave {value.dtype.name}{list(value.shape)}")


def check_equal(got: object, expected: object, what: str) -> None:
    """Assert that an answer has exactly the expected type and value, and so has each entry of a list or tuple.

    Where the two are too long to compare by eye, the message also says where they first differ.

    >>> check_equal(1, True, "is_match('0x1f')")
    Traceback (most recent call last):
    AssertionError: is_match('0x1f')
        expected True
        yours    1
    >>> check_equal([np.True_], [True], "all_matches(['0x1f'])")
    Traceback (most recent call last):
    AssertionError: all_matches(['0x1f'])
        expected [True]
        yours    [np.True_]
        right but for the type: NumPy's numbers aren't Python's; int(), float(), bool() and .tolist() convert them
    """
    if isinstance(expected, np.ndarray):
        check_array(got, expected.dtype, expected.shape, what)
    if not same(got, expected):
        right, mine = shown(expected), shown(got)
        where = difference(got, expected) if max(len(right), len(mine)) > _BY_EYE else ""
        where = "" if where == f"expected {right}, yours {mine}" else where
        at, most = alike_up_to(right, mine), 100 if where else 300
        lines = [what, f"    expected {cut(right, at, most)}", f"    yours    {cut(mine, at, most)}"]
        if _is_right_but_for_numpy(got, expected):
            where = _OF_NUMPY
        raise AssertionError("\n".join([*lines, f"    {where}"] if where else lines))


def check_written(got: object, expected: list[int], texts: Sequence[str | None], what: str) -> None:
    """Assert which ids were written; the message names their tokens too.

    >>> check_written([0, 1], [0], ["ab", None], "the ids for 'ab'")
    Traceback (most recent call last):
    AssertionError: the ids for 'ab'
        expected [0]
        yours    [0, 1]
        as tokens: expected 'ab', yours 'ab' None
    """
    try:
        check_equal(got, expected, what)
    except AssertionError as error:
        if type(got) is not list or not all(type(each) is int and 0 <= each < len(texts) for each in got):
            raise
        right, mine = (" ".join(repr(texts[each]) for each in ids) or "none" for ids in (expected, got))
        raise AssertionError(f"{error}\n    as tokens: expected {right}, yours {mine}") from None


def _is_right_but_for_numpy(got: object, expected: object) -> bool:
    """Return whether an answer would be right with Python's numbers in the place of NumPy's."""
    try:
        return same(_plain(got), expected)
    except RecursionError:  # it contains itself
        return False


def _plain(value: object) -> object:
    """Return a value with Python's numbers in the place of NumPy's, inside lists, tuples, sets and dicts as well."""
    if isinstance(value, np.generic):
        return value.item()
    kind: Any = type(value)
    if kind in (list, tuple, set, frozenset):
        entries: Any = value
        return kind(map(_plain, entries))
    if type(value) is dict:
        return {_plain(key): _plain(entry) for key, entry in value.items()}
    return value


def check_close(got: object, expected: Sequence[float], what: str, *, rtol: float = 1e-12, atol: float = 0.0) -> None:
    """Assert that an answer is an array of these numbers up to rounding, of any dtype.

    >>> check_close(np.array([0.1 + 0.2, 1.0]), [0.3, 1.0], "f")
    >>> check_close(np.array([0.5, np.nan]), [0.5, 0.5], "f")
    Traceback (most recent call last):
    AssertionError: f
        expected [0.5, 0.5]
        yours    [0.5, nan]
    """
    if type(got) is not np.ndarray or got.shape != (len(expected),):
        got_shape = f"an array of shape {list(got.shape)}" if type(got) is np.ndarray else _described(got)
        raise AssertionError(f"{what} must give a NumPy array of shape {[len(expected)]}; yours gave {got_shape}")
    near = np.isclose(got, np.array(expected), rtol=rtol, atol=atol)
    if not near.all():
        item = int(np.flatnonzero(~near)[0])
        lines = [what, f"    expected {_shown(list(expected))}", f"    yours    {_shown(got.tolist())}"]
        where = f"    item {item}: expected {expected[item]!r}, yours {got.tolist()[item]!r}"
        raise AssertionError("\n".join([*lines, where] if max(map(len, lines)) > 2 * _BY_EYE else lines))


def check_alike(got: Any, expected: Any, what: str, most: float = 1e-9) -> None:
    """Assert that an answer is as expected, floats up to rounding, also inside arrays, tuples and dicts.

    NumPy's float64 is a float, and float32 is not.

    Args:
        most: the largest relative error, and the largest error of a number below 1.

    >>> check_alike({2: (0.1 + 0.2, [1])}, {2: (0.3, [1])}, "f")
    >>> check_alike({2: 0.5}, {2: 0.25}, "f")
    Traceback (most recent call last):
    AssertionError: f, at 2
        expected 0.25
        yours    0.5
    """
    if isinstance(expected, np.ndarray):
        check_array(got, np.float64, expected.shape, what)
        check_close(got.ravel(), expected.ravel().tolist(), what, rtol=most, atol=most)
    elif isinstance(expected, float):
        assert isinstance(got, float), f"{what} must give a float; yours gave {_described(got)}"
        alike = got == expected if np.isinf(expected) else abs(got - expected) <= most * max(1.0, abs(expected))
        assert alike, f"{what}\n    expected {expected!r}\n    yours    {got!r}"
    elif isinstance(expected, (dict, tuple)):
        check_type(got, type(expected), what)
        keys, mine = ([*each] if isinstance(each, dict) else [*range(len(each))] for each in (expected, got))
        check_equal(mine, keys, f"the parts of {what}")
        for key in keys:
            check_alike(got[key], expected[key], f"{what}, at {key}", most)
    else:
        check_equal(got, expected, what)


def check_mask(
    got: object,
    expected: NDArray[np.bool_],
    texts: Sequence[str | None],
    what: str,
    story: Callable[[int], str] = lambda token_id: "",
) -> None:
    """Assert that a mask is ``bool[V]`` and has the expected bits; the message names the shortest wrong token.

    Args:
        story: explains, given the id of a token with a wrong bit, why the expected bit is right.

    >>> check_mask(np.array([True, True]), np.array([True, False]), ["b", "a"], "after '1'")
    Traceback (most recent call last):
    AssertionError: after '1', token 1 is 'a': expected bit 0, your mask says 1
    """
    check_array(got, np.bool_, expected.shape, f"{what}, the mask")
    assert isinstance(got, np.ndarray)
    wrong = [int(i) for i in np.flatnonzero(got != expected)]
    if wrong:
        token_id = min(wrong, key=lambda i: (len(texts[i] or ""), i))
        bits = f"expected bit {int(expected[token_id])}, your mask says {int(got[token_id])}"
        reason = story(token_id)
        more = f"\n(In all, {len(wrong)} of {len(texts)} bits are wrong.)" if len(wrong) > 1 else ""
        tail = f"\n    {reason}" if reason else ""
        raise AssertionError(f"{what}, token {token_id} is {texts[token_id]!r}: {bits}{tail}{more}")


def bits(digits: str) -> NDArray[np.bool_]:
    """Return a mask that is written as digits.

    >>> bits("010").tolist()
    [False, True, False]
    """
    return np.array([digit == "1" for digit in digits], dtype=bool)


def describe_walk(automaton: Fsm | Dfa, state: int, text: str) -> str:
    """Return the walk of an automaton over a text, as one line.

    >>> describe_walk(Fsm(({"1": 1}, {}), initial=0, accepting=frozenset({1})), 0, "1,")
    "state 0 --'1'--> 1 --','--> dead"
    >>> describe_walk(Dfa([0, 49, 50], [-1, 0, -1], [[1], [-1]], 0, [False, True]), 0, "11")
    "state 0 --'1'--> 1 --'1'--> dead"
    """
    line, current = f"state {state}", state
    for char in text:
        target = _target(automaton, current, char)
        line += f" --{char!r}--> {'dead' if target is None else target}"
        if target is None:
            break
        current = target
    return line


def _target(automaton: Fsm | Dfa, state: int, char: str) -> int | None:
    """Return the state after one character, or None."""
    if isinstance(automaton, Fsm):
        return automaton.transitions[state].get(char)
    target = automaton.step(state, ord(char))
    return None if target == DEAD else target


class Recorder:
    """A wrapper around a callable of the test that keeps the arguments of every call, on the test's side.

    >>> ask = Recorder(str.isdigit)
    >>> ask("1"), ask("a"), ask.calls
    (True, False, ['1', 'a'])
    >>> score = Recorder(lambda ids, draft: 0)
    >>> score([1], (2,)), score.calls
    (0, [[[1], [2]]])
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function
        self.calls: list[Any] = []

    def __call__(self, argument: Any, *more: Any) -> Any:
        """Keep the argument, a list as a copy, and pass it on; of several, sequences become lists."""
        first = list(argument) if isinstance(argument, list) else argument
        self.calls.append([list(each) for each in (argument, *more)] if more else first)
        return self._function(argument, *more)


def _described(value: object) -> str:
    return "None" if value is None else f"{type(value).__name__}: {_shown(value)}"


def _shown(value: object) -> str:
    return cut(shown(value), 0)
