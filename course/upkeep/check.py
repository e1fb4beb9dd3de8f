"""``python3 -m course check``: everything that a change must pass, one step a line."""

import os
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, as_completed
from importlib.util import find_spec

from rich.console import Console

from course.student.core.catalog import ROOT, Lab, all_labs
from course.student.core.wrong_answers import bank
from course.student.run.batch import ENGINE, GIVEN, GRADER, ONE_THREAD, SEEN, TELL
from course.student.show.vllm import PYTHON as VLLM
from course.upkeep import lines
from course.upkeep.bank.messages import message_problems
from course.upkeep.bank.rules import coverage_problems, grade_texts, result_problems
from course.upkeep.pages import notebooks
from course.upkeep.sync import out_of_step

ATTACKS = f"{GRADER}/test_attacks.py"

Step = Callable[[], str]
"""A step returns what is wrong, or an empty string."""

_NEEDS_TORCH = ("torch_model", "train")
"""The files of the training that cannot be imported without its extra."""

_TYPED = ("__init__.py", "solution.py", "probes.py", "scene.py", "pictures.py", "bench.py", "score.py")

_NEEDS_EXTRA = ("processor.py", "sampler.py", "backend.py", "walkthrough.py")
"""Of ``bridges/``: their examples run in the bridge's tests, and when its notebook is made."""


def _run(*command: str, python: str = sys.executable) -> str:
    done = subprocess.run([python, "-m", *command], cwd=ROOT, capture_output=True, text=True, check=False)
    return "" if done.returncode == 0 else (done.stdout + done.stderr).strip() or f"exit status {done.returncode}"


def _pytest(*arguments: str) -> str:
    return _run("pytest", "-q", "-p", "no:cacheprovider", *arguments)


def _types() -> str:
    typed = [str(file) for lab in all_labs() for file in sorted(lab.folder.glob("*.py")) if file.name in _TYPED]
    typed += [str(path) for path in sorted((ROOT / "bridges").rglob("*.py")) if path.name != "walkthrough.py"]
    return _run("mypy", "labkit", "mask_engine", "course", "book", *typed)


def _doctests() -> str:
    """Run the examples that ``tests/test_structure.py``, a part of `make test`, leaves out."""
    files = [str(path) for path in sorted((ROOT / "bridges").rglob("*.py")) if path.name not in _NEEDS_EXTRA]
    without = [] if find_spec("torch") else [f"--ignore=course/upkeep/training/{name}.py" for name in _NEEDS_TORCH]
    return _pytest("--doctest-modules", "course", *files, *without)


def _tests(*paths: str) -> str:
    """Run some of the tests that `make test` leaves out, or whose packages it may lack."""
    return _pytest("--impl=solution", *paths)


def _vllm(*, whole: bool) -> str:
    """Run the tests of vLLM's bridge in its own environment; those that start vLLM only in a whole check."""
    if not VLLM.is_file():
        print(f"skipped: there is no {VLLM.relative_to(ROOT)} (bridges/vllm/README.md)")
        return ""
    files = [
        str(path) for path in sorted(ROOT.glob("tests/bridges/test_vllm_*.py")) if whole or "engine" not in path.name
    ]
    options = ("-q", "-n", "0", "-p", "no:cacheprovider", "-W", "ignore", "--impl=solution")
    return _run("pytest", *options, *files, python=str(VLLM))


def bank_problems(lab: Lab, *, whole: bool = False) -> list[str]:
    """Return broken rules of the lab's bank and its messages, where the pipe differs, and what the starter passes.

    Args:
        whole: whether every wrong answer meets every test, in process and through the pipe.
            Otherwise each meets the tests of its own TODO until one fails, and the pipe grades one wrong
            answer of the lab, the reference and the starter.
    """
    answers = bank(lab)
    if not answers:
        return [f"{lab.label} has no wrong answers: solutions/wrong_answers/lab_{lab.number:02}.py"]
    texts = {answer.name: answer.submission() for answer in answers}
    texts |= {file.name: file.read_text(encoding="utf-8") for file in (lab.solution, lab.starter)}
    compared = [*texts] if whole else [answers[0].name, lab.solution.name, lab.starter.name]
    inside, piped = (
        dict(zip(compared, grade_texts(lab, [texts[name] for name in compared], options=options), strict=True))
        for options in ((TELL,), ("--pipe",))
    )
    problems = [
        f"{lab.label}, {name}: {here.test} is {here.verdict} in process and {there.verdict} through the pipe"
        for name in compared
        for here, there in zip(inside[name], piped[name], strict=True)
        if (here.test, here.verdict) != (there.test, there.verdict)
    ]
    starter = inside[lab.starter.name]
    problems += [
        f"{lab.label}: the pristine starter passes {result.test}" for result in starter if result.verdict != "todo"
    ]
    problems += coverage_problems(lab, answers)
    if whole:
        found = [inside[answer.name] for answer in answers]
        return problems + result_problems(answers, found) + message_problems(answers, found)
    todos = [answer.todo for answer in answers]
    results = grade_texts(
        lab, [texts[answer.name] for answer in answers], todos=todos, most_failures=1, options=(TELL,)
    )
    problems += message_problems(answers, results)
    return problems + [
        f"{lab.label}, {answer.name} is caught by no test of TODO {answer.todo}"
        for answer, found in zip(answers, results, strict=True)
        if all(result.verdict == "pass" for result in found)
    ]


def _lines() -> str:
    print(lines.table())  # also if all is well
    return lines.problem()


def steps(*, whole: bool) -> dict[str, Step]:
    """Return the steps by name, those that take minutes early: the others fill the time beside them.

    >>> list(steps(whole=True))[:2]
    ['lint and format', 'types']
    """
    return {
        "lint and format": lambda: _run("ruff", "check", ".") or _run("ruff", "format", "--check", "."),
        "types": _types,
        "the bank is caught, starters pass nothing, and the pipe agrees": lambda: "\n".join(
            problem for lab in all_labs() for problem in bank_problems(lab, whole=whole)
        ),
        "tests of the explorers in a browser": lambda: _tests(*map(str, sorted(ROOT.glob("tests/book/browser_*.py")))),
        "tests of given code": lambda: _tests(GIVEN),
        "tests of what visitors see, and of upkeep": lambda: _tests(*SEEN, "tests/labkit/test_sentencepiece.py"),
        "tests of the engine and of what holds a submission": lambda: _tests(*ENGINE),
        "tests of the grader": lambda: _tests(GRADER, f"--ignore={ATTACKS}"),
        "notebooks run again": lambda: "\n".join(notebooks.check_all()),
        "examples in docstrings": _doctests,
        "generated files in step": lambda: "\n".join(
            f"{path.relative_to(ROOT)} is out of step: python3 -m course sync" for path, _ in out_of_step(all_labs())
        ),
        "a sample of attacks is held": lambda: _tests(ATTACKS),
        "masks in vLLM": lambda: _vllm(whole=whole),
        "lines of code within their budget": _lines,
    }


def check(only: str, console: Console, *, whole: bool = False) -> int:
    """Run every step, also after one has failed, one more at a time than there are cores; return 1 if any has.

    A step is a process of its own: what it prints is shown when it is done. ``only`` is a part of the steps' names.
    """
    failed = 0
    names = [name for name in steps(whole=whole) if only in name]
    if not names:
        raise ValueError(f"no step has {only!r} in its name; the steps are: {', '.join(steps(whole=whole))}")

    def run(name: str) -> tuple[str, int, str, float]:
        start = time.perf_counter()
        command = [sys.executable, "-m", __name__, name, *["--whole"] * whole]
        environment = os.environ | ONE_THREAD
        done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
        return name, done.returncode, (done.stdout + done.stderr).strip(), time.perf_counter() - start

    with ThreadPoolExecutor(min(os.cpu_count() or 1, 4) + 1) as pool:  # a third of their time, they wait
        for number, step in enumerate(as_completed([pool.submit(run, name) for name in names]), start=1):
            name, status, said, seconds = step.result()
            failed += status != 0
            outcome = "FAILED" if status else "ok"
            console.print(f"[{number}/{len(names)}] {name}: {outcome} ({seconds:.0f} s)", markup=False)
            if said:
                console.print(said, markup=False, highlight=False)
    console.print(f"{len(names) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    problem = steps(whole="--whole" in sys.argv)[sys.argv[1]]()
    print(problem)
    sys.exit(bool(problem))
