"""The self-test: its bank, that its traps close when nothing confines an attack, and what it prints."""

import io
import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest
from rich.console import Console

from course.isolation.sandbox import Backend, available
from course.student.core.catalog import find_lab
from course.teaching.attacks import bank, show
from course.teaching.attacks.arena import Arena
from course.teaching.attacks.runs import Line, Runs, honest
from course.teaching.attacks.trial import Finding, attempt
from course.teaching.grading import plan

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="sandboxes and their self-test are for Linux")

BANK = {submission.name: submission for submission in bank.hostile()}


def test_the_bank_is_large_and_each_says_in_a_sentence_what_it_tries() -> None:
    assert len(BANK) >= 45
    assert len({submission.tries for submission in BANK.values()}) == len(BANK)
    assert all(submission.tries.endswith(".") and "\n" not in submission.tries for submission in BANK.values())


def test_the_arena_has_all_that_the_bank_asks_for() -> None:
    with Arena() as arena:
        for submission in BANK.values():
            assert submission.places <= arena.values.keys(), submission.name
            compile(submission.filled(arena.values), submission.name, "exec")


@pytest.mark.parametrize("text", ["A = 1\n", '"""Tries."""\n', "# lab: 01\n"])
def test_a_submission_without_a_head_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "bad.py").write_text(text)
    with pytest.raises(ValueError, match="a hostile submission starts with"):
        bank.read(tmp_path / "bad.py")


def test_an_untouched_arena_is_unharmed() -> None:
    with Arena() as arena:
        assert (arena.harm(), arena.survivors()) == ([], [])


def change(arena: Arena) -> None:
    Path(arena.values["other_submission"]).chmod(0o600)


def empty(arena: Arena) -> None:
    Path(arena.values["tests"]).write_text("")


def leave(arena: Arena) -> None:
    Path(arena.values["marked"]).touch()


def kill(arena: Arena) -> None:
    os.kill(int(arena.values["neighbour"]), signal.SIGKILL)
    os.waitid(os.P_PID, int(arena.values["neighbour"]), os.WEXITED | os.WNOWAIT)


def stop(arena: Arena) -> None:
    os.kill(int(arena.values["neighbour"]), signal.SIGSTOP)
    os.waitid(os.P_PID, int(arena.values["neighbour"]), os.WSTOPPED | os.WNOWAIT)


def slow(arena: Arena) -> None:
    os.setpriority(os.PRIO_PROCESS, int(arena.values["neighbour"]), 19)


@pytest.mark.parametrize(
    ("harm", "seen"),
    [
        (change, "starter.py changed"),
        (empty, "test_lab.py changed"),
        (leave, "written"),
        (kill, "neighbour killed"),
        (stop, "neighbour stopped"),
        (slow, "neighbour slowed"),
    ],
)
def test_an_arena_sees_what_was_done_to_it(harm: Callable[[Arena], None], seen: str) -> None:
    with Arena() as arena:
        harm(arena)
        assert any(seen in found for found in arena.harm())


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("shelf")


UNCONFINED = {
    "change_files": "starter.py changed",
    "environment_secrets": "found COURSE_SELFTEST_SECRET",
    "kill_neighbour": "neighbour killed",
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
    assert found.passed == found.tests.keys() != set()


@pytest.fixture
def survivor(shelf: Path) -> Iterator[Finding]:
    found = attempt(BANK["daemon"], "", shelf, seconds=30)
    yield found
    for process in found.survivors:
        with suppress(ProcessLookupError):
            os.kill(int(process.partition(":")[0]), signal.SIGKILL)


def test_a_survivor_is_found(survivor: Finding) -> None:
    assert survivor.survivors


@pytest.mark.parametrize("backend", available()[:1], ids=lambda backend: backend.name)
def test_a_bank_that_holds_and_a_cheat_that_does_not(
    backend: Backend, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(plan, "bodies", lambda: ["return []", "raise ValueError('refused')"])
    cheat = replace(honest(find_lab(1))[0], name="cheat", tries="Has the answers.", todo=1)
    wanted = [BANK["exit_zero"], BANK["half_right"], cheat]
    found = {line.name: line for line in Runs(wanted, tmp_path).of(backend)}
    assert {name for name, line in found.items() if not line.fine} == {"cheat"}
    assert len(found["cheat"].unearned) == 4 and found["cheat"].points > 0 and not found["cheat"].harm


def test_lines_and_the_exit_status(monkeypatch: pytest.MonkeyPatch) -> None:
    good = Line("steel", "one", "Tries this.", (), 0, (), (), 1.0)
    bad = replace(good, name="two", unearned=("test_a",), points=50, harm=("told \x1b[2J",), survivors=("7: sleep",))
    out = io.StringIO()
    said: list[Line] = []

    class Told:
        def __init__(self, *args: object) -> None:
            pass

        def of(self, backend: object) -> list[Line]:
            return said

    monkeypatch.setattr(show, "Runs", Told)
    console = Console(file=out, soft_wrap=True, color_system=None)
    said[:] = [good]
    assert show.show(console, [object()], []) == 0  # type: ignore[list-item]
    said[:] = [good, bad]
    assert show.show(console, [object()], []) == 1  # type: ignore[list-item]
    text = out.getvalue()
    assert "ok        steel       one" in text and "no point unearned, no harm, no survivors" in text
    assert (
        "NOT HELD  steel       two" in text
        and "0.50 points and 1 tests unearned: test_a; harm: told ?[2J; survivors: 7: sleep" in text
    )
    assert "\x1b" not in text
    assert show.show(console, [], []) == 1
