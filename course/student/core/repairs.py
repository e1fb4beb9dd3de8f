"""A student's file in which some functions are the reference's: it shows which function a failure comes from."""

import ast
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from importlib import import_module
from types import ModuleType
from typing import Any

from course.student.core.catalog import Lab
from course.student.core.submission import Loader


@contextmanager
def repaired(module: ModuleType, lab: Lab, functions: Iterable[str]) -> Iterator[None]:
    """Give the module the reference's functions of these names for a block.

    Only these change. They live in the student's module, so what they call is the student's own again: a test that
    passes in this block fails because of them, and not because of a function that they call.

    >>> from course.student.core.catalog import find_lab
    >>> student = ModuleType("student")
    >>> student.advance = student.token_mask = None
    >>> with repaired(student, find_lab(2), ["advance"]):
    ...     student.advance.__globals__ is vars(student), student.token_mask
    (True, None)
    >>> student.advance is None
    True
    """
    before = dict(vars(module))
    reference = import_module(f"labs.{lab.name}.solution")
    if reference is module:  # with LAB_CHAIN=mine
        reference = Loader({lab.number: lab.solution}).load(lab)
    for name, value in vars(reference).items():
        vars(module).setdefault(name, value)  # a helper that only the reference has
    vars(module).update(_written_anew(lab, set(functions), module))
    try:
        yield
    finally:
        vars(module).clear()
        vars(module).update(before)


def _written_anew(lab: Lab, functions: set[str], module: ModuleType) -> dict[str, Any]:
    """Return the reference's functions, made in the student's module."""
    tree = ast.parse(lab.solution.read_text(encoding="utf-8"))
    tree.body = [node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name in functions]
    made: dict[str, Any] = {}
    exec(compile(tree, str(lab.solution), "exec", dont_inherit=True), vars(module), made)
    return made
