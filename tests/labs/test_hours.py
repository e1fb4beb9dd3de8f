"""What a lab promises of your time: its hours, the way to its first success, and the length of its page."""

import re

import pytest

from course.student.core.catalog import ROOT, Lab, all_labs, find_lab
from course.student.core.hints import lab_data
from tests.times import minutes_in

A_MINUTE = 200
"""Words of a page that a student reads in a minute."""

MOST_WORDS, MOST_TODOS, SOON = 3_800, 8, 15


def page(lab: Lab) -> str:
    return (lab.folder / "README.md").read_text(encoding="utf-8")


def minutes(lab: Lab, text: str, todos: list[int]) -> float:
    """Reading this text, and writing these TODOs."""
    return len(text.split()) / A_MINUTE + sum(lab_data(lab).todos[number].minutes for number in todos)


def hours_in(text: str) -> float:
    return minutes_in(text) / 60


@pytest.mark.parametrize("lab", all_labs(), ids=lambda lab: lab.label)
def test_the_hours_are_those_of_reading_and_writing(lab):
    needed = minutes(lab, page(lab), [*lab_data(lab).todos]) / 60
    assert abs(hours_in(lab_data(lab).badge) - needed) <= 0.1 * needed, f"it takes {needed:.2f} hours"


@pytest.mark.parametrize("lab", all_labs(), ids=lambda lab: lab.label)
def test_something_of_yours_runs_within_fifteen_minutes(lab):
    before, now_run_it, _ = page(lab).partition("**Now run it")
    todos = [int(number) for number in re.findall(r"^#{3} TODO (\d+)", before, re.M)]
    assert now_run_it and todos and minutes(lab, before, todos) <= SOON


@pytest.mark.parametrize("lab", all_labs(), ids=lambda lab: lab.label)
def test_a_lab_is_a_page_to_read_in_a_quarter_of_an_hour_and_a_few_ideas_to_write(lab):
    assert len(page(lab).split()) <= MOST_WORDS and len(lab_data(lab).todos) <= MOST_TODOS


def test_the_course_takes_as_long_as_its_readme_says():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    rows = dict(re.findall(r"^\| \[(\d\d) .* \| ([\d½¼¾⅓⅔]+) \|$", readme, re.M))
    labs = {f"{lab.number:02}": lab for lab in all_labs()}
    assert rows.keys() == labs.keys()
    for number, said in rows.items():
        assert abs(hours_in(f"about {said} hours") - hours_in(lab_data(labs[number]).badge)) < 0.2, number
    in_all = sum(minutes(lab, page(lab), [*lab_data(lab).todos]) for lab in all_labs()) / 60
    (promised,) = re.findall(r"labs take about (\d+) hours", " ".join(readme.split()))
    assert abs(int(promised) - in_all) < 0.1 * in_all


def test_how_hours_are_read():
    texts = ["about 60 minutes", "about 2½ hours", "about 1 hour 20 minutes", "about 3 hours, in two parts"]
    assert [round(hours_in(text), 2) for text in texts] == [1.0, 2.5, 1.33, 3.0]
    assert minutes(find_lab(1), "word " * 400, []) == 2
