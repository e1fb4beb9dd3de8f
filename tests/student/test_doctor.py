"""The doctor, on computers that are not this one."""

import io
from types import SimpleNamespace

import pytest
from rich.console import Console

from course.isolation import cli, sandbox
from course.student.commands import doctor


@pytest.fixture
def lacking(monkeypatch):
    """The packages that each tier lacks; everything else is there."""
    lacking = {}
    for module in (doctor, cli):
        monkeypatch.setattr(module, "missing_packages", lambda root, tier: lacking.get(tier, []))
    monkeypatch.setattr(doctor, "which", lambda name: f"/bin/{name}")
    monkeypatch.setattr(doctor, "answer", lambda command: "something")
    monkeypatch.setattr(sandbox, "backends", lambda: [backend("strong", "no steel"), backend("weak", "")])
    monkeypatch.setenv("COURSE_VENV", "none")
    return lacking


def backend(name, why_not):
    return SimpleNamespace(name=name, describe=lambda: f"{name}: it holds", why_not=why_not)


def said(status, encoding="utf-8"):
    """What the doctor prints, on one line."""
    stream = io.TextIOWrapper(raw := io.BytesIO(), encoding=encoding, errors="strict")
    assert doctor.doctor(Console(file=stream, width=200, no_color=True)) == status
    stream.flush()
    return " ".join(raw.getvalue().decode(encoding).split())


def test_with_everything_there_nothing_is_missing_and_the_page_is_plain_where_it_must_be(lacking):
    page = said(0, "ascii")
    assert page.endswith("Everything that the labs need is here.") and "optional" not in page and "\x1b" not in page
    assert "python -m jupyterlab labs/lab_01_naive_matching/practice.ipynb" in page and "weak: it holds" in page


def test_what_the_labs_need_is_missing_and_the_rest_can_be_done_without(lacking, monkeypatch):
    lacking |= {"base": ["numpy", "rich"], "jupyter": ["jupyterlab"]}
    monkeypatch.setattr(doctor, "which", lambda name: None)
    monkeypatch.setattr(doctor, "answer", lambda command: None)
    monkeypatch.setattr(doctor, "find_spec", lambda name: None)
    page = said(1)
    assert page.endswith("Missing: packages: labs, vocabulary. What to do is in the table.")
    assert "lacking numpy, rich" in page and "install -r requirements/notebooks.txt -r requirements/jupyter.txt" in page
    monkeypatch.delenv("COURSE_VENV")
    monkeypatch.setattr(doctor, "stamped", lambda root, tiers: False)
    assert "Missing: .venv, packages: labs, vocabulary." in said(1)


@pytest.mark.parametrize(("system", "reason"), [("Linux", "strong: no steel"), ("Windows", "none known on Windows")])
def test_without_a_sandbox_every_reason_is_named(lacking, monkeypatch, system, reason):
    monkeypatch.setattr(sandbox, "backends", lambda: [backend("strong", "no steel")])
    monkeypatch.setattr(cli.platform, "system", lambda: system)
    assert reason in said(0)
