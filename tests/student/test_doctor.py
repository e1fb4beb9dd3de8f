"""The doctor, on machines that are not this one."""

import io
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

import pytest
from rich.console import Console

from course.student.commands import doctor
from course.student.commands.machine import Machine
from course.student.core.catalog import ROOT
from course.student.setup.environment import interpreter

PLAIN: Mapping[str, str] = MappingProxyType({})


def bare(tmp_path: Path) -> Machine:
    """A Linux machine with Python and nothing else."""
    return Machine(
        root=tmp_path,
        version=(3, 11, 7),
        prefix="/somewhere/.venv",
        system="Linux",
        environ=PLAIN,
        which=lambda name: None,
        answer=lambda command: None,
        missing=lambda tier: ["numpy", "rich"] if tier == "base" else ["ruff"],
        package_folder=lambda name: None,
    )


def full(tmp_path: Path) -> Machine:
    """A machine that has everything, under COURSE_VENV=none."""
    vocabulary = tmp_path / "mistral_common" / "data" / "tekken_240911.json"
    vocabulary.parent.mkdir(parents=True)
    vocabulary.touch()
    return replace(
        bare(tmp_path),
        environ={"COURSE_VENV": "none", "EDITOR": "vi"},
        which=lambda name: f"/bin/{name}",
        answer=lambda command: "something",
        missing=lambda tier: [],
        package_folder=lambda name: tmp_path / name,
        sandboxes=lambda: [("strong: of steel", "")],
    )


def states(machine: Machine) -> dict[str, str]:
    return {check.name: check.state for check in doctor.examine(machine)}


def test_a_bare_machine_lacks_what_the_labs_need_and_nothing_else_is_called_missing(tmp_path: Path) -> None:
    found = states(bare(tmp_path))
    assert {name for name, state in found.items() if state == "missing"} == {".venv", "packages: labs", "vocabulary"}
    assert {name for name, state in found.items() if state == "ok"} == {"Python"}


def test_a_full_machine_is_all_ok(tmp_path: Path) -> None:
    assert set(states(full(tmp_path)).values()) == {"ok"}


def test_every_finding_that_is_not_ok_says_what_to_do(tmp_path: Path) -> None:
    assert [check.name for check in doctor.examine(bare(tmp_path)) if check.state != "ok" and not check.advice] == []


@pytest.mark.parametrize("columns", [40, 80, 200])
def test_exit_status_and_last_line_name_what_is_missing(tmp_path: Path, columns: int) -> None:
    console = Console(file=io.StringIO(), width=columns)
    assert doctor.doctor(console, bare(tmp_path)) == 1
    printed = " ".join(console.file.getvalue().split())  # type: ignore[attr-defined]
    assert "Missing: .venv, packages: labs, vocabulary." in printed


def test_a_full_machine_exits_with_zero(tmp_path: Path) -> None:
    console = Console(file=io.StringIO(), width=100)
    assert doctor.doctor(console, full(tmp_path)) == 0


def test_optional_things_do_not_fail_the_command(tmp_path: Path) -> None:
    machine = replace(full(tmp_path), which=lambda name: None)
    assert "optional" in states(machine).values()
    assert doctor.doctor(Console(file=io.StringIO()), machine) == 0


def test_an_old_python_is_missing(tmp_path: Path) -> None:
    assert doctor.check_python(replace(bare(tmp_path), version=(3, 10, 13))).state == "missing"


def test_missing_packages_are_named(tmp_path: Path) -> None:
    assert "numpy, rich" in doctor.check_labs(bare(tmp_path)).detail


def test_an_installed_package_without_its_vocabulary_file_is_missing(tmp_path: Path) -> None:
    machine = replace(bare(tmp_path), package_folder=lambda name: tmp_path)
    assert doctor.check_vocabulary(machine).state == "missing"


def test_the_vocabulary_that_labkit_reads_is_the_one_looked_for() -> None:
    assert doctor.check_vocabulary(Machine()).state == "ok"


def test_a_stub_of_uv_that_does_not_run_is_told_apart(tmp_path: Path) -> None:
    found = doctor.check_uv(replace(bare(tmp_path), which=lambda name: "/shims/uv"))
    assert (found.state, "does not run" in found.detail) == ("optional", True)


def test_a_gpu_driver_without_a_gpu_is_told_apart(tmp_path: Path) -> None:
    found = doctor.check_gpu(replace(bare(tmp_path), which=lambda name: "/bin/nvidia-smi"))
    assert (found.state, "finds no device" in found.detail) == ("optional", True)


def test_the_strongest_sandbox_is_named(tmp_path: Path) -> None:
    offered = [("strong: of steel", "no steel"), ("middling: of wood", ""), ("weak: of paper", "")]
    found = doctor.check_sandbox(replace(full(tmp_path), sandboxes=lambda: offered))
    assert (found.state, found.detail) == ("ok", "middling: of wood")


def test_without_a_sandbox_every_reason_is_given(tmp_path: Path) -> None:
    offered = [("strong: of steel", "no steel"), ("weak: of paper", "no paper")]
    found = doctor.check_sandbox(replace(full(tmp_path), sandboxes=lambda: offered))
    assert (found.state, found.detail) == ("optional", "strong: no steel; weak: no paper")


def test_no_sandbox_is_promised_on_other_systems(tmp_path: Path) -> None:
    assert doctor.check_sandbox(replace(full(tmp_path), system="Windows")).state == "optional"


def test_without_pip_in_the_environment_the_advice_uses_uv(tmp_path: Path) -> None:
    machine = replace(bare(tmp_path), missing=lambda tier: ["jupyterlab"])
    assert (
        "uv pip install -r requirements/notebooks.txt -r requirements/jupyter.txt"
        in doctor.check_jupyter(machine).advice
    )
    with_pip = replace(machine, package_folder=lambda name: tmp_path)
    assert " -m pip install -r" in doctor.check_jupyter(with_pip).advice


def test_with_jupyter_there_the_doctor_says_how_to_open_a_practice_notebook(tmp_path: Path) -> None:
    path = "labs/lab_01_naive_matching/practice.ipynb"
    assert (ROOT / path).is_file()
    machine = full(tmp_path)
    assert doctor.check_jupyter(machine).advice.endswith(f": python -m jupyterlab {path}")
    in_venv = replace(machine, environ=PLAIN)
    python = str(interpreter(Path(".venv")))
    assert doctor.check_jupyter(in_venv).advice.endswith(f": {python} -m jupyterlab {path}")
    assert python in doctor.check_notebook_packages(in_venv).advice


def test_a_console_in_ascii_gets_ascii_and_no_colour(tmp_path: Path) -> None:
    bytes_out = io.BytesIO()
    stream = io.TextIOWrapper(bytes_out, encoding="ascii", errors="strict")
    console = Console(file=stream, width=80, no_color=True)
    doctor.doctor(console, bare(tmp_path))
    stream.flush()
    assert b"\x1b" not in bytes_out.getvalue()
    assert doctor.check_terminal(console).state == "optional"
