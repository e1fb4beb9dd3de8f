"""``python3 -m course …``: names, arguments, exit statuses, and what a mistake looks like."""

import errno
import json
import os
import re
import tomllib
from inspect import unwrap
from pathlib import Path
from typing import get_type_hints
from unittest.mock import Mock

import pytest
from typer.main import get_command

from course.cli import MAY_BE_MINE, app
from course.student.core.catalog import ROOT, all_labs, find_lab
from course.student.run import batch
from tests.runs import LAB_02

COMMANDS = (
    *("demo", "test", "status", "hint", "next", "show", "diff", "reset", "practice", "properties", "bench", "doctor"),
    *("grade", "gradescope", "handout"),
    *("export-hf", "check", "sync", "notebooks", "kills", "mutants", "measure", "train"),
)


ALL = get_command(app).commands
LABS = ", ".join(f"{lab.number:02}" for lab in all_labs())


@pytest.fixture
def pytest_calls(monkeypatch):
    """The arguments with which pytest would have been run; every run is green."""
    calls = []
    monkeypatch.setattr(batch, "run_pytest", lambda arguments: calls.append(list(arguments)) or 0)
    return calls


# Help and mistakes ------------------------------------------------------------------------------------


@pytest.mark.parametrize("arguments", [(), ("--help",), ("-h",)])
def test_help(course, arguments):
    code, out, _ = course(*arguments)
    assert code == (0 if arguments else 2) and "Mask the Logits" in out
    assert {line.split()[1] for line in out.splitlines() if line.startswith("│ ")} >= {*COMMANDS}


@pytest.mark.parametrize("command", ALL)
def test_every_command_explains_itself_and_cuts_no_name(course, monkeypatch, command):
    monkeypatch.setenv("COLUMNS", "60")
    code, out, _ = course(command, "--help")
    assert code == 0 and "Usage:" in out and len(out.split()) > 10
    assert "…" not in out and max(map(len, out.splitlines())) <= 60
    names = {
        name for each in ALL[command].params for name in (*each.opts, *each.secondary_opts) if name.startswith("-")
    }
    assert not names - {*re.findall(r"--?[a-z][a-z-]*", out)}


@pytest.mark.parametrize(
    ("command", "name", "said"),
    [
        *((command, "99", "there is no lab '99'; the labs are 01, 02") for command in ("test", "diff", "reset")),
        ("test 02", "99", "there is no lab '99'; the labs are 01, 02"),
        ("test 02", "2.3", "there is no lab '2.3'; the labs are 01, 02"),
        ("test 02.3", "03", "one TODO at a time: 02.3 goes without 03"),
        *((command, "2.x", "there is no TODO '2.x'; lab 02 has 02.1, 02.2, ") for command in ("test", "hint")),
        ("show", "foo", f"there is no lab 'foo'; the labs are {LABS}, agent, vllm\n"),
        ("score", "foo", f"there is no lab 'foo'; the labs are {LABS}, agent\n"),
        *((command, "foo", f"there is no lab 'foo'; the labs are {LABS}\n") for command in ("hint", "test")),
    ],
)
def test_a_lab_or_todo_that_is_not_there_is_one_line(course, pytest_calls, command, name, said):
    code, out, err = course(*command.split(), name)
    assert (code, out) == (2, "") and err.startswith(f"error: {said}") and err.count("\n") == 1 and not pytest_calls


# Whose files -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", sorted({*COMMANDS, "watch", "explain", "score", "serve", "quiz", "book"}))
def test_only_a_students_commands_heed_the_chain(course, monkeypatch, name):
    """The others run on the references, whatever the environment says; and a typo is refused by all."""
    monkeypatch.setenv("LAB_CHAIN", "mine")
    course(name, "--no-such-option")
    assert os.environ.get("LAB_CHAIN") == ("mine" if name in MAY_BE_MINE else None)
    monkeypatch.setenv("LAB_CHAIN", "Mine")
    code, _, err = course(name)
    wanted = "error: LAB_CHAIN='Mine' must be 'mine' (your own earlier labs) or 'reference' (the default)\n"
    assert (code, err) == (2, wanted)


STATUS, REFUSED = "course.student.commands.own_files.show_status", ("EACCES", "EROFS", "ENOSPC")


def test_the_exit_status_is_the_commands_and_a_fault_of_the_course_is_not_hidden(course, monkeypatch):
    status = Mock(side_effect=[0, 3, *(OSError(getattr(errno, name), "Refused", "/a/file") for name in REFUSED)])
    monkeypatch.setattr(STATUS, status)
    assert [course("status")[0], course("status")[0]] == [0, 3]
    assert [course("status") for _ in REFUSED] == [(2, "", "error: /a/file: Refused\n")] * len(REFUSED)
    for error in (RuntimeError("a fault of ours"), KeyError("a fault of ours"), OSError("no disk")):
        status.side_effect = error
        with pytest.raises(type(error), match=str(error)):
            course("status")


# test -------------------------------------------------------------------------------------------------

STARTER_02 = ["-q", "--impl=starter", LAB_02.path]


@pytest.mark.parametrize(
    ("line", "arguments"),
    [
        *((name, STARTER_02) for name in ("02", "2", "lab_02", LAB_02.path, f"./{LAB_02.path}", f"{LAB_02.path}/")),
        ("02 -x -k advance --lab-timeout=3", [*STARTER_02, "-x", "-k", "advance", "--lab-timeout=3"]),
        ("02 --impl solution --pipe", ["-q", "--impl=solution", LAB_02.path, "--pipe"]),
        ("02.3", [*STARTER_02, "--todo=3"]),
        ("2.03", [*STARTER_02, "--todo=3"]),
        ("02 1", [*STARTER_02, find_lab(1).path]),
        ("lab_02 01 -k walk", [*STARTER_02, find_lab(1).path, "-k", "walk"]),
    ],
)
def test_a_lab_is_graded_on_its_starter_and_more_arguments_go_to_pytest(course, pytest_calls, line, arguments):
    assert course("test", *line.split())[0] == 0 and pytest_calls == [arguments]


@pytest.mark.parametrize(
    ("line", "cores", "more"),
    [("", 1, []), ("-x", 1, ["-x"]), ("-k walk", 2, ["-n", "2", "--dist=worksteal", "-k", "walk"])],
)
def test_everything_is_the_references_whatever_the_editor_has_set(course, pytest_calls, monkeypatch, line, cores, more):
    monkeypatch.setenv("LAB_IMPL", "starter")
    monkeypatch.setattr("os.cpu_count", lambda: cores)
    assert course("test", *line.split())[0] == 0
    (call,) = pytest_calls
    ignored = [word.removeprefix("--ignore=") for word in call if word.startswith("--ignore=")]
    assert ignored and all((ROOT / path).exists() for path in ignored)
    assert [word for word in call if not word.startswith("--ignore=")] == ["-q", "--impl=solution", *more]


def test_the_editors_choose_the_starter():
    files = (".vscode/settings.json", ".devcontainer/devcontainer.json", ".vscode/extensions.json")
    settings, container, _ = (json.loads((ROOT / file).read_text(encoding="utf-8")) for file in files)
    terminals = [settings[f"terminal.integrated.env.{system}"] for system in ("linux", "osx", "windows")]
    assert {each["LAB_IMPL"] for each in (container["containerEnv"], *terminals)} == {"starter"}
    assert "--impl=starter" in settings["python.testing.pytestArgs"]


def test_an_option_that_nobody_knows_is_pytests_to_refuse(capfd):
    assert batch.run_pytest([LAB_02.path, "--nope"]) == batch.USAGE_ERROR == pytest.ExitCode.USAGE_ERROR
    said = "".join(capfd.readouterr())
    assert "unrecognized arguments: --nope" in said and "ended the whole process" not in said


# Others -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "line",
    [
        "demo --prompt x --regex a --picture",
        "bench --json",
        "audit nowhere --out",
        "measure --json",
        "train --out",
        "export-hf",
        "show 04 --model small --picture",
        "show 04 --html",
        "show 04 --trace",
        "show agent --html",
        "grade submissions --lab 02 --out",
        "gradescope 02 --out",
        "handout --upto 02",
        "play --no-open --out",
        "serve --cache",
        "status --picture",
    ],
)
@pytest.mark.parametrize(("place", "why"), [("file", "Not a directory"), ("missing", "Make it first, or name one")])
def test_a_place_that_cannot_be_written_is_refused_before_the_work(course, tmp_path, line, place, why):
    """Below a file, and in a folder that isn't there: a typo in a path shouldn't make one."""
    (file := tmp_path / "file").write_text("kept")
    status, out, err = course(*line.split(), str(tmp_path / place / "x.svg"))
    assert status == 2 and out == "" and err.startswith("error: cannot write ")
    assert str(tmp_path / place) in err and why in err
    assert file.read_text() == "kept" and [*tmp_path.iterdir()] == [file]


def test_those_are_all_options_that_name_a_place_to_write():
    """Whoever adds one adds it above; these are read."""
    read = {"audit suite", "bench checkout", "grade submissions", "properties file", "serve warm", "upstream folder"}
    written = {"audit out", "bench json", "demo picture", "export-hf out", "grade out", "gradescope out"}
    written |= {
        "handout out",
        "measure json",
        "play out",
        "serve cache",
        "show html",
        "show picture",
        "show trace",
        "status picture",
        "train out",
    }
    hints = {name: get_type_hints(unwrap(command.callback)) for name, command in ALL.items()}
    paths = {
        f"{name} {option}" for name, each in hints.items() for option in each if each[option] in (Path, Path | None)
    }
    assert paths == read | written


@pytest.mark.parametrize(
    "line", ["demo --prompt x --regex a --picture", "show 04 --model small --picture", "status --picture"]
)
def test_a_picture_is_an_svg_and_its_name_says_so(course, tmp_path, line):
    status, out, err = course(*line.split(), str(tmp_path / "mine.png"))
    assert (status, out) == (2, "") and err.startswith("error: a picture is written as SVG: name ")
    assert "mine.svg" in err and not [*tmp_path.iterdir()]


def test_the_version_is_the_projects(course):
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert course("--version")[:2] == (0, f"Mask the Logits {project['version']}\n")


def test_the_help_names_the_labs_that_have_a_bench(course):
    _, said, _ = course("bench", "--help")
    row = " ".join(said.split()).partition("[PART] <str>")[2].partition("[CHECKOUT]")[0]
    named = {int(word) for word in re.findall(r"\b\d\d\b", row)} | (set(range(9, 16)) if "09 to 15" in row else set())
    assert named == {lab.number for lab in all_labs() if (lab.folder / "bench.py").is_file()}


OWN_FILES = "course.student.commands.own_files"


@pytest.mark.parametrize(
    ("line", "function", "arguments"),
    [
        ("demo", "course.showcase.demo.run_demo", ((), {})),
        ("sync --check", "course.upkeep.sync.sync", ((all_labs(),), {"check": True})),
        ("sync 02", "course.upkeep.sync.sync", (([LAB_02],), {"check": False})),
        ("diff 02", f"{OWN_FILES}.show_diff", ((LAB_02,), {"anyway": False})),
        ("diff 2 --anyway", f"{OWN_FILES}.show_diff", ((LAB_02,), {"anyway": True})),
        ("reset 02", f"{OWN_FILES}.reset", ((LAB_02,), {})),
        ("next", f"{OWN_FILES}.show_next", ((None,), {})),
        ("next 02", f"{OWN_FILES}.show_next", ((LAB_02,), {})),
    ],
)
def test_the_commands_reach_their_work(course, monkeypatch, line, function, arguments):
    work = Mock(return_value=0)
    monkeypatch.setattr(function, work)
    assert course(*line.split())[0] == 0
    ((given, options),) = work.call_args_list
    assert (tuple(arg for arg in given if type(arg).__name__ != "Console"), options) == arguments
