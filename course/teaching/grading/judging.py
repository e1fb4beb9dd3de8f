"""Judging a file of properties: which of them hold on the reference, and which wrong answers those kill.

The student's properties run in a worker, a fresh one for each implementation; the trusted side answers every call that
they make of it. So a property learns what the calls of one implementation return and which types of errors they raise:
nothing of its text and its name, and nothing of any other implementation.
"""

import ast
import random
import re
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from course.isolation.pipe.proxy import PipedLab
from course.isolation.sandbox import Sandbox
from course.student.commands.properties import TIMEOUT, Verdict, implementation_of, judge, names_of
from course.student.core.candidate import Functions
from course.student.core.catalog import Lab
from course.student.core.timeouts import TimeLimit
from course.student.core.trace import safe_text
from course.student.core.wrong_answers import WrongAnswer, bank

ON_REFERENCE = 0
"""The number that takes a TODO's place where a finding is about the reference."""

_ONCE_MORE = 5
"""After every so many wrong answers, on average, the reference comes once more, where a draw of lots fails."""

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
    """Report each property on the reference, ``pass`` or ``wrong``, and each wrong answer, ``pass`` if it is killed.

    Begin no further wrong answer after ``total_s`` seconds.
    """
    file, until = folder / "properties.py", time.monotonic() + total_s
    with PipedLab(lab, {lab.number: file}, seconds=TIMEOUT, sandbox=sandbox) as worker:
        try:
            names = names_of(text)
            file.write_text(text + _SHIM, encoding="utf-8", errors="surrogatepass", newline="")
            worker.load()
        except (Exception, SystemExit, TimeLimit) as error:
            cause = re.sub(r"\S*/stage-[0-9a-f]+/", "", f"{type(error).__name__}: {safe_text(error):.300}")
            return say(done=0, misconceptions={}, remark=f"the file does not load: {cause}")
        _judge_all(lab, worker, names, until, say)


def _judge_all(lab: Lab, worker: PipedLab, names: Sequence[str], until: float, say: Callable[..., None]) -> None:
    answers, allowed = bank(lab), functions_of(lab)

    def check(name: str, implementation: Functions) -> None:
        worker.begin_test()
        try:
            worker.check_piped(name, asks(implementation, allowed))
        finally:
            worker.end_test()

    def verdicts(names: Iterable[str], path: Path) -> dict[str, Verdict]:
        worker.close()  # with all that the properties remember of the implementation before
        return {name: judge(partial(check, name), implementation_of(lab, path)) for name in names}

    first = verdicts(names, lab.solution)
    good = [name for name in names if first[name].kind == "pass"]
    fickle: dict[str, str] = {}
    killed: set[str] = set()
    late = 0
    for answer, path in _in_any_order(lab, [*answers, *[None] * (1 + len(answers) // _ONCE_MORE)]):
        if time.monotonic() > until:
            late += answer is not None
            continue
        for name, found in verdicts(good, path).items():
            if found.kind != "pass" and answer is None:
                fickle[name] = f"it held on the reference, and later it did not: {found.message}"
            elif found.kind != "pass" and answer is not None:
                killed.add(answer.name)
    for name, verdict in first.items():
        kind = "wrong" if name in fickle else verdict.kind
        say(test=name, todo=ON_REFERENCE, verdict=kind, message=fickle.get(name, verdict.message)[:3000])
    for answer in answers:
        dead = answer.name in killed and not fickle  # of many properties that draw lots, some are lucky
        alive = "" if dead else f"Still alive: {answer.mistake}"
        say(test=answer.name, todo=answer.todo, verdict="pass" if dead else "wrong", message=alive)
    remarks = [] if names else ["the file defines no function whose name starts with check_"]
    remarks += ["a property's verdict on the reference changed, so the file kills nothing"] if fickle else []
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
        try:
            return getattr(implementation, name)(*args, **kwargs), args, kwargs
        except (Exception, SystemExit, TimeLimit) as error:
            raise bare(error) from None

    return ask


def bare(error: BaseException) -> BaseException:
    """Return an error of the nearest type that a property may know, without text, place or attributes.

    Only the errors of ``labkit`` keep their arguments, which are part of what a lab asks for.

    >>> from labkit.errors import NoLegalToken
    >>> bare(KeyError("a name")), bare(NoLegalToken(2, "x")).args
    (KeyError(), (2, 'x'))
    """
    kinds = (each for each in type(error).__mro__ if issubclass(each, BaseException))
    kind = next(each for each in kinds if each is TimeLimit or each.__module__ in ("builtins", "labkit.errors"))
    return kind(*error.args) if kind.__module__ == "labkit.errors" else kind.__new__(kind)
