"""A graded class, as every report sees it, and what the terminal shows of it."""

import statistics
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.text import Text

from course.student.core.catalog import Lab
from course.student.core.hints import Todo, lab_data
from course.teaching.grading.names import shown, visible
from course.teaching.grading.scoring import Grade, money


@dataclass(frozen=True)
class Classroom:
    """The grades by student, in the order of names; what confined the submissions; what else must be said."""

    lab: Lab
    grades: Mapping[str, Grade]
    confined_by: str
    warnings: tuple[str, ...] = ()
    ignored: tuple[str, ...] = ()

    @property
    def todos(self) -> Mapping[int, Todo]:
        """The lab's TODOs."""
        return lab_data(self.lab).todos

    @property
    def max_score(self) -> int:
        """In hundredths."""
        return 100 * sum(todo.points for todo in self.todos.values())

    def remarks(self, grade: Grade) -> list[str]:
        """Return what every report of a student must repeat."""
        return [*self.warnings, *filter(None, [grade.remark])]

    def distribution(self) -> list[tuple[str, int]]:
        """Return ten ranges of the score, and how many students are in each."""
        top = self.max_score
        found = Counter(min(9, 10 * grade.score // top) for grade in self.grades.values())
        return [(f"{money(top * part // 10)} to {money(top * (part + 1) // 10)}", found[part]) for part in range(10)]

    @property
    def in_numbers(self) -> str:
        """The class in one line; empty where there is no student."""
        if not self.grades:
            return ""
        scores = [grade.score for grade in self.grades.values()]
        middle, mean = money(round(statistics.median(scores))), money(round(statistics.mean(scores)))
        full, idle = scores.count(self.max_score), sum(not grade.ran for grade in self.grades.values())
        return f"median {middle}, mean {mean}; {full} with all points, {idle} of which no test could run"

    def failed_tests(self) -> list[tuple[str, int, int, int]]:
        """Return tests with their TODO, how many files are wrong, and how many lack it; the most often wrong first.

        Files of which no test ran are not counted: they would add the same number everywhere.
        """
        found: dict[tuple[str, int], Counter[str]] = {}
        for grade in self.grades.values():
            for outcome in grade.outcomes if grade.ran else ():
                if outcome.state in ("wrong", "todo", "missing"):
                    found.setdefault((outcome.test, outcome.todo), Counter())[outcome.state] += 1
        rows = [(*test, of["wrong"] + of["missing"], of["todo"]) for test, of in found.items()]
        return sorted(rows, key=lambda row: (-row[2], -row[3], row[1]))

    def misconceptions(self) -> list[tuple[str, int, int]]:
        """Return known mistakes with their TODO and how many make them; the most frequent first."""
        grades = self.grades.values()
        found = Counter((mistake, todo) for grade in grades for todo, mistake in grade.misconceptions.items())
        return [(mistake, todo, count) for (mistake, todo), count in found.most_common()]


def many(submissions: int) -> str:
    """Return a number of submissions, in words.

    >>> many(1), many(400)
    ('1 submission', '400 submissions')
    """
    return f"{submissions} submission{'' if submissions == 1 else 's'}"


def summary(console: Console, room: Classroom, folder: Path | None) -> None:
    """Print the distribution, the remarks, and where the reports are: ``folder``, or None if there are none."""
    for warning in room.warnings:
        console.print(Text(warning, "bold red"))
    console.print(f"points (of {money(room.max_score)}): {room.in_numbers}".removesuffix(": "))
    for label, count in room.distribution():
        console.print(f"  {label:>16}  {count:4}  {'#' * round(40 * count / max(1, len(room.grades)))}".rstrip())
    for student, grade in room.grades.items():
        if grade.remark:
            console.print(Text(f"  {shown(student)}: {visible(grade.remark)}", "yellow"))
    if room.ignored:
        listed = ", listed in index.html" if folder else ""
        console.print(f"{len(room.ignored)} other file{'s were' if len(room.ignored) > 1 else ' was'} ignored{listed}")
    where = f"{folder / 'grades.csv'}, {folder / 'index.html'}" if folder else "records only; run without --shard"
    console.print(Text(f"{many(len(room.grades))} graded: {where}"))
