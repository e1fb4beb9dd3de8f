"""Runs of pytest for the tests of the course's own machinery, each in a process of its own."""

import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Collection
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from course.student.core.catalog import ROOT, find_lab

LAB_01 = find_lab(1)
LAB_02 = find_lab(2)
OF_THE_COURSE = {"LAB_IMPL", "LAB_CHAIN", "COURSE_RECEIPT", "COURSE_RAN"}
QUIET = {*OF_THE_COURSE, "PYTEST_ADDOPTS", "VIRTUAL_ENV", "NO_COLOR", "FORCE_COLOR"}


@dataclass(frozen=True)
class PytestRun:
    """What a run printed, and its exit status."""

    out: str
    status: int

    @property
    def lines(self) -> list[str]:
        """The lines that are not empty."""
        return [line for line in self.out.splitlines() if line.strip()]

    @property
    def counts(self) -> tuple[int, int, int]:
        """Passed, wrong, todo, as the last line says."""
        match = re.search(r"(\d+) passed, (\d+) wrong(?: in \w+ places?)?, (\d+) todo", self.lines[-1])
        assert match, self.out
        return int(match[1]), int(match[2]), int(match[3])


def pytest_run(*arguments: str | Path, cwd: Path = ROOT, stdin: str = "", **environment: str) -> PytestRun:
    """Run pytest with these arguments and additions to the environment, in a process of its own.

    Where the system can fork, the process is the child of one that has the libraries imported already;
    what an interpreter reads at its own start (``PYTHON…``) needs a new one.
    """
    clean = {key: value for key, value in os.environ.items() if key not in QUIET} | environment
    options = ["-p", "no:cacheprovider", *map(str, arguments)]
    with tempfile.TemporaryDirectory() as folder:
        out, stdin_file = Path(folder) / "out", Path(folder) / "in"
        stdin_file.write_text(stdin, encoding="utf-8")
        if hasattr(os, "fork") and not any(key.startswith("PYTHON") for key in environment) and "-n" not in options:
            status = _forked(options, cwd, clean, out, stdin_file)
        else:
            status = _started(options, cwd, clean, out, stdin_file)
        return PytestRun(out.read_text(encoding="utf-8"), status)


def process(cwd: Path, *arguments: str, **environment: str) -> tuple[int, str]:
    """Run Python in a process of its own, without colour; return its exit status, and what it printed."""
    clean = {key: value for key, value in os.environ.items() if key not in QUIET}
    fixed = {"COURSE_VENV": "none", "PYTHONUTF8": "1", "NO_COLOR": "1", "COLUMNS": "200"}
    command = [sys.executable, *arguments]
    done = subprocess.run(command, cwd=cwd, env=clean | fixed | environment, capture_output=True, encoding="utf-8")
    return done.returncode, done.stdout + done.stderr


def run_course(monkeypatch: Any, capsys: Any, *arguments: str) -> tuple[Any, str, str]:
    """Run one command in this process; return its status, what it printed, and its error messages."""
    from course import cli

    monkeypatch.setattr(sys, "argv", ["course", *arguments])
    try:
        code = cli.main()
    except SystemExit as exit_:
        code = exit_.code
    return code, *capsys.readouterr()


def use(seconds: float) -> None:
    """Use so much processor time, however long that takes by the clock."""
    until = time.thread_time() + seconds
    while time.thread_time() < until:
        pass


def _started(options: list[str], cwd: Path, environment: dict[str, str], out: Path, stdin_file: Path) -> int:
    command = [sys.executable, "-m", "pytest", *options]
    with out.open("wb") as stdout, stdin_file.open("rb") as stdin:
        return subprocess.call(
            command, cwd=cwd, env=environment, stdin=stdin, stdout=stdout, stderr=subprocess.STDOUT, timeout=60
        )


def _forked(options: list[str], cwd: Path, environment: dict[str, str], out: Path, stdin_file: Path) -> int:
    job = {"arguments": options, "cwd": str(cwd), "environment": environment, "out": str(out), "stdin": str(stdin_file)}
    server = _server()
    assert server.stdin is not None and server.stdout is not None
    print(json.dumps(job), file=server.stdin, flush=True)
    return int(server.stdout.readline())


@cache
def _server() -> "subprocess.Popen[str]":
    """The process that forks; it ends when its standard input closes, with this one."""
    command = [sys.executable, str(ROOT / "tests" / "forkserver.py")]
    return subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def grade(source: str, folder: Path, *arguments: str, lab: Path = LAB_02.folder, **environment: str) -> PytestRun:
    """Grade a submission with this text."""
    file = folder / "submission.py"
    file.write_text(source, encoding="utf-8")
    return pytest_run(lab, f"--impl={file}", *arguments, **environment)


def starter(number: int = 2) -> str:
    """The text of a pristine starter."""
    from course.student.core.starters import generate_starter

    return generate_starter(find_lab(number))


def solution(number: int = 2) -> str:
    """The text of a reference."""
    return find_lab(number).solution.read_text(encoding="utf-8")


def without(number: int, todos: Collection[int]) -> str:
    """The starter of a lab in which all but these TODOs are written as the reference writes them."""
    from course.student.core.starters import regions

    source = starter(number)
    for todo, body in regions(solution(number)).items():
        if todo not in todos:
            raised = rf'^ *raise NotImplementedError\("lab \d+, TODO {todo} .*\n'
            source = re.sub(raised, lambda _, body=body: body, source, flags=re.M)
    return source


def with_function(source: str, name: str, body: str) -> str:
    """The source with the body of one function replaced."""
    from course.student.core.wrong_answers import splice

    return splice(source, f"def {name}(*args, **kwargs):\n    {body}\n")
