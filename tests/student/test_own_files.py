"""The commands around a student's own files: hint, reset, diff, next, status. No file of a student is ever lost."""

import io
import shlex
from dataclasses import replace
from pathlib import Path

import pytest
from rich.console import Console
from typer.main import get_command

from course.cli import app
from course.student.commands import own_files as student
from course.student.commands import practice, verdicts
from course.student.core.catalog import ROOT, Lab, all_labs, find_lab
from course.student.core.hints import lab_data
from course.student.core.starters import generate_starter
from course.student.run.batch import TestResult
from tests.made import make_lab
from tests.runs import LAB_01, LAB_02


@pytest.fixture
def console():
    """A terminal without colour, wide enough for every line."""
    return Console(file=io.StringIO(), width=200, soft_wrap=True, highlight=False)


def said(console):
    """Return what was printed since the last call."""
    text = console.file.getvalue()
    console.file.seek(0)
    console.file.truncate()
    return text


def graded(*verdicts):
    """Return results of tests: ``(2, "todo")`` is a test of TODO 2 that ran into something not written."""
    return [TestResult(f"test_{n}", todo, verdict, "") for n, (todo, verdict) in enumerate(verdicts)]


@pytest.fixture
def grades(monkeypatch, tmp_path):
    """Results by lab number in place of real runs; by ``(number, "chain")`` for a chain."""
    table = {}

    def grade(lab, files, *, chain=False):
        assert files == [lab.starter]
        found = table.get((lab.number, "chain"), table[lab.number]) if chain else table[lab.number]
        if isinstance(found, Exception):
            raise found
        return [found]

    monkeypatch.setattr(verdicts, "grade_many", grade)
    monkeypatch.setattr(verdicts, "KEPT", tmp_path / "verdicts.json")
    monkeypatch.setattr(student, "all_labs", lambda: all_labs()[:2])
    return table


# hint -------------------------------------------------------------------------------------------------


def test_hints_come_one_by_one(console, tmp_path):
    file, hints = tmp_path / "deep" / "seen.txt", lab_data(LAB_02).todos[1].hints
    for count in (1, 2, 3, 3):
        assert student.show_hint("02.1", console, file=file) == 0
        text = said(console)
        assert [hint in text for hint in hints] == [True] * count + [False] * (3 - count)
        assert "lab 02, TODO 1, advance (about 4 lines): walk the text" in text
        assert ("python3 -m course hint 02.1" in text) == (count < 3) and ("That was the last hint" in text) == (
            count == 3
        )
    assert student.hints_seen(file) == {"02.1": 3}


def test_every_hint_is_printed_as_it_is_written(console):
    """Brackets are no markup."""
    for lab in all_labs():
        for number, todo in lab_data(lab).todos.items():
            for which in (1, 2, 3):
                student.show_hint(f"{lab.number}.{number}", console, which)
            words = " ".join(said(console).split())  # lines are broken between words
            assert all(" ".join(hint.split()) in words for hint in (*todo.hints, todo.task)), f"{lab.label}.{number}"


def test_garbage_in_the_memory_counts_as_nothing_seen(console, tmp_path):
    file = tmp_path / "seen"
    garbage = "\n".join(
        ["", "\0", *(f"02.4{count}" for count in ("", " two", " 1 1", " -1", " \u00b2", " " + "9" * 9999))]
    )
    file.write_bytes(b"\xff\xfe\n" + garbage.encode() + b"\n01.1 2\n01.2 99\n")
    assert student.hints_seen(file) == {"01.1": 2, "01.2": 99}
    student.show_hint("02.4", console, file=file)
    assert "hint 1 of 3" in said(console) and student.hints_seen(file)["02.4"] == 1
    student.show_hint("01.2", console, file=file)  # a count beyond the last hint
    assert "hint 3 of 3" in said(console)


NO_TODO = ("02.99", "02.0", "02.x", "02.", "02", "02.4.1", "02.-1", "02.\u0663", "2.x")
NO_LAB = ("99.1", "x.1", ".1", "", ".")


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (NO_TODO, r"there is no TODO .*; lab 02 has 02\.1, 02\.2, "),
        (NO_LAB, r"there is no lab .*; the labs are 01, 02"),
    ],
)
def test_a_todo_that_is_not_there(names, message):
    for name in names:
        with pytest.raises(ValueError, match=message):
            student.find_todo(name)


# reset ------------------------------------------------------------------------------------------------


@pytest.fixture
def made(tmp_path):
    """A lab whose starter is edited."""
    lab = make_lab(tmp_path)
    lab.starter.write_bytes(b"# mine, \xff and all\n")
    return lab


def test_reset_keeps_each_of_the_students_files(console, made, tmp_path, monkeypatch):
    monkeypatch.setattr(student.time, "strftime", lambda layout: "2026-01-01_120000")
    kept = {}
    for text in (b"# mine, \xff and all\n", b"# second\n", b"# third\n"):
        made.starter.write_bytes(text)
        assert student.reset(made, console, tmp_path / "kept") == 0
        assert made.starter.read_text(encoding="utf-8") == generate_starter(made)
        (restore,) = (line for line in said(console).splitlines() if line.startswith(("  cp ", "  copy ")))
        _, backup, starter = restore.split()
        assert Path(backup).name.startswith("lab_07_made_") and backup.endswith(".py")
        assert starter == str(Path(made.path, "starter.py")) and kept.setdefault(backup, text) == text
    assert {str(path): path.read_bytes() for path in (tmp_path / "kept").iterdir()} == kept


def test_reset_of_a_pristine_or_deleted_starter_keeps_nothing(console, made, tmp_path):
    made.starter.unlink()
    for words in ("is pristine again", "is pristine already"):
        assert student.reset(made, console, tmp_path / "kept") == 0
        assert words in said(console) and not (tmp_path / "kept").exists()
        assert made.starter.read_text(encoding="utf-8") == generate_starter(made)


# practice ---------------------------------------------------------------------------------------------


def test_a_practice_notebook_is_made_once_and_never_written_over(console, made):
    path, words = made.folder / "practice.ipynb", "practice.ipynb is there already, and stays as it is"
    assert practice.write(made, console) == 0 and words not in said(console)
    assert path.read_text(encoding="utf-8") == practice.as_text(made)
    path.write_bytes(b"mine, \xff and all")
    assert practice.write(made, console) == 0 and words in said(console)
    path.rename(made.folder / "other")
    path.symlink_to("other")  # somebody keeps the work elsewhere
    assert practice.write(made, console) == 0 and path.read_bytes() == b"mine, \xff and all"
    (made.folder / "other").unlink()
    assert practice.write(made, console) == 0 and not path.exists() and words in said(console)


def test_the_command_makes_a_practice_notebook(course, monkeypatch, made):
    monkeypatch.setattr("course.student.cli.find_lab", lambda name: made)
    written = f"wrote {made.path}/practice.ipynb; python3 -m course doctor says what opens it\n"
    assert course("practice", "07") == (0, written, "")


# diff -------------------------------------------------------------------------------------------------


def test_diff_waits_until_everything_passes_and_looks_anyway(console, made, grades):
    for verdicts_so_far, count in ((((1, "pass"), (2, "wrong"), (2, "todo")), "2 tests"), ((), "The tests")):
        grades[7] = graded(*verdicts_so_far)
        assert student.show_diff(made, console) == 1
        text = said(console)
        assert f"{count} of lab 07 do not pass yet" in text and "--anyway" in text and "return 1" not in text
        verdicts.KEPT.unlink()
    grades[7] = AssertionError("no test is needed for a look anyway")
    assert student.show_diff(made, console, anyway=True) == 0
    lines = [line.strip() for line in said(console).splitlines()]
    assert "--- starter.py (yours)" in lines and "+++ solution.py (the reference)" in lines
    assert "+def one() -> int:" in lines and "+    return 1" in lines


def test_diff_of_the_reference_itself_and_of_nothing(console, made, grades):
    made.starter.write_bytes(made.solution.read_bytes())
    grades[7] = graded((1, "pass"))
    assert student.show_diff(made, console) == 0 and "No difference." in said(console)
    made.starter.unlink()
    with pytest.raises(ValueError, match=r"labs/lab_07_made/starter\.py is missing.* python3 -m course reset 07"):
        student.show_diff(made, console)


# next -------------------------------------------------------------------------------------------------


def test_next_is_the_first_open_todo(console, grades):
    grades[1] = graded((1, "pass"), (5, "todo"), (3, "wrong"), (4, "todo"))
    assert student.show_next(console) == 0
    text = said(console)
    assert "lab 01, TODO 3, apply_mask" in text and "python3 -m course hint 01.3" in text
    assert f"write  {LAB_01.path}/starter.py" in text and "test   python3 -m course test 01" in text


@pytest.mark.parametrize(
    ("first", "second", "only", "expected"),
    [
        (graded((1, "pass")), graded((1, "pass"), (4, "todo")), None, "lab 02, TODO 4, parse_atoms (about 16 lines)"),
        (graded((1, "todo")), graded((4, "todo"), (5, "todo")), LAB_02, "lab 02, TODO 4, parse_atoms"),
        (graded((1, "todo")), graded((4, "pass")), LAB_02, "All tests of lab 02 pass."),
        ([], [], None, "lab 01, TODO 1"),
        (graded((1, "pass")), graded((1, "pass")), None, "Every lab is done"),
    ],
)
def test_next_in_all_labs_and_in_one(console, grades, first, second, only, expected):
    grades |= {1: first, 2: second}
    assert student.show_next(console, only) == 0 and expected in said(console)


@pytest.mark.parametrize(
    ("done", "begun", "expected"),
    [([], [], 1), ([6, 7, 12], [], 13), ([6, 7, 12], [8], 8), ([14, 15], [], 1), ([1, 15], [], 2), ([], [5], 5)],
)
def test_next_goes_on_where_one_is(console, grades, monkeypatch, done, begun, expected):
    """First what's begun, then the labs after it, and what was left out at the end."""
    monkeypatch.setattr(student, "all_labs", all_labs)
    monkeypatch.setattr(student, "is_edited", lambda lab: lab.number in (*done, *begun))
    grades |= {lab.number: graded((1, "pass" if lab.number in done else "todo")) for lab in all_labs()}
    assert student.show_next(console) == 0 and said(console).startswith(f"lab {expected:02}, TODO 1, ")


@pytest.mark.parametrize("line", ["next 04", "next", "show 04", "watch 04", "diff 04", "score 03"])
def test_a_lab_without_a_starter_is_named_and_brought_back(course, monkeypatch, line):
    monkeypatch.setattr(Lab, "starter", property(lambda lab: lab.folder / "gone.py"))
    _, out, err = course(*line.split())
    number = line.split()[-1] if " " in line else "01"
    assert f"gone.py is missing. To bring it back: python3 -m course reset {number}" in out + err


@pytest.mark.parametrize(
    ("line", "noted", "said"),
    [
        ("quiz 02", "quiz.MISSED", "of 1 right."),
        ("hint 02.1", "own_files.SEEN", "hint 1 of 3"),
        ("next 02", "verdicts.KEPT", "lab 02, TODO 1, advance"),
        ("status", "verdicts.KEPT", "labs pass"),
    ],
)
def test_a_folder_that_cannot_be_written_stops_no_command_that_only_takes_a_note(
    course, monkeypatch, tmp_path, grades, line, noted, said
):
    (tmp_path / "file").touch()
    monkeypatch.setattr(student, "is_edited", lambda lab: True)
    monkeypatch.setattr(f"course.student.commands.{noted}", tmp_path / "file" / "note")
    monkeypatch.setattr(student.show_hint, "__defaults__", (None, tmp_path / "file" / "note"))
    monkeypatch.setattr("sys.stdin", io.StringIO("a\n"))
    grades |= {1: graded((1, "todo")), 2: graded((1, "todo"))}
    status, out, err = course(*line.split())
    assert status == 0 and said in out and f"cannot write {tmp_path / 'file' / 'note'}" in err


def test_next_goes_on_after_part_one_and_names_part_two(console, grades, monkeypatch):
    monkeypatch.setattr(student, "all_labs", lambda: [find_lab(9), LAB_01])
    grades |= {9: graded((4, "pass"), (5, "todo"), (8, "todo")), 1: graded((1, "todo"))}
    assert student.show_next(console) == 0
    text = said(console)
    assert "Part one of lab 09 is done. Its second part: python3 -m course next 09" in text and "lab 01, TODO 1" in text
    assert student.show_next(console, find_lab(9)) == 0 and "lab 09, TODO 5, find_or_compile" in said(console)


def test_verdicts_are_kept_until_the_file_or_what_is_given_changes(grades, made, monkeypatch):
    monkeypatch.setattr(verdicts, "all_labs", lambda: (made,))

    def found(verdict, **chain):
        """The verdict that is told when a run would find this one."""
        grades[7] = graded((1, verdict))
        return verdicts.verdicts_of(made, **chain)[0].verdict

    assert [found("pass"), found("wrong")] == ["pass", "pass"]
    assert found("todo", chain=True) == "todo"
    made.starter.write_text("# another\n", encoding="utf-8")
    assert [found("wrong"), found("pass")] == ["wrong", "wrong"]
    monkeypatch.setattr(verdicts, "_given", lambda: "another version")
    assert found("pass") == "pass"


def test_a_file_that_ends_the_process_is_named(console, grades):
    grades[1] = RuntimeError("grading ended")
    with pytest.raises(ValueError, match=f"{LAB_01.path}/starter.py ended the process .* python3 -m course test 01"):
        student.show_next(console)


# status -----------------------------------------------------------------------------------------------


def row(console, number):
    """Return the line of a lab in the status table, its spaces made single, and the whole text."""
    text = said(console)
    return " ".join(next(line for line in text.splitlines() if line.startswith(f"lab {number:02}")).split()), text


def test_status_of_a_lab_and_its_chain(console, grades, monkeypatch):
    monkeypatch.setattr(student, "is_edited", lambda lab: True)
    grades |= {
        1: graded((1, "pass"), (2, "pass")),
        2: graded((1, "pass"), (5, "wrong"), (4, "todo")),
        (2, "chain"): graded((1, "todo"), (5, "wrong"), (4, "wrong")),
    }
    assert student.show_status(console) == 0
    line, text = row(console, 2)
    chained = "0 of 3 pass, 2 wrong, with no earlier lab of yours"
    assert line == f"lab 02 atom fsm 1 of 3 pass, 1 wrong {chained} TODO 4, parse_atoms"
    called = [["your", 1, "softmax"], ["your", 2, "advance"], ["the reference's", 1, "sample"]]
    grades[2, "chain"] = [replace(result, ran=called) for result in grades[2, "chain"]]
    verdicts.KEPT.unlink()
    assert student.show_status(console) == 0 and "2 wrong, with your 01 TODO 4" in row(console, 2)[0]
    assert "lab 01  naive matching  2 of 2 pass" in text and "1 of 2 labs pass" in text
    grades[1] = RuntimeError("grading ended")
    verdicts.KEPT.unlink()
    assert student.show_status(console) == 0
    assert row(console, 1)[0] == "lab 01 naive matching broken off see python3 -m course test 01"


def test_status_names_the_milestones(console, grades, monkeypatch):
    """Those reached, each with a command of the course, and the next one; the page lists them all."""
    monkeypatch.setattr(student, "is_edited", lambda lab: True)
    reached = {"task": "a mask of your own", "command": "show 01"}
    monkeypatch.setattr(
        student, "lab_data", lambda lab: replace(lab_data(lab), milestones=(reached,) * (lab in (LAB_01, LAB_02)))
    )
    grades |= {1: graded((1, "pass")), 2: graded((1, "todo"))}
    assert student.show_status(console) == 0
    text = said(console)
    assert "Reached, lab 01: a mask of your own.\n  python3 -m course show 01\n" in text
    assert "The next milestone, lab 02: a mask of your own.\n" in text


@pytest.mark.parametrize(
    ("passing", "reached", "following"),
    [
        ((), (), [4]),
        ((6, 7, 12), (6, 7, 12, 12), [13]),
        ((1, 4), (4,), [6]),
        ((13, 14, 15), (13, 14, 15), [4]),
        (range(1, 16), (4, 6, 7, 8, 9, 11, 12, 12, 13, 14, 15), []),
    ],
)
def test_the_next_milestone_comes_after_those_reached(console, passing, reached, following):
    student._show_milestones(console, {find_lab(number) for number in passing})
    lines = [line.partition(":")[0] for line in said(console).splitlines() if not line.startswith(" ")]
    assert lines == [
        *(f"Reached, lab {number:02}" for number in reached),
        *(f"The next milestone, lab {number:02}" for number in following),
    ]


def test_the_readme_lists_the_milestones():
    """Each with a command, which shows the student's own work and not the reference's."""
    page, commands = (ROOT / "README.md").read_text(encoding="utf-8"), get_command(app)
    milestones = [(lab.number, each) for lab in all_labs() for each in lab_data(lab).milestones]
    assert {4, 9, 12, 15} <= {number for number, _ in milestones}
    for number, milestone in milestones:
        row = f"| {number:02} | {milestone['task']} | `python3 -m course {milestone['command']}` |"
        command = commands.commands[shlex.split(milestone["command"])[0]]
        (impl,) = (each for each in command.params if each.name == "impl")
        assert row in page and (impl.default == "starter" or "--impl starter" in milestone["command"])


def test_status_of_labs_not_begun_grades_nothing(console, grades, monkeypatch):
    monkeypatch.setattr(student, "is_edited", lambda lab: False)
    assert student.show_status(console) == 0 and "not begun" in row(console, 1)[0]
