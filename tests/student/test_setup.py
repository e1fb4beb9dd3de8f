"""Setting up ``.venv``: no network, no real installer; stand-ins for the programs, real files and locks."""

import ast
import io
import json
import os
import re
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from course.student.setup import SetupError, bootstrap
from course.student.setup.build import build
from course.student.setup.lock import locked
from course.student.setup.packages import named_packages
from course.student.setup.progress import Counter, Screen
from course.student.setup.shell import Shell
from course.student.setup.stamp import TIERS, interpreter, place, read_stamps, stamp_file, stamped, write_stamps

REPOSITORY = Path(bootstrap.__file__).resolve().parents[3]
BASE = ("base",)
ALL = ("base", "notebooks", "check")
PIP_LINES = (
    "Collecting numpy",
    "Collecting rich",
    "Installing collected packages: numpy, rich",
    "Successfully installed",
)
UV_LINES = ("Resolved 2 packages in 3ms", "Prepared 2 packages in 9ms", "Installed 2 packages in 1ms")
INTERRUPT = "<Ctrl-C>"


class Programs(Shell):
    """Stands in for python, pip and uv: makes the files that they would make, and says what they would say."""

    def __init__(self, root: Path, uv: str | None = None, version: str = "3.11.7", has_pip: bool = True) -> None:
        self.root, self.uv, self.version, self.has_pip = root, uv, version, has_pip
        self.commands: list[str] = []
        self.scripts: dict[str, tuple[int, Sequence[str]]] = {"pip": (0, PIP_LINES), "uv": (0, UV_LINES)}

    def which(self, name: str) -> str | None:
        return "/shims/uv" if name == "uv" and self.uv else None

    def answer(self, command: Sequence[str], timeout: float = 20.0) -> str | None:
        if command[0] == "/shims/uv":
            return "uv 1" if self.uv == "works" else None
        if "import pip" in command[-1]:
            return "here" if self.has_pip else None
        return self.version if interpreter(self.root / ".venv").exists() else None

    def lines(self, command: Sequence[str], on_line: Callable[[str | None], None]) -> int:
        kind = self._kind(command)
        self.commands.append(kind)
        if kind.endswith("venv"):
            make_venv(self.root, self.version)
        self.has_pip |= kind == "ensurepip"
        status, said = self.scripts.get(kind, (0, ()))
        for line in said:
            if line == INTERRUPT:
                raise KeyboardInterrupt
            on_line(line)
        return status

    @staticmethod
    def _kind(command: Sequence[str]) -> str:
        if "venv" in command:
            return "uv venv" if command[0] == "/shims/uv" else "venv"
        return "ensurepip" if "ensurepip" in command else ("uv" if command[0] == "/shims/uv" else "pip")


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


@pytest.fixture
def screen() -> Screen:
    return Screen(io.StringIO(), live=False)


def shown(screen: Screen) -> str:
    return screen._stream.getvalue()  # type: ignore[attr-defined, no-any-return]


def unfinished(root: Path) -> bool:
    return (root / ".course" / "setup-unfinished").exists()


# What is needed, and whether it is there.


@pytest.mark.parametrize(
    ("line", "tiers"),
    [("", BASE), ("--help", BASE), ("test check", BASE), ("check", ALL), ("-v check x", ALL), ("notebooks", ALL)],
)
def test_the_command_chooses_the_tiers(line: str, tiers: tuple[str, ...]) -> None:
    assert bootstrap.tiers_for(line.split()) == tiers


def test_a_fresh_checkout_is_set_up_and_the_second_start_runs_no_program(root: Path, screen: Screen) -> None:
    programs = Programs(root)
    assert build(root, BASE, programs, screen) is True
    assert programs.commands == ["venv", "pip"]
    assert stamped(root, BASE) and not stamped(root, ALL) and not unfinished(root)
    assert "[1/2] making .venv" in shown(screen) and "[2/2] installing requirements.txt" in shown(screen)


def test_a_further_tier_is_added_to_what_is_there(root: Path, screen: Screen) -> None:
    build(root, BASE, Programs(root), screen)
    programs = Programs(root)
    assert build(root, ALL, programs, screen) is False
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
def test_the_stamp_holds_only_for_what_it_was_made_from(
    root: Path, screen: Screen, change: Callable[[Path], None]
) -> None:
    build(root, BASE, Programs(root), screen)
    change(root)
    assert not stamped(root, BASE)
    build(root, BASE, Programs(root), screen)
    assert stamped(root, BASE)


def test_other_tiers_do_not_unsettle_the_base(root: Path, screen: Screen) -> None:
    build(root, BASE, Programs(root), screen)
    (root / TIERS["check"]).write_text("ruff\n")
    assert stamped(root, BASE)


# What goes wrong on the way.


def test_without_a_network_the_last_lines_and_the_advice_are_shown_and_the_next_run_goes_on(
    root: Path, screen: Screen
) -> None:
    programs = Programs(root)
    programs.scripts["pip"] = (1, ["Collecting numpy", "ERROR: No matching distribution found for numpy"])
    with pytest.raises(SetupError, match=r"No matching distribution(.|\n)*Check the network"):
        build(root, BASE, programs, screen)
    assert not stamped(root, BASE)
    again = Programs(root)
    build(root, BASE, again, screen)
    assert again.commands == ["pip"] and stamped(root, BASE)


def test_a_failed_download_of_a_further_tier_leaves_the_base_usable(root: Path, screen: Screen) -> None:
    build(root, BASE, Programs(root), screen)
    programs = Programs(root)
    programs.scripts["pip"] = (1, ["Collecting ruff", "ERROR: Connection broken"])
    with pytest.raises(SetupError):
        build(root, ALL, programs, screen)
    assert stamped(root, BASE) and not unfinished(root)


@pytest.mark.parametrize(
    ("at", "script", "next_commands"),
    [
        ("venv", [INTERRUPT], ["venv", "pip"]),
        ("pip", ["Collecting numpy", INTERRUPT], ["pip"]),
        ("pip", ["Installing collected packages: numpy", INTERRUPT], ["venv", "pip"]),
    ],
)
def test_an_interruption_leaves_no_stamp_and_the_next_run_mends(
    root: Path, screen: Screen, at: str, script: list[str], next_commands: list[str]
) -> None:
    programs = Programs(root)
    programs.scripts[at] = (0, script)
    with pytest.raises(KeyboardInterrupt):
        build(root, BASE, programs, screen)
    assert not stamped(root, BASE)
    again = Programs(root)
    build(root, BASE, again, screen)
    assert again.commands == next_commands and stamped(root, BASE) and not unfinished(root)


@pytest.mark.parametrize("status", [1, INTERRUPT])
def test_a_change_that_was_begun_takes_the_stamp_of_the_base_along(
    root: Path, screen: Screen, status: int | str
) -> None:
    build(root, BASE, Programs(root), screen)
    programs = Programs(root)
    ending = [INTERRUPT] if status == INTERRUPT else ["ERROR: No space left on device"]
    programs.scripts["pip"] = (1, ["Installing collected packages: ruff", *ending])
    with pytest.raises((SetupError, KeyboardInterrupt)):
        build(root, ALL, programs, screen)
    assert not stamped(root, BASE) and unfinished(root)


@pytest.mark.parametrize(
    ("line", "advice"),
    [
        ("Error: ensurepip is not available", "apt install python3-venv"),
        ("No module named venv", "apt install python3-venv"),
        ("ERROR: [Errno 28] No space left on device", "The disk is full"),
        ("something new", "delete the folder .venv"),
    ],
)
def test_a_failure_says_what_to_do(root: Path, screen: Screen, line: str, advice: str) -> None:
    programs = Programs(root)
    programs.scripts["venv"] = (1, [line])
    with pytest.raises(SetupError) as raised:
        build(root, BASE, programs, screen)
    assert line in str(raised.value) and advice in str(raised.value)
    assert not (root / ".venv").exists()


# uv or pip.


def test_uv_is_used_where_it_works(root: Path, screen: Screen) -> None:
    programs = Programs(root, uv="works", has_pip=False)
    build(root, BASE, programs, screen)
    assert programs.commands == ["uv venv", "uv"] and stamped(root, BASE)


def test_a_stub_of_uv_that_does_not_run_is_passed_over(root: Path, screen: Screen) -> None:
    programs = Programs(root, uv="a stub")
    build(root, BASE, programs, screen)
    assert programs.commands == ["venv", "pip"]


def test_where_uv_cannot_fetch_pip_goes_on_in_the_same_environment(root: Path, screen: Screen) -> None:
    programs = Programs(root, uv="works", has_pip=False)
    programs.scripts["uv"] = (2, ["error: Failed to fetch", "hint: something about certificates"])
    assert build(root, BASE, programs, screen) is True
    assert programs.commands == ["uv venv", "uv", "ensurepip", "pip"] and stamped(root, BASE)
    assert "uv failed (error: Failed to fetch); trying with pip" in shown(screen)


def test_a_download_of_uv_that_fails_leaves_the_base_usable(root: Path, screen: Screen) -> None:
    build(root, BASE, Programs(root), screen)
    programs = Programs(root, uv="works")
    programs.scripts["uv"] = (2, ["Resolved 60 packages in 3ms", "error: Failed to fetch"])
    programs.scripts["pip"] = (1, ["ERROR: Connection broken"])
    with pytest.raises(SetupError):
        build(root, ALL, programs, screen)
    assert stamped(root, BASE) and not unfinished(root)


def test_where_uv_cannot_make_an_environment_venv_does(root: Path, screen: Screen) -> None:
    programs = Programs(root, uv="works")
    programs.scripts["uv venv"] = (2, ["error: cannot"])
    build(root, BASE, programs, screen)
    assert programs.commands == ["uv venv", "venv", "pip"]
    assert stamped(root, BASE)


# A .venv that is not what it should be.


def test_a_file_in_the_place_is_named_and_kept(root: Path, screen: Screen) -> None:
    (root / ".venv").write_text("notes")
    with pytest.raises(SetupError, match="is a file"):
        build(root, BASE, Programs(root), screen)
    assert (root / ".venv").read_text() == "notes"


@pytest.mark.skipif(os.name == "nt", reason="links need a privilege on Windows")
def test_a_link_that_leads_nowhere_is_named_and_kept(root: Path, screen: Screen) -> None:
    (root / ".venv").symlink_to(root / "gone")
    with pytest.raises(SetupError, match="is a link"):
        build(root, BASE, Programs(root), screen)
    assert (root / ".venv").is_symlink()


def test_a_folder_with_something_else_is_named_and_kept(root: Path, screen: Screen) -> None:
    (root / ".venv").mkdir()
    (root / ".venv" / "thesis.txt").touch()
    with pytest.raises(SetupError, match="something else"):
        build(root, BASE, Programs(root), screen)
    assert (root / ".venv" / "thesis.txt").exists()


def test_an_environment_made_by_hand_is_kept_and_completed(root: Path, screen: Screen) -> None:
    make_venv(root)
    programs = Programs(root)
    assert build(root, BASE, programs, screen) is False
    assert programs.commands == ["pip"] and stamped(root, BASE)


def test_an_empty_folder_and_a_vanished_python_are_made_again(root: Path, screen: Screen) -> None:
    (root / ".venv").mkdir()
    build(root, BASE, Programs(root), screen)
    lose_python(root)
    programs = Programs(root)
    assert build(root, BASE, programs, screen) is True
    assert programs.commands == ["venv", "pip"] and "its Python does not run" in shown(screen)


@pytest.mark.parametrize(("version", "reason"), [("3.12.1", "has since become 3.12.1"), ("3.10.13", "3.11 or newer")])
def test_an_environment_whose_python_changed_is_made_again(
    root: Path, screen: Screen, version: str, reason: str
) -> None:
    make_venv(root, "3.11.7")
    build(root, BASE, Programs(root, version=version), screen)
    assert reason in shown(screen)


def test_a_moved_checkout_gets_a_new_environment(root: Path, screen: Screen) -> None:
    build(root, BASE, Programs(root), screen)
    moved = root.with_name("moved")
    shutil.move(root, moved)
    assert not stamped(moved, BASE)
    programs = Programs(moved)
    assert build(moved, BASE, programs, screen) is True
    assert programs.commands == ["venv", "pip"] and "made in another folder" in shown(screen)


def test_an_incomplete_copy_of_the_course_is_named(root: Path, screen: Screen) -> None:
    (root / "constraints.txt").unlink()
    with pytest.raises(SetupError, match=r"lacks constraints\.txt"):
        build(root, BASE, Programs(root), screen)


# Two runs at once.


def test_a_second_run_waits_says_so_and_finds_the_work_done(root: Path, screen: Screen) -> None:
    (root / ".course").mkdir()
    programs, waiting = Programs(root), threading.Event()
    screen.say = lambda text: waiting.set()  # type: ignore[method-assign]
    second = threading.Thread(target=build, args=(root, BASE, programs, screen))
    with locked(root / ".course" / "setup.lock", lambda: None):
        second.start()
        assert waiting.wait(10)
        build_by_the_holder(root)
    second.join(10)
    assert not second.is_alive() and programs.commands == []


def build_by_the_holder(root: Path) -> None:
    from course.student.setup.stamp import fingerprint

    make_venv(root)
    write_stamps(root / ".venv", {"base": fingerprint(root, "base"), "place": place(root / ".venv")})


def test_a_lock_left_by_a_dead_process_keeps_nobody_out(tmp_path: Path) -> None:
    code = (
        f"import course.student.setup.lock as l, os; l.locked({str(tmp_path / 'l')!r}, print).__enter__(); os._exit(9)"
    )
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


# What a person sees.


@pytest.mark.parametrize(
    ("lines", "status"),
    [
        (["Collecting a>=1", "Collecting b[x]", "Collecting a<3"], "2 packages collected, now a"),
        (["Processing /tmp/x/numpy-2.3.5-cp311-linux.whl"], "1 packages collected, now numpy"),
        (["Requirement already satisfied: rich in ./lib"], "1 packages collected, now rich"),
        (["Resolved 39 packages in 3ms"], "39 packages chosen, fetching them"),
        (["Installing collected packages: a, b, c"], "putting 3 packages in place"),
        (["WARNING: nothing of interest"], "starting"),
    ],
)
def test_the_counter_condenses_what_installers_say(lines: list[str], status: str) -> None:
    counter = Counter()
    for line in lines:
        counter.feed(line)
    assert counter.status == status


def test_off_a_terminal_lines_are_plain_and_rare() -> None:
    now = iter([0.0, 0.0, 1.0, 6.0, 7.0, 11.5])
    screen = Screen(io.StringIO(), live=False, clock=lambda: next(now))
    screen.step("installing")
    for _ in range(4):
        screen.tick("working")
    assert shown(screen) == "installing\n      working, 6 s\n      working, 12 s\n"


def test_on_a_terminal_one_line_is_rewritten_and_cleared() -> None:
    screen = Screen(io.StringIO(), live=True, clock=lambda: 0.0)
    screen.tick("a long status")
    screen.tick("short")
    screen.say("done")
    *_, last, end = shown(screen).split("\r")
    assert end == "done\n" and last.isspace() and "\n" not in shown(screen)[:-1]


def test_only_ascii_is_shown() -> None:
    screen = Screen(io.StringIO(), live=False)
    screen.say("/home/é/\N{SNOWMAN}")
    assert shown(screen) == "/home/\\xe9/\\u2603\n"


# Running programs.


def test_a_program_is_followed_line_by_line(tmp_path: Path) -> None:
    heard: list[str] = []
    code = "import sys; print('out', flush=True); print('err', file=sys.stderr); sys.exit(3)"
    status = Shell(tmp_path).lines([sys.executable, "-c", code], lambda line: heard.append(line) if line else None)
    assert (status, heard) == (3, ["out", "err"])


def test_a_program_that_is_not_there_is_a_failure_and_no_traceback(tmp_path: Path) -> None:
    heard: list[str | None] = []
    assert Shell(tmp_path).lines(["no-such-program-here"], heard.append) != 0
    assert "no-such-program-here" in str(heard)
    assert Shell(tmp_path).answer(["no-such-program-here"]) is None


def test_an_interruption_ends_the_program_too(tmp_path: Path) -> None:
    pids: list[int] = []

    def stop(line: str | None) -> None:
        if line:
            pids.append(int(line))
            raise KeyboardInterrupt

    code = "import os, time; print(os.getpid(), flush=True); time.sleep(60)"
    with pytest.raises(KeyboardInterrupt):
        Shell(tmp_path).lines([sys.executable, "-c", code], stop)
    if os.name != "nt":
        with pytest.raises(ProcessLookupError):
            os.kill(pids[0], 0)


# Entering the environment.


def copy_of_the_course(root: Path, cli: str) -> None:
    package = REPOSITORY / "course"
    (root / "course" / "student").mkdir(parents=True)
    for name in ("__init__.py", "__main__.py", "student/__init__.py"):
        shutil.copy(package / name, root / "course" / name)
    shutil.copytree(package / "student" / "setup", root / "course" / "student" / "setup")
    (root / "course" / "cli.py").write_text(cli)


def make_real_venv(root: Path) -> None:
    from course.student.setup.stamp import fingerprint

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
    monkeypatch.setattr("course.student.setup.build.build", interrupted)
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
        "course.student.setup.build",
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
