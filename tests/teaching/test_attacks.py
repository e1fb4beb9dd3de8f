"""The self-test: its bank, that its traps close when nothing confines an attack, and what it prints."""

import io
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
from rich.console import Console

from course.isolation.sandbox import Backend, NoSandbox, available
from course.student.core.catalog import ROOT, find_lab
from course.teaching.attacks import bank, show
from course.teaching.attacks.arena import Arena
from course.teaching.attacks.runs import AttackFinding, attempt, runs
from course.teaching.grading import plan
from course.teaching.grading.plan import passed

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="sandboxes and their self-test are for Linux")

BANK = {submission.name: submission for submission in bank.hostile()}


def test_each_of_the_bank_says_in_a_sentence_what_it_tries_and_the_arena_has_what_it_asks_for() -> None:
    assert len({submission.tries for submission in BANK.values()}) == len(BANK)
    with Arena() as arena:
        for submission in BANK.values():
            assert submission.tries.endswith(".") and "\n" not in submission.tries
            compile(submission.filled(arena.values), submission.name, "exec")


@pytest.mark.parametrize("text", ["A = 1\n", '"""Tries."""\n', "# lab: 01\n"])
def test_a_submission_without_a_head_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "bad.py").write_text(text)
    with pytest.raises(ValueError, match="a hostile submission starts with"):
        bank.read(tmp_path / "bad.py")


def send(arena: Arena, number: signal.Signals) -> None:
    os.kill(int(arena.values["neighbour"]), number)
    os.waitid(os.P_PID, int(arena.values["neighbour"]), os.WEXITED | os.WSTOPPED | os.WNOWAIT)


@pytest.mark.parametrize(
    ("harm", "seen"),
    [
        (lambda arena: Path(arena.values["other_submission"]).chmod(0o600), "starter.py changed"),
        (lambda arena: Path(arena.values["tests"]).write_text(""), "test_lab.py changed"),
        (lambda arena: Path(arena.values["marked"]).touch(), "written"),
        (lambda arena: send(arena, signal.SIGKILL), "neighbour killed"),
        (lambda arena: send(arena, signal.SIGSTOP), "neighbour stopped"),
        (lambda arena: os.setpriority(os.PRIO_PROCESS, int(arena.values["neighbour"]), 19), "neighbour slowed"),
    ],
)
def test_an_arena_sees_what_was_done_to_it(harm: Callable[[Arena], object], seen: str) -> None:
    with Arena() as arena:
        assert (arena.harm(), arena.survivors()) == ([], [])
        harm(arena)
        assert any(seen in found for found in arena.harm())


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("shelf")


UNCONFINED = {
    "environment_secrets": "found COURSE_SELFTEST_SECRET",
    "network_datagrams": "udp server reached",
    "network_loopback": "tcp server reached",
    "read_other_submission": "read another submission",
    "unix_sockets": "abstract server reached",
}
"""What some of the bank do where nothing confines them. The rest would harm the machine that tests run on."""


@pytest.mark.parametrize("name", UNCONFINED)
def test_the_traps_close_when_nothing_confines(shelf: Path, name: str) -> None:
    found = attempt(BANK[name], "", shelf, seconds=30)
    assert any(UNCONFINED[name] in harm for harm in found.harm)


def test_without_a_sandbox_the_reference_can_be_read(shelf: Path) -> None:
    found = attempt(BANK["read_solution"], "", shelf, seconds=30)
    assert set(passed(found.record)) == found.record["tests"].keys() != set()


def test_a_survivor_is_found(shelf: Path) -> None:
    found = attempt(BANK["daemon"], "", shelf, seconds=30)
    for process in found.survivors:
        with suppress(ProcessLookupError):
            os.kill(int(process.partition(":")[0]), signal.SIGKILL)
    assert found.survivors


@pytest.mark.parametrize("backend", available()[:1], ids=lambda backend: backend.name)
def test_a_bank_that_holds_and_a_cheat_that_does_not(backend: Backend, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plan, "bodies", lambda: [("constant", 3), ("refusal", -4)])  # [], and ValueError
    reference = bank.honest(find_lab(1))[0]
    cheat = replace(reference, name="cheat", tries="Has the answers.", todo=1, earns=frozenset())
    found = {each.submission.name: each for each in runs([BANK["exit_zero"], BANK["half_right"], cheat], [backend])}
    assert {name for name, each in found.items() if each.wrong} == {"cheat"}
    assert len(found["cheat"].unearned) == 6 and found["cheat"].points > 0 and not found["cheat"].harm


@pytest.mark.skipif(not available(), reason="needs a sandbox")
def test_a_self_test_that_is_terminated_leaves_nothing(tmp_path: Path) -> None:
    """No folder, and no process that was started for it."""
    command = [sys.executable, "-m", "course", "grade", "--self-test", "--sandbox", available()[0].name]
    tmp_path.chmod(0o755)
    environment = os.environ | {"TMPDIR": str(tmp_path), "COURSE_VENV": "none"}
    with subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.DEVNULL) as process:
        until = time.monotonic() + 100
        while len(list(tmp_path.glob("course-selftest-*"))) < 2 and process.poll() is None:
            assert time.monotonic() < until
            time.sleep(0.05)
        process.terminate()
    assert process.returncode == 130
    assert {path.name.rpartition("-")[0] for path in tmp_path.glob("course-*")} <= {"course-slots"}, "the locks stay"
    lines = [path.read_bytes() for path in Path("/proc").glob("[0-9]*/cmdline") if path.exists()]
    assert not [line for line in lines if str(tmp_path).encode() in line]


def test_lines_and_the_exit_status(monkeypatch: pytest.MonkeyPatch) -> None:
    one, asked, said = replace(BANK["exit_zero"], name="one", tries="Tries this."), [], []

    def choose(name: str | None) -> str | None:
        if name == "lead":
            raise NoSandbox("there is no lead here")
        return name

    def self_test(name: str | None = None, *, verbose: bool = False) -> tuple[int, str]:
        console = Console(file=io.StringIO(), soft_wrap=True, color_system=None)
        return show.self_test(console, name, verbose=verbose), console.file.getvalue()  # type: ignore[attr-defined]

    sandboxes = SimpleNamespace(backends=list, available=lambda: ["steel", "felt"], choose=choose)
    monkeypatch.setattr(show, "sandbox", sandboxes)
    monkeypatch.setattr(show, "runs", lambda bank, backends: asked.append(backends) or said)
    said.append(AttackFinding("steel", one, {}, (), (), 1.0))
    status, text = self_test("felt", verbose=True)
    assert status == 0 and "ok        steel       one" in text and "(1.0 s)  Tries" in text
    assert text.endswith("1 runs in 1 sandboxes: 1 as they should be, 0 not\n")
    harm, survivors = ("told \x1b[2J",), ("7: sleep",)
    bad = AttackFinding("steel", replace(one, name="two"), {}, harm, survivors, 1.0, ("test_a",), 50, "1 of 2 missing")
    said.append(bad)
    status, text = self_test()
    wrong = "0.50 points and 1 tests unearned: test_a; harm: told \\x1b[2J; survivors: 7: sleep; 1 of 2 missing"
    assert status == 1 and "NOT HELD  steel       two" in text and wrong in text and "\x1b" not in text
    assert self_test("lead") == (1, "Nothing was tried. there is no lead here\n")
    assert asked == [["felt"], ["steel", "felt"]] and show.sample_problems() == f"steel, two: {bad.wrong}"
