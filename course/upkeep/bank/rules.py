"""The rules that a bank of wrong answers keeps, so that it shows what the lab's tests can see."""

import tempfile
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

from course.student.core.catalog import Lab
from course.student.core.hints import HINTS_PER_TODO, lab_data
from course.student.core.wrong_answers import WrongAnswer
from course.student.run.batch import TestResult, grade_many

Results = Sequence[TestResult]

MOST_LINES = 20
FEWEST_ANSWERS = 8

_CHUNK = 12
"""The most files that one process takes at a time, so that two processes share the work evenly."""


def grade_texts(
    lab: Lab,
    texts: Sequence[str],
    *,
    options: Sequence[str] = (),
    todos: Sequence[int] | None = None,
    most_failures: int = 0,
    seconds: float = 10.0,
    progress: Callable[[int], None] = lambda done: None,
) -> list[list[TestResult]]:
    """Return what ``grade_many`` does, two processes at a time; ``progress`` is told how many texts are graded."""
    found: list[list[TestResult]] = []
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(2) as pool:
        files = [Path(folder) / f"submission_{number:04}.py" for number in range(len(texts))]
        for file, text in zip(files, texts, strict=True):
            file.write_text(text, encoding="utf-8")
        size = max(1, min(_CHUNK, -(-len(files) // 2)))
        starts = range(0, len(files), size)
        chunks = [files[start : start + size] for start in starts]
        parts = [todos[start : start + size] if todos else None for start in starts]
        grade = partial(grade_many, lab, options=options, most_failures=most_failures, seconds=seconds)
        for results in pool.map(lambda chunk, part: grade(chunk, todos=part), chunks, parts):
            found += results
            progress(len(found))
    return found


def function_of(result: TestResult) -> str:
    """Return the name of a test without its case.

    >>> function_of(TestResult("test_walks[0x]", 1, "pass", ""))
    'test_walks'
    """
    return result.test.partition("[")[0]


def form_problems(answer: WrongAnswer) -> list[str]:
    """Return what is wrong with the function itself: its length, its sentence, its hint."""
    problems = []
    lines = len(answer.source.splitlines())
    if lines > MOST_LINES:
        problems.append(f"has {lines} lines; show the mistake in {MOST_LINES}")
    if not answer.mistake.endswith(".") or answer.mistake.count(". ") > 1:
        problems.append("states its mistake in something other than a sentence or two")
    if not 1 <= answer.hint <= HINTS_PER_TODO:
        problems.append(f"names hint {answer.hint} of {HINTS_PER_TODO}")
    return [f"{answer.lab.label}, {answer.name} {problem}" for problem in problems]


def coverage_problems(lab: Lab, answers: Sequence[WrongAnswer]) -> list[str]:
    """Return what is wrong with the bank without a run: a function, too few of them, a TODO without one."""
    idle = sorted(set(lab_data(lab).todos) - {answer.todo for answer in answers})
    problems = [problem for answer in answers for problem in form_problems(answer)]
    problems += [f"{lab.label}: no wrong answer for TODO {number}" for number in idle]
    if len(answers) < FEWEST_ANSWERS:
        problems.append(f"{lab.label}: {len(answers)} wrong answers, and at least {FEWEST_ANSWERS} are wanted")
    return problems


def result_problems(answers: Sequence[WrongAnswer], results: Sequence[Results]) -> list[str]:
    """Return the rules that results break: a test of its TODO catches each, half the tests pass, no two are alike."""
    problems, seen = [], dict[frozenset[tuple[str, str]], str]()
    for answer, found in zip(answers, results, strict=True):
        failed = [result for result in found if result.verdict != "pass"]
        key = frozenset((result.test, result.message) for result in failed)
        broken = {
            "passes every test": not failed,
            f"is caught by no test of TODO {answer.todo}": failed and all(r.todo != answer.todo for r in failed),
            "counts as not written yet": any(result.verdict == "todo" for result in failed),
            f"fails {len(failed)} of {len(found)} tests: more than a misconception": 2 * len(failed) > len(found),
            f"fails exactly like {seen.get(key)}": key in seen,
        }
        problems += [f"{answer.lab.label}, {answer.name} {problem}" for problem, holds in broken.items() if holds]
        seen[key] = answer.name
    return problems
