"""What this run grades, read once from the command line, the environment and the ini file."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from course.student.core.catalog import ROOT, Lab, all_labs
from course.student.core.edition import edition, why_no_reference
from course.student.core.hints import lab_data
from course.student.core.implementation import Implementation, UsageError, choose, choose_chain, resolve
from course.student.core.starters import is_edited

GRADED = pytest.StashKey[Implementation]()
"""What a caller in this process wants graded, whatever options and environment say: a notebook's functions."""


@dataclass(frozen=True)
class Settings:
    """The choices of one run."""

    implementation: Implementation
    chain: bool
    seconds: float
    """How long one test may run; 0 for no limit."""
    todo: int | None
    """The one TODO whose tests are wanted."""
    labs: tuple[Lab, ...]
    """The labs that the command line covers; empty for a run of the repository's own tests alone."""
    note: str = ""
    """What another plugin wants said of this run, such as how the file is run."""
    grace: float = 0
    """Seconds that a test may run beyond its limit, where another process keeps the limit."""

    def forgotten(self) -> list[Lab]:
        """Return labs whose edited starter this run does not grade, because nobody chose what to grade."""
        return [] if self.implementation.chosen_by else [lab for lab in self.labs if is_edited(lab)]


SETTINGS = pytest.StashKey[Settings]()
"""The settings of this run."""


def read_settings(config: pytest.Config, environ: Mapping[str, str] = os.environ) -> Settings:
    """Return the settings of this run.

    Raises:
        pytest.UsageError: if one of them is wrong.
    """
    try:
        value, chosen_by = choose(config.getoption("impl"), environ, config.getini("lab_impl"))
        folder = ROOT if chosen_by == "lab_impl" else config.invocation_params.dir
        implementation = config.stash.get(GRADED, None) or resolve(value, chosen_by, folder)
        chain = choose_chain(environ, config.getini("lab_chain"))
    except UsageError as error:
        raise pytest.UsageError(str(error)) from error
    labs = _labs_named(config.args, config.invocation_params.dir)
    if problem := _what_is_missing(implementation, labs, chain=chain):
        raise pytest.UsageError(problem)
    return Settings(
        implementation,
        chain and implementation.kind not in ("solution", "notebook"),
        seconds=0 if config.getoption("usepdb") else config.getoption("lab_timeout"),
        todo=_todo_wanted(config, labs),
        labs=labs,
    )


def _what_is_missing(implementation: Implementation, labs: tuple[Lab, ...], *, chain: bool) -> str:
    """Return why these labs cannot be graded like this: a reference was not handed out, or a starter is gone."""
    if implementation.kind == "solution":
        return next((why_no_reference(lab) for lab in labs if not lab.has_reference), "")
    if not chain and edition().name == "closed":
        return "LAB_CHAIN=reference: this copy of the course holds no references; leave LAB_CHAIN out"
    for lab in labs if implementation.kind == "starter" else ():
        if not lab.starter.is_file():
            return f"{lab.path}/starter.py is missing. To bring it back: python -m course reset {lab.number:02}"
    return ""


def _todo_wanted(config: pytest.Config, labs: tuple[Lab, ...]) -> int | None:
    number: int | None = config.getoption("todo")
    if number is not None and not any(number in lab_data(lab).todos for lab in labs):
        known = "; ".join(f"{lab.label} has TODO 1 to {len(lab_data(lab).todos)}" for lab in labs)
        raise pytest.UsageError(f"--todo={number} is no TODO here: {known or 'no lab is named'}")
    return number


def _labs_named(args: list[str], folder: Path) -> tuple[Lab, ...]:
    """Return the labs that a run with these arguments covers."""
    paths = [(folder / arg.split("::")[0]).resolve() for arg in args]
    return tuple(
        lab
        for lab in all_labs()
        if any(path.is_relative_to(lab.folder) or lab.folder.is_relative_to(path) for path in paths)
    )
