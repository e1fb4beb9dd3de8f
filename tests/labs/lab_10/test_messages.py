"""What a failure message of lab 10 says about tokens: each id is shown with its token in the vocabulary under test."""

import ast
import re
from itertools import product
from pathlib import Path

import pytest

from course.student.core.candidate import InProcess, LabFunctions
from course.student.core.catalog import find_lab
from course.student.core.submission import Loader
from course.student.core.wrong_answers import WrongAnswer, bank
from labkit.vocabulary import Vocabulary
from labs.lab_10_jump_forward import test_lab as tests

LAB = find_lab(10)
SHOWN = re.compile(r"\((\d+), (b'(?:[^'\\]|\\.)*')\)")
"""An id and its token, as a message shows them."""

ANSWERS = [answer for answer in bank(LAB) if answer.function in ("single_tokens", "longest_tokens", "jump")]


def cases():
    """Yield each test of lab 10 that has a table, with each row of it."""
    for name, test in vars(tests).items():
        tables = [mark.args for mark in getattr(test, "pytestmark", ()) if mark.name == "parametrize"]
        if name.startswith("test_") and len(tables) == 1 and not hasattr(test, "hypothesis"):
            names, rows = tables[0]
            for row in rows:
                yield test, dict(zip(names, row, strict=True)) if isinstance(names, tuple) else {names: row}


def wrong_lab(answer: WrongAnswer, folder: Path) -> LabFunctions:
    """Return the lab as a student with this mistake has written it."""
    path = folder / f"{answer.name}.py"
    path.write_text(answer.submission(), encoding="utf-8")
    return LabFunctions(InProcess(LAB, Loader({LAB.number: path})), path, LAB)


def test_ids_are_shown_with_the_tokens_of_the_tests_own_vocabulary(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The vocabulary under test is the one that the test has made the grammar of."""
    asked: list[Vocabulary] = []
    made = tests.Words.__init__

    def noted(self, *words, vocabulary=tests.SMALL):
        asked.append(vocabulary)
        made(self, *words, vocabulary=vocabulary)

    monkeypatch.setattr(tests.Words, "__init__", noted)
    seen = set()
    labs = {answer: wrong_lab(answer, tmp_path) for answer in ANSWERS}
    for answer, (test, row) in product(ANSWERS, [*cases()]):
        asked.clear()
        try:
            test(labs[answer], **row)
        except AssertionError as error:
            for number, token in SHOWN.findall(str(error)):
                assert ast.literal_eval(token) in {v.token_bytes[int(number)] for v in asked or [tests.SMALL]}, error
                seen.add((answer.function, number))
        except Exception:  # a wrong answer's own
            continue
    assert {function for function, _ in seen} == {answer.function for answer in ANSWERS}
