"""Reading a zip of submissions into memory. Nothing is extracted; an archive with anything odd is refused whole."""

import stat
import zipfile
import zlib
from pathlib import Path, PurePosixPath

from course.grading.intake import FILE, LARGEST, MOST, Intake, Submission, collect, lacks, submission, too_large

_TOTAL = 256 << 20
"""Bytes of all submissions of an archive together, unpacked."""

_RATIO = 200
"""How many times its packed size an entry may have. Python code packs ten to one at the most."""

_ENTRY_NAME = 1000


def read_zip(place: Path) -> Intake:
    """The class in a zip, whose content may lie in one folder.

    Raises:
        ValueError: naming the archive and the entry, if it is no zip, or has an entry that no honest archive has.
    """
    try:
        with zipfile.ZipFile(place) as archive:
            return _read(archive)
    except (OSError, zipfile.BadZipFile, NotImplementedError) as error:
        raise ValueError(f"{place} is no folder, and cannot be read as a zip: {error}") from error
    except ValueError as error:
        raise ValueError(f"{place}: {error}") from error


def _read(archive: zipfile.ZipFile) -> Intake:
    entries = archive.infolist()
    if len(entries) > MOST:
        raise ValueError(f"{len(entries):,} entries; at most {MOST:,} are read")
    paths = {_checked(entry): entry for entry in entries}
    if len(paths) < len(entries):
        raise ValueError("the same name stands in it twice")
    files = {path: entry for path, entry in paths.items() if not entry.is_dir()}
    top = _common_folder(list(files))
    wanted: dict[str, dict[str, zipfile.ZipInfo]] = {}
    ignored: list[str] = []
    for path, entry in files.items():
        student, name = _place(path.parts[top:])
        if name:
            wanted.setdefault(student, {})[name] = entry
        if name in ("", "other"):
            ignored.append(str(path))
    return _collected(archive, wanted, ignored)


def _checked(entry: zipfile.ZipInfo) -> PurePosixPath:
    """The path of an entry; raises ``ValueError`` for one that no honest archive has."""
    name = entry.filename
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


def _common_folder(paths: list[PurePosixPath]) -> int:
    """1 where everything lies in one folder that is no student's own, else 0."""
    real = [path for path in paths if not _is_litter(path.parts)]
    tops = {path.parts[0] for path in real}
    return int(len(tops) == 1 and all(len(path.parts) > 1 and path.parts[1:] != (FILE,) for path in real))


def _is_litter(parts: tuple[str, ...]) -> bool:
    return parts[0].startswith((".", "__"))


def _place(parts: tuple[str, ...]) -> tuple[str, str]:
    """The student and what this is to them: ``file`` (NAME.py), ``folder`` (NAME/starter.py), ``other``, or nothing."""
    if not parts or _is_litter(parts):
        return "", ""
    if len(parts) == 1:
        return (parts[0][:-3], "file") if parts[0].endswith(".py") else ("", "")
    return parts[0], "folder" if parts[1:] == (FILE,) else "other"


def _collected(archive: zipfile.ZipFile, wanted: dict[str, dict[str, zipfile.ZipInfo]], ignored: list[str]) -> Intake:
    found: dict[str, list[Submission]] = {}
    left = _TOTAL
    for student, entries in wanted.items():
        files = [entries[name] for name in ("file", "folder") if name in entries]
        found[student] = [_unpacked(archive, student, entry, left) for entry in files]
        found[student] = found[student] or [Submission(student, None, lacks([entries["other"].filename]))]
        left -= sum(len(one.text or "") for one in found[student])
    return collect(found, ignored)


def _unpacked(archive: zipfile.ZipFile, student: str, entry: zipfile.ZipInfo, left: int) -> Submission:
    """One file. Its sizes are claims of the archive's: what is read is counted again."""
    if entry.file_size > _RATIO * max(entry.compress_size, 100):
        raise ValueError(f"the entry {entry.filename!r} unpacks to {entry.file_size:,} bytes: that is a bomb")
    if entry.file_size > LARGEST:
        return Submission(student, None, too_large(entry.file_size))
    if entry.file_size > left:
        raise ValueError(f"its submissions have more than {_TOTAL:,} bytes together")
    try:
        with archive.open(entry) as opened:
            return submission(student, opened.read(LARGEST + 1))
    except (OSError, zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError) as error:
        return Submission(student, None, f"{FILE} is damaged in the archive: {error}")
