"""What trivial submissions do in every TODO: ``plan`` appends this source to a lab's starter.

Each does one thing whatever is asked: it returns a constant, a value of the type that the function's signature gives,
an argument, or an argument converted to that type, or it raises an error. So a new lab needs none written.
"""

import inspect
import itertools
import types
import typing
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, MutableMapping, Sequence
from functools import wraps
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from labkit import errors

_SIMPLE: dict[Any, list[Any]] = {bool: [False, True], int: [0, 1, -1], float: [0.0, 1.0], str: ["", "a"]}
_SIMPLE |= {bytes: [b"", b"a"], ArrayLike: [[1], [0], [[0]]], Any: [None]}
_ARGUMENTS = {"limit": 1000, "needed": 2.0, "budget": 1}
"""What some errors are raised with, by the names of their parameters."""

_MOST = 4


def fill_in(module: MutableMapping[str, Any], names: Sequence[str], kind: str, number: int) -> None:
    """Replace functions of a module by ones that do the same: see ``KINDS``."""
    module.update({name: _trivial(module[name], KINDS[kind], number) for name in names})


def _trivial(function: Any, do: Callable[..., Any], number: int) -> Callable[..., Any]:
    hints = typing.get_type_hints(function)
    wanted = hints.pop("return", type(None))

    @wraps(function)
    def trivial(*args: Any, **kwargs: Any) -> Any:
        return do(number, wanted, hints, [*args, *kwargs.values()])

    # What stays a kernel is launched, and does nothing.
    return type(function)(trivial) if hasattr(function, "step") else trivial


def _of_the_type(number: int, wanted: Any, hints: dict[str, Any], given: list[Any]) -> Any:
    kind = typing.get_origin(wanted) or wanted
    alike = [each for each, hint in zip(given, hints.values(), strict=False) if hint == wanted]
    alike = alike or [each for each in given if isinstance(kind, type) and isinstance(each, kind)]
    return (alike or given or [None])[number]


def _converted(number: int, wanted: Any, hints: dict[str, Any], given: list[Any]) -> Any:
    kinds = [typing.get_origin(kind) or kind for kind in (wanted, *typing.get_args(wanted))]
    for convert in (*(np.asarray if kind is np.ndarray else kind for kind in kinds), len):
        try:
            return convert(given[number])
        except Exception:
            continue
    return None


def _refuse(number: int, wanted: Any, hints: dict[str, Any], given: list[Any]) -> Any:
    kind = refusals()[number]
    chosen = []
    for name, parameter in inspect.signature(kind).parameters.items() if kind.__module__ == errors.__name__ else ():
        of_type = [each for each in given if type(each) is parameter.annotation]
        other = "refused" if parameter.annotation is str else parameter.annotation()
        chosen.append("refused" if name == "problem" else _ARGUMENTS.get(name, (of_type or [other])[0]))
    raise kind(*(chosen or ["refused"]))


KINDS: dict[str, Callable[..., Any]] = {
    "constant": lambda number, *_: [None, True, 0, [], [0]][number],
    "value": lambda number, wanted, _, given: next(
        itertools.islice(itertools.cycle(values(wanted, given)), number, None), None
    ),
    "argument": lambda number, _, __, given: given[number] if -len(given) <= number < len(given) else None,
    "argument of the type": _of_the_type,
    "argument converted": _converted,
    "refusal": _refuse,
}
"""What a trivial submission does, with a number that tells which one of its kind it is."""


def refusals() -> list[type[Exception]]:
    """Return the errors that are raised: each refusal of the course, and Python's own.

    >>> [kind.__name__ for kind in refusals()[-4:]]
    ['ValueError', 'TypeError', 'LookupError', 'RuntimeError']
    """
    kinds = [kind for _, kind in inspect.getmembers(errors, inspect.isclass)]
    bases = {base for kind in kinds for base in kind.__bases__}
    return [*(kind for kind in kinds if kind not in bases), ValueError, TypeError, LookupError, RuntimeError]


def values(kind: Any, given: Sequence[Any] = (), depth: int = 4) -> list[Any]:
    """Return some values of a type, the empty one first; none where that is not known.

    >>> values(tuple[str, int]), values(list[int] | None), values(frozenset[str])[:2]
    ([('', 0), ('a', 1)], [[], [0], [1], [-1], None], [frozenset(), frozenset({''})])
    """
    if kind in (None, type(None)):
        return [None]
    if not depth or kind in _SIMPLE:
        return _SIMPLE.get(kind, [])
    origin, inner = typing.get_origin(kind) or kind, typing.get_args(kind)
    if origin in (typing.Union, types.UnionType):
        return [value for each in inner for value in values(each, given, depth)]
    if origin is np.ndarray:
        # as large as an argument: of zeros, of ones, with all bits set
        dtype = typing.get_args(inner[1])[0] if inner else float
        dtype = dtype if dtype in (np.bool_, np.int16, np.int32, np.intp, np.float32) else np.float64
        sized = [each for each in given if hasattr(each, "__len__")]
        shapes = [each.shape if isinstance(each, np.ndarray) else len(each) for each in sized] or [1, 0]
        return [np.full(shape, fill).astype(dtype) for shape in shapes[:2] for fill in (0, 1, -1)]
    parts = [values(each, given, depth - 1) for each in inner if each is not Ellipsis and not isinstance(each, list)]
    if origin is Callable:
        return [lambda *_, value=value: value for value in parts[-1]]
    if not isinstance(origin, type):
        return []
    if issubclass(origin, Mapping) and parts:
        return [{}, *({key: value} for key, value in zip(*parts, strict=False))]
    if origin is tuple and Ellipsis not in inner:
        return list(zip(*parts, strict=False))
    if issubclass(origin, Iterable) and parts:
        make = origin if origin in (tuple, set, frozenset) else list
        return [make(), *(make([part]) for part in parts[0] if make in (tuple, list) or isinstance(part, Hashable))]
    return list(itertools.islice(_objects(origin, given, depth - 1), _MOST))


def _objects(kind: type, given: Sequence[Any], depth: int) -> Iterator[Any]:
    """Yield objects of a class whose fields hold one element each, then others; only those that it lets be made."""
    try:
        hints = typing.get_type_hints(vars(kind).get("__init__", kind))
        required = [each for each in inspect.signature(kind).parameters.values() if each.default is each.empty]
    except Exception:  # a builtin class, for one
        return
    fields = [values(hints.get(each.name), given, depth)[:3] for each in required]
    # One state without a transition is the smallest automaton there is: so what holds something comes first.
    fields = [each[1:] + each[:1] if isinstance(next(iter(each), 0), Collection) else each for each in fields]
    for chosen in itertools.islice(itertools.product(*fields), 200):
        try:
            yield kind(*chosen)
        except Exception:
            continue
