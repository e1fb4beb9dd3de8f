"""What a failure message of lab 10 says about tokens: each id is shown with its token in the vocabulary under test."""

import ast
import re
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


@pytest.mark.parametrize("answer", ANSWERS, ids=lambda answer: answer.name)
def test_ids_are_shown_with_the_tokens_of_the_tests_own_vocabulary(
    answer: WrongAnswer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The vocabulary under test is the one that the test has made the grammar of."""
    asked: list[Vocabulary] = []
    made = tests.Words.__init__

    def noted(self, *words, vocabulary=tests.SMALL):
        asked.append(vocabulary)
        made(self, *words, vocabulary=vocabulary)

    monkeypatch.setattr(tests.Words, "__init__", noted)
    path = tmp_path / "wrong.py"
    path.write_text(answer.submission(), encoding="utf-8")
    said = 0
    for test, row in cases():
        asked.clear()
        try:
            test(LabFunctions(InProcess(LAB, Loader({10: path})), path, LAB), **row)
        except AssertionError as error:
            for number, token in SHOWN.findall(str(error)):
                assert ast.literal_eval(token) in {v.token_bytes[int(number)] for v in asked or [tests.SMALL]}, error
                said += 1
        except Exception:  # a wrong answer's own
            continue
    assert said or answer.function == "jump"
