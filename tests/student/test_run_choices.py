"""Which file a run grades: forms, precedence, usage errors, the warning. Grading the wrong one is the worst failure."""

import re
import shutil

import pytest

from course.student.core.catalog import ROOT, all_labs
from course.student.core.implementation import UsageError, resolve
from labs.own_files import is_chosen
from tests.copies import copy_course
from tests.runs import LAB_01, LAB_02, pytest_run, solution, starter

ONE_TEST = "test_a_text_that_dies_gives_none"
USAGE_ERROR = 4


@pytest.fixture(scope="module")
def copy(tmp_path_factory):
    """A copy of the course that has two labs, whose starters may be edited."""
    root = copy_course(tmp_path_factory.mktemp("copy"), "tests")
    for lab in all_labs():
        if lab in (LAB_01, LAB_02):
            (root / lab.path / "starter.py").write_text(starter(lab.number), encoding="utf-8")
        else:
            shutil.rmtree(root / lab.path)
    return root


@pytest.fixture
def edited(copy):
    """The starter of lab 02 in the copy, pristine again afterwards."""
    file = copy / LAB_02.path / "starter.py"
    pristine = file.read_text(encoding="utf-8")
    yield file
    file.write_text(pristine, encoding="utf-8")


@pytest.mark.parametrize("wrong", ["solutoin", "Starter", "", " ", "lab_02", "no/such/file.py", "README.md", "labkit"])
def test_a_typo_never_falls_back(wrong):
    with pytest.raises(UsageError, match=re.escape(f"LAB_IMPL={wrong!r} is ")) as caught:
        resolve(wrong, "LAB_IMPL", ROOT)
    assert "starter" in str(caught.value) and "PATH/file.py" in str(caught.value), "the message must name the forms"
    with pytest.raises(ValueError, match=re.escape(f"LAB_CHAIN={wrong!r} must be 'mine'")):
        is_chosen({"LAB_CHAIN": wrong})


@pytest.mark.parametrize("variable", ["LAB_IMPL", "LAB_CHAIN"])
def test_a_typo_ends_a_run(variable):
    run = pytest_run(LAB_02.folder, "--collect-only", **{variable: ""})
    assert run.status == USAGE_ERROR and f"{variable}=''" in run.out


def test_precedence(tmp_path):
    """The option beats the variable, the variable the ini file, and the ini file the reference."""
    nothing = pytest_run(LAB_02.folder, "-k", ONE_TEST)
    assert nothing.status == 0 and nothing.counts == (6, 0, 0)
    assert "grading solution.py" in nothing.lines[0] and "graded solution.py" in nothing.lines[-1]
    arguments = [LAB_02.folder, "-k", ONE_TEST]
    ini = ["-o", "lab_impl=starter"]
    assert "graded starter.py" in pytest_run(*arguments, *ini).lines[-1]
    assert "graded solution.py" in pytest_run(*arguments, *ini, LAB_IMPL="solution").lines[-1]
    assert "graded starter.py" in pytest_run(*arguments, "--impl=starter", LAB_IMPL="solution").lines[-1]


def test_a_path_grades_that_file_and_one_lab(copy, tmp_path):
    file = tmp_path / "mine.py"
    file.write_text(solution(), encoding="utf-8")
    run = pytest_run(LAB_02.folder, "-k", ONE_TEST, LAB_IMPL=str(file))
    assert run.status == 0 and "graded mine.py" in run.lines[-1]
    run = pytest_run("labs", cwd=copy, LAB_IMPL=str(file))
    assert run.status == USAGE_ERROR and "covers labs 01, 02" in run.out


def test_a_folder_grades_the_labs_that_it_has(copy, tmp_path):
    (tmp_path / "lab_02_mine.py").write_text(solution(), encoding="utf-8")
    run = pytest_run("labs", "-k", ONE_TEST + " or mask_of_the_example", cwd=copy, LAB_IMPL=str(tmp_path))
    assert run.status == 0 and run.counts == (6, 0, 0), "those of lab 02, and none of lab 01"


def test_the_starter_at_the_root_runs_the_labs(copy):
    """Some tests of each: that a pristine starter passes none at all is seen where the bank is tried."""
    run = pytest_run("-q", "-k", "_a", cwd=copy, LAB_IMPL="starter")
    passed, wrong, todo = run.counts
    assert run.status == 1 and passed == wrong == 0 and todo > 50
    assert "tests/" not in run.out, "the repository's own tests do not belong to this run"
    assert "next: lab 01, TODO 1, could_match" in run.lines[-1] and "lab 02, TODO 1" in run.out


def test_the_repositorys_own_tests_run_when_they_are_named(copy):
    run = pytest_run("tests/student/test_run_choices.py", "--collect-only", "-q", cwd=copy, LAB_IMPL="starter")
    assert "test_a_typo_never_falls_back" in run.out


def test_without_the_isolation_room_there_is_no_pipe(copy):
    away = (copy / "course" / "isolation").rename(copy / "elsewhere")
    plain, piped = (pytest_run(LAB_02.path, "-k", ONE_TEST, *more, cwd=copy) for more in ((), ("--pipe",)))
    away.rename(copy / "course" / "isolation")
    assert plain.status == 0 and plain.counts == (6, 0, 0)
    assert piped.status == USAGE_ERROR and "unrecognized arguments: --pipe" in piped.out


def test_an_edited_starter_with_nothing_chosen_is_warned_about_loudly(copy, edited):
    quiet = pytest_run(LAB_02.path, "-k", ONE_TEST, cwd=copy)
    pristine = pytest_run(LAB_02.path, "-k", ONE_TEST, cwd=copy, LAB_IMPL="starter").lines[-1]
    edited.write_text(starter() + "\n# begun\n", encoding="utf-8")
    loud = pytest_run(LAB_02.path, "-k", ONE_TEST, cwd=copy)
    chosen = pytest_run(LAB_02.path, "-k", ONE_TEST, cwd=copy, LAB_IMPL="solution")
    assert "!!" not in quiet.out and "!!" not in chosen.out
    assert loud.out.count("REFERENCE") == 2, "once at the start, once at the end"
    assert "To grade yours:  python3 -m course test 02" in loud.out and loud.status == 0
    begun = pytest_run(LAB_02.path, "-k", ONE_TEST, cwd=copy, LAB_IMPL="starter").lines[-1]
    assert "not edited yet" in pristine and "edited" in begun and "not edited yet" not in begun


def test_a_missing_starter_is_a_usage_error_that_says_how_to_get_it_back(copy, edited):
    edited.unlink()
    run = pytest_run(LAB_02.path, cwd=copy, LAB_IMPL="starter")
    assert run.status == USAGE_ERROR and "python3 -m course reset 02" in run.out
