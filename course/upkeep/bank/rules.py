"""The rules that a bank of wrong answers keeps, so that it shows what the lab's tests can see."""

import tempfile
from collections.abc import Sequence
from pathlib import Path

from course.student.core.catalog import Lab
from course.student.core.hints import lab_data
from course.student.core.wrong_answers import WrongAnswer
from course.student.run.batch import TestResult, grade_many

Results = Sequence[TestResult]

MOST_LINES = 25
FEWEST_ANSWERS = 8


def grade_answers(lab: Lab, answers: Sequence[WrongAnswer], seconds: float = 10.0) -> list[list[TestResult]]:
    """The results of the lab's tests for each of the wrong answers; a test may take ``seconds``."""
    with tempfile.TemporaryDirectory() as folder:
        files = [Path(folder) / f"{answer.name}.py" for answer in answers]
        for file, answer in zip(files, answers, strict=True):
            file.write_text(answer.submission(), encoding="utf-8")
        return grade_many(lab, files, seconds=seconds)


def form_problems(answer: WrongAnswer) -> list[str]:
    """What is wrong with the file itself: its length, its story, its numbers."""
    problems = []
    todos = lab_data(answer.lab).todos
    lines = len(answer.path.read_text(encoding="utf-8").splitlines())
    if lines > MOST_LINES:
        problems.append(f"has {lines} lines; show the mistake in {MOST_LINES}")
    if not answer.story.endswith(".") or ". " in answer.story:
        problems.append("tells its story in something other than one sentence")
    if answer.todo not in todos or not 1 <= answer.hint <= len(todos[answer.todo].hints):
        problems.append(f"names TODO {answer.todo}, hint {answer.hint}, which {answer.lab.label} does not have")
    return [f"{answer.lab.label}, {answer.name} {problem}" for problem in problems]


def coverage_problems(lab: Lab, answers: Sequence[WrongAnswer]) -> list[str]:
    """What is wrong with the bank as a whole: too small, or a TODO that nobody gets wrong."""
    idle = sorted(set(lab_data(lab).todos) - {answer.todo for answer in answers})
    problems = [f"{lab.label}: no wrong answer for TODO {number}" for number in idle]
    if len(answers) < FEWEST_ANSWERS:
        problems.append(f"{lab.label}: {len(answers)} wrong answers, and at least {FEWEST_ANSWERS} are wanted")
    return problems


def result_problems(answers: Sequence[WrongAnswer], results: Sequence[Results]) -> list[str]:
    """What the tests' results break: each is caught, by a test of its TODO, half passes, no two are alike."""
    problems, seen = [], dict[frozenset[tuple[str, str]], str]()
    for answer, found in zip(answers, results, strict=True):
        problems += [f"{answer.lab.label}, {answer.name} {problem}" for problem in _caught_badly(answer, found)]
        key = frozenset((result.test, result.message) for result in found if result.verdict != "pass")
        if key in seen:
            problems.append(f"{answer.lab.label}, {answer.name} fails exactly like {seen[key]}")
        seen[key] = answer.name
    return problems


def _caught_badly(answer: WrongAnswer, found: Results) -> list[str]:
    failed = [result for result in found if result.verdict != "pass"]
    if not failed:
        return ["passes every test"]
    problems = []
    if all(result.todo != answer.todo for result in failed):
        problems.append(f"is caught by no test of TODO {answer.todo}")
    if any(result.verdict == "todo" for result in failed):
        problems.append("counts as not written yet")
    if 2 * len(failed) > len(found):
        problems.append(f"fails {len(failed)} of {len(found)} tests: more than a misconception")
    return problems


def problems_of(lab: Lab, answers: Sequence[WrongAnswer], results: Sequence[Results]) -> list[str]:
    """Every broken rule of a lab's bank, given the results of ``grade_answers`` for all of it."""
    form = [problem for answer in answers for problem in form_problems(answer)]
    return form + coverage_problems(lab, answers) + result_problems(answers, results)
