"""The command ``grade``, and what all exercises share: the input is read and checked, records are found or made."""

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.text import Text

from course.isolation import sandbox
from course.isolation.rules import MEMORY_MIB, TEST_S, TOTAL_S, limits
from course.isolation.sandbox import NoSandbox
from course.isolation.submitted import FILE, Submission
from course.student.core.catalog import Lab, find_lab
from course.student.core.hints import Todo, lab_data
from course.teaching.grading import intake
from course.teaching.grading.intake import Intake
from course.teaching.grading.job import UNSAFE, GradingRules, Job, Record, Store
from course.teaching.grading.local import Local
from course.teaching.grading.plan import Plan, make_plan
from course.teaching.grading.reports import Classroom, many, summary, write_reports
from course.teaching.grading.scoring import score, ungraded
from course.teaching.grading.trusted_base import hash_of_tests
from course.teaching.progress import watched

WARNING = "UNSAFE: graded without a sandbox (--trust). A hostile submission may have done anything on this machine."


@dataclass(frozen=True)
class Options:
    """What the command line says beside SUBMISSIONS, ``--lab`` and ``--out``."""

    sandbox: str | None = None
    trust: bool = False
    jobs: int | None = None
    shard: str = ""
    seed: int | None = None
    test_s: float = TEST_S
    total_s: float = TOTAL_S
    memory_mib: int = MEMORY_MIB


@dataclass
class GradingSession:
    """A class while it is graded.

    Attributes:
        warnings: what every report must repeat.
        found: the class.
        mine: the submissions that this run is for.
        whole: whether that is all of them; False for a shard.
        faults: on how many submissions the grader itself failed.
    """

    console: Console
    lab: Lab
    rules: GradingRules
    confined_by: str
    warnings: tuple[str, ...]
    found: Intake
    mine: Sequence[Submission]
    whole: bool
    store: Store
    executor: Local
    faults: int = 0

    def of_submissions(self) -> dict[str, Record]:
        """Return the records of this run's submissions, by student; none of a file that could not be read."""
        jobs = {one.student: Job(self.rules, one.text, one.beside) for one in self.mine if one.text is not None}
        records = self.records("submissions", list(jobs.values()))
        return {student: records[job.key] for student, job in jobs.items()}

    def records(self, what: str, jobs: Sequence[Job]) -> dict[str, Record]:
        """Return the records of jobs by key; those that are missing are made."""
        missing, known = self.store.missing(jobs), {job.key for job in jobs}
        text = f"{what}: {len(missing)} to grade, {len(known) - len(missing)} graded before"
        found = {}
        for job, record in watched(self.console, text, self.executor.run(missing), len(missing)):
            found[job.key] = record
            if record.get("fault"):
                self.faults += 1
                self.console.print(Text(record["ended"], "bold red"))
            else:
                self.store.put(job, record)
        return {job.key: found.get(job.key) or self.store.get(job) or {} for job in jobs}


def run_grade(console: Console, submissions: Path, lab_name: str, out: Path, options: Options) -> int:
    """Grade a class: from a folder of submissions to a folder of reports.

    Returns:
        0 if every submission was graded, whatever it is worth; 1 if the grader failed on one.

    Raises:
        ValueError: see ``session``.
    """
    with session(console, submissions, lab_name, out, options) as held:
        plan = make_plan(held.lab, held.rules, lambda jobs: held.records("reference and controls", jobs))
        records = held.of_submissions()
    return finish(held, plan, records, out, lab_data(held.lab).todos)


def finish(
    held: GradingSession, plan: Plan, records: Mapping[str, Record], out: Path, todos: Mapping[int, Todo]
) -> int:
    """Write the reports, say what is in them, and return 1 if the grader failed on a submission."""
    grades = {}
    for one in held.mine:
        record = records.get(one.student)
        grades[one.student] = score(plan, record, one.note) if record else ungraded(plan, one.problem)
    room = Classroom(held.lab, todos, grades, held.confined_by, held.warnings, tuple(held.found.ignored))
    if held.whole:
        write_reports(out, room)
    summary(held.console, room, out if held.whole else None)
    return 1 if held.faults else 0


@contextmanager
def session(
    console: Console,
    submissions: Path,
    lab_name: str,
    out: Path,
    options: Options,
    exercise: str = "",
) -> Iterator[GradingSession]:
    """Read and check the input of an exercise, and end the executor whatever happens.

    Raises:
        ValueError: for input that cannot be graded, naming it; and if this machine does not confine submissions as
            asked for, with how to get a sandbox.
    """
    if not hasattr(os, "fork"):
        raise ValueError("grade needs a system that can fork: on Windows use it inside WSL2 (wsl --install)")
    lab = find_lab(lab_name)
    rules, confined_by = _rules(lab, options, exercise, (submissions, out))
    part = shard(options.shard)
    if out.resolve().is_relative_to(submissions.resolve()):
        raise ValueError(f"{out} lies in {submissions}: results there would be taken for submissions")
    found = intake.read(submissions, f"{exercise}.py" if exercise else FILE, None if exercise else lab)
    store = Store(out, lab, exercise)
    executor = Local(options.jobs)
    warnings = (WARNING,) if options.trust else ()
    try:
        console.print(Text(f"{lab.label}: {many(len(found.submissions))}, confined by {confined_by}"))
        mine, whole = found.submissions[part], part.step == 1
        yield GradingSession(console, lab, rules, confined_by, warnings, found, mine, whole, store, executor)
    except KeyboardInterrupt:
        console.print(Text(f"stopped; what is graded is kept in {out}, and the same command goes on there"))
        raise
    finally:
        executor.close()


def _rules(lab: Lab, options: Options, exercise: str, secret: Sequence[Path]) -> tuple[GradingRules, str]:
    if options.trust and options.sandbox:
        raise ValueError("--trust and --sandbox contradict each other: leave one out")
    try:
        backend = None if options.trust else sandbox.choose(options.sandbox)
    except NoSandbox as error:
        raise ValueError(str(error)) from error
    if exposed := next(filter(None, map(backend.exposes, secret)), "") if backend else "":
        raise ValueError(exposed)
    rules = GradingRules(
        lab.number,
        sandbox=backend.name if backend else UNSAFE,
        test_s=options.test_s,
        total_s=options.total_s,
        limits=limits(options.test_s, options.total_s, options.memory_mib),
        seed=options.seed,
        tests=hash_of_tests(lab, exercise),
        exercise=exercise,
    )
    return rules, backend.describe() if backend else "nothing"


def shard(text: str) -> slice:
    """Return which submissions are in a part of the class.

    Raises:
        ValueError: for a text that names no part.

    >>> shard("3/10"), shard("")
    (slice(2, None, 10), slice(0, None, 1))
    """
    found = re.fullmatch(r"([0-9]{1,6})/([0-9]{1,6})", text or "1/1")
    if not found or not 1 <= int(found[1]) <= int(found[2]):
        raise ValueError(f"--shard {text!r} is no part like 3/10, from 1/10 to 10/10")
    return slice(int(found[1]) - 1, None, int(found[2]))
