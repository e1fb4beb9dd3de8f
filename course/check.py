"""``python -m course check``: everything that a change must pass, one step a line."""

import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from rich.console import Console

from course import notebooks, sync
from course.batch import grade_many
from course.catalog import ROOT, all_labs
from course.wrong_answers import bank

Step = Callable[[], str]
"""A step gives what is wrong, or an empty string."""


def _run(*command: str) -> str:
    done = subprocess.run([sys.executable, "-m", *command], cwd=ROOT, capture_output=True, text=True, check=False)
    return "" if done.returncode == 0 else (done.stdout + done.stderr).strip() or f"exit status {done.returncode}"


def _lint() -> str:
    return _run("ruff", "check", ".") or _run("ruff", "format", "--check", ".")


def _types() -> str:
    return _run(
        "mypy", "-p", "labkit", "-p", "course", "-p", "labs", "--exclude", r"starter\.py|test_lab\.py|walkthrough\.py"
    )


def _doctests() -> str:
    files = [str(lab.solution) for lab in all_labs()]
    return _run("pytest", "-q", "-p", "no:cacheprovider", "--doctest-modules", "labkit", "course", *files)


def _generated() -> str:
    return "\n".join(
        f"{path.relative_to(ROOT)} is out of step: python -m course sync" for path, _ in sync.out_of_step()
    )


def _starters_pass_nothing() -> str:
    passed = [
        f"{lab.label}: the pristine starter passes {result.test}"
        for lab in all_labs()
        for result in grade_many(lab, [lab.starter])[0]
        if result.verdict != "todo"
    ]
    return "\n".join(passed)


def _pipe_agrees() -> str:
    """Every file of the banks, in process and through the pipe."""
    return "\n".join(problem for lab in all_labs() for problem in disagreements(lab.number))


def disagreements(number: int) -> list[str]:
    """Where the pipe and the process differ, over the reference, the starter and the lab's whole bank."""
    import tempfile

    lab = next(lab for lab in all_labs() if lab.number == number)
    with tempfile.TemporaryDirectory() as folder:
        files = [lab.solution, lab.starter]
        for answer in bank(lab):
            files.append(Path(folder) / f"{answer.name}.py")
            files[-1].write_text(answer.submission(), encoding="utf-8")
        inside, piped = grade_many(lab, files), grade_many(lab, files, pipe=True)
    return [
        f"{lab.label}, {file.name}: {a.test} is {a.verdict} in process and {b.verdict} through the pipe"
        for file, here, there in zip(files, inside, piped, strict=True)
        for a, b in zip(here, there, strict=True)
        if (a.test, a.verdict) != (b.test, b.verdict)
    ]


STEPS: dict[str, Step] = {
    "lint and format": _lint,
    "types": _types,
    "examples in docstrings": _doctests,
    "generated files in step": _generated,
    "pristine starters pass nothing": _starters_pass_nothing,
    "the pipe agrees, whole bank": _pipe_agrees,
    "notebooks run again": lambda: "\n".join(notebooks.check_all()),
}


def check(console: Console) -> int:
    """Run every step, also after one has failed; 1 if any has."""
    failed = 0
    for number, (name, step) in enumerate(STEPS.items(), start=1):
        console.print(f"[{number}/{len(STEPS)}] {name} ...", end=" ", markup=False)
        start = time.perf_counter()
        problem = step()
        failed += bool(problem)
        console.print(f"{'FAILED' if problem else 'ok'} ({time.perf_counter() - start:.0f} s)")
        if problem:
            console.print(problem, markup=False, highlight=False)
    console.print(f"{len(STEPS) - failed} passed, {failed} failed")
    return 1 if failed else 0
