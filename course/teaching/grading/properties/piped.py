"""A student's properties in a worker: the trusted side answers every call that they make of an implementation.

So a property learns what an implementation's calls return, and nothing of its text, its name or its docstrings.
"""

import ast
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from course.isolation.pipe.proxy import PipedLab
from course.isolation.sandbox import Sandbox
from course.student.commands.properties import TIMEOUT, Property, names_of
from course.student.core.candidate import Functions
from course.student.core.catalog import Lab

_SHIM = """

class PipedImplementation:
    def __init__(self, ask):
        self._ask = ask

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        return lambda *args, **kwargs: self._ask(name, *args, **kwargs)[0]


def check_piped(name, ask):
    globals()[name](PipedImplementation(ask))
"""
"""Is appended to the student's text. Tampering with it changes only what the property itself says."""


@contextmanager
def properties_of(lab: Lab, text: str, folder: Path, sandbox: Sandbox | None) -> Iterator[dict[str, Property]]:
    """Yield the properties that a file defines, in its order.

    Args:
        text: of the file.
        folder: where the file may be written.
        sandbox: what confines the worker; None for nothing.

    Raises:
        Exception: whatever the file raises while it is loaded, or ``TimeLimit``, which is none.
    """
    names, allowed = names_of(text), functions_of(lab)
    file = folder / "properties.py"
    file.write_text(text + _SHIM, encoding="utf-8", errors="surrogatepass", newline="")
    with PipedLab(lab, {lab.number: file}, seconds=TIMEOUT, sandbox=sandbox) as worker:
        worker.load()
        yield {name: _property(worker, name, allowed) for name in names}


def functions_of(lab: Lab) -> frozenset[str]:
    """Return the functions of an implementation that a property may call.

    >>> from course.student.core.catalog import find_lab
    >>> "mask_row" in functions_of(find_lab(4)), "np" in functions_of(find_lab(4))
    (True, False)
    """
    tree = ast.parse(lab.solution.read_text(encoding="utf-8"))
    return frozenset(node.name for node in tree.body if isinstance(node, ast.FunctionDef) and node.name[0] != "_")


def _property(worker: PipedLab, name: str, allowed: frozenset[str]) -> Property:
    def check(implementation: Functions) -> None:
        worker.begin_test()
        try:
            worker.check_piped(name, asks(implementation, allowed))
        finally:
            worker.end_test()

    return check


def asks(implementation: Functions, allowed: frozenset[str]) -> Callable[..., Any]:
    """Return a function that calls one of the implementation's by its name.

    It returns the arguments beside the result, since a wrong implementation may have written to them, and the pipe
    brings those values up to date that a message mentions.
    """

    def ask(name: str, /, *args: Any, **kwargs: Any) -> tuple[Any, tuple[Any, ...], dict[str, Any]]:
        if type(name) is not str or name not in allowed:
            raise AttributeError(f"an implementation has no function {name!r:.100}")
        return getattr(implementation, name)(*args, **kwargs), args, kwargs

    return ask
