"""Which sandbox is chosen, what is said where there is none, and what makes one impossible."""

import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from course.isolation import sandbox
from course.isolation.sandbox import Limits, NoSandbox, machine, ways
from course.isolation.sandbox.ways import Bubblewrap, OtherUser
from course.student.core.catalog import ROOT

ROOT_ONLY = pytest.mark.skipif(sys.platform != "linux" or os.getuid() != 0, reason="needs root")


def offer(monkeypatch: pytest.MonkeyPatch, *fakes: tuple[str, str]) -> None:
    made = [SimpleNamespace(name=name, why_not=why_not) for name, why_not in fakes]
    monkeypatch.setattr(ways, "backends", lambda: made)


def test_the_stronger_that_works_is_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    offer(monkeypatch, ("steel", "no steel"), ("wood", ""), ("paper", ""))
    assert sandbox.choose().name == "wood"
    assert sandbox.choose("paper").name == "paper"
    with pytest.raises(NoSandbox, match="no steel"):
        sandbox.choose("steel")
    assert [backend.name for backend in sandbox.available()] == ["wood", "paper"]


def test_without_any_the_message_gives_every_reason_and_how_to_get_one(monkeypatch: pytest.MonkeyPatch) -> None:
    offer(monkeypatch, ("steel", "no steel"), ("paper", "no paper"))
    with pytest.raises(NoSandbox) as caught:
        sandbox.choose()
    for part in ("steel: no steel", "paper: no paper", "WSL2", "container", "AppArmor", "--trust", "apt install bub"):
        assert part in str(caught.value)


def test_there_are_two_and_they_describe_themselves() -> None:
    every = sandbox.backends()
    assert [backend.name for backend in every] == ["bubblewrap", "other-user"]
    assert all(backend.describe().startswith(f"{backend.name}: ") for backend in every)


def test_bwrap_is_missing_or_says_why_it_fails(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert Bubblewrap().why_not == "bwrap is not installed"
    fake = tmp_path / "bwrap"
    fake.write_text("#!/bin/sh\necho 'bwrap: setting up uid map: Permission denied' >&2; exit 1\n")
    fake.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    assert Bubblewrap().why_not == "bwrap: setting up uid map: Permission denied"


@pytest.mark.skipif(sys.platform != "linux", reason="takes Linux")
def test_another_user_takes_root_an_open_python_and_closed_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine, "closed", lambda paths: None)
    monkeypatch.setattr(os, "getuid", lambda: 0)
    assert "every user of this machine can read" in OtherUser().why_not and "chmod -R o-rwx" in OtherUser().why_not
    monkeypatch.setattr(machine, "closed", lambda paths: Path("/root"))
    assert OtherUser().why_not.startswith("/root is closed to other users")
    monkeypatch.setattr(os, "getuid", lambda: 1000)
    assert OtherUser().why_not == "only Linux's root can run a program as another user"


def test_what_is_closed_to_others_is_named(tmp_path: Path) -> None:
    home = tmp_path / "home"
    (home / "python").mkdir(parents=True)
    file = home / "file"
    file.touch(0o600)
    for folder in (tmp_path, *tmp_path.parents):
        if folder.stat().st_uid == os.getuid() and folder != Path("/"):
            folder.chmod(folder.stat().st_mode | 0o011)
    for mode, paths, found in (
        (0o700, [home / "python"], home),
        (0o711, [home / "python"], None),
        (0o711, [home], home),
        (0o755, [home / "python", file], file),
    ):
        home.chmod(mode)
        assert machine.closed(paths) == found


HOLD = """
import time
from course.isolation.sandbox import machine
with machine.spare_user() as uid:
    print(uid, flush=True)
    time.sleep(60)
"""


@ROOT_ONLY
def test_a_spare_user_is_nobody_elses_and_has_no_processes() -> None:
    """A grader that is killed gives its user back, without what it had started."""
    with subprocess.Popen([sys.executable, "-c", HOLD], cwd=ROOT, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout
        theirs = int(other.stdout.readline())
        left = subprocess.Popen(["sleep", "60"], user=theirs, group=theirs, extra_groups=[])
        with machine.spare_user() as mine:
            assert mine != theirs and left.poll() is None
        other.kill()
        other.wait(60)
    assert theirs in machine.USERS and machine.processes_of(theirs) == [left.pid]
    with machine.spare_user():
        assert left.wait(60) == -9


@pytest.mark.parametrize("name", vars(Limits()))
def test_limits_are_positive(name: str) -> None:
    with pytest.raises(ValueError, match=f"the limit {name} must be positive, not -1"):
        Limits(**{name: -1})
