"""The rooms of this copy of the course, found by looking, and what their command lines share."""

import pkgutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
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


@contextmanager
def without_echo() -> Iterator[None]:
    """Let single keys be read, and keep what is typed off the screen. Afterwards the terminal is as it was."""
    if sys.platform == "win32":  # there a key is echoed only if it is read as a line
        yield
        return
    import termios
    import tty

    before = termios.tcgetattr(sys.stdin)
    try:
        tty.setcbreak(sys.stdin, termios.TCSADRAIN)
        yield
    finally:
        termios.tcsetattr(sys.stdin, termios.TCSADRAIN, before)
