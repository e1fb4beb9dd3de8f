"""A graded class, as every report sees it."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from course.catalog import Lab
from course.grading import names
from course.grading.scoring import Grade, money
from course.hints import Todo, lab_data


@dataclass(frozen=True)
class Row:
    """One student's grade."""

    student: str
    grade: Grade

    @property
    def shown(self) -> str:
        """The name, without anything that acts."""
        return names.shown(self.student)

    @property
    def file(self) -> str:
        """The name of this student's files."""
        return names.file_name(self.student)


@dataclass(frozen=True)
class Classroom:
    """The rows in the order of names, what confined the submissions, and what else must be said."""

    lab: Lab
    rows: tuple[Row, ...]
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

    def distribution(self) -> list[tuple[str, int]]:
        """Ten ranges of the score, and how many students are in each."""
        top = self.max_score
        found = Counter(min(9, 10 * row.grade.score // top) for row in self.rows)
        return [(f"{money(top * part // 10)} to {money(top * (part + 1) // 10)}", found[part]) for part in range(10)]

    def failed_tests(self) -> list[tuple[str, int, int]]:
        """Tests that somebody's file fails, with their TODO and how many; the most frequent first."""
        found = Counter(
            (outcome.test, outcome.todo)
            for row in self.rows
            for outcome in row.grade.outcomes
            if outcome.state in ("wrong", "todo", "missing")
        )
        return [(test, todo, count) for (test, todo), count in found.most_common()]

    def misconceptions(self) -> list[tuple[str, int, int]]:
        """Known mistakes with their TODO and how many make them; the most frequent first."""
        found = Counter((story, todo) for row in self.rows for todo, story in row.grade.misconceptions.items())
        return [(story, todo, count) for (story, todo), count in found.most_common()]
