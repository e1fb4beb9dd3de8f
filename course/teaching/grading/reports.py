"""A graded class, and its reports: the terminal, ``grades.csv``, ``results.json``, and a page for each student.

Everything that comes from a submission is escaped.
"""

import csv
import io
import json
import statistics
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import jinja2
from rich.console import Console
from rich.text import Text

from course.student.core.catalog import Lab
from course.student.core.hints import Todo
from course.student.core.trace import visible
from course.teaching.grading.job import write
from course.teaching.grading.names import cell, doubts, file_name, shown, visible_lines
from course.teaching.grading.scoring import STATES, Grade, ScoredTest, money

_LONGEST = 4000
_MOST = 10
"""How many lines of a list the terminal shows."""

_SHOWN = {"output_format": "text", "visibility": "visible"}


@dataclass(frozen=True)
class Classroom:
    """The grades by student, in the order of names; what confined the submissions; what else must be said."""

    lab: Lab
    todos: Mapping[int, Todo]
    grades: Mapping[str, Grade]
    confined_by: str
    warnings: tuple[str, ...] = ()
    ignored: tuple[str, ...] = ()

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

    def failed_tests(self) -> list[tuple[str, int]]:
        """Return tests, and how many files are wrong in each; the most often wrong first.

        Files of which no test ran are not counted: they would add the same number everywhere.
        """
        ran = [grade for grade in self.grades.values() if grade.ran]
        wrong = [one for grade in ran for one in grade.outcomes if one.state in ("wrong", "missing")]
        return Counter(f"TODO {one.todo}: {one.test}" for one in wrong).most_common()

    def misconceptions(self) -> list[tuple[str, int]]:
        """Return known mistakes, and how many make them; the most frequent first."""
        made = [one for grade in self.grades.values() for one in grade.misconceptions.items()]
        return Counter(f"TODO {todo}: {mistake}" for todo, mistake in made).most_common()


def many(submissions: int) -> str:
    """Return a number of submissions, in words: ``1 submission``."""
    return f"{submissions} submission{'' if submissions == 1 else 's'}"


def summary(console: Console, room: Classroom, folder: Path | None) -> None:
    """Print the class in numbers, and where the reports are: ``folder``, or None if there are none."""
    for warning in room.warnings:
        console.print(Text(warning, "bold red"))
    console.print(f"points (of {money(room.max_score)}): {room.in_numbers}".removesuffix(": "))
    for label, count in room.distribution():
        console.print(f"  {label:>16}  {count:4}  {'#' * round(40 * count / max(1, len(room.grades)))}".rstrip())
    lists = {
        "known mistakes, and how many make them": [f"{count:4}  {what}" for what, count in room.misconceptions()],
        "tests that most files fail": [f"{count:4}  {test}" for test, count in room.failed_tests()],
        "names to look at twice": doubts(room.grades),
        "files that were ignored": list(room.ignored),
    }
    for heading, found in lists.items():
        more = [f"and {len(found) - _MOST} more"] if len(found) > _MOST else []
        for line in [f"{heading}:", *(f"  {one}" for one in [*found[:_MOST], *more])] if found else []:
            console.print(Text(visible(line)))
    for student, grade in room.grades.items():
        if grade.remark:
            console.print(Text(f"  {shown(student)}: {visible(grade.remark)}", "yellow"))
    where = f"{folder / 'grades.csv'}, {folder / 'students'}" if folder else "records only; run without --shard"
    console.print(Text(f"{many(len(room.grades))} graded: {where}"))


def write_reports(folder: Path, room: Classroom) -> None:
    """Write all reports, and remove pages of students who are no longer in the class."""
    wanted = {"grades.csv": table(room), "results.json": results(room), **dict(pages(room))}
    for path in folder.glob("students/*.html"):
        if path.relative_to(folder).as_posix() not in wanted:
            path.unlink()
    for name, text in wanted.items():
        write(folder / name, text)


def table(room: Classroom) -> str:
    """Return ``grades.csv``: ``student``, ``score``, ``max_score``, a column for each TODO, and ``notes``."""
    rows = [["student", "score", "max_score", *(f"todo_{number}" for number in room.todos), "notes"]]
    for student, grade in room.grades.items():
        points = [money(grade.points[number]) for number in room.todos]
        notes = "; ".join(room.remarks(grade))
        rows.append([cell(student), money(grade.score), money(room.max_score), *points, cell(notes)])
    return as_csv(rows)


def as_csv(rows: list[list[str]]) -> str:
    """Return rows of cells as comma-separated text."""
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows(rows)
    return out.getvalue()


def results(room: Classroom) -> str:
    """Return ``results.json``: in ``submissions``, by student, what Gradescope reads of one, an entry for each TODO."""
    about = {"lab": room.lab.name, "max_score": room.max_score / 100, "ignored": room.ignored}
    found = {student: _submission(room, grade) for student, grade in room.grades.items()}
    return json.dumps({**about, "submissions": found}, indent=1) + "\n"


def _submission(room: Classroom, grade: Grade) -> dict[str, Any]:
    said = [*map(visible, room.remarks(grade)), f"{room.lab.label}. Confined by {room.confined_by}."]
    tests = [_entry(room, grade, number) for number in room.todos]
    return {"score": grade.score / 100, "output": "\n".join(said), **_SHOWN, "tests": tests}


def _entry(room: Classroom, grade: Grade, number: int) -> dict[str, Any]:
    """Say how many tests of a TODO passed, and the other tests' messages, each once."""
    todo, outcomes = room.todos[number], grade.of(number)
    passed, alone = (sum(outcome.state == state for outcome in outcomes) for state in ("passed", "alone"))
    lines = [f"{passed} of {len(outcomes)} tests passed."]
    lines += [f"{alone} more passed, and earn nothing: code that always does the same passes them."] if alone else []
    lines += map(visible_lines, _messages(room.todos[number], grade))
    return {
        "name": f"TODO {number}: {todo.function}",
        "number": str(number),
        "score": grade.points[number] / 100,
        "max_score": float(todo.points),
        "status": "passed" if grade.points[number] == 100 * todo.points else "failed",
        "output": "\n\n".join(lines)[:_LONGEST],
        **_SHOWN,
    }


def pages(room: Classroom) -> Iterator[tuple[str, str]]:
    """Yield a page for each student: its path below the folder of results, and its text."""
    loader = jinja2.FileSystemLoader(Path(__file__).parent)
    strict = jinja2.StrictUndefined
    made = jinja2.Environment(loader=loader, autoescape=True, undefined=strict, trim_blocks=True, lstrip_blocks=True)
    made.filters |= {"points": money, "visible": visible, "lines": visible_lines, "shown": shown}
    made.globals |= {"states": STATES, "room": room}
    for student, grade in room.grades.items():
        # Of a file of which no test ran all tests have the same message, which is shown once.
        messages = {outcome.message for outcome in grade.outcomes}
        once = messages.pop() if not grade.ran and len(messages) == 1 else ""
        about = {"student": student, "grade": grade, "once": once}
        todos = [_part(todo, grade, brief=bool(once)) for todo in room.todos.values()]
        yield f"students/{file_name(student)}.html", made.get_template("student.html").render(about, todos=todos)


def _messages(todo: Todo, grade: Grade) -> dict[str, list[str]]:
    """Return the messages of a TODO's failed tests, each with the tests that it stands for.

    Failures that are alike are shown once, and so are all of a function that makes a known mistake.
    """
    first: dict[str, ScoredTest] = {}
    messages: dict[str, list[str]] = {}
    for outcome in grade.of(todo.number):
        if outcome.brief:
            slip = grade.misconceptions.get(todo.number) or outcome.alike or outcome.brief
            messages.setdefault(first.setdefault(slip, outcome).brief, []).append(outcome.test)
    return messages


def _part(todo: Todo, grade: Grade, brief: bool) -> dict[str, object]:
    """Return what the student's page shows of a TODO: hints where a test failed, messages unless ``brief``."""
    outcomes = grade.of(todo.number)
    return {
        "todo": todo,
        "outcomes": outcomes,
        "messages": {} if brief else _messages(todo, grade),
        "hints": todo.hints if any(outcome.state != "passed" for outcome in outcomes) else (),
        "mistake": grade.misconceptions.get(todo.number, ""),
        "points": grade.points[todo.number],
    }
