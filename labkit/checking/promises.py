"""What every function of a lab promises beside its value: arguments stay, results are new, nothing is remembered."""

import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from typing import Any

import numpy as np

from labkit.checking.calls import reporting
from labkit.checking.checks import check_equal
from labkit.checking.copies import copied
from labkit.checking.differences import same
from labkit.checking.showing import alike_up_to, cut, shown

Calls = Mapping[str, tuple[tuple[Any, ...], Any]]
"""Calls of one function: what each is about, the arguments, and what is expected.

Expected is a value, an exception type, or a function of the test that is called with the value and a description and
raises ``AssertionError``.
"""

_ORDINALS = [f"{n} argument" for n in ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")]


def _as_it_is(function: Any) -> Any:
    return function


def check_promises(lab: Any, name: str, calls: Calls, given: Callable[[Any], Any] = _as_it_is) -> None:
    """Assert what a function gives, and that its calls leave their arguments, their results and one another alone.

    Pass two calls or more whose answers differ, with arguments of every type that the signature allows. The calls are
    made in order, then in reverse, then once more after every result has been changed.

    Args:
        given: wraps the function, for calls whose arguments or results are easier to read in another form.

    >>> from contextlib import nullcontext
    >>> from types import SimpleNamespace
    >>> seen = []
    >>> lab = SimpleNamespace(in_place=nullcontext, known=lambda item: seen.append(item) or sorted(seen))
    >>> check_promises(lab, "known", {"of 1": ((1,), [1]), "of 2": ((2,), [2])})
    Traceback (most recent call last):
    AssertionError: known of 2, called twice: it remembers something of earlier calls
        before [1, 2]
        now    [1, 2, 2]
    >>> lab = SimpleNamespace(in_place=nullcontext, halves=lambda row: [row[:1], row])
    >>> check_promises(lab, "halves", {"of [1, 2]": (([1, 2],), [[1], [1, 2]])})
    Traceback (most recent call last):
    AssertionError: halves of [1, 2] must give new objects, and a list in its result is the argument `row`
    """

    def function(*args: Any) -> Any:
        with lab.in_place():
            return given(getattr(lab, name))(*args)

    names = _names(getattr(lab, name)) if given is _as_it_is else _ORDINALS
    answers: dict[str, tuple[Any, Any]] = {}
    for about, (args, expected) in calls.items():
        what = f"{name} {about}"
        result = _call(function, args, expected, what, names)
        try:
            _check_value(result, expected, what)
        except AssertionError as error:
            again = _call(function, args, expected, what, names)
            if shown(again) != shown(result):  # two match objects differ, and show the same
                _check_still(again, result, f"{what}, called twice: it remembers something of earlier calls")
            if hint := _shown_memory(lab, name, args, expected, given):
                raise AssertionError(f"{error}{hint}") from None
            raise
        _check_new(result, args, what, names)
        answers[about] = (result, copied(result))
    for about, (args, expected) in reversed(list(calls.items())):
        got = _call(function, args, expected, f"{name} {about}", names)
        _check_still(got, answers[about][1], f"{name} {about}, called again: it remembers something of other calls")
    for about, (result, value) in answers.items():
        _check_still(result, value, f"{name} {about}: a later call changed this result")
    parts = {id(part): part for result, _ in answers.values() for part in _mutable(result)}.values()
    empty_lists = [part for part in parts if isinstance(part, list) and not part]
    for part in parts:
        _empty(part)
    for part in empty_lists:
        part.append(None)  # it may be one list that all calls share
    try:
        for about, (args, expected) in calls.items():
            got = _call(function, args, expected, f"{name} {about}", names)
            problem = "called again: the function keeps the result that it gave, and the caller has changed it"
            _check_still(got, answers[about][1], f"{name} {about}, {problem}")
    finally:
        for part in empty_lists:
            part.clear()  # so that no other test fails for it


def _names(function: Callable[..., Any]) -> Sequence[str]:
    """Return what to call a function's arguments: by their names, if they can be read."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return _ORDINALS
    named = all(parameter.kind is inspect.Parameter.POSITIONAL_OR_KEYWORD for parameter in parameters)
    return [f"argument `{parameter.name}`" for parameter in parameters] if named else _ORDINALS


def _call(function: Callable[..., Any], args: tuple[Any, ...], expected: Any, what: str, names: Sequence[str]) -> Any:
    """Return the result, or the expected type of an error, for a subclass too; assert that the arguments stay."""
    before, errors = copied(args), expected if _is_error(expected) else ()
    try:
        with nullcontext() if callable(expected) and not errors else reporting(what, expected):
            result = function(*args)
    except errors:
        result = expected  # a subclass that the student defines is another class each time that it crosses the pipe
    for argument, old, new in zip(names, before, args, strict=False):
        _check_still(new, old, f"{what} must leave its arguments as they are, and yours changed the {argument}")
    return result


def _shown_memory(lab: Any, name: str, args: tuple[Any, ...], expected: Any, given: Callable[[Any], Any]) -> str:
    """Return a line for a message if the first call of a fresh copy of the function is right; else nothing."""
    if not hasattr(lab, "loaded_anew"):
        return ""
    try:
        _check_value(_call(given(getattr(lab.loaded_anew(), name)), args, expected, name, _ORDINALS), expected, name)
    except Exception:
        return ""
    return "\n    right in a file that is loaded anew: yours remembers something of earlier calls"


def _check_still(now: Any, before: Any, problem: str) -> None:
    """Assert that something is what it was."""
    if not same(now, before):
        old, new = shown(before), shown(now)
        place = alike_up_to(old, new)
        raise AssertionError(f"{problem}\n    before {cut(old, place)}\n    now    {cut(new, place)}")


def _check_value(got: Any, expected: Any, what: str) -> None:
    """Assert that a value is as expected."""
    if _is_error(expected):
        assert got is expected, f"{what} must raise {expected.__name__}; yours gave {cut(shown(got), 0)}"
    elif callable(expected):
        expected(got, what)
    else:
        check_equal(got, expected, what)


def _check_new(result: Any, args: tuple[Any, ...], what: str, names: Sequence[str]) -> None:
    """Assert that a result holds no part of an argument, and none of its parts twice."""
    mine = list(_mutable(result))
    for argument, arg in zip(names, args, strict=False):
        theirs = list(_mutable(arg))
        arrays = [other for other in theirs if isinstance(other, np.ndarray)]
        for part in mine:
            overlaps = isinstance(part, np.ndarray) and any(np.shares_memory(part, other) for other in arrays)
            if overlaps or any(part is other for other in theirs):
                made, kind = "new objects", f"a {type(part).__name__} in its result"
                if part is result:
                    made, kind = "a new object", "the result"
                old = "is" if part is arg else "shares memory with" if overlaps else "is a part of"
                raise AssertionError(f"{what} must give {made}, and {kind} {old} the {argument}")
    if len({id(part) for part in mine}) < len(mine):
        raise AssertionError(f"{what} must give parts of their own; yours holds the same object twice")


def _is_error(expected: Any) -> bool:
    return isinstance(expected, type) and issubclass(expected, Exception)


def _mutable(value: Any) -> Iterator[Any]:
    """Yield each list, dict, set and array in a value, itself included."""
    if isinstance(value, (list, dict, set, np.ndarray)):
        yield value
    if isinstance(value, (list, tuple)):
        for item in value:
            yield from _mutable(item)
    elif isinstance(value, dict):
        for item in value.values():
            yield from _mutable(item)


def _empty(part: Any) -> None:
    if not isinstance(part, np.ndarray):
        part.clear()
    elif part.flags.writeable:
        part[...] = part == 0
