"""Counting outcomes by lab and by TODO, and saying them in a line."""

import hashlib
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from course.student.core.catalog import Lab
from course.student.core.hints import lab_data
from course.student.core.starters import is_edited
from course.student.run.outcomes import Outcome

WORDS = {"pass": "passed", "wrong": "wrong", "todo": "todo"}


class Tally:
    """The outcomes of a run."""

    def __init__(self) -> None:
        self.outcomes: list[Outcome] = []
        self.blamed: dict[int, int] = {}
        """In a chain: lab number to the number of an earlier lab of the student's that fails its own tests."""

    def of(self, lab: Lab) -> list[Outcome]:
        """The outcomes of one lab's tests."""
        return [outcome for outcome in self.outcomes if outcome.lab == lab.number]

    def counts(self, labs: Sequence[Lab]) -> Counter[str]:
        """How many tests passed, were wrong, are not written yet."""
        numbers = {lab.number for lab in labs}
        return Counter(outcome.verdict for outcome in self.outcomes if outcome.lab in numbers)

    def in_words(self, labs: Sequence[Lab]) -> str:
        """``7 passed, 1 wrong, 4 todo``."""
        counts = self.counts(labs)
        return ", ".join(f"{counts[verdict]} {word}" for verdict, word in WORDS.items())

    def next_todo(self, lab: Lab) -> str:
        """What to do next in this lab, empty if nothing is: ``TODO 3, advance``."""
        open_outcomes = [outcome for outcome in self.of(lab) if outcome.verdict != "pass"]
        if not open_outcomes:
            return ""
        if not all(outcome.loaded for outcome in open_outcomes):
            return "the error above, for the file does not load"
        elsewhere = sorted({outcome.at_fault for outcome in open_outcomes} - {lab.number})
        elsewhere += [self.blamed[lab.number]] if lab.number in self.blamed else []
        if elsewhere:
            return f"your lab {elsewhere[0]:02}, on which this one stands"
        number = min(outcome.waits_for or outcome.todo for outcome in open_outcomes)
        return f"TODO {number}, {lab_data(lab).todos[number].function}"


def after(lab: Lab, todo: int | None) -> str:
    """What to do when everything passes: the next TODO behind a run of one, else the lab's own end."""
    if todo is not None and todo + 1 in lab_data(lab).todos:
        return f"next: TODO {todo + 1}, {lab_data(lab).todos[todo + 1].function}"
    number = f"{lab.number:02}"
    if todo:
        return f"next: the whole lab, python -m course test {number}"
    return f"done! next: python -m course {f'diff {number}' if lab.has_reference else 'next'}"


def describe_file(path: Path, lab: Lab | None) -> str:
    """A file with what identifies its state: ``starter.py (3f2a91c, edited 14:02)``."""
    try:
        content = path.read_bytes()
        edited = time.localtime(path.stat().st_mtime)
    except OSError as error:
        return f"{path.name} ({error.strerror})"
    digest = hashlib.sha1(content, usedforsecurity=False).hexdigest()[:7]
    if lab is not None and path == lab.starter and not is_edited(lab):
        return f"{path.name} ({digest}, not edited yet)"
    if lab is not None and path == lab.solution:
        return f"{path.name} ({digest})"
    today = time.strftime("%Y-%m-%d") == time.strftime("%Y-%m-%d", edited)
    return f"{path.name} ({digest}, edited {time.strftime('%H:%M' if today else '%Y-%m-%d %H:%M', edited)})"
