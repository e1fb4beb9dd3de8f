"""The commands for maintainers."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Annotated, Literal

import typer

from course.student.commands.doctor import Check, check_tier
from course.student.core.catalog import all_labs, find_lab
from course.student.core.rooms import AnyLab, LabName, console, require_writable

app = typer.Typer()
command = partial(app.command, rich_help_panel="For maintainers")


@command()
def check(
    only: Annotated[
        str,
        typer.Argument(metavar="[STEP]", help="only the steps with this word in their names: types, lint, notebooks"),
    ] = "",
    whole: Annotated[
        bool, typer.Option("--whole", help="every wrong answer meets every test, in process and through the pipe")
    ] = False,
) -> int:
    """Check everything that a change must pass: lint, types, generated files, the pipe, notebooks."""
    from course.upkeep.check import check as check_everything

    return check_everything(only, console(), whole=whole)


@command()
def sync(
    lab: AnyLab = "",
    check: Annotated[bool, typer.Option("--check", help="compare only")] = False,
) -> int:
    """Write the generated files: starters, README tables, fingerprints, pictures."""
    from course.upkeep.sync import sync as bring_into_step

    return bring_into_step([find_lab(lab)] if lab else all_labs(), console(), check=check)


@command()
def train(
    out: Annotated[Path, typer.Option(help="the folder for tokens, weights and record")] = Path("out/small_model"),
    steps: Annotated[int | None, typer.Option(min=1, help="how many steps; 2600, or 500 for the agent")] = None,
    seed: Annotated[int, typer.Option(min=0, help="for the corpus and the first weights")] = 0,
    agent: Annotated[bool, typer.Option("--agent", help="train final.npz on, with dialogues: agent.npz")] = False,
) -> int:
    """Train the small model again from scratch (half an hour; needs requirements/train.txt), or on for the agent."""
    from course.upkeep.training.run import run_training

    require_writable(out, folder=True)
    return run_training(console(), out, steps, seed, agent)


@command()
def measure(
    prompts: Annotated[int, typer.Option(min=1, help="how many prompts")] = 700,
    seed: Annotated[int, typer.Option(min=0, help="for the prompts and the sampling")] = 0,
    json: Annotated[Path, typer.Option(help="the file for the figures")] = Path("out/figures.json"),
) -> int:
    """Measure what share of the small model's answers is valid, without and with masks (minutes)."""
    from course.showcase.small_model.figures import run_measurement

    require_writable(json)
    return run_measurement(console(), ("early", "final"), prompts, seed, 1.0, json)


@command()
def notebooks(lab: AnyLab = "") -> int:
    """Build the walkthrough notebooks, outputs and all."""
    from course.upkeep.pages.notebooks import build_all

    return build_all([find_lab(lab)] if lab else None)


@command()
def book(
    edition: Annotated[
        Literal["readers", "instructors"], typer.Option(help="instructors: answer notes too")
    ] = "readers",
    browser: Annotated[
        bool, typer.Option("--browser", help="then test it in Chromium (requirements/check.txt)")
    ] = False,
) -> int:
    """Build the book, in out/book: all of this as a web site, with explorers to play with (half a minute)."""
    from book.build import build

    return build(edition, browser)


@command()
def kills(lab: AnyLab = "") -> int:
    """Grade the bank of wrong answers (minutes), and write which test catches which (out/kill_tables)."""
    from course.upkeep.bank.kill_table import write_tables

    return write_tables([find_lab(lab)] if lab else all_labs(), console())


@command()
def mutants(lab: LabName) -> int:
    """Change a lab's reference in hundreds of small ways, and see which changes no test notices (minutes)."""
    from course.upkeep.bank.mutants import report

    return report(find_lab(lab), console())


@command()
def upstream(
    what: Annotated[Literal["check", "parsers"], typer.Argument(help="citations, or lab 11's formats")],
    folder: Annotated[
        Path, typer.Argument(help="check: a clone of an engine, with its history; parsers: sglang/ and vllm/, unpacked")
    ],
) -> int:
    """Check what the upstream notes cite in a clone, or whether SGLang's and vLLM's parsers read lab 11's formats."""
    if what == "parsers":
        from course.upkeep.parsers import check as check_parsers

        return check_parsers(folder, console())
    from course.upkeep.upstream import check as check_citations

    return check_citations(folder, console())


def findings() -> Iterator[Check]:
    """Yield the doctor's finding about the packages of ``make check``."""
    yield check_tier("check", "Installed by the first make check, or", "notebooks")
