"""The doctor, on computers that are not this one."""

from types import SimpleNamespace

import pytest

from course.isolation import cli, sandbox
from course.student.commands import doctor


@pytest.fixture
def said(course, monkeypatch):
    """What the doctor says, on one line, where these packages are missing and these sandboxes work."""

    def said(lacking, status, sandboxes=("",), system="Linux"):
        kinds = [SimpleNamespace(name="strong", describe=lambda: "strong: it holds", why_not=why) for why in sandboxes]
        for module in (doctor, cli):
            monkeypatch.setattr(module, "missing_packages", lambda root, *tiers: lacking.get(tiers[0], []))
        monkeypatch.setattr(doctor, "which", lambda name: None if lacking else name)
        monkeypatch.setattr(doctor, "answer", lambda command: None if lacking else "something")
        monkeypatch.setattr(sandbox, "backends", lambda: kinds)
        monkeypatch.setattr(cli.platform, "system", lambda: system)
        code, out, _ = course("doctor")
        assert code == status
        return " ".join(out.split())

    monkeypatch.setenv("COLUMNS", "250")
    monkeypatch.setenv("COURSE_VENV", "none")
    return said


def test_with_everything_there_nothing_is_missing(said):
    page = said({}, 0)
    assert page.endswith("Everything that the labs need is here.") and "optional" not in page
    assert "python -m jupyterlab labs/lab_01_naive_matching/practice.ipynb" in page and "strong: it holds" in page


def test_what_the_labs_need_is_missing_and_the_rest_can_be_done_without(said, monkeypatch):
    lacking = {"base": ["numpy", "rich"], "jupyter": ["jupyterlab"]}
    page = said(lacking, 1)
    assert page.endswith("Missing: packages: labs. What to do is in the table.") and "lacking numpy, rich" in page
    assert "install -r requirements/notebooks.txt -r requirements/jupyter.txt" in page
    monkeypatch.delenv("COURSE_VENV")
    monkeypatch.setattr(doctor, "stamped", lambda root, tiers: False)
    assert "Missing: .venv, packages: labs." in said(lacking, 1)


@pytest.mark.parametrize(("system", "reason"), [("Linux", "strong: no steel"), ("Windows", "none known on Windows")])
def test_without_a_sandbox_every_reason_is_named(said, system, reason):
    assert reason in said({}, 0, ["no steel"], system)
