"""Gradescope's autograder: a zip with two scripts, the grader and the labs up to one, and what runs in its image.

There ``plan`` runs when the image is made, ``grade`` for each submission. Where the grader itself fails there is no
results.json, and Gradescope tells the instructor.
"""

import sys
import zipfile
from collections.abc import Sequence
from contextlib import closing
from io import BytesIO
from pathlib import Path

from rich.console import Console
from rich.text import Text

from course.isolation import sandbox
from course.isolation.sandbox import Limits
from course.isolation.submitted import FILE, Submission, with_helpers
from course.student.core.catalog import ROOT, Lab, find_lab
from course.student.core.import_closure import closure
from course.teaching.grading import intake
from course.teaching.grading.job import UNSAFE, GradingRules, Job, Record, Store, write
from course.teaching.grading.local import Local
from course.teaching.grading.plan import Plan, make_plan
from course.teaching.grading.reports import Classroom, results
from course.teaching.grading.scoring import score, ungraded
from course.teaching.grading.trusted_base import hash_of_tests, trusted_base

LIMITS = Limits(cpu_s=120, wall_s=480.0, memory_bytes=640 << 20)
"""By default Gradescope gives a submission 768 MB, half a core, and ten minutes by the clock."""

_SCRIPTS = ("setup.sh", "run_autograder")
_SETTINGS = ("*.txt", "requirements/*.txt", "*.toml", "LICENSE")


def write_archive(console: Console, lab: Lab, out: Path) -> int:
    """Write the zip that an instructor uploads, print what to do with it, and return 0.

    Raises:
        ValueError: if it cannot be written, or the lab has no reference here.
    """
    if not lab.has_reference:
        raise ValueError(f"{lab.label}: this copy of the course does not hold its reference")
    made = BytesIO()
    with zipfile.ZipFile(made, "w") as files:
        for name, content in sorted(contents(lab).items()):
            entry = zipfile.ZipInfo(name)  # all have one time, so that the same course gives the same zip
            entry.external_attr = (0o100755 if name in _SCRIPTS else 0o100644) << 16
            files.writestr(entry, content, zipfile.ZIP_DEFLATED)
    try:
        write(out, made.getvalue())
    except OSError as error:
        raise ValueError(f"{out} cannot be written: {error.strerror}") from error
    console.print(Text(f"wrote {out} ({out.stat().st_size:,} bytes): upload it under Configure Autograder"))
    return 0


def contents(lab: Lab) -> dict[str, bytes]:
    """Return the files by their names in the zip: what is imported here, what a verdict depends on, and settings."""
    paths = closure([Path(__file__)]) | trusted_base(lab)
    folders = {path.parent / "templates" for path in paths}
    paths |= {path for folder in folders if folder.is_dir() for path in folder.iterdir()}
    paths |= {path for pattern in _SETTINGS for path in ROOT.glob(pattern)}
    found = {path.relative_to(ROOT).as_posix(): path.read_bytes() for path in paths}
    scripts = {name: (Path(__file__).parent / "templates" / name).read_bytes() for name in _SCRIPTS}
    return {**found, **scripts, "lab": f"{lab.number:02}\n".encode()}


def main() -> int:
    """Run ``plan ROOT`` or ``grade ROOT``."""
    what, root = sys.argv[1], Path(sys.argv[2]).resolve()
    lab = find_lab((root / "source" / "lab").read_text(encoding="utf-8").strip())
    try:
        if what == "plan":
            plan = planned(root, lab)
            print(f"{lab.label}: {len(plan.todo_of)} tests, {len(plan.free)} of which earn nothing alone")
            return 0
        return grade(root, lab)
    except (ValueError, OSError, sandbox.NoSandbox) as error:
        print(f"not graded: {error}", file=sys.stderr)
        return 1


def planned(root: Path, lab: Lab) -> Plan:
    """Find out what the lab's tests are; what was graded for that when the image was made is found again.

    It is trusted code, and is not confined: an image under construction may confine nothing.
    """
    store = Store(root / "plan", lab)

    def run(jobs: Sequence[Job]) -> dict[str, Record]:
        if missing := store.missing(jobs):
            with closing(Local()) as executor:
                for job, record in executor.run(missing):
                    store.put(job, record)
        return {job.key: store.get(job) or {} for job in jobs}

    return make_plan(lab, _rules(lab, UNSAFE), run)


def grade(root: Path, lab: Lab) -> int:
    """Grade the one submission and write ``results/results.json``.

    Raises:
        NoSandbox: if this machine offers none.
        ValueError: if the grader fails.
    """
    backend = sandbox.choose()
    rules, plan = _rules(lab, backend.name), planned(root, lab)
    one = submitted(root / "submission", lab)
    result = ungraded(plan, one.problem)
    if one.text is not None:
        with closing(Local(1)) as executor:
            record = next(executor.run([Job(rules, one.text, one.beside)]))[1]
        if record.get("fault"):
            raise ValueError(record["ended"])
        result = score(plan, record, one.note)
    room = Classroom(lab, {"the submission": result}, backend.describe())
    write(root / "results" / "results.json", results(room, result))
    return 0


def submitted(folder: Path, lab: Lab) -> Submission:
    """Return the submitted file, by itself or in a folder of its own; ``starter.py`` before any other.

    Files that it imports lie beside it.
    """
    try:
        those = intake.read(folder, FILE, lab).submissions
    except ValueError:
        those = ()
    found = [one for one in those if one.student == FILE[:-3]] or [one for one in those if not one.problem]
    if len(found) == 1:
        beside = {f"{one.student}.py": one for one in those}
        return found[0] if found[0].beside else with_helpers(found[0], lab, beside.get)
    return Submission("", None, f"submit one file, {FILE}: there are {len(found)} Python files")


def _rules(lab: Lab, name: str) -> GradingRules:
    return GradingRules(lab.number, name, 20.0, 150.0, LIMITS, None, hash_of_tests(lab))


if __name__ == "__main__":
    sys.exit(main())
