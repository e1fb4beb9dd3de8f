"""The kill tables: what a page says, from made-up results, and that the command writes it."""

import pytest
from rich.console import Console

from course.student.core.catalog import find_lab
from course.student.core.wrong_answers import WrongAnswer, bank
from course.student.run.batch import TestResult
from course.upkeep.bank import kill_table
from course.upkeep.bank.kill_table import as_page, write_tables

LAB = find_lab(4)


def answer(name, todo):
    return WrongAnswer(LAB, name, "It is wrong.", todo, 1, "a_function", "")


def results(*failed):
    """Three tests, one of them with two cases; those that are named fail."""
    tests = [("test_a[1]", 1), ("test_a[2]", 1), ("test_b", 2), ("test_c", 1)]
    return [TestResult(name, todo, "wrong" if name in failed else "pass", "") for name, todo in tests]


ANSWERS = [answer("second", 2), answer("first", 1), answer("other", 1)]
RESULTS = [results("test_b"), results("test_a[1]", "test_a[2]", "test_b"), results("test_a[2]", "test_c")]


def rows(page):
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in page.splitlines() if line[:3] != "|--"]


def test_the_page():
    page = as_page(LAB, ANSWERS, RESULTS)
    assert page.startswith("# Lab 04, EOS gating: ") and "3 wrong answers and the lab's 3 tests\n(4 with all" in page
    assert [row for row in rows(page) if len(row) == 5][1:] == [
        ["1", "`first`", "3", "`test_a` (2)", "`test_b`"],
        ["1", "`other`", "2", "`test_a`, `test_c`", ""],
        ["2", "`second`", "1", "`test_b`", ""],
    ]


@pytest.mark.parametrize(("found", "status"), [(RESULTS, 0), ([results(), *RESULTS[1:]], 1)])
def test_the_command_writes_and_names_who_is_alive(tmp_path, monkeypatch, found, status):
    monkeypatch.setattr(kill_table, "FOLDER", tmp_path / "kill_tables")
    monkeypatch.setattr(kill_table, "ROOT", tmp_path)
    monkeypatch.setattr(kill_table, "bank", lambda lab: bank(lab)[:3])
    monkeypatch.setattr(kill_table, "grade_texts", lambda lab, texts, seconds: found)
    answers = bank(LAB)[:3]
    console = Console(width=200, color_system=None)
    with console.capture() as said:
        assert write_tables([LAB], console) == status
    assert (f"{answers[0].name} passes every test" in said.get()) == bool(status)
    page = tmp_path / "kill_tables" / f"{LAB.name}.md"
    assert page.read_text(encoding="utf-8") == as_page(LAB, answers, found)
