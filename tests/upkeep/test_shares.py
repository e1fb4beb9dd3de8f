"""Whose lines run up to a first mask: the counting, on files made for it, and the shares that must not get worse."""

import io
import re
import runpy
from functools import cache

import pytest
from rich.console import Console

from course.upkeep import shares
from course.upkeep.shares import SOURCES, lines_beside, run_shares, share_apart, traced

FLOORS = {
    "a regex": (0.147, 35, 1300),
    "a schema": (0.088, 56, 2400),
    "any JSON": (0.118, 54, 6900),
}
"""For each source at least this share of the executed lines is in a ``solution.py``, and at most so many files and
changes of file: what was true when this was written, rounded. Tighten them when they get better."""

MOST_BESIDE = 9_600
"""The most lines of code in what is given, ``mask_engine/`` and ``assembled.py``."""


@pytest.mark.parametrize("name", SOURCES)
def test_the_students_share_only_grows(name):
    least, most_files, most_changes = FLOORS[name]
    found = share_of_source(name)
    assert found.students / found.total >= least
    assert len(found.lines) <= most_files
    assert found.changes <= most_changes


@cache
def share_of_source(name):
    return share_apart(SOURCES[name])


def test_the_lines_beside_only_shrink():
    assert lines_beside() <= MOST_BESIDE


@pytest.fixture
def two_files(tmp_path):
    """Return a function of one file that calls another file's in a loop, and what the lines of both must be."""
    (tmp_path / "other.py").write_text("def twice(n):\n    m = n + n\n    return m\n")
    (tmp_path / "main.py").write_text(
        "def main(twice, n):\n    total = 0\n    while n:\n        total += twice(n)\n        n -= 1\n"
        "    if total < 0:\n        return 'never'\n    return total\n"
    )
    twice = runpy.run_path(str(tmp_path / "other.py"))["twice"]
    main = runpy.run_path(str(tmp_path / "main.py"))["main"]
    return lambda: main(twice, 3), tmp_path


def test_distinct_lines_and_changes_of_file(two_files):
    job, folder = two_files
    lines, changes = traced(job, lambda name: name.startswith(str(folder)))
    expected = {("main.py", n) for n in (2, 3, 4, 5, 6, 8)} | {("other.py", n) for n in (2, 3)}
    assert {(name.removeprefix(f"{folder}/"), line) for name, line in lines} == expected
    assert changes == 6, "three times there, three times back"
    lines, changes = traced(job, lambda name: name == str(folder / "other.py"))
    assert {line for _, line in lines} == {2, 3} and changes == 0, "other files are passed over"


def test_the_table(monkeypatch):
    """Each column adds up to its total."""
    monkeypatch.setattr(shares, "SOURCES", {"one": SOURCES["a regex"]})
    monkeypatch.setattr(shares, "share_apart", lambda job: share_of_source("a regex"))
    out = io.StringIO()
    assert run_shares(Console(file=out, width=100)) == 0
    text = out.getvalue()
    counts = [int(count) for count in re.findall(r"\.py +(\d+)$", text, re.M)]
    whole, students = (
        int(re.search(rf"^{row} +([\d,]+)$", text, re.M)[1].replace(",", "")) for row in ("all", "in a solution.py")
    )
    assert sum(counts) - students == whole, "the rows of files end in .py, and so does the row of the students"
    assert re.search(r"their share +\d+\.\d%", text)
