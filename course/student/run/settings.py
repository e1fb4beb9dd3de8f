"""What this run grades, read once from the command line, the environment and the ini file."""

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from course.student.core.candidate import Candidate, InProcess
from course.student.core.catalog import ROOT, Lab, all_labs, edition
from course.student.core.hints import lab_data
from course.student.core.implementation import Implementation, resolve
from course.student.core.submission import Loader
from labs.own_files import is_chosen

GRADED = pytest.StashKey[Implementation]()
"""What a caller in this process wants graded, whatever options and environment say: a notebook's functions."""


def in_process(lab: Lab, files: Mapping[int, Path], chain: bool, seconds: float) -> Candidate:
    """Return the file under test as a module of this process.

    Args:
        files: the student's file of each lab that isn't the reference's in this run, by the labs' numbers.
        chain: whether the labs' references are the student's own files here.
        seconds: of processor time, for one test; the plugin keeps it here.
    """
    return InProcess(lab, Loader(files, chain=chain))


@dataclass(frozen=True)
class Settings:
    """The choices of one run."""

    implementation: Implementation
    chain: bool
    seconds: float
    """Of processor time, for one test; 0 for no limit."""
    todo: int | None
    """The one TODO whose tests are wanted."""
    labs: tuple[Lab, ...]
    """The labs that the command line covers; empty for a run of the repository's own tests alone."""
    note: str = ""
    """What another plugin wants said of this run, such as how the file is run."""
    grace: float = 0
    """Seconds that a test may run beyond its limit, where another process keeps the limit."""
    make: Callable[[Lab, Mapping[int, Path], bool, float], Candidate] = in_process
    """Makes the object whose attributes a lab's tests call; takes what ``in_process`` does."""


SETTINGS = pytest.StashKey[Settings]()
"""The settings of this run."""


def read_settings(config: pytest.Config) -> Settings:
    """Return the settings of this run; a wrong one is a ``pytest.UsageError``."""
    try:
        named = {"--impl": config.getoption("impl"), "LAB_IMPL": os.environ.get("LAB_IMPL")}
        named |= {"lab_impl": config.getini("lab_impl") or None, "": "solution"}
        chosen_by, value = next((by, value) for by, value in named.items() if value is not None)
        folder = ROOT if chosen_by == "lab_impl" else config.invocation_params.dir
        implementation = config.stash.get(GRADED, None) or resolve(value, chosen_by, folder)
        chain = is_chosen(os.environ, config.getini("lab_chain"))
    except ValueError as error:
        raise pytest.UsageError(str(error)) from error
    labs = _labs_named(config.args, config.invocation_params.dir)
    wanted = labs if implementation.kind in ("solution", "starter") else ()
    problem = next(filter(None, map(implementation.what_is_missing, wanted)), "")
    if not problem and implementation.kind != "solution" and not chain and edition() == "closed":
        problem = "LAB_CHAIN=reference: this copy of the course holds no references; leave LAB_CHAIN out"
    if problem:
        raise pytest.UsageError(problem)
    todo = config.getoption("todo")
    if todo is not None and not any(todo in lab_data(lab).todos for lab in labs):
        known = "; ".join(f"{lab.label} has TODO 1 to {len(lab_data(lab).todos)}" for lab in labs)
        raise pytest.UsageError(f"--todo={todo} is no TODO here: {known or 'no lab is named'}")
    seconds = 0 if config.getoption("usepdb") else config.getoption("lab_timeout")
    chain = chain and implementation.kind != "solution"
    return Settings(implementation, chain, seconds, todo, labs)


def _labs_named(args: list[str], folder: Path) -> tuple[Lab, ...]:
    """Return the labs that a run with these arguments covers."""
    paths = [(folder / arg.split("::")[0]).resolve() for arg in args]
    return tuple(
        lab
        for lab in all_labs()
        if any(path.is_relative_to(lab.folder) or lab.folder.is_relative_to(path) for path in paths)
    )
