"""Setting up ``.venv``: no network, no real installer; stand-ins for the programs, real files and locks."""

import ast
import json
import os
import re
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from course.student.setup import SetupError, bootstrap
from course.student.setup.environment import (
    TIERS,
    fingerprint,
    interpreter,
    named_packages,
    place,
    read_stamps,
    stamp_file,
    stamped,
    write_stamps,
)
from course.student.setup.install import Programs, build, locked, say

REPOSITORY = Path(bootstrap.__file__).resolve().parents[3]
BASE = ("base",)
ALL = ("base", "notebooks", "check")
INTERRUPT = "<Ctrl-C>"


class Doubles(Programs):
    """Stand in for python, pip and uv: make the files that they would make, and fail where told to."""

    def __init__(self, root: Path, uv: bool = False, version: str = "3.11.7", **fails: int | str) -> None:
        super().__init__(root)
        self.root, self.has_uv, self.version, self.fails = root, uv, version, fails
        self.commands: list[str] = []

    def uv(self) -> str | None:
        return "/shims/uv" if self.has_uv else None

    def answer(self, command: Sequence[str]) -> str | None:
        if "import pip" in command[-1]:
            return None if "uv_venv" in self.commands and "ensurepip" not in self.commands else "here"
        return self.version if interpreter(self.root / ".venv").exists() else None

    def run(self, command: Sequence[str]) -> int:
        uv = "uv_" if command[0] == "/shims/uv" else ""
        kind = uv + next(word for word in ("ensurepip", "venv", "pip") if word in command)
        self.commands.append(kind)
        if kind.endswith("venv"):
            make_venv(self.root, self.version)
        outcome = self.fails.get(kind, 0)
        if outcome == INTERRUPT:
            raise KeyboardInterrupt
        return int(outcome)


def make_venv(root: Path, version: str = "3.11.7") -> None:
    python = interpreter(root / ".venv")
    python.parent.mkdir(parents=True, exist_ok=True)
    python.write_text("a program")
    (root / ".venv" / "pyvenv.cfg").write_text(f"home = {root}\nversion = {version}\n")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "a course, with spaces"
    (folder / "requirements").mkdir(parents=True)
    (folder / "constraints.txt").write_text("numpy==1\n")
    for file in TIERS.values():
        (folder / file).write_text("numpy\n")
    return folder


def unfinished(root: Path) -> bool:
    return (root / ".course" / "setup-unfinished").exists()


# What is needed, and whether it is there.


@pytest.mark.parametrize(
    ("line", "tiers"),
    [
        ("", BASE),
        ("--help", BASE),
        ("test check", BASE),
        ("check", ALL),
        ("-v check x", ALL),
        ("notebooks", ALL),
        ("sync --help", BASE),
    ],
)
def test_the_command_chooses_the_tiers(line: str, tiers: tuple[str, ...]) -> None:
    assert bootstrap.tiers_for(line.split()) == tiers


def test_a_fresh_checkout_is_set_up_and_the_second_start_runs_no_program(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    programs = Doubles(root)
    assert build(root, BASE, programs) is True
    assert programs.commands == ["venv", "pip"]
    assert stamped(root, BASE) and not stamped(root, ALL) and not unfinished(root)
    said = capsys.readouterr().err
    assert "Making .venv" in said and "Installing requirements.txt" in said and "Done in" in said


def test_a_further_tier_is_added_to_what_is_there(root: Path) -> None:
    build(root, BASE, Doubles(root))
    programs = Doubles(root)
    assert build(root, ALL, programs) is False
    assert programs.commands == ["pip"]
    assert stamped(root, BASE) and stamped(root, ALL)


def touch_requirements(root: Path) -> None:
    (root / "requirements.txt").write_text("numpy\nrich\n")


def touch_constraints(root: Path) -> None:
    (root / "constraints.txt").write_text("numpy==2\n")


def change_python(root: Path) -> None:
    interpreter(root / ".venv").write_text("another program")


def lose_python(root: Path) -> None:
    interpreter(root / ".venv").unlink()


def damage_stamp(root: Path) -> None:
    stamp_file(root / ".venv").write_bytes(b"\xff base")


def lose_origin(root: Path) -> None:
    (root / ".venv" / "pyvenv.cfg").write_text(f"home = {root / 'gone'}\n")


@pytest.mark.parametrize(
    "change", [touch_requirements, touch_constraints, change_python, lose_python, damage_stamp, lose_origin]
)
def test_the_stamp_holds_only_for_what_it_was_made_from(root: Path, change: Callable[[Path], None]) -> None:
    build(root, BASE, Doubles(root))
    change(root)
    assert not stamped(root, BASE)
    build(root, BASE, Doubles(root))
    assert stamped(root, BASE)


def test_other_tiers_do_not_unsettle_the_base(root: Path) -> None:
    build(root, BASE, Doubles(root))
    (root / TIERS["check"]).write_text("ruff\n")
    assert stamped(root, BASE)


# What goes wrong on the way.


def test_after_a_failure_the_advice_is_shown_and_the_next_run_continues(root: Path) -> None:
    with pytest.raises(SetupError, match=r"Installing requirements\.txt failed(.|\n)*check the network"):
        build(root, BASE, Doubles(root, pip=1))
    assert not stamped(root, BASE)
    again = Doubles(root)
    build(root, BASE, again)
    assert again.commands == ["pip"] and stamped(root, BASE)


@pytest.mark.parametrize("uv", [False, True])
@pytest.mark.parametrize("ending", [1, INTERRUPT])
def test_an_extra_that_fails_leaves_the_base_usable(root: Path, uv: bool, ending: int | str) -> None:
    build(root, BASE, Doubles(root))
    with pytest.raises((SetupError, KeyboardInterrupt)):
        build(root, ALL, Doubles(root, uv=uv, uv_pip=1, pip=ending))
    assert stamped(root, BASE) and not stamped(root, ALL) and not unfinished(root)


@pytest.mark.parametrize("at", ["venv", "pip"])
def test_an_interruption_leaves_no_stamp_and_the_next_run_begins_anew(root: Path, at: str) -> None:
    with pytest.raises(KeyboardInterrupt):
        build(root, BASE, Doubles(root, **{at: INTERRUPT}))
    assert not stamped(root, BASE) and unfinished(root)
    again = Doubles(root)
    build(root, BASE, again)
    assert again.commands == ["venv", "pip"] and stamped(root, BASE) and not unfinished(root)


def test_a_python_without_venv_is_told_what_to_install(root: Path) -> None:
    with pytest.raises(SetupError, match="apt install python3-venv"):
        build(root, BASE, Doubles(root, venv=1))
    assert not (root / ".venv").exists()


def test_a_full_disk_is_named(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda path: shutil._ntuple_diskusage(9, 9, 0))  # type: ignore[attr-defined]
    with pytest.raises(SetupError, match="The disk is full"):
        build(root, BASE, Doubles(root, pip=1))


# uv or pip.


def test_uv_is_used_where_it_works(root: Path) -> None:
    programs = Doubles(root, uv=True)
    build(root, BASE, programs)
    assert programs.commands == ["uv_venv", "uv_pip"] and stamped(root, BASE)


def test_a_stub_of_uv_that_does_not_run_is_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stub = tmp_path / "uv"
    stub.write_text("#!/bin/sh\nexit 1\n")
    stub.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert Programs(tmp_path).uv() is None


def test_where_uv_cannot_fetch_pip_continues_in_the_same_environment(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    programs = Doubles(root, uv=True, uv_pip=2)
    assert build(root, BASE, programs) is True
    assert programs.commands == ["uv_venv", "uv_pip", "ensurepip", "pip"] and stamped(root, BASE)
    assert "uv failed; trying with pip" in capsys.readouterr().err


def test_where_uv_cannot_make_an_environment_venv_does(root: Path) -> None:
    programs = Doubles(root, uv=True, uv_venv=2)
    build(root, BASE, programs)
    assert programs.commands[:2] == ["uv_venv", "venv"] and stamped(root, BASE)


# A .venv that is not what it should be.


def a_file(venv: Path) -> None:
    venv.write_text("notes")


def a_dead_link(venv: Path) -> None:
    venv.symlink_to(venv.with_name("gone"))


def a_folder_of_something_else(venv: Path) -> None:
    venv.mkdir()
    (venv / "thesis.txt").touch()


@pytest.mark.parametrize(
    ("make", "named"),
    [
        (a_file, "is a file"),
        pytest.param(
            *(a_dead_link, "is a link"),
            marks=pytest.mark.skipif(os.name == "nt", reason="links need a privilege on Windows"),
        ),
        (a_folder_of_something_else, "something other"),
    ],
)
def test_what_is_not_ours_is_named_and_kept(root: Path, make: Callable[[Path], None], named: str) -> None:
    make(root / ".venv")
    with pytest.raises(SetupError, match=named):
        build(root, BASE, Doubles(root))
    assert (root / ".venv").is_symlink() or (root / ".venv").exists()
    assert make is not a_folder_of_something_else or (root / ".venv" / "thesis.txt").exists()


def test_an_environment_made_by_hand_is_kept_and_completed(root: Path) -> None:
    make_venv(root)
    programs = Doubles(root)
    assert build(root, BASE, programs) is False
    assert programs.commands == ["pip"] and stamped(root, BASE)


def test_an_empty_folder_and_a_vanished_python_are_made_again(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (root / ".venv").mkdir()
    build(root, BASE, Doubles(root))
    lose_python(root)
    programs = Doubles(root)
    assert build(root, BASE, programs) is True
    assert programs.commands == ["venv", "pip"] and "its Python does not run" in capsys.readouterr().err


@pytest.mark.parametrize(("version", "reason"), [("3.12.1", "has since become 3.12.1"), ("3.10.13", "3.11 or newer")])
def test_an_environment_whose_python_changed_is_made_again(
    root: Path, capsys: pytest.CaptureFixture[str], version: str, reason: str
) -> None:
    make_venv(root, "3.11.7")
    build(root, BASE, Doubles(root, version=version))
    assert reason in capsys.readouterr().err


def test_a_moved_checkout_gets_a_new_environment(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    build(root, BASE, Doubles(root))
    moved = root.with_name("moved")
    shutil.move(root, moved)
    assert not stamped(moved, BASE)
    programs = Doubles(moved)
    assert build(moved, BASE, programs) is True
    assert programs.commands == ["venv", "pip"] and "made in another folder" in capsys.readouterr().err


def test_an_incomplete_copy_of_the_course_is_named(root: Path) -> None:
    (root / "constraints.txt").unlink()
    with pytest.raises(SetupError, match=r"lacks constraints\.txt"):
        build(root, BASE, Doubles(root))


# Two runs at once.


def test_a_second_run_waits_says_so_and_finds_the_work_done(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
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


def test_a_lock_left_by_a_dead_process_keeps_nobody_out(tmp_path: Path) -> None:
    code = "import course.student.setup.install as i, os, pathlib; "
    code += f"i.locked(pathlib.Path({str(tmp_path / 'l')!r}), print).__enter__(); os._exit(9)"
    assert subprocess.run([sys.executable, "-c", code], cwd=REPOSITORY).returncode == 9
    with locked(tmp_path / "l", lambda: pytest.fail("waited for the dead")):
        pass


@pytest.mark.skipif(os.name == "nt", reason="on Windows a lock belongs to one process")
def test_an_installer_that_outlives_its_killed_parent_keeps_others_out(tmp_path: Path) -> None:
    with locked(tmp_path / "lock", lambda: None):
        code = "print('running', flush=True); input()"
        pipe = subprocess.PIPE
        orphan = subprocess.Popen([sys.executable, "-c", code], stdin=pipe, stdout=pipe, close_fds=False)
        assert orphan.stdout and orphan.stdout.readline() == b"running\n"
    waits: list[int] = []

    def end_the_orphan() -> None:
        waits.append(1)
        orphan.communicate(b"\n")

    with locked(tmp_path / "lock", end_the_orphan):
        assert waits == [1]


# Running programs.


def test_what_an_installer_says_is_shown_as_it_comes_and_off_stdout(tmp_path: Path) -> None:
    code = "from course.student.setup.install import Programs; from pathlib import Path; import sys; "
    code += "sys.exit(Programs(Path()).run([sys.executable, '-c', 'print(1); raise SystemExit(3)']))"
    done = subprocess.run([sys.executable, "-c", code], cwd=REPOSITORY, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (3, "", "1\n")


def test_a_program_that_is_not_there_is_a_failure_and_no_traceback(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert Programs(tmp_path).run(["no-such-program-here"]) != 0
    assert "no-such-program-here" in capsys.readouterr().err
    assert Programs(tmp_path).answer(["no-such-program-here"]) is None


def test_only_ascii_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    say("/home/é/\N{SNOWMAN}")
    assert capsys.readouterr().err == "/home/\\xe9/\\u2603\n"


# Entering the environment.


def copy_of_the_course(root: Path, cli: str) -> None:
    package = REPOSITORY / "course"
    (root / "course" / "student").mkdir(parents=True)
    for name in ("__init__.py", "__main__.py", "student/__init__.py"):
        shutil.copy(package / name, root / "course" / name)
    shutil.copytree(package / "student" / "setup", root / "course" / "student" / "setup")
    (root / "course" / "cli.py").write_text(cli)


def make_real_venv(root: Path) -> None:
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(root / ".venv")], check=True)
    write_stamps(root / ".venv", {"base": fingerprint(root, "base"), "place": place(root / ".venv")})


def start(root: Path, *arguments: str, python: Path | None = None, **environ: str) -> subprocess.CompletedProcess[str]:
    clean = {key: value for key, value in os.environ.items() if key not in ("COURSE_VENV", "PYTHONPATH")}
    command = [str(python or sys.executable), *arguments]
    return subprocess.run(command, cwd=root, env={**clean, **environ}, capture_output=True, text=True, check=False)


CLI = """
import json, os, sys
def main():
    print(json.dumps([sys.argv[1:], sys.prefix, os.getcwd()]))
    return 7
"""


def test_a_command_runs_inside_with_its_arguments_folder_and_status(root: Path) -> None:
    copy_of_the_course(root, CLI)
    make_real_venv(root)
    for python in (None, interpreter(root / ".venv")):
        done = start(root, "-m", "course", "test", "02", "-k", "a b", python=python)
        assert (done.returncode, done.stderr) == (7, "")
        arguments, prefix, folder = json.loads(done.stdout)
        assert arguments == ["test", "02", "-k", "a b"]
        assert Path(prefix).samefile(root / ".venv") and Path(folder).samefile(root)


def test_from_another_folder_the_path_of_the_package_will_do(root: Path, tmp_path: Path) -> None:
    copy_of_the_course(root, CLI)
    make_real_venv(root)
    done = start(tmp_path, str(root / "course"), "test")
    assert done.returncode == 7 and Path(json.loads(done.stdout)[2]).samefile(tmp_path)


def test_a_package_that_went_missing_is_named_and_the_next_run_installs_again(root: Path) -> None:
    copy_of_the_course(root, "import no_such_package_here\n")
    make_real_venv(root)
    done = start(root, "-m", "course", "test")
    assert done.returncode == 1 and "no_such_package_here is missing" in done.stderr
    assert "Traceback" not in done.stderr and read_stamps(root / ".venv") == {}


def test_who_manages_packages_is_told_what_is_missing(root: Path) -> None:
    copy_of_the_course(root, CLI)
    (root / "requirements.txt").write_text("pytest\nno-such-package-here\n")
    done = start(root, "-m", "course", "test", COURSE_VENV="none")
    assert done.returncode == 1 and "lacks: no-such-package-here." in done.stderr
    (root / "requirements.txt").write_text("pytest\n")
    assert start(root, "-m", "course", "test", COURSE_VENV="none").returncode == 7
    assert not (root / ".venv").exists()


def test_another_word_in_the_opt_out_is_refused(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COURSE_VENV", "non")
    assert bootstrap.main(["test"]) == 1
    assert "COURSE_VENV=non means nothing" in capsys.readouterr().err


def test_an_interrupted_set_up_ends_with_130_and_no_traceback(
    root: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(*_: object) -> bool:
        raise KeyboardInterrupt

    monkeypatch.delenv("COURSE_VENV", raising=False)
    monkeypatch.setattr("course.student.setup.install.build", interrupted)
    assert bootstrap.main(["test"], root) == 130
    assert "Stopped." in capsys.readouterr().err


def test_a_python_that_never_arrives_inside_does_not_start_itself_for_ever(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("COURSE_VENV", raising=False)
    monkeypatch.setenv(bootstrap._RETURNED, "1")
    with pytest.raises(SetupError, match="does not run inside"):
        bootstrap.enter(root, BASE)


def test_an_old_python_gets_one_sentence() -> None:
    fake = "import runpy, sys; sys.version_info = (3, 8, 18, 'final', 0); runpy.run_path('course/__main__.py')"
    done = subprocess.run([sys.executable, "-c", fake], cwd=REPOSITORY, capture_output=True, text=True, check=False)
    assert done.returncode == 1 and done.stderr.count("\n") == 1
    assert "needs Python 3.11 or newer; this is 3.8.18" in done.stderr


@pytest.mark.parametrize("name", ["__init__.py", "__main__.py"])
def test_what_an_old_python_reads_holds_no_newer_syntax(name: str) -> None:
    tree = ast.parse((REPOSITORY / "course" / name).read_text(encoding="utf-8"))
    newer = (ast.JoinedStr, ast.AnnAssign, ast.NamedExpr, ast.Match, ast.FunctionDef, ast.AsyncFunctionDef)
    assert [node for node in ast.walk(tree) if isinstance(node, newer)] == []


# What the repository promises.


def start_files() -> list[Path]:
    package = REPOSITORY / "course"
    return [package / "__main__.py", *sorted((package / "student" / "setup").glob("*.py"))]


@pytest.mark.parametrize("path", start_files(), ids=lambda path: path.stem)
def test_the_start_needs_the_standard_library_alone(path: Path) -> None:
    allowed = sys.stdlib_module_names | {"course"}
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
        assert {name.partition(".")[0] for name in names} <= allowed
        ours = [name for name in names if name.startswith("course")]
        assert all(re.match(r"course\.(student\.setup|cli)\b", name) or name == "course" for name in ours)


def test_a_start_with_nothing_to_do_imports_nothing_heavy() -> None:
    code = f"import sys; sys.path.insert(0, {str(REPOSITORY)!r})"
    code += "; import course.student.setup.bootstrap; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-I", "-S", "-c", code], capture_output=True, text=True, check=True).stdout
    heavy = {
        "subprocess",
        "shutil",
        "threading",
        "importlib.metadata",
        "typing",
        "hashlib",
        "course.student.setup.install",
    }
    assert heavy & set(loaded.split()) == set()


def test_every_named_package_has_one_fixed_version() -> None:
    fixed = (REPOSITORY / "constraints.txt").read_text(encoding="utf-8")
    for file in TIERS.values():
        for name in named_packages((REPOSITORY / file).read_text(encoding="utf-8")):
            assert re.search(rf"^{re.escape(name)}==", fixed, re.MULTILINE), f"{file}: {name} is not in constraints.txt"


def test_no_file_of_the_set_up_names_a_package_server() -> None:
    files = ["requirements.txt", "constraints.txt", "pyproject.toml", "Makefile", ".ci/run"]
    files += [str(path.relative_to(REPOSITORY)) for path in REPOSITORY.glob("requirements/*")]
    files += [".devcontainer/devcontainer.json", ".vscode/settings.json"]
    address = re.compile(
        r"https?://|file://|--(extra-)?index-url|--find-links|--trusted-host|(^|\s)-[if]\s", re.MULTILINE
    )
    assert [file for file in files if address.search((REPOSITORY / file).read_text(encoding="utf-8"))] == []
    assert [path.name for path in REPOSITORY.glob("*.lock")] == []


def test_make_does_nothing_that_the_course_does_not() -> None:
    recipes = re.findall(r"^\t(.*)$", (REPOSITORY / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    run = [line for line in recipes if not line.startswith("@echo")]
    assert run and all(line.startswith("@$(PYTHON) -m course ") and not re.search("[;&|]", line) for line in run)


@pytest.mark.parametrize(
    "file", [".vscode/settings.json", ".vscode/extensions.json", ".devcontainer/devcontainer.json"]
)
def test_editor_settings_are_json(file: str) -> None:
    json.loads((REPOSITORY / file).read_text(encoding="utf-8"))


def test_editors_choose_the_starter() -> None:
    settings = json.loads((REPOSITORY / ".vscode/settings.json").read_text(encoding="utf-8"))
    container = json.loads((REPOSITORY / ".devcontainer/devcontainer.json").read_text(encoding="utf-8"))
    assert "--impl=starter" in settings["python.testing.pytestArgs"]
    assert container["containerEnv"]["LAB_IMPL"] == "starter"
