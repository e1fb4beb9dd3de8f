"""Reading a zip of submissions into memory. Nothing is extracted; an archive with anything odd is refused whole."""

import stat
import zipfile
import zlib
from contextlib import suppress
from functools import partial
from pathlib import Path, PurePosixPath

from course.teaching.grading.submissions import LARGEST, MOST, Collector, Submission, submission, too_large

_TOTAL = 256 << 20
"""Bytes of all submissions of an archive together, unpacked."""

_RATIO = 200
"""How many times its packed size an entry may have. Python code packs ten to one at the most."""

_ENTRY_NAME = 1000
_SAYS_UTF_8 = 0x800

_Files = dict[str, zipfile.ZipInfo]
"""The entries of a student, by their names in the student's folder; a single file NAME.py has no name there."""


def read_zip(place: Path, collector: Collector) -> None:
    """Collect the class in a zip, whose content may lie in one folder.

    Raises:
        ValueError: naming the archive and the entry, if it is no zip, or has an entry that no honest archive has.
    """
    try:
        with zipfile.ZipFile(place) as archive:
            _Reader(archive, collector).read()
    except (OSError, zipfile.BadZipFile, NotImplementedError) as error:
        raise ValueError(f"{place} is no folder, and cannot be read as a zip: {error}") from error
    except ValueError as error:
        raise ValueError(f"{place}: {error}") from error


class _Reader:
    """Reads one archive, and keeps count of what it unpacks to."""

    def __init__(self, archive: zipfile.ZipFile, collector: Collector) -> None:
        self._archive, self._collector, self._left = archive, collector, _TOTAL

    def read(self) -> None:
        """Collect the submissions, each student's entries together."""
        for student, files in sorted(self._by_student().items()):
            if "" in files:
                self._collector.add(self._unpacked(student, files[""]))
            names = sorted(name for name in files if name)
            if names or "" not in files:
                self._collector.add_folder(student, names, partial(self._member, student, files))

    def _by_student(self) -> dict[str, _Files]:
        entries = self._archive.infolist()
        if len(entries) > MOST:
            raise ValueError(f"{len(entries):,} entries; at most {MOST:,} are read")
        paths = {_checked(entry): entry for entry in entries}
        if len(paths) < len(entries):
            raise ValueError("the same name stands in it twice")
        top = _common_folder([path for path, entry in paths.items() if not entry.is_dir()], self._collector.file)
        found: dict[str, _Files] = {}
        for path, entry in paths.items():
            place = None if _is_litter(path.parts) else _place(path.parts[top:], entry.is_dir())
            if place is None:
                self._collector.ignored += [] if entry.is_dir() else [str(path)]
                continue
            files = found.setdefault(place[0], {})
            if not entry.is_dir():
                files[place[1]] = entry
        return found

    def _member(self, student: str, files: _Files, name: str) -> Submission:
        return self._unpacked(student, files[name])

    def _unpacked(self, student: str, entry: zipfile.ZipInfo) -> Submission:
        """Read one file. Its sizes are claims of the archive's: what is read is counted again."""
        file = self._collector.file
        if entry.file_size > _RATIO * max(entry.compress_size, 100):
            raise ValueError(f"the entry {entry.filename!r} unpacks to {entry.file_size:,} bytes: that is a bomb")
        if entry.file_size > LARGEST:
            return Submission(student, None, too_large(entry.file_size, file))
        if entry.file_size > self._left:
            raise ValueError(f"its submissions have more than {_TOTAL:,} bytes together")
        try:
            with self._archive.open(entry) as opened:
                content = opened.read(LARGEST + 1)
        except (OSError, zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError) as error:
            return Submission(student, None, f"{file} is damaged in the archive: {error}")
        self._left -= len(content)
        return submission(student, content, file)


def _name(entry: zipfile.ZipInfo) -> str:
    """Return the name of an entry. Many tools write UTF-8 and do not say so; Python then reads it as code page 437."""
    if not entry.flag_bits & _SAYS_UTF_8:
        with suppress(UnicodeError):
            return entry.filename.encode("cp437").decode("utf-8")
    return entry.filename


def _checked(entry: zipfile.ZipInfo) -> PurePosixPath:
    """Return the path of an entry; raise ``ValueError`` for one that no honest archive has."""
    name = _name(entry)
    path = PurePosixPath(name)
    kind = stat.S_IFMT(entry.external_attr >> 16)
    if kind not in (0, stat.S_IFREG, stat.S_IFDIR):
        raise ValueError(f"the entry {name[:_ENTRY_NAME]!r} is a symbolic link or another thing than a file")
    bad = path.is_absolute() or ".." in path.parts or "\\" in name or "\0" in name or not path.parts
    if bad or name[1:2] == ":" or len(name) > _ENTRY_NAME:
        raise ValueError(f"the entry {name[:_ENTRY_NAME]!r} names a place outside of the archive, or none at all")
    if entry.flag_bits & 1:
        raise ValueError(f"the entry {name!r} is encrypted")
    return path


def _common_folder(paths: list[PurePosixPath], file: str) -> int:
    """Return 1 where everything lies in one folder that is no student's own, else 0."""
    real = [path for path in paths if not _is_litter(path.parts)]
    tops = {path.parts[0] for path in real}
    return int(len(tops) == 1 and all(len(path.parts) > 1 and path.parts[1:] != (file,) for path in real))


def _is_litter(parts: tuple[str, ...]) -> bool:
    return parts[0].startswith((".", "__"))


def _place(parts: tuple[str, ...], is_folder: bool) -> tuple[str, str] | None:
    """Return the student, and the name in the student's folder, empty for ``NAME.py``; None for what is nobody's."""
    if not parts or _is_litter(parts):
        return None
    if len(parts) > 1 or is_folder:
        return parts[0], "/".join(parts[1:])
    return (parts[0].removesuffix(".py"), "") if parts[0].endswith(".py") else None
