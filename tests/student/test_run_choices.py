"""Which file a run grades: forms, precedence, usage errors, the warning. Grading the wrong one is the worst failure."""

import shutil

import pytest

from course.student.core.catalog import ROOT
from tests.runs import LAB_01, LAB_02, pytest_run, solution, starter

ONE_TEST = "test_an_escape_takes_away_the_meaning"
USAGE_ERROR = 4


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    """A copy of the house whose starters may be edited."""
    copy = tmp_path_factory.mktemp("house")
    for name in ("labs", "labkit", "course", "tests"):
        shutil.copytree(ROOT / name, copy / name, ignore=shutil.ignore_patterns("__pycache__", "*.ipynb"))
    for name in ("conftest.py", "pyproject.toml"):
        shutil.copy(ROOT / name, copy / name)
    for number in (1, 2):
        lab = (LAB_01, LAB_02)[number - 1]
        (copy / lab.path / "starter.py").write_text(starter(number), encoding="utf-8")
    return copy


@pytest.mark.parametrize("wrong", ["solutoin", "Starter", "", " ", "lab_02", "no/such/file.py", "README.md", "labkit"])
def test_a_typo_never_falls_back(wrong):
    run = pytest_run(LAB_02.folder, "--collect-only", LAB_IMPL=wrong)
    assert run.status == USAGE_ERROR
    assert "LAB_IMPL" in run.out and repr(wrong) in run.out
    assert "starter" in run.out and "PATH/file.py" in run.out, "the message must name the forms"


def test_a_wrong_chain_is_a_usage_error():
    run = pytest_run(LAB_02.folder, "--collect-only", LAB_CHAIN="yours")
    assert run.status == USAGE_ERROR and "LAB_CHAIN='yours'" in run.out and "mine" in run.out


def test_nothing_chosen_grades_the_reference():
    run = pytest_run(LAB_02.folder, "-k", ONE_TEST)
    assert run.status == 0 and run.counts == (3, 0, 0)
    assert "grading solution.py" in run.lines[0] and "graded solution.py" in run.lines[-1]


def test_precedence(tmp_path):
    """The option beats the variable, and the variable the ini file."""
    arguments = [LAB_02.folder, "-k", ONE_TEST]
    ini = ["-o", "lab_impl=starter"]
    assert "graded starter.py" in pytest_run(*arguments, *ini).lines[-1]
    assert "graded solution.py" in pytest_run(*arguments, *ini, LAB_IMPL="solution").lines[-1]
    assert "graded starter.py" in pytest_run(*arguments, "--impl=starter", LAB_IMPL="solution").lines[-1]


def test_a_path_grades_that_file(tmp_path):
    file = tmp_path / "handed_in.py"
    file.write_text(solution(), encoding="utf-8")
    run = pytest_run(LAB_02.folder, "-k", ONE_TEST, LAB_IMPL=str(file))
    assert run.status == 0 and "graded handed_in.py" in run.lines[-1]


def test_one_file_grades_one_lab(tmp_path):
    file = tmp_path / "handed_in.py"
    file.write_text(solution(), encoding="utf-8")
    run = pytest_run("labs", LAB_IMPL=str(file))
    assert run.status == USAGE_ERROR and "covers labs 01, 02" in run.out


def test_a_folder_grades_the_labs_that_it_has(tmp_path):
    (tmp_path / "lab_02_mine.py").write_text(solution(), encoding="utf-8")
    run = pytest_run("labs", "-k", ONE_TEST + " or finds_the_number", LAB_IMPL=str(tmp_path))
    assert run.status == 0 and run.counts == (3, 0, 0)
    assert "lab 02" in run.out and "lab 01  " not in run.out


def test_two_files_for_one_lab_are_refused(tmp_path):
    for name in ("lab_02.py", "lab_02_again.py"):
        (tmp_path / name).write_text(solution(), encoding="utf-8")
    run = pytest_run(LAB_02.folder, LAB_IMPL=str(tmp_path))
    assert run.status == USAGE_ERROR and "several files for lab 02" in run.out


def test_the_starter_at_the_root_runs_the_labs_and_ends_in_the_table(house):
    run = pytest_run("-q", cwd=house, LAB_IMPL="starter")
    assert run.status == 1
    passed, wrong, todo = run.counts
    assert passed == 0 and wrong == 0 and todo > 100
    assert "tests/" not in run.out, "the house's own tests do not belong to this run"
    table = run.lines[next(i for i, line in enumerate(run.lines) if " the labs " in line) :]
    assert any(line.startswith("lab 01  naive matching") for line in table)
    assert "next: lab 01, TODO 1, find_answer" in run.lines[-1]


def test_house_tests_run_when_they_are_named(house):
    run = pytest_run("tests/student/test_run_choices.py", "--collect-only", "-q", cwd=house, LAB_IMPL="starter")
    assert "test_a_typo_never_falls_back" in run.out


def test_an_edited_starter_with_nothing_chosen_is_warned_about_loudly(house):
    file = house / LAB_02.path / "starter.py"
    pristine = file.read_text(encoding="utf-8")
    quiet = pytest_run(LAB_02.path, "-k", ONE_TEST, cwd=house)
    file.write_text(pristine + "\n# begun\n", encoding="utf-8")
    loud = pytest_run(LAB_02.path, "-k", ONE_TEST, cwd=house)
    chosen = pytest_run(LAB_02.path, "-k", ONE_TEST, cwd=house, LAB_IMPL="solution")
    file.write_text(pristine, encoding="utf-8")
    assert "!!" not in quiet.out and "!!" not in chosen.out
    assert loud.out.count("REFERENCE") == 2, "once at the beginning, once at the end"
    assert "LAB_IMPL=starter" in loud.out and LAB_02.path in loud.out
    assert loud.status == 0


def test_the_banner_tells_a_pristine_starter_from_an_edited_one(house):
    file = house / LAB_02.path / "starter.py"
    pristine = file.read_text(encoding="utf-8")
    assert "not edited yet" in pytest_run(LAB_02.path, "-k", ONE_TEST, cwd=house, LAB_IMPL="starter").lines[-1]
    file.write_text(pristine + "\n# begun\n", encoding="utf-8")
    last = pytest_run(LAB_02.path, "-k", ONE_TEST, cwd=house, LAB_IMPL="starter").lines[-1]
    file.write_text(pristine, encoding="utf-8")
    assert "edited" in last and "not edited yet" not in last


def test_a_missing_starter_is_a_usage_error_that_says_how_to_get_it_back(house):
    file = house / LAB_02.path / "starter.py"
    pristine = file.read_text(encoding="utf-8")
    file.unlink()
    run = pytest_run(LAB_02.path, cwd=house, LAB_IMPL="starter")
    file.write_text(pristine, encoding="utf-8")
    assert run.status == USAGE_ERROR and "python -m course reset 02" in run.out
