"""Judging a file of properties: which of them hold on the reference, and which wrong answers those kill.

The student's properties run in a worker, a fresh one for each implementation; the trusted side answers every call that
they make of it. So a property learns what the calls of one implementation return and which types of errors they raise:
nothing of its text and its name, and nothing of any other implementation.

A file is judged as one test, or it could be right by luck: where each of many properties asks for one bit of a hash of
all answers, those that fail on the reference would fall away, and the others kill what they like. So a file kills
nothing unless

- each property that is written holds on the reference, every time that the reference comes; and
- the file also fails on pairs: wrong answers that it kills, with the mistakes of two in one. What expects something of
  an answer fails on it whatever else is wrong; what asks for a bit of a hash tosses its coin again. (It does: of 120
  pairs of mistakes that one such hash saw, 119 had a value of their own.)

If the verdict on each implementation is a toss that holds with probability q, a file passes both with probability
q * P(B(PAIRS, q) <= SPARED), which is at most 6.1 %, whatever q. The share of the bank that it expects to
kill is no larger. (A file that asks one function alone sees no second mistake in another. The first condition leaves it
q * (1 - q), a quarter at most, of the answers that are wrong in that function.)
"""

import ast
import random
import re
import tempfile
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import partial
from itertools import combinations
from pathlib import Path
from typing import Any, TypeVar

from course.isolation.pipe.proxy import PipedLab
from course.isolation.sandbox import Sandbox
from course.student.commands.properties import (
    TIMEOUT,
    PropertyVerdict,
    implementation_of,
    judge,
    names_of,
    no_property,
)
from course.student.core.candidate import LabFunctions
from course.student.core.catalog import Lab
from course.student.core.examples import within_reach, workalikes
from course.student.core.timeouts import BUSY, WAITS, Stopwatch, TimeLimit
from course.student.core.trace import safe_text
from course.student.core.wrong_answers import WrongAnswer, bank, splice
from course.teaching.grading.job import UNLOADED

_T = TypeVar("_T")

_ONCE_MORE = 5
"""After every so many wrong answers, on average, the reference comes once more, where a draw of lots fails."""

PAIRS, SPARED = 32, 3
"""How many pairs of mistakes are tried, and how many of them a file may hold on: a second mistake can hide the first.

The properties of the course's own answers, each alone, hold on 2 of 700 pairs; the example of lab 05, on 1 of 100.
"""

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
    lab: Lab, text: str, folder: Path, sandbox: Sandbox | None, watch: Stopwatch, say: Callable[..., None]
) -> None:
    """Report each wrong answer, ``pass`` if it is killed; and at the end, in words, what the reference shows.

    Begin nothing more when the time of ``watch`` is used up.
    """
    file = folder / "properties.py"
    with PipedLab(lab, {lab.number: file}, seconds=TIMEOUT, sandbox=sandbox) as worker:
        try:
            names = names_of(text)
            file.write_text(text + _SHIM, encoding="utf-8", errors="surrogatepass", newline="")
            worker.load()
        except (Exception, SystemExit, TimeLimit) as error:
            cause = re.sub(r"\S*/stage-[0-9a-f]+/", "", f"{type(error).__name__}: {safe_text(error):.300}")
            return say(done=0, misconceptions={}, remark=f"{UNLOADED}: {cause}")
        bench = _Bench(lab, worker, [name for name, written in names.items() if written], watch)
        killed, remark = bench.kills(_compares(lab, text, folder, sandbox))
    for answer in bank(lab):
        verdict, message = ("pass", "") if answer in killed else ("wrong", f"Still alive: {answer.mistake}")
        fields = {"loaded": True, "reason": "", "cause": message, "line": 0, "message": message}
        say(test=answer.name, todo=answer.todo, verdict=verdict, **fields)
    remark = remark if bench.names else "the file has no property that is written, a function check_..."
    say(done=0, misconceptions={}, remark="; ".join(filter(None, [*_holding(names, bench.on_reference), remark])))


def _holding(names: Collection[str], verdicts: Mapping[str, PropertyVerdict]) -> Iterator[str]:
    """Yield how many properties hold on the reference, and what those say that don't."""
    holding = sum(verdict.kind == "pass" for verdict in verdicts.values())
    yield f"{holding} of {len(names)} properties hold on the reference"
    for name, verdict in verdicts.items():
        if verdict.kind != "pass":
            yield f"{name} fails on it: {', '.join(verdict.message[:1000].splitlines())}"


def _compares(lab: Lab, text: str, folder: Path, sandbox: Sandbox | None) -> str:
    """Return why a file kills nothing, if a function in it does a TODO's work; the worker is asked, one call a name."""
    whole, names = within_reach(text, leave=names_of(text))
    file = folder / "implementations.py"
    file.write_text(whole, encoding="utf-8", errors="surrogatepass", newline="")
    with PipedLab(lab, {lab.number: file}, seconds=1, sandbox=sandbox) as worker:
        return no_property(workalikes(lab, {name: partial(_called, worker, alias) for alias, name in names.items()}))


def _called(worker: PipedLab, name: str, *args: Any, **kwargs: Any) -> Any:
    """Call a function of the file, in a new worker if the last one was ended."""
    worker.begin_test()
    try:
        return getattr(worker, name)(*args, **kwargs)
    finally:
        worker.end_test()


class _Bench:
    """The written properties of one file, tried on one implementation after another.

    Attributes:
        on_reference: the verdict of each property on the reference; the first that is none of ``pass`` stays.
    """

    def __init__(self, lab: Lab, worker: PipedLab, names: Sequence[str], watch: Stopwatch) -> None:
        self._lab, self._worker, self.names, self._watch = lab, worker, names, watch
        self._allowed = functions_of(lab)
        self.on_reference: dict[str, PropertyVerdict] = {}

    def kills(self, compares: str = "") -> tuple[Sequence[WrongAnswer], str]:
        """Return the wrong answers that count as killed, and what must be said of them; none if the file compares."""
        if not self._holds() or compares:
            return [], compares or _FAILS
        answers = bank(self._lab)
        killed, late = list[WrongAnswer](), 0
        for answer in _in_any_order([*answers, *[None] * (1 + len(answers) // _ONCE_MORE)]):
            if not self._watch.left():
                late += answer is not None
            elif answer is None and not self._holds():
                return [], _FAILS
            elif answer is not None and self._fails_on(answer.submission()):
                killed.append(answer)
        pairs = _pairs(killed, answers)
        caught = [self._fails_on(splice(one.submission(), other.source)) for one, other in pairs]
        if caught.count(False) > len(pairs) * SPARED // PAIRS:
            why = f"of {len(pairs)} of these with a second mistake, it misses {caught.count(False)}"
            return [], f"{_LUCKY}: {why if self._watch.left() else 'time ran out before luck was ruled out'}"
        return killed, f"time ran out before {late} of the wrong answers were tried" if late else ""

    def _holds(self) -> bool:
        """Try the reference, and note what fails on it."""
        late = PropertyVerdict("wrong", "not run: all time for this file is used up")
        found = dict.fromkeys(self.names, late) | dict(self._verdicts(self._lab.solution))
        for name, verdict in found.items():
            before = self.on_reference.get(name)
            if before is None or (before.kind == "pass" != verdict.kind):
                again = f"it held on the reference, and later it did not: {verdict.message}"
                self.on_reference[name] = PropertyVerdict("wrong", again) if before else verdict
        return all(verdict.kind == "pass" for verdict in found.values())

    def _fails_on(self, text: str) -> bool:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "answer.py"
            path.write_text(text, encoding="utf-8")
            return any(verdict.kind != "pass" for _, verdict in self._verdicts(path))

    def _verdicts(self, path: Path) -> Iterator[tuple[str, PropertyVerdict]]:
        """Yield what each property says of an implementation, in a fresh worker, until the time is used up."""
        self._worker.close()
        for name in self.names:
            if not self._watch.left():
                return
            implementation = implementation_of(self._lab, path)
            yield name, judge(partial(self._check, name), implementation, WAITS + BUSY * TIMEOUT)

    def _check(self, name: str, implementation: LabFunctions) -> None:
        self._worker.begin_test()
        try:
            self._worker.check_piped(name, asks(implementation, self._allowed))
        finally:
            self._worker.end_test()


_FAILS = "a property fails on the reference, so the file kills nothing: mend that property, or take it out"
_LUCKY = "the file kills nothing, since what it kills may be luck"


def _in_any_order(things: Sequence[_T]) -> Sequence[_T]:
    return random.SystemRandom().sample(things, len(things))


def _pairs(killed: Sequence[WrongAnswer], answers: Sequence[WrongAnswer]) -> Sequence[tuple[WrongAnswer, WrongAnswer]]:
    """Return some pairs of wrong answers that differ from the reference in other functions, the first one killed.

    The second is killed too, as long as there are such pairs: then the file sees it, and a toss is a new toss.
    """
    both = list(combinations(killed, 2))
    one = [(each, other) for each in killed for other in answers if other not in killed]
    pairs = [*_in_any_order(both), *_in_any_order(one)]
    return [(each, other) for each, other in pairs if each.function != other.function][:PAIRS]


def functions_of(lab: Lab) -> frozenset[str]:
    """Return the functions of an implementation that a property may call.

    >>> from course.student.core.catalog import find_lab
    >>> "mask_row" in functions_of(find_lab(4)), "np" in functions_of(find_lab(4))
    (True, False)
    """
    tree = ast.parse(lab.solution.read_text(encoding="utf-8"))
    return frozenset(node.name for node in tree.body if isinstance(node, ast.FunctionDef) and node.name[0] != "_")


def asks(implementation: LabFunctions, allowed: frozenset[str]) -> Callable[..., Any]:
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
