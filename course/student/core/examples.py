"""Which functions do a TODO's work: each is tried in its place, on the examples of its docstring."""

import ast
import contextlib
import doctest
import inspect
import io
import traceback
from collections.abc import Callable, Collection, Iterator, Mapping
from functools import cache
from importlib import import_module
from types import CodeType
from typing import Any

from course.student.core.catalog import Lab
from course.student.core.hints import lab_data
from course.student.core.timeouts import TimeLimit, time_limit


@cache
def _compiled(examples: str) -> list[tuple[doctest.Example, CodeType]]:
    found = doctest.DocTestParser().get_examples(examples)
    return [(example, compile(example.source, "<example>", "single")) for example in found]


def passes(examples: str, space: dict[str, Any]) -> bool:
    """Return whether a docstring's examples hold with these globals: doctest's own runner is three times slower.

    >>> [passes(">>> double(3)\\n6", {"double": mine}) for mine in (lambda n: n * 2, lambda n: n + 2)]
    [True, False]
    """
    said, checker = io.StringIO(), doctest.OutputChecker()
    with contextlib.redirect_stdout(said), contextlib.suppress(Exception, TimeLimit), time_limit(2):
        for example, code in _compiled(examples):
            said.truncate(said.seek(0))
            try:
                exec(code, space)
            except Exception as error:
                if not example.exc_msg:
                    return False
                said.write(traceback.format_exception_only(error)[-1])
            options = sum(flag for flag, on in example.options.items() if on)
            if not checker.check_output(example.exc_msg or example.want, said.getvalue(), options):
                return False
        return bool(_compiled(examples))
    return False


def workalikes(lab: Lab, functions: Mapping[str, Callable[..., Any]]) -> Iterator[tuple[str, str]]:
    """Yield the function of each TODO, with the name of each of these functions that passes its examples.

    >>> from course.student.core.catalog import find_lab
    >>> from labs.lab_01_naive_matching.solution import apply_mask, softmax
    >>> [*workalikes(find_lab(1), {"mine": softmax, "other": len})]
    [('softmax', 'mine')]
    """
    reference = import_module(f"labs.{lab.name}.{'solution' if lab.has_reference else 'starter'}")
    for todo in lab_data(lab).todos.values():
        examples = inspect.getdoc(getattr(reference, todo.function)) or ""
        for name, function in functions.items():
            if passes(examples, {**vars(reference), todo.function: function}):
                yield todo.function, name


def within_reach(source: str | bytes, leave: Collection[str] = ()) -> tuple[str, dict[str, str]]:
    """Return a file's text, with more names for all functions in it, and which name of its own each of them stands for.

    Functions that are named in ``leave`` get none.

    A function inside another one, or in a class, is there once more at the end, where it can be called.

    >>> text, names = within_reach("class A:\\n    def _one(self): return 1")
    >>> exec(text, space := {})
    >>> [(name, space[alias]()) for alias, name in names.items()]
    [('_one', 1)]
    """
    tree = ast.parse(source)
    nodes = [*ast.walk(tree)]
    defined = [node for node in nodes if isinstance(node, ast.FunctionDef)]
    aliases = [alias for node in nodes if isinstance(node, ast.ImportFrom) for alias in node.names]
    text = [ast.unparse(tree)]
    for node in defined:
        if node not in tree.body:
            node.args.args = [arg for arg in node.args.args if arg.arg not in ("self", "cls")]
            node.decorator_list = []
            text.append(ast.unparse(node))
    found = [*(node.name for node in defined), *(alias.asname or alias.name for alias in aliases)]
    names = {f"within_reach_{number}": name for number, name in enumerate(dict.fromkeys(found)) if name not in leave}
    return "\n".join([*text, *(f"{alias} = globals().get({name!r})" for alias, name in names.items())]), names
