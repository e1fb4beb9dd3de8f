"""Setting up ``.venv``: no network, no real installer; doubles for the programs, real files and locks."""

import ast
import json
import os
import re
import shutil
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from course.start import main
from course.student import setup
from course.student.core.catalog import ROOT
from course.student.setup import TIERS, SetupError, complete, interpreter, stamp_file, stamped

BASE, ALL = ("base",), ("base", "notebooks", "check")
POSIX = pytest.mark.skipif(os.name == "nt", reason="no lock there")
PYTHON = str(interpreter(Path(".venv")))


@pytest.fixture
def root(tmp_path, monkeypatch):
    monkeypatch.delenv("COURSE_VENV", raising=False)
    root = tmp_path / "a course, with spaces"
    (root / "requirements").mkdir(parents=True)
    for file in ("constraints.txt", *TIERS.values()):
        (root / file).write_text("pytest\n")
    return root


@pytest.fixture
def ran(root, monkeypatch):
    """The programs that were run, by doubles; one fails that has a word of ``ran.failing``, and ``uv`` may be there."""
    ran = type("Ran", (list,), {"failing": set(), "uv": None})()

    def run(command, root):
        words = [*map(str, command)]
        ran.append(" ".join(word for word in words if word in ("uv", "venv", "pip") or word.endswith(".txt")))
        if ran.failing & {*words}:
            raise SetupError("failed")
        if "venv" in words:
            (root / PYTHON).parent.mkdir(parents=True, exist_ok=True)
            (root / PYTHON).write_text("a program")
            (root / ".venv" / "pyvenv.cfg").touch()

    there = lambda command: "True" if Path(command[0]).exists() or command[0] == ran.uv else None  # noqa: E731
    monkeypatch.setattr(setup, "_run", run)
    monkeypatch.setattr(setup, "answer", there)
    return ran


@pytest.mark.parametrize(("uv", "made"), [(None, ["venv", "pip"]), ("uv", ["uv venv", "uv pip"])])
def test_a_fresh_checkout_is_set_up_and_a_further_tier_added_to_what_is_there(root, ran, capsys, uv, made):
    ran.uv = uv
    assert complete(root, BASE) and stamped(root, BASE) and not stamped(root, ALL)
    assert ran == [made[0], f"{made[1]} requirements.txt constraints.txt"]
    assert re.fullmatch(r"Setting up \.venv with Python \S+: once, about a minute\n", capsys.readouterr().err)
    assert not complete(root, ALL) and stamped(root, ALL) and made[0] not in ran[2:]


@pytest.mark.parametrize(
    ("file", "content", "left", "anew"),
    [
        (TIERS["check"], "ruff", BASE, False),
        ("requirements.txt", "rich", (), False),
        ("constraints.txt", "x==2", (), False),
        (PYTHON, None, (), True),
        (".venv/course-stamp.txt", "é base", (), False),
    ],
)
def test_the_stamp_holds_only_for_what_it_was_made_from(root, ran, file, content, left, anew):
    complete(root, ALL)
    (root / file).write_text(content, encoding="utf-8") if content else (root / file).unlink()
    assert tuple(tier for tier in BASE if stamped(root, [tier])) == left and not stamped(root, ALL)
    assert complete(root, ALL) == anew and stamped(root, ALL)


def test_what_fails_leaves_what_is_complete_and_a_moved_environment_goes_on(root, ran):
    for failing, complete_so_far in (({"requirements.txt"}, ()), ({TIERS["check"]}, ALL[:2]), (set(), ALL)):
        ran.failing = failing
        try:
            assert not complete(root, ALL) and not failing, "what was broken off is continued"
        except SetupError:
            assert failing
        assert tuple(tier for tier in ALL if stamped(root, [tier])) == complete_so_far
    shutil.move(root, moved := root.with_name("moved"))
    assert not complete(moved, BASE) and stamped(moved, BASE)


@pytest.mark.parametrize("kind", ["file", "link", "folder"])
def test_what_is_not_ours_is_named_and_kept(root, ran, kind):
    kept = root / ".venv" / "thesis.txt" if kind == "folder" else root / ".venv"
    kept.parent.mkdir(exist_ok=True)
    kept.symlink_to(root / "gone") if kind == "link" else kept.write_text("notes")
    with pytest.raises(SetupError, match="something other than"):
        complete(root, BASE)
    assert kept.is_symlink() or kept.read_text() == "notes"


@POSIX
def test_a_second_run_waits_and_says_so(root, ran, capsys):
    (root / ".course").mkdir()
    second, said = threading.Thread(target=complete, args=(root, BASE)), ""
    with setup._locked(root / ".course" / "setup.lock"):
        second.start()
        while "Another run is setting up" not in said and second.is_alive():
            said += capsys.readouterr().err
        assert not ran
    second.join(10)
    assert stamped(root, BASE)


CLI = "import json, os, sys\nmain = lambda: print(json.dumps([sys.argv[1:], sys.prefix, os.getcwd()])) or 7\n"


@pytest.fixture
def start(root, monkeypatch):
    """Run Python in a folder of a course that has only its start, beside a real environment."""
    (root / "course" / "student").mkdir(parents=True)
    for name in ("__init__.py", "__main__.py", "start.py", "student/__init__.py", "student/setup.py"):
        shutil.copy(ROOT / "course" / name, root / "course" / name)
    (root / "course" / "cli.py").write_text(CLI)
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(root / ".venv")], check=True)
    monkeypatch.setattr(setup, "_run", lambda command, root: None)
    setup._install(root, BASE, anew=False, uv=False)
    monkeypatch.delenv("PYTHONPATH", raising=False)

    def start(*arguments, folder=root, python=sys.executable, **environ):
        command, env = [python, *arguments], os.environ | environ
        return subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True)

    return start


def test_a_command_runs_inside_with_its_arguments_folder_and_status_wherever_it_is_given(root, start):
    (lab := root / "labs" / "lab_02").mkdir(parents=True)
    inside = {"folder": lab, "python": interpreter(root / ".venv")}
    for first, where in ((["-m", "course"], {}), (["course"], {}), (["-m", "course"], inside)):
        done = start(*first, "test", "02", "-k", "a b", **where)
        assert (done.returncode, done.stderr) == (7, "")
        words, prefix, folder = json.loads(done.stdout)
        assert words == ["test", "02", "-k", "a b"] and Path(folder).samefile(where.get("folder", root))
        assert Path(prefix).samefile(root / ".venv")
    assert Path(json.loads(start("course", COURSE_VENV="none").stdout)[1]).samefile(sys.prefix)


def test_a_package_that_went_missing_is_named_and_the_next_run_installs_again(root, start):
    (root / "course" / "cli.py").write_text("import no_such_package_here\n")
    done = start("-m", "course", "test")
    assert done.returncode == 1 and "no_such_package_here is missing" in done.stderr and "Traceback" not in done.stderr
    assert not stamp_file(root / ".venv").exists()
    assert "pip install -r" in start("-m", "course", COURSE_VENV="none").stderr


@pytest.mark.parametrize(
    ("command", "writable", "lacking", "wanted"),
    [
        ("test", True, False, [BASE]),
        ("test", False, True, [BASE]),
        ("test", False, False, []),
        ("--help check", True, False, [BASE]),
        ("-v check", True, True, [ALL]),
        ("book", True, False, [("base", "book")]),
    ],
)
def test_what_a_command_needs_is_completed(root, monkeypatch, command, writable, lacking, wanted):
    calls = []
    monkeypatch.setattr(os, "access", lambda path, mode: writable)
    monkeypatch.setattr(setup, "missing_packages", lambda root, *tiers: ["jupytext"] * lacking)
    monkeypatch.setattr(setup, "complete", lambda root, tiers: calls.append(tiers))
    monkeypatch.setattr(setup, "_start_again", lambda command: None)
    setup.enter(root, command.split())
    assert calls == wanted
    if wanted:
        with pytest.raises(SetupError, match="does not run inside"):
            setup.enter(root, command.split())  # it never arrives inside, and must not start itself for ever


def test_packages_that_this_python_lacks_are_named_unless_they_are_not_for_every_computer(root):
    (root / "requirements.txt").write_text("pytest>=8\nno-such-package==2  # why\nnone-either; os_name == 'none'\n")
    assert setup.missing_packages(root, "base", "check") == ["no-such-package"]


@pytest.mark.parametrize(("error", "status"), [(KeyboardInterrupt(), 130), (SetupError("é"), 1)])
def test_what_ends_a_set_up_is_one_line_in_ascii(root, monkeypatch, capsys, error, status):
    def fails(*_):
        raise error

    monkeypatch.setattr(setup, "complete", fails)
    assert main(["test"], root) == status and re.search(r"Stopped|xe9", capsys.readouterr().err)
    monkeypatch.undo()
    monkeypatch.setenv("COURSE_VENV", "non")
    assert main(["test"]) == 1 and "COURSE_VENV=non means nothing" in capsys.readouterr().err
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    with pytest.raises(SetupError, match="Cannot write"):
        complete(root, BASE)


def test_an_old_python_gets_one_sentence_and_a_start_imports_nothing_heavy():
    code = "import runpy, sys; sys.version_info = (3, 8, 18, 'final', 0); runpy.run_path('course/__main__.py')"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 1 and "needs Python 3.11 or newer; this is 3.8.18" in done.stderr
    newer = (ast.JoinedStr, ast.AnnAssign, ast.NamedExpr, ast.Match, ast.FunctionDef, ast.AsyncFunctionDef)
    tree = ast.parse((ROOT / "course" / "__main__.py").read_text(encoding="utf-8"))
    assert done.stderr.count("\n") == 1 and not [node for node in ast.walk(tree) if isinstance(node, newer)]
    code = f"import sys; sys.path.insert(0, {str(ROOT)!r}); import course.start; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-ISc", code], check=True, capture_output=True, text=True).stdout.split()
    assert not {"subprocess", "shutil", "threading", "importlib.metadata", "typing", "hashlib"} & {*loaded}
    assert {name.partition(".")[0] for name in loaded} <= sys.stdlib_module_names | {"course", "__main__"}


def test_packages_are_pinned_no_file_names_a_server_and_make_does_only_what_the_course_does():
    texts = {file: file.read_text(encoding="utf-8") for file in (ROOT / "requirements").iterdir()}
    named = ("constraints.txt", "pyproject.toml", "Makefile", ".ci/run", ".devcontainer/devcontainer.json")
    for name in ("requirements.txt", *named):
        texts[ROOT / name] = (ROOT / name).read_text(encoding="utf-8")
    address = re.compile(r"https?://|file://|--(extra-)?index-url|--find-links|--trusted-host|(^|\s)-[if]\s", re.M)
    texts[ROOT / "pyproject.toml"] = re.sub(r"(?m)^urls = .*", "", texts[ROOT / "pyproject.toml"])  # our own
    assert [file for file, text in texts.items() if address.search(text)] == []
    pinned = {*re.findall(r"^([\w.-]+)==", texts[ROOT / "constraints.txt"], re.M)}
    assert {*re.findall(r"^[\w][\w.-]*", "".join(texts[ROOT / name] for name in TIERS.values()), re.M)} <= pinned
    recipes = re.findall(r"^\t(?!@echo)(.*)$", texts[ROOT / "Makefile"], re.MULTILINE)
    assert recipes and all(re.fullmatch(r"@\$\(PYTHON\) -m course [^;&|]*", line) for line in recipes)
