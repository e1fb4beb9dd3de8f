"""Judging a file of properties: which of them hold on the reference, and which wrong answers those kill."""

import random
import re
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path

from course.isolation.sandbox import Sandbox
from course.student.commands.properties import Property, implementation_of, judge, on_reference
from course.student.core.candidate import Functions
from course.student.core.catalog import Lab
from course.student.core.timeouts import TimeLimit
from course.student.core.wrong_answers import WrongAnswer, bank
from course.teaching.grading.properties.piped import properties_of

ON_REFERENCE = 0
"""The number that takes a TODO's place where a finding is about the reference."""

_ONCE_MORE = 5
"""After every so many wrong answers, on average, the reference comes once more, unannounced."""

_BEFORE = 3
"""So many wrong answers come before the reference. A property that compares everything with the first implementation
has then recorded mistakes, and does not hold on the reference."""


def grade_properties(
    lab: Lab, text: str, folder: Path, sandbox: Sandbox | None, total_s: float, say: Callable[..., None]
) -> None:
    """Report each property on the reference, ``pass`` or ``wrong``, and each wrong answer, ``pass`` if it is killed."""
    with ExitStack() as stack:
        try:
            properties = stack.enter_context(properties_of(lab, text, folder, sandbox))
        except (Exception, SystemExit, TimeLimit) as error:
            cause = re.sub(r"\S*/stage-[0-9a-f]+/", "", f"{type(error).__name__}: {error!s:.300}")
            return say(done=0, misconceptions={}, remark=f"the file does not load: {cause}")
        _judge_all(lab, properties, time.monotonic() + total_s, say)


def _judge_all(lab: Lab, properties: Mapping[str, Property], until: float, say: Callable[..., None]) -> None:
    some = random.SystemRandom().sample(bank(lab), min(_BEFORE, len(bank(lab))))
    for _, implementation in _in_any_order(lab, some):
        for check in properties.values():
            judge(check, implementation())
    first = on_reference(properties, lab)
    good = {name: check for name, check in properties.items() if first[name].kind == "pass"}
    fickle, kills, late = _rounds(lab, good, until)
    for name, verdict in first.items():
        again = f"it held on the reference, and later it did not: {fickle[name]}" if name in fickle else verdict.message
        kind = "wrong" if name in fickle else verdict.kind
        say(test=name, todo=ON_REFERENCE, verdict=kind, message=again[:3000])
    for answer in bank(lab):
        killed = kills.get(answer.name, set()) - fickle.keys()
        alive = "" if killed else f"Still alive: {answer.mistake}"
        say(test=answer.name, todo=answer.todo, verdict="pass" if killed else "wrong", message=alive)
    remarks = [] if properties else ["the file defines no function whose name starts with check_"]
    remarks += [f"time ran out before {late} of the wrong answers were tried"] if late else []
    say(done=0, misconceptions={}, remark="; ".join(remarks))


def _rounds(lab: Lab, good: Mapping[str, Property], until: float) -> tuple[dict[str, str], dict[str, set[str]], int]:
    """Return the messages of properties that fail on the reference later; who killed whom; how many were not tried.

    The order is random, and the reference is among the wrong answers: counting calls does not tell which is which.
    """
    fickle: dict[str, str] = {}
    kills: dict[str, set[str]] = {}
    late = 0
    for answer, implementation in _in_any_order(lab, [*bank(lab), *[None] * (1 + len(bank(lab)) // _ONCE_MORE)]):
        late += answer is not None and time.monotonic() > until
        for name, check in good.items() if time.monotonic() <= until else ():
            found = judge(check, implementation())
            if found.kind != "pass" and answer is None:
                fickle[name] = found.message
            elif found.kind != "pass" and answer is not None:
                kills.setdefault(answer.name, set()).add(name)
    return fickle, kills, late


def _in_any_order(
    lab: Lab, answers: Sequence[WrongAnswer | None]
) -> Iterator[tuple[WrongAnswer | None, Callable[[], Functions]]]:
    """Yield these wrong answers, and None for the reference, each with a function that loads it anew."""
    with tempfile.TemporaryDirectory() as folder:
        for answer in random.SystemRandom().sample(answers, len(answers)):
            path = Path(folder) / f"{answer.name}.py" if answer else lab.solution
            if answer:
                path.write_text(answer.submission(), encoding="utf-8")
            yield answer, lambda path=path: implementation_of(lab, path)  # type: ignore[misc]
