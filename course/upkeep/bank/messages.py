"""What a student reads who makes a mistake of the bank: does it teach?"""

import re
from collections.abc import Iterator, Sequence

from course.student.core.wrong_answers import WrongAnswer
from course.upkeep.bank.rules import Results

MOST_LINES, MOST_CHARACTERS = 12, 1100
"""How long a counterexample may be."""

_IDS_ALONE = re.compile(r"\n    expected \[[\d, ]*\]\n    yours    \[[\d, ]*\](?!.*\n    as tokens:)", re.DOTALL)


def message_problems(answers: Sequence[WrongAnswer], results: Sequence[Results]) -> list[str]:
    """Return where a failure message doesn't teach: the first of each wrong answer's own TODO.

    It names the mistake and the hint that cures it, says what should happen, and shows a small counterexample.
    """
    return [
        f"{answer.lab.label}, {answer.name}: the message of {failed[0].test} {problem}"
        for answer, found in zip(answers, results, strict=True)
        if (failed := [result for result in found if result.verdict != "pass" and result.todo == answer.todo])
        for problem in _problems(answer, failed[0].told)
    ]


def _problems(answer: WrongAnswer, told: str) -> Iterator[str]:
    """Yield what a message lacks."""
    shown, rule, rest = told.partition("\n\nWhat should happen: ")
    if not rule:
        yield "doesn't say what should happen"
    if f"\nWhat seems to go wrong: {answer.mistake}\n" not in rest:
        yield "doesn't name the mistake"
    if not rest.endswith(f": python3 -m course hint {answer.lab.number:02}.{answer.todo} {answer.hint}"):
        yield f"doesn't end with hint {answer.hint}"
    yield from counterexample_problems(shown)


def counterexample_problems(shown: str) -> Iterator[str]:
    """Yield what is wrong with a counterexample: a student reads it without the test's code.

    >>> list(counterexample_problems("f('a')\\n    expected 1\\n    yours    2"))
    []
    >>> list(counterexample_problems("assert lab.f() == 1")), list(counterexample_problems("mine.py raised KeyError"))
    (["shows the test's code"], ['shows an error without the call'])
    >>> list(counterexample_problems("the ids\\n    expected [1]\\n    yours    [2]"))
    ["doesn't name the tokens"]
    """
    first = shown.partition("\n")[0]
    if first.startswith("assert ") or "\n    in the test, at: " in shown:
        yield "shows the test's code"
    if " raised " in first and "\n    the call: " not in shown:
        yield "shows an error without the call"
    if first.startswith("the ids") and _IDS_ALONE.search(shown):
        yield "doesn't name the tokens"
    if shown.count("\n") >= MOST_LINES or len(shown) > MOST_CHARACTERS:
        yield f"is too long: {shown.count(chr(10)) + 1} lines, {len(shown)} characters"
