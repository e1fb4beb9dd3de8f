"""Reading one submission: the graded file, and the files beside it that it imports. Nothing is run or followed."""

import os
import re
import stat
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from course.student.core.catalog import Lab
from labs.own_files import decoded

FILE = "starter.py"
LARGEST = 1 << 20
"""Bytes of one submission. The largest reference has a twentieth of it."""

_IMPORT = re.compile(r"^[ \t]*((?:from|import)\b[^\n(]{0,300}(?:\([^)]{0,1000}\))?)", re.MULTILINE)

_NO_HELPERS = {"from", "import", "as", "labs", "solution", "starter", "test_lab", "__init__"}
"""Words of an import that name no file of a student's own."""


@dataclass(frozen=True)
class Submission:
    """The submission of one student: ``text``, or None and the ``problem`` with it.

    ``student`` is untrusted too; see ``course.teaching.grading.names``. ``note`` says what is unusual about a text, and
    ``beside`` holds names and texts of the files that it imports.
    """

    student: str
    text: str | None
    problem: str = ""
    note: str = ""
    beside: tuple[tuple[str, str], ...] = ()


def read_file(student: str, path: Path, name: str) -> Submission:
    """Open without following a link and without waiting, and check what was opened; a report calls it ``name``."""
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    if path.is_symlink():
        return Submission(student, None, f"{name} is a symbolic link")
    try:
        with open(path, "rb", opener=lambda name, _: os.open(name, flags)) as opened:
            state = os.fstat(opened.fileno())
            if state.st_size > LARGEST:
                return too_large(student, state.st_size, name)
            if stat.S_ISREG(state.st_mode):
                return from_bytes(student, opened.read(LARGEST + 1), name)
    except IsADirectoryError:
        pass
    except OSError as error:
        return Submission(student, None, f"{name} cannot be read: {error.strerror}")
    return Submission(student, None, f"{name} is no plain file")


def from_bytes(student: str, content: bytes, name: str) -> Submission:
    """Return the text of a file: UTF-8, or the code page in which older editors on Windows save."""
    if len(content) > LARGEST:
        return too_large(student, len(content), name)
    try:
        text, codec = decoded(content)
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        said = f"{name} is not UTF-8: byte 0x{content[error.start]:02x} in line {line}"
        return Submission(student, None, f"{said}; save it as UTF-8 and submit it again")
    return Submission(student, text, note="" if codec == "utf-8-sig" else f"{name} is not UTF-8: read as {codec}")


def too_large(student: str, size: int, name: str) -> Submission:
    """Return the submission of a file that is not read."""
    return Submission(student, None, f"{name} has {size:,} bytes; at most {LARGEST:,} are read")


def with_helpers(one: Submission, lab: Lab, read: Callable[[str], Submission | None]) -> Submission:
    """Add the files that a submission imports from its own lab, and those that they import.

    Args:
        read: returns the file of that name that was submitted beside it, or None.
    """
    beside, notes, size = dict[str, str](), [one.note], len(one.text or "")
    waiting = [*imported(one.text or "", lab)]
    while waiting:
        name = f"{waiting.pop()}.py"
        helper = None if name in beside else read(name)
        if helper is None:
            continue
        if helper.text is None:
            return replace(one, text=None, problem=helper.problem)
        size += len(helper.text)
        if size > LARGEST:
            return too_large(one.student, size, f"{FILE} with the files that it imports")
        beside[name] = helper.text
        notes.append(helper.note)
        waiting += imported(helper.text, lab)
    return replace(one, beside=tuple(sorted(beside.items())), note="; ".join(filter(None, notes)))


def imported(text: str, lab: Lab) -> list[str]:
    """Return the modules beside a file that it may import: ``from .helper import f``, ``from . import helper``.

    The text is untrusted, and no parser of Python's takes any text whatever.

    >>> from course.student.core.catalog import find_lab
    >>> text = "from .a import f\\nfrom . import (\\n    b)\\nimport labs.lab_02_atom_fsm.c as d\\nimport re"
    >>> imported(f"{text}\\nfrom .solution import x", find_lab(2))
    ['a', 'b', 'c', 'd', 'f', 'x']
    """
    own = re.compile(rf"from[ \t]+\.(?!\.)|.*\blabs\.{lab.name}\b")
    words = {word for line in _IMPORT.findall(text) if own.match(line) for word in re.findall(r"\w+", line)}
    return sorted(words - _NO_HELPERS - {lab.name})
