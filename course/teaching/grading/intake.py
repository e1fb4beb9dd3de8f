"""Reading submissions: a folder, or a zip of one, with a file or a folder for each student.

Nothing is run, extracted or followed here. A submission that cannot be read stays in the list, with what is wrong.
"""

import os
import stat
from pathlib import Path

from course.teaching.grading.submissions import (
    FILE,
    LARGEST,
    MOST,
    Collector,
    Intake,
    Submission,
    submission,
    too_large,
)
from course.teaching.grading.zips import read_zip


def read(place: Path, file: str = FILE) -> Intake:
    """Read a folder or a zip; ``file`` is the name of the file that is graded.

    Raises:
        ValueError: if it is neither, is not there, cannot be read, or holds no submission.
    """
    if not place.exists():
        raise ValueError(f"{place}: there is no such folder or zip of submissions")
    collector = Collector(file)
    (_read_folder if place.is_dir() else read_zip)(place, collector)
    found = collector.intake()
    if not found.submissions:
        raise ValueError(f"{place} holds no submission: a {file} in a folder for each student, or a file NAME.py each")
    return found


def _read_folder(folder: Path, collector: Collector) -> None:
    for entry in _entries(folder):
        student, path = entry.name.removesuffix(".py"), Path(entry.path)
        if entry.name.startswith((".", "__")):
            collector.ignored.append(entry.name)
        elif entry.is_symlink():
            collector.add(Submission(student, None, "a symbolic link"))
        elif entry.is_dir(follow_symlinks=False):
            _read_student(path, collector)
        elif entry.name.endswith(".py"):
            collector.add(_read_file(student, path, collector.file))
        else:
            collector.ignored.append(entry.name)


def _entries(folder: Path) -> list[os.DirEntry[str]]:
    """Return what lies in the folder, by name.

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


def _read_student(folder: Path, collector: Collector) -> None:
    try:
        names = [entry.name for entry in _entries(folder)]
    except ValueError as error:
        return collector.add(Submission(folder.name, None, str(error).removeprefix(f"{folder}: ")))
    collector.add_folder(folder.name, names, lambda name: _read_file(folder.name, folder / name, collector.file))


def _read_file(student: str, path: Path, wanted: str) -> Submission:
    """Open without following a link and without waiting, and check what was opened."""
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    if path.is_symlink():
        return Submission(student, None, f"{wanted} is a symbolic link")
    try:
        with open(path, "rb", opener=lambda name, _: os.open(name, flags)) as opened:
            state = os.fstat(opened.fileno())
            if state.st_size > LARGEST:
                return Submission(student, None, too_large(state.st_size, wanted))
            if stat.S_ISREG(state.st_mode):
                return submission(student, opened.read(LARGEST + 1), wanted)
    except IsADirectoryError:
        pass
    except OSError as error:
        return Submission(student, None, f"{wanted} cannot be read: {error.strerror}")
    return Submission(student, None, f"{wanted} is no plain file")
