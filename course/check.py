"""``python -m course check``: everything that a change must pass, one step a line."""

import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import chain
from pathlib import Path

from rich.console import Console

from course import notebooks, sync
from course.bank_rules import problems_of
from course.batch import grade_many
from course.catalog import ROOT, Lab, all_labs
from course.wrong_answers import bank

Step = Callable[[], str]
"""A step gives what is wrong, or an empty string."""

_CHUNK = 12
"""Files that one grading process takes, so that two processes share the work evenly."""

_TYPED = ("__init__.py", "solution.py", "probes.py")


def _run(*command: str) -> str:
    done = subprocess.run([sys.executable, "-m", *command], cwd=ROOT, capture_output=True, text=True, check=False)
    return "" if done.returncode == 0 else (done.stdout + done.stderr).strip() or f"exit status {done.returncode}"


def _lint() -> str:
    return _run("ruff", "check", ".") or _run("ruff", "format", "--check", ".")


def _types() -> str:
    typed = [str(file) for lab in all_labs() for file in sorted(lab.folder.glob("*.py")) if file.name in _TYPED]
    return _run("mypy", "labkit", "course", *typed)


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


def _bank_holds() -> str:
    """Every wrong answer, in process and through the pipe: caught as the rules say, and alike in both."""
    return "\n".join(problem for lab in all_labs() for problem in bank_problems(lab))


def bank_problems(lab: Lab) -> list[str]:
    """Broken rules of the lab's bank, and where the pipe and the process differ, over bank, reference and starter."""
    answers = bank(lab)
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(2) as pool:
        files = [Path(folder) / f"{answer.name}.py" for answer in answers]
        for file, answer in zip(files, answers, strict=True):
            file.write_text(answer.submission(), encoding="utf-8")
        files += [lab.solution, lab.starter]
        chunks = [files[start : start + _CHUNK] for start in range(0, len(files), _CHUNK)]
        jobs = [(chunk, pipe) for pipe in (False, True) for chunk in chunks]
        found = list(pool.map(lambda job: grade_many(lab, job[0], pipe=job[1]), jobs))
    inside, piped = (list(chain.from_iterable(each)) for each in (found[: len(chunks)], found[len(chunks) :]))
    differ = [
        f"{lab.label}, {file.name}: {here.test} is {here.verdict} in process and {there.verdict} through the pipe"
        for file, *results in zip(files, inside, piped, strict=True)
        for here, there in zip(*results, strict=True)
        if (here.test, here.verdict) != (there.test, there.verdict)
    ]
    return problems_of(lab, answers, inside[: len(answers)]) + differ


STEPS: dict[str, Step] = {
    "lint and format": _lint,
    "types": _types,
    "examples in docstrings": _doctests,
    "generated files in step": _generated,
    "pristine starters pass nothing": _starters_pass_nothing,
    "the bank is caught, and the pipe agrees": _bank_holds,
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
