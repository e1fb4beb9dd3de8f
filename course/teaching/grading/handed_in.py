"""What students handed in, as data: the one file of each that is graded, or what is wrong with it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

FILE = "starter.py"
LARGEST = 1 << 20
"""Bytes of one submission. The largest reference has a twentieth of it."""

MOST = 20_000
"""Submissions, and other entries, of one class."""

_SHOWN = 100


@dataclass(frozen=True)
class Submission:
    """What one student handed in: ``text``, or None and the ``problem`` with it.

    ``student`` is a name that anybody may have chosen; see ``names``. ``note`` says what is unusual about a text.
    """

    student: str
    text: str | None
    problem: str = ""
    note: str = ""


@dataclass(frozen=True)
class Intake:
    """A class: submissions by student, and the paths that were ignored."""

    submissions: tuple[Submission, ...]
    ignored: tuple[str, ...]


def submission(student: str, content: bytes, file: str = FILE) -> Submission:
    """A submission from the bytes of its file.

    >>> submission("ann", b"x = 1").text, submission("ann", b"x = 1\\n\\xff").problem
    ('x = 1', 'starter.py is not UTF-8: byte 0xff in line 2')
    """
    if len(content) > LARGEST:
        return Submission(student, None, too_large(len(content), file))
    try:
        return Submission(student, content.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        byte = content[error.start]
        return Submission(student, None, f"{file} is not UTF-8: byte 0x{byte:02x} in line {line}")


def too_large(size: int, file: str) -> str:
    """The problem of a file that is."""
    return f"{file} has {size:,} bytes; at most {LARGEST:,} are read"


def collect(found: Mapping[str, list[Submission]], ignored: list[str], file: str) -> Intake:
    """The class in the order of names; a student with several files is graded on none of them."""
    chosen = []
    for student, those in sorted(found.items()):
        several = f"handed in twice: as a file {student}.py and as {student}/{file}"
        chosen.append(those[0] if len(those) == 1 else Submission(student, None, several))
    return Intake(tuple(chosen), tuple(ignored[:MOST]))


def the_file(names: Sequence[str], file: str = FILE) -> str | None:
    """Which file of a student's folder is graded: ``file``, or the only Python file, which some browser renamed.

    >>> the_file(["a.py", "starter.py"]), the_file(["starter (1).py", "notes.txt"]), the_file(["a.py", "b.py"])
    ('starter.py', 'starter (1).py', None)
    """
    python = [name for name in names if name.endswith(".py") and not name.startswith(".")]
    return file if file in names else python[0] if len(python) == 1 else None


def noted(found: Submission, name: str, file: str) -> Submission:
    """The submission, with a note if its file is called otherwise."""
    return found if name == file else replace(found, note=f"graded: {name[:_SHOWN]!r}, as there is no {file}")


def lacks(names: Sequence[str], file: str = FILE) -> str:
    """The problem of a student's folder without the file.

    >>> lacks([]), lacks(["notes.ipynb"]), lacks(["a.py", "b.py"])
    ('no starter.py, and nothing else', "no starter.py, only 'notes.ipynb'", "no starter.py, only 'a.py', 'b.py'")
    """
    others = ", ".join(repr(name[:_SHOWN]) for name in names[:5])
    return f"no {file}" + (f", only {others}" if others else ", and nothing else")
