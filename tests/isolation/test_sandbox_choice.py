"""Which sandbox is chosen, what is said where there is none, and what makes one impossible."""

import os
from pathlib import Path

import pytest

from course.isolation import sandbox
from course.isolation.sandbox import Limits, NoSandbox, kinds, machine
from course.isolation.sandbox.kinds import Bubblewrap


def offer(monkeypatch: pytest.MonkeyPatch, *fakes: tuple[str, str]) -> None:
    made = tuple(type(name, (), {"name": name, "why_not": why_not}) for name, why_not in fakes)
    monkeypatch.setattr(kinds, "KINDS", made)


def test_the_strongest_that_works_is_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
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
    for part in ("steel: no steel", "paper: no paper", "WSL2", "container", "AppArmor", "--unsafe", "apt install bub"):
        assert part in str(caught.value)


def test_backends_come_strongest_first_and_describe_themselves() -> None:
    every = sandbox.backends()
    assert [backend.name for backend in every] == ["bubblewrap", "landlock"]
    assert all(backend.describe().startswith(f"{backend.name}: ") for backend in every)


def test_without_bwrap_its_reason_is_plain(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert Bubblewrap().why_not == "bwrap is not installed"


def test_a_bwrap_that_fails_is_quoted(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    fake = tmp_path / "bwrap"
    fake.write_text("#!/bin/sh\necho 'bwrap: setting up uid map: Permission denied' >&2; exit 1\n")
    fake.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    assert Bubblewrap().why_not == "bwrap: setting up uid map: Permission denied"


def test_a_folder_that_is_closed_to_others_is_named(tmp_path: Path) -> None:
    home = tmp_path / "home"
    (home / "python").mkdir(parents=True)
    for folder in (tmp_path, *tmp_path.parents):
        if folder.stat().st_uid == os.getuid() and folder != Path("/"):
            folder.chmod(folder.stat().st_mode | 0o011)
    home.chmod(0o700)
    assert machine.closed([home / "python"], 12345).startswith(f"{home} is closed to other users")
    assert not machine.closed([home / "python"], os.getuid()) or os.getuid() != 0
    home.chmod(0o711)
    assert not machine.closed([home / "python"], 12345)
    file = home / "file"
    file.touch(0o600)
    assert machine.closed([file], 12345).startswith(f"{file} is closed")


def test_slots_have_users_of_their_own() -> None:
    assert len({machine.spare_uid(slot) for slot in range(machine.SLOTS)}) == machine.SLOTS
    for slot in (-1, machine.SLOTS):
        with pytest.raises(ValueError, match="slots 0 to 399"):
            machine.spare_uid(slot)


@pytest.mark.parametrize("name", vars(Limits()))
def test_limits_are_positive(name: str) -> None:
    with pytest.raises(ValueError, match=f"the limit {name} must be positive, not -1"):
        Limits(**{name: -1})
