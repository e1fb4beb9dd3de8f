"""The command ``grade``: from a folder of submissions to a folder of reports."""

import os
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.text import Text

from course.isolation import sandbox
from course.isolation.sandbox import Backend, Limits, NoSandbox
from course.student.core.catalog import Lab, find_lab
from course.teaching.grading import intake
from course.teaching.grading.handed_in import FILE, Submission
from course.teaching.grading.job import UNSAFE, Job, Rules, hash_of_tests
from course.teaching.grading.local import Local, Record
from course.teaching.grading.plan import Plan, make_plan
from course.teaching.grading.reports.classroom import Classroom, Row
from course.teaching.grading.reports.terminal import many, summary
from course.teaching.grading.reports.writing import write_reports
from course.teaching.grading.scoring import Grade, score, ungraded
from course.teaching.grading.store import Store

_WARNING = "UNSAFE: graded without a sandbox (--unsafe). A hostile submission may have done anything on this machine."

_MANY = 50
"""Gradings, and more, of which each tenth is told where there is no terminal."""


class Executor(Protocol):
    """Runs jobs somewhere."""

    def run(self, jobs: Sequence[Job]) -> Iterator[tuple[Job, Record]]:
        """Each job with its record, as they are done."""

    def close(self) -> None:
        """End what it started."""


@dataclass(frozen=True)
class Options:
    """What the command line says beside SUBMISSIONS, ``--lab`` and ``--out``."""

    sandbox: str | None = None
    unsafe: bool = False
    jobs: int | None = None
    shard: str = ""
    seed: int | None = None
    test_s: float = 10.0
    total_s: float = 120.0
    memory_mib: int = 2048
    executor: str = "local"
    address: str = ""


def run_grade(console: Console, submissions: Path, lab_name: str, out: Path, options: Options) -> int:
    """Grade a class.

    Returns:
        0 if every submission was graded, whatever it is worth; 1 if the grader failed on one.

    Raises:
        ValueError: for input that is not to be graded, naming it; and if this machine confines nothing, or not in the
            way that was asked for, with how to get a sandbox.
    """
    with sitting(console, submissions, lab_name, out, options) as held:
        console.print(Text(f"{held.lab.label}: {many(held.everybody)}, confined by {held.confined_by}"))
        plan = make_plan(held.lab, held.rules, lambda jobs: held.grading.records("reference and controls", jobs))
        grades = _grades(held, plan)
    rows = tuple(Row(one.student, grades[one.student]) for one in held.mine)
    room = Classroom(held.lab, rows, held.confined_by, held.warnings, held.ignored)
    if held.whole:
        write_reports(held.folder, room)
    summary(console, room, held.folder if held.whole else None)
    return 1 if held.grading.faults else 0


@dataclass(frozen=True)
class Sitting:
    """A class while it is graded.

    Attributes:
        warnings: what every report must repeat.
        ignored: paths of other files that were handed in.
        everybody: how many students handed in.
        mine: those of them that this run is for.
        whole: whether that is everybody; False for a shard.
        folder: of the results.
    """

    lab: Lab
    rules: Rules
    confined_by: str
    warnings: tuple[str, ...]
    ignored: tuple[str, ...]
    everybody: int
    mine: Sequence[Submission]
    whole: bool
    folder: Path
    grading: "Grading"

    def records(self) -> dict[str, Record]:
        """The records of this run's submissions, by student; none of a file that could not be read."""
        jobs = {one.student: Job(self.rules, one.text) for one in self.mine if one.text is not None}
        records = self.grading.records("submissions", list(jobs.values()))
        return {student: records[job.key] for student, job in jobs.items()}


@contextmanager
def sitting(
    console: Console,
    submissions: Path,
    lab_name: str,
    out: Path,
    options: Options,
    exercise: str = "",
    file: str = FILE,
) -> Iterator[Sitting]:
    """What every exercise has in common: its input is read and checked, and its executor ended whatever happens.

    Raises:
        ValueError: see ``run_grade``.
    """
    if not hasattr(os, "fork"):
        raise ValueError("grade needs a system that can fork: on Windows use it inside WSL2 (wsl --install)")
    lab = find_lab(lab_name)
    rules, confined_by = _rules(lab, options, exercise)
    part, parts = shard(options.shard)
    if out.resolve().is_relative_to(submissions.resolve()):
        raise ValueError(f"{out} lies in {submissions}: results there would be taken for submissions")
    found = intake.read(submissions, file)
    store = Store(out, lab, exercise)
    grading = Grading(console, store, executor_of(options))
    warnings = (_WARNING,) if options.unsafe else ()
    mine, everybody = found.submissions[part - 1 :: parts], len(found.submissions)
    about = (warnings, found.ignored, everybody, mine, parts == 1, store.folder, grading)
    try:
        yield Sitting(lab, rules, confined_by, *about)
    except KeyboardInterrupt:
        console.print(Text(f"stopped; what is graded is kept in {store.folder}, and the same command goes on there"))
        raise
    finally:
        grading.executor.close()


def _rules(lab: Lab, options: Options, exercise: str) -> tuple[Rules, str]:
    if options.unsafe and options.sandbox:
        raise ValueError("--unsafe and --sandbox contradict each other: leave one out")
    backend = None if options.unsafe else _backend(options.sandbox)
    seconds = max(1, round(options.total_s + options.test_s))
    limits = Limits(cpu_s=seconds, wall_s=2.0 * seconds, memory_bytes=options.memory_mib << 20)
    name = backend.name if backend else UNSAFE
    rules = Rules(
        lab.number, name, options.test_s, options.total_s, limits, options.seed, hash_of_tests(lab, exercise), exercise
    )
    return rules, backend.describe() if backend else "nothing"


def _backend(name: str | None) -> Backend:
    try:
        return sandbox.choose(name)
    except NoSandbox as error:
        raise ValueError(str(error)) from error


def shard(text: str) -> tuple[int, int]:
    """Which part of how many.

    Raises:
        ValueError: for anything that is no part.

    >>> shard("3/10"), shard("")
    ((3, 10), (1, 1))
    """
    found = re.fullmatch(r"([0-9]{1,6})/([0-9]{1,6})", text or "1/1")
    if not found or not 1 <= int(found[1]) <= int(found[2]):
        raise ValueError(f"--shard {text!r} is no part like 3/10, from 1/10 to 10/10")
    return int(found[1]), int(found[2])


def executor_of(options: Options) -> Executor:
    """What runs the jobs."""
    if options.executor == "local":
        if options.address:
            raise ValueError("--address is for --executor dask")
        return Local(options.jobs)
    if options.executor != "dask":
        raise ValueError(f"--executor {options.executor!r}: there are local and dask")
    from course.teaching.grading.cluster import Cluster

    return Cluster(options.address)


class Grading:
    """Finds records, and has those made that are not there."""

    def __init__(self, console: Console, store: Store, executor: Executor) -> None:
        self._console, self._store, self.executor = console, store, executor
        self.faults = 0

    def records(self, what: str, jobs: Sequence[Job]) -> dict[str, Record]:
        """The records of jobs by key."""
        missing = self._store.missing(jobs)
        found = {}
        for job, record in self._watched(what, missing, len({job.key for job in jobs})):
            found[job.key] = record
            if record.get("fault"):
                self.faults += 1
                self._console.print(Text(record["ended"], "bold red"))
            else:
                self._store.put(job, record)
        return {job.key: found.get(job.key) or self._store.get(job) or {} for job in jobs}

    def _watched(self, what: str, missing: Sequence[Job], total: int) -> Iterator[tuple[Job, Record]]:
        """With a counter on a terminal, else with plain lines: the beginning, and each tenth."""
        text = f"{what}: {len(missing)} of {total} to grade" if missing else f"{what}: all {total} graded before"
        done = self.executor.run(missing) if missing else iter(())
        if not self._console.is_terminal:
            self._console.print(text)
            for number, each in enumerate(done, start=1):
                yield each
                if len(missing) >= _MANY and 10 * number // len(missing) > 10 * (number - 1) // len(missing):
                    self._console.print(f"{what}: {number} of {len(missing)}")
            return
        columns = (
            TextColumn("{task.description}, {task.completed} done"),
            *(BarColumn(), TimeElapsedColumn(), TextColumn("left:"), TimeRemainingColumn()),
        )
        with Progress(*columns, console=self._console, transient=True) as progress:
            yield from progress.track(done, total=len(missing), description=text)


def _grades(held: Sitting, plan: Plan) -> dict[str, Grade]:
    graded = {student: score(plan, record) for student, record in held.records().items()}
    grades = {one.student: graded.get(one.student) or ungraded(plan, one.problem) for one in held.mine}
    return {one.student: _with_note(grades[one.student], one.note) for one in held.mine}


def _with_note(grade: Grade, note: str) -> Grade:
    return replace(grade, remark="; ".join(filter(None, (note, grade.remark))))
