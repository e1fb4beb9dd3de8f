"""What a file of properties is worth: which of them hold on the reference, and which wrong answers those kill."""

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
from course.teaching.grading.properties.behind_the_pipe import properties_of

ON_REFERENCE = 0
"""The number, in place of a TODO's, under which stands what a property says of the reference."""

_ONCE_MORE = 5
"""Every so many wrong answers there is the reference once more, where nobody knows of it."""

_BEFORE = 3
"""So many wrong answers come before the reference. A property that takes down what the first one does, to compare the
others with it, has taken down mistakes, and does not hold on the reference."""

Say = Callable[..., None]
"""Writes down one finding, or that all is done."""


def grade_properties(lab: Lab, text: str, folder: Path, sandbox: Sandbox | None, total_s: float, say: Say) -> None:
    """Say ``pass`` or ``wrong`` of each property on the reference, and of each wrong answer whether it was killed."""
    with ExitStack() as stack:
        try:
            properties = stack.enter_context(properties_of(lab, text, folder, sandbox))
        except (Exception, SystemExit, TimeLimit) as error:
            cause = re.sub(r"\S*/stage-[0-9a-f]+/", "", f"{type(error).__name__}: {error!s:.300}")
            return say(done=0, misconceptions={}, remark=f"the file does not load: {cause}")
        _judge_all(lab, properties, time.monotonic() + total_s, say)


def _judge_all(lab: Lab, properties: Mapping[str, Property], until: float, say: Say) -> None:
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
        say(test=name, todo=ON_REFERENCE, verdict=kind, story=again[:3000], loaded=True)
    for answer in bank(lab):
        killed = kills.get(answer.name, set()) - fickle.keys()
        story = "" if killed else f"Still alive: {answer.story}"
        say(test=answer.name, todo=answer.todo, verdict="pass" if killed else "wrong", story=story, loaded=True)
    remarks = [] if properties else ["the file defines no function whose name begins with check_"]
    remarks += [f"time ran out before {late} of the wrong answers were tried"] if late else []
    say(done=0, misconceptions={}, remark="; ".join(remarks))


def _rounds(lab: Lab, good: Mapping[str, Property], until: float) -> tuple[dict[str, str], dict[str, set[str]], int]:
    """Properties that change their mind about the reference, with what they said; who killed whom; what was not tried.

    The order is another one each time, and the reference is among the wrong answers: a property that counts its calls
    does not know which is which.
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
    """These wrong answers, and None for the reference, each with what loads it anew."""
    with tempfile.TemporaryDirectory() as folder:
        for answer in random.SystemRandom().sample(answers, len(answers)):
            path = Path(folder) / f"{answer.name}.py" if answer else lab.solution
            if answer:
                path.write_text(answer.submission(), encoding="utf-8")
            yield answer, lambda path=path: implementation_of(lab, path)  # type: ignore[misc]
