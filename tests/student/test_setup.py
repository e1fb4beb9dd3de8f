"""Setting up ``.venv``: no network, no real installer; doubles for the programs, real files and locks."""

import ast
import json
import os
import re
import shutil
import subprocess
import sys
import threading
import tomllib
from pathlib import Path
from types import SimpleNamespace

import pytest

from course.start import main
from course.student import setup
from course.student.core.catalog import ROOT
from course.student.setup import TIERS, SetupError, complete, interpreter, stamped

BASE, ALL = ("base",), ("base", "notebooks", "check")
POSIX = pytest.mark.skipif(os.name == "nt", reason="links need a privilege there, and there is no lock")


@pytest.fixture
def root(tmp_path, monkeypatch):
    monkeypatch.delenv("COURSE_VENV", raising=False)
    (tmp_path / "a course, with spaces" / "requirements").mkdir(parents=True)
    for file in ("constraints.txt", *TIERS.values()):
        (tmp_path / "a course, with spaces" / file).write_text("pytest\n")
    return tmp_path / "a course, with spaces"


def make_venv(root):
    (python := interpreter(root / ".venv")).parent.mkdir(parents=True, exist_ok=True)
    python.write_text("a program")
    (root / ".venv" / "pyvenv.cfg").touch()


@pytest.fixture
def ran(monkeypatch):
    """The programs that were run, by doubles; a file's name among the failing ones fails there."""
    ran, failing, uv = [], set(), []

    def run(command, root):
        words = [*map(str, command)]
        ran.append(" ".join(word for word in words if word in ("uv", "venv", "pip") or word.endswith(".txt")))
        if failing & {*words}:
            raise SetupError("failed")
        if "venv" in words:
            make_venv(root)

    monkeypatch.setattr(setup, "_run", run)
    monkeypatch.setattr(
        setup, "answer", lambda command: "True" if Path(command[0]).exists() or command[0] in uv else None
    )
    return SimpleNamespace(commands=ran, failing=failing, uv=uv)


def test_a_fresh_checkout_is_set_up_and_a_further_tier_is_added_to_what_is_there(root, ran, capsys):
    assert complete(root, BASE) and stamped(root, BASE) and not stamped(root, ALL)
    assert ran.commands == ["venv", "pip requirements.txt constraints.txt"]
    assert re.fullmatch(r"Setting up \.venv with Python \S+: once, about a minute\n", capsys.readouterr().err)
    assert not complete(root, ALL) and stamped(root, ALL) and "venv" not in ran.commands[2:]
    (root / TIERS["check"]).write_text("ruff\n")
    assert stamped(root, BASE) and not stamped(root, ALL)


def test_uv_is_used_where_it_runs(root, ran):
    ran.uv.append("uv")
    assert complete(root, BASE) and ran.commands == ["uv venv", "uv pip requirements.txt constraints.txt"]


@pytest.mark.parametrize(
    ("file", "content"),
    [
        ("requirements.txt", "rich"),
        ("constraints.txt", "x==2"),
        (str(interpreter(Path(".venv"))), None),
        (".venv/course-stamp.txt", "é base"),
    ],
)
def test_the_stamp_holds_only_for_what_it_was_made_from(root, ran, file, content):
    complete(root, BASE)
    (root / file).write_text(content, encoding="utf-8") if content else (root / file).unlink()
    assert not stamped(root, BASE)
    anew = complete(root, BASE)
    assert stamped(root, BASE) and anew == (".venv" in file)


def test_what_fails_leaves_what_is_complete_and_a_broken_off_start_is_made_again(root, ran):
    ran.failing.add(TIERS["check"])
    with pytest.raises(SetupError):
        complete(root, ALL)
    assert stamped(root, ALL[:2]) and not stamped(root, ALL)
    shutil.rmtree(root / ".venv")
    ran.failing.add("requirements.txt")
    with pytest.raises(SetupError):
        complete(root, BASE)
    ran.failing.clear()
    assert complete(root, BASE) and stamped(root, BASE)


@pytest.mark.parametrize("kind", ["file", pytest.param("link", marks=POSIX), "folder"])
def test_what_is_not_ours_is_named_and_kept(root, ran, kind):
    kept = root / ".venv" / "thesis.txt" if kind == "folder" else root / ".venv"
    kept.parent.mkdir(exist_ok=True)
    kept.symlink_to(root / "gone") if kind == "link" else kept.write_text("notes")
    with pytest.raises(SetupError, match="something other than"):
        complete(root, BASE)
    assert kept.is_symlink() or kept.read_text() == "notes"


def test_one_made_by_hand_is_completed_and_a_moved_one_made_again(root, ran):
    make_venv(root)
    assert not complete(root, BASE) and stamped(root, BASE)
    shutil.move(root, moved := root.with_name("moved"))
    assert complete(moved, BASE) and stamped(moved, BASE)


@POSIX
def test_a_second_run_waits_and_says_so(root, ran, capsys):
    (root / ".course").mkdir()
    second, said = threading.Thread(target=complete, args=(root, BASE)), ""
    with setup._locked(root / ".course" / "setup.lock"):
        second.start()
        while "Another run is setting up" not in said and second.is_alive():
            said += capsys.readouterr().err
        assert not ran.commands
    second.join(10)
    assert stamped(root, BASE)


CLI = "import json, os, sys\nmain = lambda: print(json.dumps([sys.argv[1:], sys.prefix, os.getcwd()])) or 7\n"


def start(root, *arguments, cli=CLI, **environ):
    """Run a command of a course that has only its start, beside a real environment."""
    if not (root / "course").exists():
        (root / "course" / "student").mkdir(parents=True)
        for name in ("__init__.py", "__main__.py", "start.py", "student/__init__.py", "student/setup.py"):
            shutil.copy(ROOT / "course" / name, root / "course" / name)
        (root / "course" / "cli.py").write_text(cli)
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(root / ".venv")], check=True)
        setup.stamp_file(root / ".venv").write_text(f"base {setup._fingerprint(root, 'base')}\n")
    clean = {key: value for key, value in os.environ.items() if key not in ("COURSE_VENV", "PYTHONPATH")}
    return subprocess.run([sys.executable, *arguments], cwd=root, env=clean | environ, capture_output=True, text=True)


def test_a_command_runs_inside_with_its_arguments_folder_and_status(root):
    for arguments in (("-m", "course"), ("course",)):
        done = start(root, *arguments, "test", "02", "-k", "a b")
        assert (done.returncode, done.stderr) == (7, "")
        words, prefix, folder = json.loads(done.stdout)
        assert words == ["test", "02", "-k", "a b"] and Path(folder).samefile(root)
        assert Path(prefix).samefile(root / ".venv")
    assert Path(json.loads(start(root, "course", COURSE_VENV="none").stdout)[1]).samefile(sys.prefix)


def test_inside_the_environment_every_folder_can_run_a_command(root, monkeypatch):
    start(root, "-m", "course")
    monkeypatch.setattr(setup, "_run", lambda command, root: None)
    setup._install(root, BASE, anew=False, uv=False)
    (lab := root / "labs" / "lab_02").mkdir(parents=True)
    command = [interpreter(root / ".venv"), "-m", "course", "test", "02.1"]
    done = subprocess.run(command, cwd=lab, capture_output=True, text=True)
    assert done.returncode == 7 and Path(json.loads(done.stdout)[2]).samefile(lab)


def test_a_package_that_went_missing_is_named_and_the_next_run_installs_again(root):
    done = start(root, "-m", "course", "test", cli="import no_such_package_here\n")
    assert done.returncode == 1 and "no_such_package_here is missing" in done.stderr and "Traceback" not in done.stderr
    assert not stamped(root, BASE)
    assert "pip install -r" in start(root, "-m", "course", COURSE_VENV="none").stderr


@pytest.mark.parametrize(
    ("command", "writable", "lacking", "wanted"),
    [
        ("test", True, False, [BASE]),
        ("test", False, True, [BASE]),
        ("--help check", True, False, [BASE]),
        ("-v check", True, True, [ALL]),
        ("book", True, False, [("base", "book")]),
    ],
)
def test_what_a_command_needs_is_completed(root, monkeypatch, command, writable, lacking, wanted):
    calls = []
    monkeypatch.setattr(os, "access", lambda path, mode: writable)
    monkeypatch.setattr(setup, "missing_packages", lambda root, tier: ["jupytext"] * lacking)
    monkeypatch.setattr(setup, "complete", lambda root, tiers: calls.append(tiers))
    monkeypatch.setattr(setup, "_start_again", lambda command: None)
    setup.enter(root, command.split())
    assert calls == wanted
    with pytest.raises(SetupError, match="does not run inside"):
        setup.enter(root, command.split())  # it never arrives inside, and must not start itself for ever


@pytest.mark.parametrize(("error", "status"), [(KeyboardInterrupt(), 130), (SetupError("é"), 1)])
def test_what_ends_a_set_up_is_one_line_in_ascii(root, monkeypatch, capsys, error, status):
    def fails(*_):
        raise error

    monkeypatch.setattr(setup, "complete", fails)
    assert main(["test"], root) == status and re.search(r"Stopped|xe9", capsys.readouterr().err)
    monkeypatch.setenv("COURSE_VENV", "non")
    assert main(["test"]) == 1 and "COURSE_VENV=non means nothing" in capsys.readouterr().err


def test_an_old_python_gets_one_sentence_and_can_read_the_file_that_says_it():
    code = "import runpy, sys; sys.version_info = (3, 8, 18, 'final', 0); runpy.run_path('course/__main__.py')"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 1 and "needs Python 3.11 or newer; this is 3.8.18" in done.stderr
    newer = (ast.JoinedStr, ast.AnnAssign, ast.NamedExpr, ast.Match, ast.FunctionDef, ast.AsyncFunctionDef)
    tree = ast.parse((ROOT / "course" / "__main__.py").read_text(encoding="utf-8"))
    assert done.stderr.count("\n") == 1 and not [node for node in ast.walk(tree) if isinstance(node, newer)]


def test_a_start_with_nothing_to_do_imports_nothing_heavy():
    code = f"import sys; sys.path.insert(0, {str(ROOT)!r}); import course.start; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-ISc", code], check=True, capture_output=True, text=True).stdout.split()
    assert not {"subprocess", "shutil", "threading", "importlib.metadata", "typing", "hashlib"} & {*loaded}
    assert {name.partition(".")[0] for name in loaded} <= sys.stdlib_module_names | {"course", "__main__"}


def requirements(name):
    return re.findall(r"^(?!#)(\S.*?)(?: +#.*)?$", (ROOT / name).read_text(encoding="utf-8"), re.MULTILINE)


def test_pip_and_uv_install_what_the_requirements_files_say_each_in_one_version():
    """The lists in ``pyproject.toml`` are generated; ``pip install -e .`` and ``uv sync`` read those."""
    found = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    lists = {f"requirements/{name}.txt": entries for name, entries in found["dependency-groups"].items()}
    lists |= {"constraints.txt": found["tool"]["uv"]["constraint-dependencies"]}
    lists |= {"requirements.txt": found["project"]["dependencies"]}
    assert {name[13:] for name in lists if "/" in name} == {file.name for file in (ROOT / "requirements").iterdir()}
    assert lists == {name: requirements(name) for name in lists}, "python3 -m course sync"
    names = {re.match(r"[\w.-]+", entry)[0] for name, entries in lists.items() if name[0] == "r" for entry in entries}
    assert names <= {entry.partition("==")[0] for entry in lists["constraints.txt"]}


def test_no_file_of_the_set_up_names_a_package_server():
    names = "requirements.txt constraints.txt pyproject.toml Makefile .ci/run .devcontainer/devcontainer.json"
    files = [*map(ROOT.joinpath, names.split()), *ROOT.glob("requirements/*")]
    address = re.compile(r"https?://|file://|--(extra-)?index-url|--find-links|--trusted-host|(^|\s)-[if]\s", re.M)
    assert [file for file in files if address.search(file.read_text(encoding="utf-8"))] == []


def test_make_does_nothing_that_the_course_does_not():
    recipes = re.findall(r"^\t(?!@echo)(.*)$", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    assert recipes and all(re.fullmatch(r"@\$\(PYTHON\) -m course [^;&|]*", line) for line in recipes)


def test_where_nothing_can_be_written_a_python_with_the_packages_is_enough(root, monkeypatch):
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    setup.enter(root, ["test"])  # pytest, which this root asks for, is here
    (root / "requirements.txt").write_text("no-such-package\n")
    with pytest.raises(SetupError, match="Cannot write"):
        setup.enter(root, ["test"])
