"""Reading what students handed in: a folder, or a zip of one, with a file or a folder for each student.

Nothing is run, extracted or followed here. A submission that cannot be read stays in the list, with what is wrong.
"""

import os
import stat
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

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


def read(place: Path, file: str = FILE) -> Intake:
    """Read a folder or a zip.

    Args:
        file: the name of what was handed in.

    Raises:
        ValueError: if it is neither, is not there, cannot be read, or holds no submission.
    """
    if not place.exists():
        raise ValueError(f"{place}: there is no such folder or zip of submissions")
    if not place.is_dir():
        from course.grading.zips import read_zip

        found = read_zip(place, file)
    else:
        found = _read_folder(place, file)
    if not found.submissions:
        raise ValueError(f"{place} holds no submission: a {file} in a folder for each student, or a file NAME.py each")
    return found


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


def _read_folder(folder: Path, file: str) -> Intake:
    found: dict[str, list[Submission]] = {}
    ignored: list[str] = []
    for entry in _entries(folder):
        if entry.name.startswith((".", "__")):
            ignored.append(entry.name)
        elif entry.is_symlink():
            student = entry.name.removesuffix(".py")
            found.setdefault(student, []).append(Submission(student, None, "a symbolic link"))
        elif entry.is_dir(follow_symlinks=False):
            found.setdefault(entry.name, []).append(_read_student(Path(entry.path), ignored, file))
        elif entry.name.endswith(".py"):
            found.setdefault(entry.name[:-3], []).append(_read_file(entry.name[:-3], Path(entry.path), file))
        else:
            ignored.append(entry.name)
    return collect(found, ignored, file)


def _entries(folder: Path) -> list[os.DirEntry[str]]:
    """What lies in the folder, by name.

    Raises:
        ValueError: if the folder cannot be read, or holds too much.
    """
    try:
        with os.scandir(folder) as entries:
            found = sorted(entries, key=lambda entry: entry.name)
    except OSError as error:
        raise ValueError(f"{folder}: {error.strerror}") from error
    if len(found) > MOST:
        raise ValueError(f"{folder} holds {len(found):,} entries; at most {MOST:,} are read")
    return found


def _read_student(folder: Path, ignored: list[str], file: str) -> Submission:
    try:
        names = [entry.name for entry in _entries(folder)]
    except ValueError as error:
        return Submission(folder.name, None, str(error).removeprefix(f"{folder}: "))
    wanted = the_file(names, file)
    ignored += [f"{folder.name}/{name}" for name in names if name != wanted]
    if wanted is None:
        return Submission(folder.name, None, lacks(names, file))
    return noted(_read_file(folder.name, folder / wanted, file), wanted, file)


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


def _read_file(student: str, path: Path, wanted: str) -> Submission:
    """Open without following a link and without waiting, and look what was opened."""
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    if path.is_symlink():
        return Submission(student, None, f"{wanted} is a symbolic link")
    try:
        file = os.open(path, flags)
    except OSError as error:
        return Submission(student, None, f"{wanted} cannot be read: {error.strerror}")
    try:
        return _read_open(student, file, wanted)
    except OSError as error:
        return Submission(student, None, f"{wanted} cannot be read: {error.strerror}")
    finally:
        os.close(file)


def _read_open(student: str, file: int, wanted: str) -> Submission:
    state = os.fstat(file)
    if not stat.S_ISREG(state.st_mode):
        return Submission(student, None, f"{wanted} is no plain file")
    if state.st_size > LARGEST:
        return Submission(student, None, too_large(state.st_size, wanted))
    with os.fdopen(file, "rb", closefd=False) as opened:
        return submission(student, opened.read(LARGEST + 1), wanted)
