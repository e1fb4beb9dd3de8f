"""Reading what students handed in: a folder, or a zip of one, with a file or a folder for each student.

Nothing is run, extracted or followed here. A submission that cannot be read stays in the list, with what is wrong.
"""

import os
import stat
from pathlib import Path

from course.teaching.grading.handed_in import (
    FILE,
    LARGEST,
    MOST,
    Intake,
    Submission,
    collect,
    lacks,
    noted,
    submission,
    the_file,
    too_large,
)
from course.teaching.grading.zips import read_zip


def read(place: Path, file: str = FILE) -> Intake:
    """Read a folder or a zip.

    Args:
        file: the name of what was handed in.

    Raises:
        ValueError: if it is neither, is not there, cannot be read, or holds no submission.
    """
    if not place.exists():
        raise ValueError(f"{place}: there is no such folder or zip of submissions")
    found = _read_folder(place, file) if place.is_dir() else read_zip(place, file)
    if not found.submissions:
        raise ValueError(f"{place} holds no submission: a {file} in a folder for each student, or a file NAME.py each")
    return found


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
