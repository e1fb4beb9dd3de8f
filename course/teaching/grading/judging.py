"""Judging a file of properties: which of them hold on the reference, and which wrong answers those kill.

The student's properties run in a worker; the trusted side answers every call that they make of an implementation. So a
property learns what an implementation's calls return, and nothing of its text, its name or its docstrings.
"""

import ast
import random
import re
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from course.isolation.pipe.proxy import PipedLab
from course.isolation.sandbox import Sandbox
from course.student.commands.properties import TIMEOUT, Property, implementation_of, judge, names_of, on_reference
from course.student.core.candidate import Functions
from course.student.core.catalog import Lab
from course.student.core.timeouts import TimeLimit
from course.student.core.wrong_answers import WrongAnswer, bank

ON_REFERENCE = 0
"""The number that takes a TODO's place where a finding is about the reference."""

_ONCE_MORE = 5
"""After every so many wrong answers, on average, the reference comes once more, unannounced."""

_BEFORE = 3
"""So many wrong answers come before the reference. A property that compares everything with the first implementation
has then recorded mistakes, and does not hold on the reference."""

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


def grade_properties(
    lab: Lab, text: str, folder: Path, sandbox: Sandbox | None, total_s: float, say: Callable[..., None]
) -> None:
    """Report each property on the reference, ``pass`` or ``wrong``, and each wrong answer, ``pass`` if it is killed."""
    with ExitStack() as stack:
        try:
            properties = stack.enter_context(_properties_of(lab, text, folder, sandbox))
        except (Exception, SystemExit, TimeLimit) as error:
            cause = re.sub(r"\S*/stage-[0-9a-f]+/", "", f"{type(error).__name__}: {error!s:.300}")
            return say(done=0, misconceptions={}, remark=f"the file does not load: {cause}")
        judge_all(lab, properties, time.monotonic() + total_s, say)


def judge_all(lab: Lab, properties: Mapping[str, Property], until: float, say: Callable[..., None]) -> None:
    """Report what ``grade_properties`` does; begin no further wrong answer after ``until``."""
    answers = bank(lab)
    for _, path in _in_any_order(lab, random.SystemRandom().sample(answers, min(_BEFORE, len(answers)))):
        for check in properties.values():
            judge(check, implementation_of(lab, path))
    first = on_reference(properties, lab)
    fickle: dict[str, str] = {}
    killers = defaultdict[str, set[str]](set)
    late = 0
    # The order is random, and the reference is among the wrong answers: counting calls does not tell which is which.
    for answer, path in _in_any_order(lab, [*answers, *[None] * (1 + len(answers) // _ONCE_MORE)]):
        if time.monotonic() > until:
            late += answer is not None
            continue
        for name in (name for name in properties if first[name].kind == "pass"):
            found = judge(properties[name], implementation_of(lab, path))
            if found.kind != "pass" and answer is None:
                fickle[name] = f"it held on the reference, and later it did not: {found.message}"
            elif found.kind != "pass" and answer is not None:
                killers[answer.name].add(name)
    for name, verdict in first.items():
        kind = "wrong" if name in fickle else verdict.kind
        say(test=name, todo=ON_REFERENCE, verdict=kind, message=fickle.get(name, verdict.message)[:3000])
    for answer in answers:
        killed = killers[answer.name] - fickle.keys()
        alive = "" if killed else f"Still alive: {answer.mistake}"
        say(test=answer.name, todo=answer.todo, verdict="pass" if killed else "wrong", message=alive)
    remarks = [] if properties else ["the file defines no function whose name starts with check_"]
    remarks += [f"time ran out before {late} of the wrong answers were tried"] if late else []
    say(done=0, misconceptions={}, remark="; ".join(remarks))


def _in_any_order(lab: Lab, answers: Sequence[WrongAnswer | None]) -> Iterator[tuple[WrongAnswer | None, Path]]:
    """Yield these wrong answers, and None for the reference, each with its file."""
    with tempfile.TemporaryDirectory() as folder:
        for answer in random.SystemRandom().sample(answers, len(answers)):
            path = Path(folder) / f"{answer.name}.py" if answer else lab.solution
            if answer:
                path.write_text(answer.submission(), encoding="utf-8")
            yield answer, path


@contextmanager
def _properties_of(lab: Lab, text: str, folder: Path, sandbox: Sandbox | None) -> Iterator[dict[str, Property]]:
    """Yield the properties that a file defines, in its order; raise whatever the file raises while it is loaded."""
    names, allowed = names_of(text), functions_of(lab)
    file = folder / "properties.py"
    file.write_text(text + _SHIM, encoding="utf-8", errors="surrogatepass", newline="")
    with PipedLab(lab, {lab.number: file}, seconds=TIMEOUT, sandbox=sandbox) as worker:
        worker.load()

        def check(name: str, implementation: Functions) -> None:
            worker.begin_test()
            try:
                worker.check_piped(name, asks(implementation, allowed))
            finally:
                worker.end_test()

        yield {name: partial(check, name) for name in names}


def functions_of(lab: Lab) -> frozenset[str]:
    """Return the functions of an implementation that a property may call.

    >>> from course.student.core.catalog import find_lab
    >>> "mask_row" in functions_of(find_lab(4)), "np" in functions_of(find_lab(4))
    (True, False)
    """
    tree = ast.parse(lab.solution.read_text(encoding="utf-8"))
    return frozenset(node.name for node in tree.body if isinstance(node, ast.FunctionDef) and node.name[0] != "_")


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
