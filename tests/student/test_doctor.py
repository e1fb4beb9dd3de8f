"""The doctor, on machines that are not this one."""

import io
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType, SimpleNamespace

import pytest
from rich.console import Console

from course.isolation import sandbox
from course.student.commands import doctor
from course.student.commands.doctor import Machine
from course.student.core.catalog import all_labs
from course.student.setup.environment import interpreter

PLAIN = MappingProxyType({})


@pytest.fixture
def bare(tmp_path):
    """A Linux machine with Python and nothing else."""
    return Machine(
        root=tmp_path,
        system="Linux",
        environ=PLAIN,
        which=lambda name: None,
        answer=lambda command: None,
        missing=lambda tier: ["numpy", "rich"] if tier == "base" else ["ruff"],
        package_folder=lambda name: None,
    )


@pytest.fixture
def full(bare, tmp_path, monkeypatch):
    """A machine that has everything, under COURSE_VENV=none."""
    vocabulary = tmp_path / "mistral_common" / "data" / "tekken_240911.json"
    vocabulary.parent.mkdir(parents=True)
    vocabulary.touch()
    offer(monkeypatch, "")
    return replace(
        bare,
        environ={"COURSE_VENV": "none", "EDITOR": "vi"},
        which=lambda name: f"/bin/{name}",
        answer=lambda command: "something",
        missing=lambda tier: [],
        package_folder=lambda name: tmp_path / name,
    )


def offer(monkeypatch, *reasons):
    """Let the machine have sandboxes, strongest first, each with the reason why it does not work."""
    kinds = zip(("strong: of steel", "weak: of paper"), reasons, strict=False)
    backends = [
        SimpleNamespace(name=what.partition(":")[0], describe=lambda what=what: what, why_not=why_not)
        for what, why_not in kinds
    ]
    monkeypatch.setattr(sandbox, "backends", lambda: backends)


def examined(machine):
    return {check.name: check for check in doctor.examine(machine)}


def test_a_bare_machine_lacks_what_the_labs_need_and_nothing_else_is_called_missing(bare):
    found = examined(bare)
    missing = {name for name, check in found.items() if check.state == "missing"}
    assert missing == {".venv", "packages: labs", "vocabulary"} and "numpy, rich" in found["packages: labs"].detail
    assert {name for name, check in found.items() if check.state == "ok"} == {"Python"}
    assert all(check.advice for check in found.values() if check.state != "ok")


@pytest.mark.parametrize("columns", [40, 80, 200])
def test_exit_status_and_last_line_name_what_is_missing(bare, columns):
    console = Console(file=io.StringIO(), width=columns)
    assert doctor.doctor(console, bare) == 1
    printed = " ".join(console.file.getvalue().split())
    assert "Missing: .venv, packages: labs, vocabulary." in printed


def test_a_full_machine_is_all_ok_and_optional_things_do_not_fail_the_command(full):
    assert {check.state for check in examined(full).values()} == {"ok"}
    assert doctor.doctor(Console(file=io.StringIO(), width=100), full) == 0
    without = replace(full, which=lambda name: None)
    assert "optional" in {check.state for check in examined(without).values()}
    assert doctor.doctor(Console(file=io.StringIO()), without) == 0


def test_an_installed_package_without_its_vocabulary_file_is_missing(bare, tmp_path):
    assert examined(replace(bare, package_folder=lambda name: tmp_path))["vocabulary"].state == "missing"


def test_the_vocabulary_that_labkit_reads_is_the_one_looked_for():
    assert examined(Machine())["vocabulary"].state == "ok"


@pytest.mark.parametrize(
    ("program", "name", "words"), [("uv", "uv", "does not run"), ("nvidia-smi", "GPU", "finds no device")]
)
def test_a_program_that_is_there_and_does_not_work_is_told_apart(bare, program, name, words):
    found = examined(replace(bare, which={program: f"/shims/{program}"}.get))[name]
    assert found.state == "optional" and words in found.detail


@pytest.mark.parametrize(
    ("reasons", "state", "detail"),
    [
        (("no steel", ""), "ok", "weak: of paper"),
        (("no steel", "no paper"), "optional", "strong: no steel; weak: no paper"),
    ],
)
def test_the_strongest_sandbox_is_named_or_every_reason(full, monkeypatch, reasons, state, detail):
    offer(monkeypatch, *reasons)
    found = examined(full)["sandbox"]
    assert (found.state, found.detail) == (state, detail)
    assert examined(replace(full, system="Windows"))["sandbox"].state == "optional"


def test_without_pip_in_the_environment_the_advice_uses_uv(bare, tmp_path):
    advice = examined(bare)["packages: jupyter"].advice
    assert "uv pip install -r requirements/notebooks.txt -r requirements/jupyter.txt" in advice
    with_pip = replace(bare, package_folder=lambda name: tmp_path)
    assert " -m pip install -r" in examined(with_pip)["packages: jupyter"].advice


def test_with_jupyter_there_the_doctor_says_how_to_open_a_practice_notebook(full):
    command, _, path = examined(full)["packages: jupyter"].advice.partition(": ")[2].rpartition(" ")
    assert command == "python -m jupyterlab" and path == f"{all_labs()[0].path}/practice.ipynb"
    python, found = str(interpreter(Path(".venv"))), examined(replace(full, environ=PLAIN))
    assert f": {python} -m jupyterlab {path}" in found["packages: jupyter"].advice
    assert python in found["packages: notebooks"].advice


def test_a_console_in_ascii_gets_ascii_and_no_colour(bare):
    bytes_out = io.BytesIO()
    stream = io.TextIOWrapper(bytes_out, encoding="ascii", errors="strict")
    console = Console(file=stream, width=80, no_color=True)
    doctor.doctor(console, bare)
    stream.flush()
    assert b"\x1b" not in bytes_out.getvalue()
    assert doctor.check_terminal(console).state == "optional"
