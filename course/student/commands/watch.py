"""``python3 -m course watch 03``: run a lab's tests whenever its files are saved, and show the first failure.

A process that has loaded what the tests import waits for a save. Each run is a fork of it, so an answer takes as long
as the tests, and nothing that a file does stays behind.
"""

import ast
import importlib
import json
import os
import select
import signal
import subprocess
import sys
import time
from contextlib import nullcontext, suppress

import pytest
from rich.console import Console
from rich.markup import escape
from rich.text import Text

from course.student.core.catalog import ROOT, Lab
from course.student.core.hints import lab_data
from course.student.core.implementation import Implementation
from course.student.core.rooms import without_echo
from course.student.run.banner import describe_file
from course.student.run.marks import todo_of

_POLL_S = 0.1
_KEYS = "h hint · n next failing TODO · r run again · s show · q quit"


class Streamed:
    """A pytest plugin for the child: the TODO that failed last comes first, one failure each, a JSON line a test."""

    def __init__(self, descriptor: int, first: int) -> None:
        self._descriptor = descriptor
        self._first = first
        self._failed = set[int]()

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Order the tests by TODO."""
        items.sort(key=lambda item: (todo_of(item) != self._first, todo_of(item)))

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> bool | None:
        """Leave out what a TODO has failed already."""
        return True if todo_of(item) in self._failed else None

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Tell the parent what a test found."""
        if found := getattr(report, "course", None):
            if found["verdict"] != "pass":
                self._failed.add(found["todo"])
            line = {name: found[name] for name in ("todo", "verdict", "loaded")} | {"text": str(report.longrepr or "")}
            os.write(self._descriptor, json.dumps(line).encode() + b"\n")


class WatchedRun:
    """One run of a lab's tests in a child process, and what it has said so far."""

    def __init__(self, lab: Lab, first: int) -> None:
        self.verdicts: dict[int, str] = {}
        self.texts: dict[int, str] = {}
        self.loaded = True
        self.begun = time.monotonic()
        self.seconds: float | None = None
        self._rest = b""
        self.descriptor, write = os.pipe()
        self._pid = os.fork()
        if self._pid == 0:
            _child(lab, write, first)
        os.close(write)

    def read(self) -> None:
        """Take in what the child has written; at its end note how long it took."""
        content = os.read(self.descriptor, 1 << 20)
        if not content:
            self.seconds = time.monotonic() - self.begun
            self.close()
        *lines, self._rest = (self._rest + content).split(b"\n")
        for found in map(json.loads, lines):
            todo = found["todo"]
            self.loaded &= found["loaded"]
            if self.verdicts.get(todo, "pass") == "pass":
                self.verdicts[todo] = found["verdict"]
                self.texts[todo] = found["text"]

    def failing(self) -> list[int]:
        """Return the TODOs that fail: wrong ones first, then those that are not written.

        A file that doesn't load is nobody's fault in particular; 0 stands for it.
        """
        if not self.loaded:
            return [0]
        failing = [todo for todo, verdict in self.verdicts.items() if verdict != "pass"]
        return sorted(failing, key=lambda todo: (self.verdicts[todo] != "wrong", todo))

    def close(self) -> None:
        """End the child, if it still runs."""
        if self.descriptor >= 0:
            with suppress(ProcessLookupError):
                os.kill(self._pid, signal.SIGKILL)
            os.waitpid(self._pid, 0)
            os.close(self.descriptor)
            self.descriptor = -1


def _child(lab: Lab, descriptor: int, first: int) -> None:
    """Run the tests in the forked process, which says nothing on the terminal, and end it."""
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nowhere, stream)
    options = ["-q", "--impl=starter", "-p", "no:cacheprovider", "--color=no", lab.path]
    try:
        os.chdir(ROOT)
        pytest.main(options, plugins=[Streamed(descriptor, first)])
    finally:
        os._exit(0)


def preload(lab: Lab) -> None:
    """Import what the lab's tests import, so that every fork has it already."""
    tree = ast.parse((lab.folder / "test_lab.py").read_text(encoding="utf-8"))
    names = [node.module or "" for node in tree.body if isinstance(node, ast.ImportFrom)]
    names += [alias.name for node in tree.body if isinstance(node, ast.Import) for alias in node.names]
    for name in [*names, f"labs.{lab.name}.probes", "_pytest.fixtures", "xdist"]:
        with suppress(ImportError):
            importlib.import_module(name)


def saved(lab: Lab) -> tuple[tuple[str, int, int], ...]:
    """Return what changes when one of the watched files is saved: the starter, and the tests."""
    files = (path for path in (lab.starter, lab.folder / "test_lab.py") if path.is_file())
    return tuple((path.name, path.stat().st_mtime_ns, path.stat().st_size) for path in files)


def screen(lab: Lab, run: WatchedRun, focus: int, hints: int, console: Console) -> None:
    """Print one screen: a line of TODOs, the failure in focus, as much as fits, its hints, and the keys."""
    todos = lab_data(lab).todos
    marks = {"pass": "[green]✓[/]", "wrong": "[red]✗[/]", "todo": "[yellow]·[/]"}
    took = "running …" if run.seconds is None else f"{run.seconds:.1f} s"
    console.clear()
    console.print(f"[bold]{lab.label}[/] · {escape(describe_file(lab.starter, lab))} · {took}")
    verdicts = run.verdicts if run.loaded else {}
    console.print("  ".join(f"{number} {marks.get(verdicts.get(number, ''), ' ')}" for number in todos) + "\n")
    if not run.loaded:
        console.print("[bold]starter.py does not load[/]\n")
        _print_failure(console, next(iter(run.texts.values())), [], f"{lab.number:02}")
    elif focus:
        todo = todos[focus]
        console.print(f"[bold]TODO {focus}, {todo.function}[/] ({todo.about_lines}): {escape(todo.task)}\n")
        said = [f"hint {n} of {len(todo.hints)}  {todo.hints[n - 1]}" for n in range(1, hints + 1)]
        _print_failure(console, run.texts[focus], said, f"{lab.number:02}.{focus}")
    elif run.seconds is not None:
        passed = run.verdicts and not run.failing()
        console.print("[green]Every test passes.[/]" if passed else "No test ran: python3 -m course test says why.")
    console.print(f"\n[dim]{_KEYS}[/]")


def _print_failure(console: Console, text: str, hints: list[str], tested: str) -> None:
    """Print as much of a failure as fits above these hints, and how to see the rest."""
    room = max(5, console.height - 8 - sum(1 + len(hint) // console.width for hint in hints))
    lines = Text(text).wrap(console, console.width)
    for line in lines[:room]:
        console.print(line)
    if len(lines) > room:
        console.print(f"… {len(lines) - room} more lines: python3 -m course test {tested}", style="dim")
    for hint in hints:
        console.print(f"[cyan]{escape(hint)}[/]")


def watch(lab: Lab, console: Console) -> int:
    """Run the lab's tests now and after every save, until ``q`` or Ctrl-C.

    Raises:
        ValueError: on a system without fork, or if the lab has no starter.
    """
    if not hasattr(os, "fork"):
        raise ValueError(f"watch needs a system with fork (Linux, macOS); here: python -m course test {lab.number:02}")
    if problem := Implementation("starter", "").what_is_missing(lab):
        raise ValueError(problem)
    preload(lab)
    interactive = sys.stdin.isatty()
    with without_echo() if interactive else nullcontext(), suppress(KeyboardInterrupt):
        _loop(lab, console, interactive=interactive)
    return 0


def _loop(lab: Lab, console: Console, *, interactive: bool) -> None:
    state, run = saved(lab), WatchedRun(lab, 0)
    focus = hints = moved = 0
    try:
        while True:
            watched = [run.descriptor] * (run.descriptor >= 0) + [0] * interactive
            ready = select.select(watched, [], [], _POLL_S)[0]
            key = os.read(0, 1).decode("ascii", "replace") if 0 in ready else ""
            if run.descriptor in ready:
                run.read()
            failing = run.failing()
            if key == "q":
                return
            if key == "s":
                subprocess.run([sys.executable, "-m", "course", "show", f"{lab.number:02}"], cwd=ROOT, check=False)
            moved += key == "n"
            hints = min(3, hints + (key == "h"))
            old, focus = focus, failing[moved % len(failing)] if failing else 0
            hints = hints if focus == old else 0
            if key == "r" or saved(lab) != state:
                state, moved = saved(lab), 0
                run.close()
                run = WatchedRun(lab, focus)
            if ready or key:
                screen(lab, run, focus, hints, console)
    finally:
        run.close()
