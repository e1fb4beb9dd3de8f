"""Which globals of its file a kernel may use: Triton compiles it, and accepts no value that could change later."""

import dis
from collections.abc import Callable, Iterable, Iterator
from types import CodeType, ModuleType
from typing import Any

import numpy as np

_OURS = "labkit.gpu"


def globals_of(code: CodeType) -> Iterator[str]:
    """Yield the names that a function's code looks up among the globals of its file and the builtins.

    >>> def kernel(x):
    ...     return len(x.data) + FREE
    >>> list(globals_of(kernel.__code__))
    ['len', 'FREE']
    """
    yield from (each.argval for each in dis.get_instructions(code) if each.opname == "LOAD_GLOBAL")
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield from globals_of(inner)


def refuse_globals(function: Callable[..., Any], names: Iterable[str], allowed: tuple[type, ...]) -> None:
    """Refuse a kernel that uses a global which Triton would refuse; names of an enclosing function are not checked.

    Args:
        names: the result of ``globals_of``.
        allowed: the types of kernels and of constants.

    Raises:
        NameError: as Triton does, with the name and what to write in its place.
    """
    known = function.__globals__
    for name, value in ((name, known[name]) for name in names if name in known):
        of_the_language = str(getattr(value, "__module__", "")).startswith(_OURS)
        if not of_the_language and not isinstance(value, (ModuleType, np.dtype, *allowed)):
            sees = f"{function.__name__}: a kernel sees its parameters, tl, other kernels and constexpr globals"
            raise NameError(f"{sees}; {_instead(name, value)}", name=name)


def _instead(name: str, value: Any) -> str:
    """Return what to write in place of a name."""
    if callable(value):
        return f"{name} is a function of the host: mark it @jit, or call it before the launch"
    if isinstance(value, (int, float)):
        return f"{name} is a global of the file: write {value!r} itself, or make it tl.constexpr"
    return f"{name} is a global of the file: hand it over as a parameter"
