"""Reading submissions: a folder, or a zip of one, with a file or a folder for each student.

Nothing is run, extracted or followed here. A submission that cannot be read stays in the list, with what is wrong:
whatever a student submits costs that student alone.
"""

import os
import stat
import zipfile
from collections import defaultdict
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path

from course.isolation.submitted import FILE, LARGEST, Submission, from_bytes, read_file, too_large, with_helpers
from course.student.core.catalog import Lab

MOST = 20_000
"""Submissions, and other entries, of one class."""

_SHOWN = 100
_TOTAL = 256 << 20
"""Bytes of all submissions of an archive together, unpacked."""

_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
"""Of packing. These unpack no more than is asked for, so no entry is a bomb; the others unpack all that they hold."""

_ENTRY_NAME = 1000
_SAYS_UTF_8 = 0x800
_LITTER = (".", "__")
"""How names start that systems and tools add: nobody submitted these."""


class Intake:
    """A class, as a folder or an archive is read into it.

    Attributes:
        file: the name of the file that is graded.
        lab: the lab of the submissions, from which they import files of their own; None for no such files.
        ignored: paths of other files.
    """

    def __init__(self, file: str, lab: Lab | None = None) -> None:
        self.file, self.lab = file, lab
        self.ignored: list[str] = []
        self._found = defaultdict[str, list[Submission]](list)

    def add(self, one: Submission) -> None:
        """Add a submission; a student with several files is graded on none of them."""
        self._found[one.student].append(one)

    def add_folder(self, student: str, files: Mapping[str, Callable[[str], Submission]]) -> None:
        """Add a student's folder, which has these files, each with the function that reads it and gives it a name.

        Without ``file`` the only Python file is graded: a browser may have renamed it.
        """
        python = [name for name in files if name.endswith(".py") and not name.startswith(".") and "/" not in name]
        wanted = self.file if self.file in files else python[0] if len(python) == 1 else None
        if wanted is None:
            others = ", ".join(repr(name[:_SHOWN]) for name in sorted({name.partition("/")[0] for name in files})[:5])
            self.add(
                Submission(student, None, f"no {self.file}, " + (f"only {others}" if others else "and nothing else"))
            )
        else:
            one = files[wanted](self.file)
            if wanted != self.file:
                said = f"graded: {wanted[:_SHOWN]!r}, as there is no {self.file}"
                one = replace(one, note="; ".join(filter(None, (said, one.note))))
            if self.lab is not None:
                one = with_helpers(one, self.lab, lambda name: files[name](name) if name in files else None)
            self.add(one)
        used = {wanted, *(name for name, _ in self._found[student][-1].beside)}
        self.ignored += [f"{student}/{name}" for name in files if name not in used]

    @property
    def submissions(self) -> tuple[Submission, ...]:
        """The submissions in the order of names, in which capitals make no difference, one for each student."""
        chosen = []
        for student, found in sorted(self._found.items(), key=lambda item: (item[0].casefold(), item[0])):
            several = f"submitted twice: as a file {student}.py and as {student}/{self.file}"
            chosen.append(found[0] if len(found) == 1 else Submission(student, None, several))
        return tuple(chosen)


def read(place: Path, file: str = FILE, lab: Lab | None = None) -> Intake:
    """Read a folder or a zip; ``file`` is the name of the file that is graded, with those of its lab that it imports.

    Raises:
        ValueError: if it is neither, is not there, cannot be read, or holds no submission.
    """
    if not place.exists():
        raise ValueError(f"{place}: there is no such folder or zip of submissions")
    found = Intake(file, lab)
    try:
        (_read_folder if place.is_dir() else _read_zip)(place, found)
    except ValueError as error:
        raise ValueError(f"{place}: {error}") from error
    del found.ignored[MOST:]
    if not found.submissions:
        raise ValueError(f"{place} holds no submission: a {file} in a folder for each student, or a file NAME.py each")
    return found


def _read_folder(folder: Path, class_: Intake) -> None:
    for entry in _entries(folder):
        student, path = entry.name.removesuffix(".py"), Path(entry.path)
        if entry.name.startswith(_LITTER):
            class_.ignored.append(entry.name)
        elif entry.is_symlink():
            class_.add(Submission(student, None, "a symbolic link"))
        elif entry.is_dir(follow_symlinks=False):
            try:
                names = [inner.name for inner in _entries(path)]
            except ValueError as error:
                class_.add(Submission(entry.name, None, str(error)))
                continue
            class_.add_folder(path.name, {name: partial(read_file, path.name, path / name) for name in names})
        elif entry.name.endswith(".py"):
            class_.add(read_file(student, path, class_.file))
        else:
            class_.ignored.append(entry.name)


def _entries(folder: Path) -> list[os.DirEntry[str]]:
    """Return what lies in the folder, by name."""
    try:
        with os.scandir(folder) as entries:
            found = sorted(entries, key=lambda entry: entry.name)
    except OSError as error:
        raise ValueError(error.strerror) from error
    if len(found) > MOST:
        raise ValueError(f"{len(found):,} files and folders; at most {MOST:,} are read")
    return found


def _read_zip(place: Path, class_: Intake) -> None:
    """Collect the class in a zip, whose content may lie in one folder."""
    try:
        with zipfile.ZipFile(place) as archive:
            unpack = _Unpacker(archive)
            for student, entries in sorted(_by_student(archive.infolist(), class_).items()):
                problem, files = _files_of(entries)
                if problem:
                    class_.add(Submission(student, None, problem))
                    continue
                if "" in files:
                    class_.add(unpack(student, files.pop(""), class_.file))
                    if not files:
                        continue
                class_.add_folder(student, {name: partial(unpack, student, files[name]) for name in sorted(files)})
    except (OSError, zipfile.BadZipFile, NotImplementedError) as error:
        raise ValueError(f"no folder, and cannot be read as a zip: {error}") from error


class _Unpacker:
    """Reads files of one archive, and keeps count of what they unpack to."""

    def __init__(self, archive: zipfile.ZipFile) -> None:
        self._archive, self._left = archive, _TOTAL

    def __call__(self, student: str, entry: zipfile.ZipInfo, name: str) -> Submission:
        """Read one file. Its sizes are claims of the archive's: what is read is counted again."""
        if entry.file_size > LARGEST:
            return too_large(student, entry.file_size, name)
        try:
            with self._archive.open(entry) as opened:
                content = opened.read(LARGEST + 1)
        except Exception as error:  # whatever a damaged entry raises
            return Submission(student, None, f"{name} is damaged in the archive: {error}")
        self._left -= len(content)
        if self._left < 0:  # no student alone has so much: two of the largest files are read at most
            raise ValueError(f"its submissions have more than {_TOTAL:,} bytes together")
        return from_bytes(student, content, name)


_Place = tuple[tuple[str, ...], zipfile.ZipInfo, str]
"""The parts of an entry's path, the entry, and what is wrong with it."""


def _by_student(entries: list[zipfile.ZipInfo], class_: Intake) -> dict[str, list[_Place]]:
    """Return each student's entries, with their paths in the student's folder; a file NAME.py has no path there."""
    places = [_placed(entry) for entry in entries]
    good = [(parts, entry) for parts, entry, problem in places if parts and not problem]
    real = [parts for parts, entry in good if not entry.is_dir() and not parts[0].startswith(_LITTER)]
    # All may lie in one folder that is no student's own.
    top = len({parts[0] for parts in real}) == 1 and all(parts[1:] not in ((), (class_.file,)) for parts in real)
    found = defaultdict[str, list[_Place]](list)
    for path, entry, problem in places:
        parts = path[top:]
        if not parts or path[0].startswith(_LITTER) or parts[0].startswith(_LITTER):
            student = ""
        elif len(parts) > 1 or entry.is_dir():
            student = parts[0]
        else:
            student = parts[0].removesuffix(".py") if problem or parts[0].endswith(".py") else ""
        if student:
            found[student].append((parts[1:], entry, problem))
        elif not entry.is_dir():
            class_.ignored.append("/".join(path))
    if len(found) > MOST:
        raise ValueError(f"{len(found):,} submissions; at most {MOST:,} are read")
    return found


def _files_of(places: list[_Place]) -> tuple[str, dict[str, zipfile.ZipInfo]]:
    """Return what is wrong with the entries of one student, in words, and the files by their paths."""
    files = {"/".join(parts): entry for parts, entry, _ in places if not entry.is_dir()}
    problems = [problem for _, _, problem in places if problem]
    if len(places) > MOST:
        problems.insert(0, f"{len(places):,} files and folders; at most {MOST:,} are read")
    elif len(files) < sum(not entry.is_dir() for _, entry, _ in places):
        problems.append("the archive holds the same name twice")
    return problems[0] if problems else "", files


def _placed(entry: zipfile.ZipInfo) -> _Place:
    """Return where an entry belongs, and what is wrong with it that no honest archive has."""
    name = entry.filename
    if not entry.flag_bits & _SAYS_UTF_8:  # many tools write UTF-8 and do not say so; Python reads it as code page 437
        with suppress(UnicodeError):
            name = name.encode("cp437").decode("utf-8")
    parts = tuple(part for part in name.split("/") if part not in ("", "."))
    kind, problem = stat.S_IFMT(entry.external_attr >> 16), ""
    if kind not in (0, stat.S_IFREG, stat.S_IFDIR):
        problem = "is a symbolic link or another thing than a file"
    elif name.startswith("/") or ".." in parts or "\\" in name or "\0" in name or name[1:2] == ":":
        problem = "names a place outside of the archive"
    elif len(name) > _ENTRY_NAME:
        problem = "has too long a name"
    elif entry.flag_bits & 1:
        problem = "is encrypted"
    elif entry.compress_type not in _METHODS:
        problem = "is packed in a way that is not read; save the archive as an ordinary zip"
    return parts, entry, f"the entry {name[:_ENTRY_NAME]!r} {problem}" if problem else ""
