"""Setting up ``.venv``: no network, no real installer; stand-ins for the programs, real files and locks."""

import ast
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import threading
import time
import tomllib
from pathlib import Path

import pytest

from course.start import main
from course.student.setup import bootstrap, install
from course.student.setup.environment import (
    TIERS,
    SetupError,
    fingerprint,
    interpreter,
    named_packages,
    place,
    read_stamps,
    say,
    stamped,
    write_stamps,
)
from course.student.setup.install import Installer, build, locked

REPOSITORY = Path(bootstrap.__file__).resolve().parents[3]
BASE = ("base",)
ALL = ("base", "notebooks", "check")
INTERRUPT = "<Ctrl-C>"
NOT_WINDOWS = pytest.mark.skipif(os.name == "nt", reason="links need a privilege there, and locks belong to a process")


class Doubles(Installer):
    """Stand in for python, pip and uv: make the files that they would make, and fail where told to."""

    def __init__(self, root, uv=False, version="3.11.7", **fails):
        super().__init__(root)
        self.root, self.has_uv, self.version, self.fails = root, uv, version, fails
        self.commands = []

    def uv(self):
        return "/shims/uv" if self.has_uv else None

    def answer(self, command):
        if "import pip" in command[-1]:
            return None if "uv_venv" in self.commands and "ensurepip" not in self.commands else "here"
        return self.version if interpreter(self.root / ".venv").exists() else None

    def run(self, command):
        uv = "uv_" if command[0] == "/shims/uv" else ""
        kind = uv + next(word for word in ("ensurepip", "venv", "pip") if word in command)
        self.commands.append(kind)
        if kind.endswith("venv"):
            make_venv(self.root, self.version)
        outcome = self.fails.get(kind, 0)
        if isinstance(outcome, list):
            outcome = outcome.pop(0)
        if outcome == INTERRUPT:
            raise KeyboardInterrupt
        return outcome


def make_venv(root, version="3.11.7"):
    python = interpreter(root / ".venv")
    python.parent.mkdir(parents=True, exist_ok=True)
    python.write_text("a program")
    (root / ".venv" / "pyvenv.cfg").write_text(f"home = {root}\nversion = {version}\n")


def built(root, tiers=BASE, **doubles):
    """Build with doubles; return whether it was made anew, and what was run."""
    programs = Doubles(root, **doubles)
    return build(root, tiers, programs), programs.commands


@pytest.fixture
def root(tmp_path):
    folder = tmp_path / "a course, with spaces"
    (folder / "requirements").mkdir(parents=True)
    (folder / "constraints.txt").write_text("numpy==1\n")
    for file in TIERS.values():
        (folder / file).write_text("numpy\n")
    return folder


def unfinished(root):
    return (root / ".course" / "setup-unfinished").exists()


# What is needed, and whether it is there.


@pytest.mark.parametrize(
    ("lines", "tiers"),
    [(("", "--help", "test check", "sync --help"), BASE), (("check", "-v check x", "notebooks"), ALL)],
)
def test_the_command_chooses_the_tiers(lines, tiers):
    assert {bootstrap.tiers_for(line.split()) for line in lines} == {tiers}


def test_a_fresh_checkout_is_set_up_and_a_further_tier_is_added_to_what_is_there(root, capsys):
    assert built(root) == (True, ["venv", "pip"])
    assert stamped(root, BASE) and not stamped(root, ALL) and not unfinished(root)
    said = capsys.readouterr().err
    assert re.fullmatch(r"Setting up \.venv with Python \S+: once, about a minute\nDone in \d+ s\n", said)
    assert built(root, ALL) == (False, ["pip"]) and stamped(root, ALL)
    (root / TIERS["check"]).write_text("ruff\n")
    assert stamped(root, BASE) and not stamped(root, ALL)


PYTHON = str(interpreter(Path(".venv")))
CHANGES = {
    "requirements": ("requirements.txt", b"numpy\nrich\n"),
    "constraints": ("constraints.txt", b"numpy==2\n"),
    "another Python": (PYTHON, b"another program"),
    "no Python": (PYTHON, None),
    "a damaged stamp": (".venv/course-stamp.txt", b"\xff base"),
    "its origin is gone": (".venv/pyvenv.cfg", b"home = gone\n"),
}


@pytest.mark.parametrize("change", CHANGES)
def test_the_stamp_holds_only_for_what_it_was_made_from(root, change):
    built(root)
    name, content = CHANGES[change]
    (root / name).unlink() if content is None else (root / name).write_bytes(content)
    assert not stamped(root, BASE)
    built(root)
    assert stamped(root, BASE)


# What goes wrong on the way.


def test_after_a_failure_the_advice_is_shown_and_the_next_run_continues(root):
    with pytest.raises(SetupError, match=r"Installing requirements\.txt failed(.|\n)*check the network"):
        built(root, pip=1)
    assert not stamped(root, BASE)
    assert built(root)[1] == ["pip"] and stamped(root, BASE)


@pytest.mark.parametrize("uv", [False, True])
@pytest.mark.parametrize("ending", [1, INTERRUPT])
def test_an_extra_that_fails_leaves_the_base_usable(root, uv, ending):
    built(root)
    with pytest.raises((SetupError, KeyboardInterrupt)):
        built(root, ALL, uv=uv, uv_pip=1, pip=ending)
    assert stamped(root, BASE) and not stamped(root, ALL) and not unfinished(root)


def test_in_a_fresh_checkout_an_extra_that_fails_leaves_a_usable_base(root):
    with pytest.raises(SetupError, match=r"notebooks\.txt, requirements/check\.txt failed(.|\n)*What needs .* works"):
        built(root, ALL, pip=[0, 1])
    assert stamped(root, BASE) and not stamped(root, ALL) and not unfinished(root)
    assert built(root) == (True, [])


@pytest.mark.parametrize("at", ["venv", "pip"])
def test_an_interruption_leaves_no_stamp_and_the_next_run_begins_anew(root, at):
    with pytest.raises(KeyboardInterrupt):
        built(root, **{at: INTERRUPT})
    assert not stamped(root, BASE) and unfinished(root)
    assert built(root)[1] == ["venv", "pip"] and stamped(root, BASE) and not unfinished(root)


def test_a_python_without_venv_a_full_disk_and_an_incomplete_copy_are_named(root, monkeypatch):
    with pytest.raises(SetupError, match="apt install python3-venv"):
        built(root, venv=1)
    assert not (root / ".venv").exists()
    monkeypatch.setattr(shutil, "disk_usage", lambda path: shutil._ntuple_diskusage(9, 9, 0))
    with pytest.raises(SetupError, match="The disk is full"):
        built(root, pip=1)
    (root / "constraints.txt").unlink()
    with pytest.raises(SetupError, match=r"lacks constraints\.txt"):
        built(root)


# uv or pip.


@pytest.mark.parametrize(
    ("fails", "commands"),
    [
        ({}, ["uv_venv", "uv_pip"]),
        ({"uv_pip": 2}, ["uv_venv", "uv_pip", "ensurepip", "pip"]),  # pip continues in the same environment
        ({"uv_venv": 2}, ["uv_venv", "venv", "uv_pip"]),
    ],
)
def test_uv_is_used_where_it_works(root, capsys, fails, commands):
    assert built(root, uv=True, **fails) == (True, commands) and stamped(root, BASE)
    assert ("uv failed; trying with pip" in capsys.readouterr().err) == ("pip" in commands)


def test_a_stub_of_uv_that_does_not_run_is_passed_over(tmp_path, monkeypatch):
    stub = tmp_path / "uv"
    stub.write_text("#!/bin/sh\nexit 1\n")
    stub.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert Installer(tmp_path).uv() is None


# A .venv that is not what it should be.


@pytest.mark.parametrize(
    ("kind", "named"),
    [("file", "is a file"), pytest.param("link", "is a link", marks=NOT_WINDOWS), ("folder", "something other")],
)
def test_what_is_not_ours_is_named_and_kept(root, kind, named):
    venv = root / ".venv"
    if kind == "folder":
        venv.mkdir()
    kept = venv / "thesis.txt" if kind == "folder" else venv
    kept.symlink_to(root / "gone") if kind == "link" else kept.write_text("notes")
    with pytest.raises(SetupError, match=named):
        built(root)
    assert kept.is_symlink() or kept.read_text() == "notes"


def test_one_made_by_hand_is_completed_and_an_empty_one_or_one_without_python_made_again(root, capsys):
    (root / ".venv").mkdir()
    assert built(root) == (True, ["venv", "pip"])
    shutil.rmtree(root / ".venv")
    make_venv(root)
    assert built(root) == (False, ["pip"]) and stamped(root, BASE)
    interpreter(root / ".venv").unlink()
    assert built(root) == (True, ["venv", "pip"]) and "its Python does not run" in capsys.readouterr().err


@pytest.mark.parametrize(("version", "reason"), [("3.12.1", "has since become 3.12.1"), ("3.10.13", "3.11 or newer")])
def test_an_environment_whose_python_changed_is_made_again(root, capsys, version, reason):
    make_venv(root, "3.11.7")
    built(root, version=version)
    assert reason in capsys.readouterr().err


def test_a_moved_checkout_gets_a_new_environment(root, capsys):
    built(root)
    moved = root.with_name("moved")
    shutil.move(root, moved)
    assert not stamped(moved, BASE)
    assert built(moved) == (True, ["venv", "pip"]) and "made in another folder" in capsys.readouterr().err


# Two runs at once.


def test_a_second_run_waits_says_so_and_finds_the_work_done(root, capsys):
    (root / ".course").mkdir()
    programs, said = Doubles(root), ""
    second = threading.Thread(target=build, args=(root, BASE, programs))
    with locked(root / ".course" / "setup.lock", lambda: None):
        second.start()
        while "Another run is setting up" not in said and second.is_alive():
            time.sleep(0.01)
            said += capsys.readouterr().err
        make_venv(root)
        write_stamps(root / ".venv", {"base": fingerprint(root, "base"), "place": place(root / ".venv")})
    second.join(10)
    assert not second.is_alive() and programs.commands == [] and "waiting" in said


def run_code(code, *options, **more):
    command = [sys.executable, *options, "-c", code]
    return subprocess.run(command, cwd=REPOSITORY, capture_output=True, text=True, **more)


def test_a_lock_left_by_a_dead_process_keeps_nobody_out(tmp_path):
    code = "import course.student.setup.install as i, os, pathlib; "
    code += f"i.locked(pathlib.Path({str(tmp_path / 'l')!r}), print).__enter__(); os._exit(9)"
    assert run_code(code).returncode == 9
    with locked(tmp_path / "l", lambda: pytest.fail("waited for the dead")):
        pass


@NOT_WINDOWS
def test_an_installer_that_outlives_its_killed_parent_keeps_others_out(tmp_path):
    with locked(tmp_path / "lock", lambda: None):
        code = "print('running', flush=True); input()"
        pipe = subprocess.PIPE
        orphan = subprocess.Popen([sys.executable, "-c", code], stdin=pipe, stdout=pipe, close_fds=False)
        assert orphan.stdout.readline() == b"running\n"
    waits = []
    with locked(tmp_path / "lock", lambda: waits.append(orphan.communicate(b"\n"))):
        assert len(waits) == 1


# Running programs.


@pytest.mark.parametrize("status", [0, 3])
def test_what_an_installer_says_is_shown_off_stdout(status):
    code = "from course.student.setup.install import Installer; from pathlib import Path; import sys; "
    code += f"program = 'print(1); raise SystemExit({status})'; "
    code += "sys.exit(Installer(Path()).run([sys.executable, '-c', program]))"
    done = run_code(code)
    assert (done.returncode, done.stdout, done.stderr) == (status, "", "1\n")


def test_a_program_that_is_not_there_is_a_failure_and_no_traceback(tmp_path, capsys):
    assert Installer(tmp_path).run(["no-such-program-here"]) != 0
    assert "no-such-program-here" in capsys.readouterr().err
    assert Installer(tmp_path).answer(["no-such-program-here"]) is None


def test_only_ascii_is_shown(capsys):
    say("/home/é/\N{SNOWMAN}")
    assert capsys.readouterr().err == "/home/\\xe9/\\u2603\n"


# Entering the environment.

CLI = """
import json, os, sys
def main():
    print(json.dumps([sys.argv[1:], sys.prefix, os.getcwd()]))
    return 7
"""


def copy_of_the_course(root, cli=CLI):
    package = REPOSITORY / "course"
    (root / "course" / "student").mkdir(parents=True)
    for name in ("__init__.py", "__main__.py", "start.py", "student/__init__.py"):
        shutil.copy(package / name, root / "course" / name)
    shutil.copytree(package / "student" / "setup", root / "course" / "student" / "setup")
    (root / "course" / "cli.py").write_text(cli)


def make_real_venv(root):
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(root / ".venv")], check=True)
    write_stamps(root / ".venv", {"base": fingerprint(root, "base"), "place": place(root / ".venv")})


def start(root, *arguments, python=sys.executable, **environ):
    clean = {key: value for key, value in os.environ.items() if key not in ("COURSE_VENV", "PYTHONPATH")}
    return subprocess.run([str(python), *arguments], cwd=root, env=clean | environ, capture_output=True, text=True)


def test_a_command_runs_inside_with_its_arguments_folder_and_status(root, tmp_path):
    copy_of_the_course(root)
    make_real_venv(root)
    for python in (sys.executable, interpreter(root / ".venv")):
        done = start(root, "-m", "course", "test", "02", "-k", "a b", python=python)
        assert (done.returncode, done.stderr) == (7, "")
        arguments, prefix, folder = json.loads(done.stdout)
        assert arguments == ["test", "02", "-k", "a b"]
        assert Path(prefix).samefile(root / ".venv") and Path(folder).samefile(root)
    elsewhere = start(tmp_path, str(root / "course"), "test")  # there the path of the package will do
    assert elsewhere.returncode == 7 and Path(json.loads(elsewhere.stdout)[2]).samefile(tmp_path)


def test_inside_the_environment_a_command_runs_in_a_labs_folder_of_the_checkout_that_has_it(root, tmp_path):
    """A ``.venv`` that is a link to another checkout's leads to the one with the link."""
    copy_of_the_course(root)
    make_real_venv(root)
    (root / ".venv" / "course-stamp.txt").unlink()
    built(root, version=platform.python_version())
    checkouts = [root]
    if os.name != "nt":
        checkouts.append(tmp_path / "other")
        shutil.copytree(root, checkouts[1], ignore=shutil.ignore_patterns(".venv"))
        (checkouts[1] / ".venv").symlink_to(root / ".venv")
    for checkout in checkouts:
        (lab := checkout / "labs" / "lab_02").mkdir(parents=True)
        python = interpreter(checkout / ".venv")
        arguments, _, folder = json.loads(start(lab, "-m", "course", "test", "02.1", python=python).stdout)
        assert arguments == ["test", "02.1"] and Path(folder).samefile(lab)
        found = start(lab, "-c", "import course; print(course.__file__)", python=python).stdout.strip()
        assert Path(found) == checkout / "course" / "__init__.py"


def test_a_package_that_went_missing_is_named_and_the_next_run_installs_again(root):
    copy_of_the_course(root, "import no_such_package_here\n")
    make_real_venv(root)
    done = start(root, "-m", "course", "test")
    assert done.returncode == 1 and "no_such_package_here is missing" in done.stderr
    assert "Traceback" not in done.stderr and read_stamps(root / ".venv") == {}


def test_who_manages_packages_is_told_what_is_missing(root):
    copy_of_the_course(root)
    (root / "requirements.txt").write_text("pytest\nno-such-package-here\n")
    done = start(root, "-m", "course", "test", COURSE_VENV="none")
    assert done.returncode == 1 and "lacks: no-such-package-here." in done.stderr
    (root / "requirements.txt").write_text("pytest\n")
    assert start(root, "-m", "course", "test", COURSE_VENV="none").returncode == 7
    assert not (root / ".venv").exists()


@pytest.mark.parametrize(("writable", "lacking", "builds"), [(True, [], 1), (False, [], 0), (False, ["numpy"], 1)])
def test_in_a_folder_that_cannot_be_written_a_python_with_the_packages_is_enough(
    root, monkeypatch, writable, lacking, builds
):
    monkeypatch.delenv("COURSE_VENV", raising=False)
    monkeypatch.setattr(os, "access", lambda path, mode: writable)
    monkeypatch.setattr(bootstrap, "missing_packages", lambda root, tier: lacking)
    monkeypatch.setattr(bootstrap, "_start_again", lambda python: None)
    calls = []
    monkeypatch.setattr(install, "build", lambda root, tiers: calls.append(tiers))
    bootstrap.enter(root, BASE)
    assert len(calls) == builds


def test_another_word_in_the_opt_out_is_refused(monkeypatch, capsys):
    monkeypatch.setenv("COURSE_VENV", "non")
    assert main(["test"]) == 1
    assert "COURSE_VENV=non means nothing" in capsys.readouterr().err


def test_an_interrupted_set_up_ends_with_130_and_no_traceback(root, monkeypatch, capsys):
    def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.delenv("COURSE_VENV", raising=False)
    monkeypatch.setattr(install, "build", interrupted)
    assert main(["test"], root) == 130
    assert "Stopped." in capsys.readouterr().err


def test_what_uv_took_away_is_installed_again(root, monkeypatch):
    """``uv sync`` removes the packages of other tiers; the stamp still names them."""
    monkeypatch.delenv("COURSE_VENV", raising=False)
    monkeypatch.setattr(sys, "prefix", str(root / ".venv"))
    monkeypatch.setattr(install, "build", lambda root, tiers: calls.append(tiers))
    calls = []
    make_venv(root)
    write_stamps(root / ".venv", {tier: fingerprint(root, tier) for tier in ALL})
    for lacking in (False, True):
        monkeypatch.setattr(bootstrap, "missing_packages", lambda root, tier, lacking=lacking: ["jupytext"] * lacking)
        bootstrap.enter(root, ALL)
    assert calls == [ALL]


def test_a_python_that_never_arrives_inside_does_not_start_itself_for_ever(root, monkeypatch):
    monkeypatch.delenv("COURSE_VENV", raising=False)
    monkeypatch.setenv(bootstrap._RETURNED, "1")
    with pytest.raises(SetupError, match="does not run inside"):
        bootstrap.enter(root, BASE)


def test_an_old_python_gets_one_sentence():
    done = run_code(
        "import runpy, sys; sys.version_info = (3, 8, 18, 'final', 0); runpy.run_path('course/__main__.py')"
    )
    assert done.returncode == 1 and done.stderr.count("\n") == 1
    assert "needs Python 3.11 or newer; this is 3.8.18" in done.stderr


@pytest.mark.parametrize("name", ["__init__.py", "__main__.py"])
def test_what_an_old_python_reads_holds_no_newer_syntax(name):
    tree = ast.parse((REPOSITORY / "course" / name).read_text(encoding="utf-8"))
    newer = (ast.JoinedStr, ast.AnnAssign, ast.NamedExpr, ast.Match, ast.FunctionDef, ast.AsyncFunctionDef)
    assert [node for node in ast.walk(tree) if isinstance(node, newer)] == []


# What the repository promises.

START = [REPOSITORY / "course" / "__main__.py", REPOSITORY / "course" / "start.py"]
START += (REPOSITORY / "course" / "student" / "setup").glob("*.py")


@pytest.mark.parametrize("path", START, ids=lambda path: path.stem)
def test_the_start_needs_the_standard_library_alone(path):
    allowed = sys.stdlib_module_names | {"course"}
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
        assert {name.partition(".")[0] for name in names} <= allowed
        ours = [name for name in names if name.startswith("course")]
        assert all(re.match(r"course\.(student\.setup|start|cli)\b", name) or name == "course" for name in ours)


def test_a_start_with_nothing_to_do_imports_nothing_heavy():
    code = f"import sys; sys.path.insert(0, {str(REPOSITORY)!r})"
    code += "; import course.start; print(*sys.modules)"
    heavy = "subprocess shutil threading importlib.metadata typing hashlib course.student.setup.install"
    loaded = run_code(code, "-I", "-S", check=True).stdout
    assert {*heavy.split()} & {*loaded.split()} == set()


def test_every_named_package_has_one_fixed_version():
    fixed = (REPOSITORY / "constraints.txt").read_text(encoding="utf-8")
    for file in TIERS.values():
        for name in named_packages((REPOSITORY / file).read_text(encoding="utf-8")):
            assert re.search(rf"^{re.escape(name)}==", fixed, re.MULTILINE), f"{file}: {name} is not in constraints.txt"


def test_no_file_of_the_set_up_names_a_package_server():
    names = ("requirements.txt", "constraints.txt", "pyproject.toml", "Makefile", ".ci/run")
    names += (".devcontainer/devcontainer.json", ".vscode/settings.json")
    files = [*map(REPOSITORY.joinpath, names), *REPOSITORY.glob("requirements/*")]
    address = re.compile(r"https?://|file://|--(extra-)?index-url|--find-links|--trusted-host|(^|\s)-[if]\s", re.M)
    assert [file for file in files if address.search(file.read_text(encoding="utf-8"))] == []
    assert "uv.lock" in (REPOSITORY / ".gitignore").read_text(encoding="utf-8").splitlines()


def test_uv_and_pip_install_what_the_requirements_files_say():
    """The lists in ``pyproject.toml`` are generated; ``pip install -e .`` and ``uv sync`` read those."""
    found = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))
    lists = {"constraints.txt": found["tool"]["uv"]["constraint-dependencies"]}
    lists |= {f"requirements/{name}.txt": entries for name, entries in found["dependency-groups"].items()}
    lists["requirements.txt"] = found["project"]["dependencies"]
    files = [
        "requirements.txt",
        "constraints.txt",
        *(f"requirements/{p.name}" for p in (REPOSITORY / "requirements").iterdir()),
    ]
    assert sorted(lists) == sorted(files)
    for name, entries in lists.items():
        text = (REPOSITORY / name).read_text(encoding="utf-8")
        assert entries == re.findall(r"^(?!#)(\S.*?)(?: +#.*)?$", text, re.MULTILINE), f"{name}: python3 -m course sync"
    assert found["tool"]["uv"]["package"] is False


def test_make_does_nothing_that_the_course_does_not():
    recipes = re.findall(r"^\t(.*)$", (REPOSITORY / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    run = [line for line in recipes if not line.startswith("@echo")]
    assert run and all(line.startswith("@$(PYTHON) -m course ") and not re.search("[;&|]", line) for line in run)
