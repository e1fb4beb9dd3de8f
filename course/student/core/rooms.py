"""The rooms of this copy of the course, found by looking, and what their command lines share."""

import pkgutil
import sys
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import Annotated

import typer
from rich.console import Console

import course

LabName = Annotated[str, typer.Argument(metavar="LAB", help="a lab: 02")]


@cache
def command_lines() -> tuple[ModuleType, ...]:
    """Import the ``cli`` module of every room that is here: a handout lacks some rooms.

    >>> [module.__name__ for module in command_lines() if "student" in module.__name__]
    ['course.student.cli']
    """
    rooms = [found.name for found in pkgutil.iter_modules(course.__path__) if found.ispkg]
    return tuple(import_module(f"course.{room}.cli") for room in rooms)


def console() -> Console:
    """Return where the commands print; NO_COLOR and consoles without Unicode are respected."""
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(errors="replace")
    return Console(highlight=False, soft_wrap=True)
