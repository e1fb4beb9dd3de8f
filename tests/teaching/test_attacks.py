"""Hostile submissions: in every sandbox of this machine they gain nothing, harm nothing, and leave nothing running.

``python3 -m course grade --self-test`` runs all of ``solutions/hostile``; other runs of these tests take a sample, in
the strongest sandbox. Where an attack says ``@name@``, it gets what it knows of its environment, see ``Arena``.
"""

import ast
import io
import json
import os
import re
import secrets
import select
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from types import SimpleNamespace

import pytest
from rich.console import Console

from course.isolation import sandbox
from course.student.core.catalog import ROOT, Lab, find_lab
from course.teaching import self_test
from course.teaching.grading.job import UNSAFE, GradingRules, Job, Record
from course.teaching.grading.local import Local
from tests.runs import pytest_run

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="sandboxes, and what attacks them, are for Linux")

HEAD = re.compile(r"^# lab: (\d\d)(?:, todo: (\d+))?(?:, earns: (\d+))?(, wall)?(, sample)?$", re.MULTILINE)
EVERY = """

def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    return attack
"""
"""Makes every function of the lab the submission's ``attack``."""

FREE = re.compile(
    r"test_could_match_uses_up_|.*(no match|an empty match.*|example\[a|u\[0\.[02]-1)\]|.*_have_its_way$"
    r"|test_each_request_walks_its_own_token\[\[[03]\]-\[[03]\]\]"
)
"""Tests of labs 01 and 15 that code passes which always answers the same, or does nothing: they earn nothing alone."""


@dataclass(frozen=True)
class Attack:
    """A hostile file: what it tries, in one sentence, and what its second line says.

    ``todo`` is the one whose tests run, or 0 for all; ``earns`` is one that it solves honestly. ``wall`` is what only
    bubblewrap holds: where a submission runs as another user, the container around it must.
    """

    name: str
    tries: str
    text: str
    lab: Lab
    todo: int
    earns: int
    wall: bool
    sample: bool


def read(path: Path) -> Attack:
    text = path.read_text(encoding="utf-8")
    says, head = ast.get_docstring(ast.parse(text)) or "", HEAD.search(text)
    assert head and re.fullmatch(r".+\.", says), f"{path} starts with a sentence and a comment, # lab: 01"
    every = EVERY if "\ndef attack(" in text else ""
    lab, todo, earns, wall, sample = head.groups()
    return Attack(
        path.stem, says, text + every, find_lab(lab), int(todo or 0), int(earns or 0), bool(wall), bool(sample)
    )


ATTACKS = {path.stem: read(path) for path in sorted((ROOT / "solutions" / "hostile").glob("*.py"))}
ALL = os.environ.get("COURSE_ATTACKS") == "all"
WAYS = [backend.name for backend in sandbox.available()]
TRIED = [(way, name) for way in (WAYS if ALL else WAYS[:1]) for name in ATTACKS if ALL or ATTACKS[name].sample]
TRIED = [(way, name) for way, name in TRIED if way == "bubblewrap" or not ATTACKS[name].wall]


class Arena(ExitStack):
    """What one submission may harm, made for it alone: files, secrets, a neighbouring process, servers.

    A submission that got at something says the ``token``, which is also in what it must not read.
    """

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(self.enter_context(TemporaryDirectory(prefix="course-attack-"))).resolve()
        self.token, self.mark = secrets.token_hex(12), secrets.token_hex(12)
        self.key = str(secrets.randbelow(1 << 30) + 1)
        for name, mode in (("", 0o755), ("other", 0o755), ("tests", 0o755), ("shared", 0o777)):
            (self.folder / name).mkdir(exist_ok=True)
            (self.folder / name).chmod(mode)
        for name in ("other/starter.py", "tests/test_lab.py"):
            (self.folder / name).write_text(f"SECRET = '{self.token}'\n")
        self.neighbour = subprocess.Popen(["sleep", "600"], start_new_session=True)
        self.callback(self.neighbour.wait)
        self.callback(self.neighbour.kill)
        tcp, udp = socket.create_server(("127.0.0.1", 0)), socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        udp.bind(tcp.getsockname())
        self.servers = [tcp, udp, socket.socket(socket.AF_UNIX), socket.socket(socket.AF_UNIX)]
        for server, address in zip(self.servers[2:], (f"\0{self.mark}", f"{self.folder}/socket"), strict=True):
            server.bind(address)
            server.listen()
        for server in self.servers:
            self.enter_context(server)
        (self.folder / "socket").chmod(0o777)
        self.values = {
            "token": self.token,
            "mark": self.mark,
            "key": self.key,
            "marked": f"{self.folder}/shared/made",
            "other_submission": f"{self.folder}/other/starter.py",
            "tests": f"{self.folder}/tests/test_lab.py",
            "shared_folder": f"{self.folder}/shared",
            "repository": str(ROOT),
            "home": str(Path.home()),
            "neighbour": str(self.neighbour.pid),
            "tcp": str(tcp.getsockname()[1]),
            "socket": f"{self.folder}/socket",
        }

    def filled(self, text: str) -> str:
        return re.sub(r"@(\w+)@", lambda place: self.values[place[1]], text)

    def harm(self, record: Record, shelf: Path) -> list[str]:
        """What came to harm, in words; a killed process has two seconds to be gone."""
        text = json.dumps(record)
        said = text.partition(self.token)
        found = [record["ended"], said[2].partition("\\n")[0][:200] or "told" if said[1] else ""]
        found += ["the neighbour was ended" if self.neighbour.poll() is not None else ""]
        found += [f"the record has {len(text):,} characters" if len(text) > 2_000_000 else ""]
        found += [f"{path} was made" for path in (self.folder / "shared").iterdir()]
        reached, _, _ = select.select(self.servers, [], [], 0)  # a connection waits there, or a message
        found += [f"the server {server.getsockname()!r} was reached" for server in reached]
        for kind, option in (("shm", "-M"), ("msg", "-Q"), ("sem", "-S")):
            if re.search(rf"^ *{self.key} ", Path(f"/proc/sysvipc/{kind}").read_text(), re.MULTILINE):
                found.append(f"shared {kind} was made")
                subprocess.run(["ipcrm", option, self.key], check=True)
        until = time.monotonic() + 2
        while (left := running(self.mark, str(shelf))) and time.monotonic() < until:
            time.sleep(0.05)
        return [*filter(None, found), *(f"process {pid} is still running" for pid in left)]


def running(*words: str) -> list[int]:
    """The processes with one of these words on their command lines."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):
            said = path.read_text("utf-8", "replace")
            found += [int(path.parent.name)] if any(word in said for word in words) else []
    return found


@pytest.fixture(scope="module")
def executor() -> Iterator[Local]:
    with closing(Local(1)) as local:
        yield local


def graded(executor: Local, attack: Attack, text: str, way: str, seconds: float = 3.0) -> Record:
    rules = GradingRules(attack.lab.number, way, seconds, 10 * seconds, todo=attack.todo or None)
    return next(executor.run([Job(rules, text)]))[1]


def passed(record: Record) -> set[str]:
    return {test for test, found in record["tests"].items() if found["verdict"] == "pass"}


@cache
def todo_of(lab: Lab) -> dict[str, int]:
    """The tests of a lab, each with its TODO: its reference passes them all."""
    with closing(Local(1)) as local:
        text = lab.solution.read_text(encoding="utf-8")
        record = next(local.run([Job(GradingRules(lab.number, UNSAFE, 60.0, 600.0), text)]))[1]
    assert passed(record) == record["tests"].keys() != set()
    return {test: found["todo"] for test, found in record["tests"].items()}


@pytest.mark.skipif(not WAYS, reason="needs a sandbox")
@pytest.mark.parametrize(("way", "name"), TRIED)
def test_an_attack_is_held(executor: Local, way: str, name: str) -> None:
    attack = ATTACKS[name]
    with Arena() as arena:
        record = graded(executor, attack, arena.filled(attack.text), way)
        assert arena.harm(record, executor._shelf) == []
    todos = todo_of(attack.lab)
    asked = {test for test, todo in todos.items() if attack.todo in (0, todo)}
    earned = {test for test in asked if todos[test] == attack.earns}
    free = {test for test in asked if FREE.match(test)}
    assert record["tests"].keys() == asked, "no test is kept from saying what it found"
    assert earned <= passed(record) <= earned | free


UNCONFINED = {
    "becomes_root": "is root|lifted its limit",
    "change_files": "changed starter.py",
    "daemon": r"process \d+ is still running",
    "disk_fill": "wrote 128 MiB",
    "fork_bomb": "has 300 children",
    "inherited_secrets": "found PYTEST_CURRENT_TEST=",
    "kill_neighbour": "reached its neighbour: .*neighbour was ended",
    "memory_bomb": "took 128 MiB outside",
    "network": r"(the server .* was reached.*){4}",
    "proc_tricks": "read /proc/",
    "read_other_submission": "read starter.py",
    "shared_memory": "shared shm was made",
    "write_outside": "made .*/shared/harm",
}
"""What comes to harm where no sandbox is."""


@pytest.mark.parametrize("name", UNCONFINED)
def test_an_attack_gets_through_without_a_sandbox(executor: Local, name: str) -> None:
    attack = ATTACKS[name]
    with Arena() as arena:
        found = arena.harm(graded(executor, attack, arena.filled(attack.text), UNSAFE, 30.0), executor._shelf)
        for pid in running(arena.mark, str(executor._shelf)):
            os.kill(pid, signal.SIGKILL)
    assert re.search(UNCONFINED[name], " ".join(found)), found


IN_PROCESS = {
    "answers_in_frames": r" ([2-9]\d) passed",
    "callbacks": "TOKEN reached the tests",
    "evil_exceptions": "INTERNALERROR",
    "expected_failures": "status 0",
    "forged_counts": r" ([1-9]\d) passed",
    "forged_report": "status 0",
    "half_right": "status 0",
    "patched_pytest": r" 6[0-8] passed",
    "read_solution": " 11 passed",
}
"""What a run says that has no pipe, where the submission is in the process of its tests."""


@pytest.mark.parametrize("name", IN_PROCESS)
def test_an_attack_gets_through_without_the_pipe(tmp_path: Path, name: str) -> None:
    attack, file = ATTACKS[name], tmp_path / "starter.py"
    file.write_text(attack.text.replace("@token@", "TOKEN").replace("@repository@", str(ROOT)), encoding="utf-8")
    only = [f"--todo={attack.todo}"] if attack.todo else []
    run = pytest_run(attack.lab.folder, f"--impl={file}", "--lab-timeout=1", *only, cwd=tmp_path)
    assert re.search(IN_PROCESS[name], f"{run.out}\nstatus {run.status}", re.DOTALL), run.out


def test_the_command_says_what_there_is_and_tries_all_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where no sandbox is, it fails; what the tests print and return is theirs."""
    asked: list[list[str]] = []
    monkeypatch.setattr(self_test, "run_pytest", lambda words: asked.append(words) or 3)
    monkeypatch.setenv("COURSE_ATTACKS", "")
    backend = SimpleNamespace(name="steel", why_not="", describe=lambda: "four walls")
    monkeypatch.setattr(sandbox, "backends", lambda: [backend])
    monkeypatch.setattr(sandbox, "choose", lambda name: backend)
    console = Console(file=io.StringIO(), soft_wrap=True)
    assert self_test.self_test(console, "steel", verbose=True) == 3 and os.environ["COURSE_ATTACKS"] == "all"
    assert "steel" in asked[0][-1] and "-v" in asked[0] and (ROOT / asked[0][0]) == Path(__file__)

    def none(name: str | None) -> None:
        raise sandbox.NoSandbox("there is none")

    monkeypatch.setattr(sandbox, "choose", none)
    assert self_test.self_test(console) == 1 and len(asked) == 1
    assert console.file.getvalue() == "steel: four walls\n" * 2 + "Nothing was tried. there is none\n"  # type: ignore[attr-defined]
