"""In a chain of the student's own labs: which earlier ones, on which a failing lab stands, fail tests of their own."""

import re
from dataclasses import dataclass
from pathlib import Path

from course.student.core.catalog import Lab, find_lab
from course.student.core.hints import lab_data
from course.student.core.implementation import Implementation
from course.student.run.batch import TestResult, grade_many

_IMPORT = re.compile(r"^\s*(?:from|import)\s.*\b(lab_\d\d_\w+)", re.M)


@dataclass(frozen=True)
class Suspect:
    """An earlier lab of the student's that does not pass its own tests: the first test that says so."""

    lab: Lab
    found: TestResult

    def __str__(self) -> str:
        number = f"{self.lab.number:02}"
        if not self.found.loaded:
            return f"Your lab {number} does not load: {self.found.message}. Begin there: python -m course test {number}"
        todo = lab_data(self.lab).todos[self.found.todo]
        state = "is not written yet" if self.found.verdict == "todo" else "fails its own tests"
        return (
            f"Your lab {number}, on which this one stands, is not right itself: TODO {todo.number}, {todo.function}, "
            f"{state}. Begin there: python -m course test {number}"
        )


def suspects(implementation: Implementation, lab: Lab) -> list[Suspect]:
    """The earlier labs that this one imports, directly or not, and that fail tests of their own, first lab first."""
    files = implementation.chain_files(lab)
    found = []
    for earlier in sorted(_imported(lab, files) - {lab}):
        results = grade_many(earlier, [files[earlier.number]], most_failures=1)[0]
        failed = [result for result in results if result.verdict != "pass"]
        found += [Suspect(earlier, failed[0])] if failed else []
    return found


def _imported(lab: Lab, files: dict[int, Path]) -> set[Lab]:
    """The labs with a file of the student's that are reached from this one by its files' imports."""
    reached, waiting = set[Lab](), [lab]
    while waiting:
        this = waiting.pop()
        if this in reached or this.number not in files:
            continue
        reached.add(this)
        text = files[this.number].read_text(encoding="utf-8", errors="replace")
        waiting += [find_lab(name) for name in _IMPORT.findall(text)]
    return reached
