"""``python -m course …``: names, arguments, exit statuses, and what a mistake looks like."""

import json
import re
import shutil
import sys

import pytest

from course import cli
from course.student.core.catalog import ROOT, all_labs
from course.student.run import testing
from tests.runs import LAB_02, pytest_run
from tests.student.test_hints import marked_tests

COLOUR = re.compile(r"\x1b\[[0-9;]*m")
COMMANDS = (
    *("demo", "test", "status", "hint", "next", "show", "diff", "reset", "properties", "bench", "doctor"),
    *("handout", "export-hf", "check", "sync", "notebooks", "kills", "mutants"),
)


@pytest.fixture
def course(monkeypatch, capsys):
    """Runs one command in this process: its status, what it printed, what it complained."""

    def run(*arguments):
        monkeypatch.setattr(sys, "argv", ["course", *arguments])
        try:
            code = cli.main()
        except SystemExit as exit_:
            code = exit_.code
        printed = capsys.readouterr()
        return code, COLOUR.sub("", printed.out), COLOUR.sub("", printed.err)

    monkeypatch.setenv("COLUMNS", "100")
    return run


@pytest.fixture
def pytest_calls(monkeypatch):
    """The arguments with which pytest would have been run; every run is green."""
    calls = []
    monkeypatch.setattr(testing, "run_pytest", lambda arguments: calls.append(list(arguments)) or 0)
    return calls


# Help and mistakes ------------------------------------------------------------------------------------


@pytest.mark.parametrize("arguments", [(), ("--help",), ("-h",)])
def test_help(course, arguments):
    code, out, _ = course(*arguments)
    assert code == (0 if arguments else 2)
    assert all(f" {name} " in out for name in COMMANDS) and "Mask the Logits" in out


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_explains_itself(course, command):
    code, out, _ = course(command, "--help")
    assert code == 0 and "Usage:" in out and len(out.split()) > 10


def test_an_unknown_command(course):
    code, _, err = course("tset", "02")
    assert code == 2 and "No such command 'tset'" in err and "Traceback" not in err


@pytest.mark.parametrize("command", ["test", "diff", "reset"])
@pytest.mark.parametrize("lab", ["99", "lab_02_wrong", "x"])
def test_an_unknown_lab(course, pytest_calls, command, lab):
    code, out, err = course(command, lab)
    assert (code, out) == (2, "") and err.startswith(f"error: there is no lab {lab!r}; the labs are 01, 02")
    assert err.count("\n") == 1
    assert not pytest_calls


@pytest.mark.parametrize("command", ["test", "hint"])
@pytest.mark.parametrize("todo", ["02.99", "2.x", "02.0", "02."])
def test_an_unknown_todo(course, pytest_calls, command, todo):
    code, out, err = course(command, todo)
    assert (code, out) == (2, "") and not pytest_calls
    assert err.startswith(f"error: there is no TODO {todo!r}; lab 02 has 02.1, 02.2, ") and err.count("\n") == 1


def test_a_missing_argument(course):
    code, _, err = course("hint")
    assert code == 2 and "LAB.TODO" in err


@pytest.mark.parametrize("error", [RuntimeError("a fault of ours"), KeyError("a fault of ours"), OSError("no disk")])
def test_a_fault_of_the_house_is_not_hidden(course, monkeypatch, error):
    def fail(console):
        raise error

    monkeypatch.setattr("course.student.commands.status.show_status", fail)
    with pytest.raises(type(error), match=str(error)):
        course("status")


def test_the_exit_status_is_the_commands(course, monkeypatch):
    for wanted in (0, 1, 3):
        monkeypatch.setattr("course.student.commands.status.show_status", lambda console, wanted=wanted: wanted)
        assert course("status")[0] == wanted


# test -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["02", "2", "lab_02", LAB_02.path, f"./{LAB_02.path}", f"{LAB_02.path}/"])
def test_a_lab_is_graded_on_its_starter(course, pytest_calls, name):
    assert course("test", name)[0] == 0
    assert pytest_calls == [["-q", "--impl=starter", LAB_02.path]]


def test_more_arguments_go_to_pytest(course, pytest_calls):
    course("test", "02", "-x", "-k", "advance", "--lab-timeout=3")
    course("test", "02", "--impl", "solution", "--pipe")
    assert pytest_calls[0] == ["-q", "--impl=starter", LAB_02.path, "-x", "-k", "advance", "--lab-timeout=3"]
    assert pytest_calls[1] == ["-q", "--impl=solution", LAB_02.path, "--pipe"]


def test_one_todo(course, pytest_calls):
    course("test", "02.3")
    course("test", "2.03")
    assert pytest_calls == [["-q", "--impl=starter", LAB_02.path, "--todo=3"]] * 2


def test_one_todos_tests_are_those_with_its_mark():
    run = pytest_run(LAB_02.folder, "--collect-only", "-q", "--todo=3")
    collected = {line.partition("::")[2].partition("[")[0] for line in run.lines if "::" in line}
    assert collected == {name for name, numbers in marked_tests(LAB_02).items() if numbers == [3]} and collected


def test_everything_is_the_references_and_the_house_whatever_the_editor_has_set(course, pytest_calls, monkeypatch):
    monkeypatch.setenv("LAB_IMPL", "starter")
    monkeypatch.setattr("os.cpu_count", lambda: 1)
    course("test")
    course("test", "-x")
    monkeypatch.setattr("os.cpu_count", lambda: 2)
    course("test", "-k", "walk")
    assert pytest_calls == [
        ["-q", "--impl=solution"],
        ["-q", "--impl=solution", "-x"],
        ["-q", "--impl=solution", "-n", "2", "--dist=loadfile", "-k", "walk"],
    ]


def test_house_tests_are_collected_for_the_reference_and_not_for_the_starter(tmp_path):
    for name in ("labs", "labkit", "course"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("*.ipynb"))
    for name in ("conftest.py", "pyproject.toml"):
        shutil.copy(ROOT / name, tmp_path / name)
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_house.py").write_text("def test_of_the_house():\n    pass\n", encoding="utf-8")
    everything = pytest_run("-q", "--collect-only", "--impl=solution", cwd=tmp_path, LAB_IMPL="starter")
    starters = pytest_run("-q", "--collect-only", cwd=tmp_path, LAB_IMPL="starter")
    assert "test_of_the_house" in everything.out and "test_of_the_house" not in starters.out
    for lab in all_labs():
        assert f"{lab.path}/test_lab.py::" in everything.out and f"{lab.path}/test_lab.py::" in starters.out


def test_the_editors_choose_the_starter():
    settings = json.loads((ROOT / ".vscode" / "settings.json").read_text(encoding="utf-8"))
    container = json.loads((ROOT / ".devcontainer" / "devcontainer.json").read_text(encoding="utf-8"))
    assert container["containerEnv"]["LAB_IMPL"] == "starter"
    for system in ("linux", "osx", "windows"):
        assert settings[f"terminal.integrated.env.{system}"]["LAB_IMPL"] == "starter"
    assert "--impl=starter" in settings["python.testing.pytestArgs"]


def test_a_run_that_breaks_off_is_no_success(monkeypatch, capsys):
    """A file under test can end the whole process with status 0; the receipt of the plugin is then missing."""

    class Done:
        returncode = 0

    monkeypatch.setattr(testing.subprocess, "run", lambda *args, **kwargs: Done())
    assert testing.run_pytest(["-q"]) == 70
    assert "Nothing was graded" in capsys.readouterr().err


# Others -----------------------------------------------------------------------------------------------


def test_the_commands_reach_their_work(course, monkeypatch):
    seen = []
    monkeypatch.setattr("course.showcase.demo.run_demo", lambda console, out, *, quick: seen.append((out, quick)) or 0)
    monkeypatch.setattr("course.upkeep.sync.sync", lambda console, *, check: seen.append(("sync", check)) or 0)
    monkeypatch.setattr(
        "course.student.commands.own_files.show_diff", lambda lab, console, *, anyway: seen.append((lab, anyway)) or 0
    )
    monkeypatch.setattr("course.student.commands.own_files.reset", lambda lab, console: seen.append(lab) or 0)
    monkeypatch.setattr(
        "course.student.commands.own_files.show_next", lambda console, only: seen.append(("next", only)) or 0
    )
    hint = []
    monkeypatch.setattr(
        "course.student.commands.own_files.show_hint",
        lambda todo, console, *, everything: hint.append((todo, everything)) or 0,
    )
    for line in ("demo", "demo --quick --out=here", "sync", "sync --check", "diff 02", "diff 2 --anyway", "reset 02"):
        assert course(*line.split())[0] == 0
    for line in ("next", "next 02", "hint 02.3", "hint 02.3 --all"):
        assert course(*line.split())[0] == 0
    assert seen[:4] == [("out/demo", False), ("here", True), ("sync", False), ("sync", True)]
    assert seen[4:] == [(LAB_02, False), (LAB_02, True), LAB_02, ("next", None), ("next", LAB_02)]
    assert hint == [("02.3", False), ("02.3", True)]
