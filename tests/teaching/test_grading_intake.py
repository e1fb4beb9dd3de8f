"""Reading submissions: folders, zips, and whatever else; nothing of it is run, followed or extracted."""

import os
import shutil
import stat
import struct
import zipfile
from collections.abc import Sequence
from pathlib import Path

import pytest

from course.isolation.submitted import LARGEST
from course.student.core.catalog import find_lab
from course.teaching.grading import intake, names
from course.teaching.grading.gradescope import submitted
from course.teaching.grading.intake import Intake


def texts(found: Intake) -> dict[str, str | None]:
    return {one.student: one.text for one in found.submissions}


def problems(found: Intake) -> dict[str, str]:
    return {one.student: one.problem for one in found.submissions if one.text is None}


def zipped(path: Path, entries: Sequence[tuple[str | zipfile.ZipInfo, bytes]]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in entries:
            archive.writestr(name, content)
    return path


def test_what_cannot_be_graded_stays_in_the_list(tmp_path: Path) -> None:
    for folder in ("empty", "inner", "folder/starter.py"):
        (tmp_path / folder).mkdir(parents=True)
    for name in ("other/starter.ipynb", "many/a.py", "many/b.py", "twice/starter.py", "twice.py"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("")
    (tmp_path / "latin.py").write_bytes(b"# one\n# caf\xe9\n")
    (tmp_path / "wide.py").write_bytes("# one".encode("utf-16"))
    (tmp_path / "huge.py").write_bytes(b"#" * 50_000_000)
    (tmp_path / "link.py").symlink_to(tmp_path / "latin.py")
    (tmp_path / "linked").symlink_to(tmp_path / "other")
    (tmp_path / "inner" / "starter.py").symlink_to("/etc/passwd")
    odd = {}
    if hasattr(os, "mkfifo"):
        os.mkfifo(tmp_path / "pipe.py")  # a reader must not wait for a writer
        odd["pipe"] = "starter.py is no plain file"
    if getattr(os, "geteuid", lambda: 0)():  # root may read everything
        (tmp_path / "closed.py").touch(mode=0)
        odd["closed"] = "starter.py cannot be read: Permission denied"
    assert problems(intake.read(tmp_path)) == odd | {
        "empty": "no starter.py, and nothing else",
        "other": "no starter.py, only 'starter.ipynb'",
        "many": "no starter.py, only 'a.py', 'b.py'",
        "wide": "starter.py is not UTF-8: byte 0xff in line 1; save it as UTF-8 and submit it again",
        "huge": f"starter.py has 50,000,000 bytes; at most {LARGEST:,} are read",
        "link": "a symbolic link",
        "linked": "a symbolic link",
        "inner": "starter.py is a symbolic link",
        "folder": "starter.py is no plain file",
        "twice": "submitted twice: as a file twice.py and as twice/starter.py",
    }


@pytest.mark.parametrize(("name", "said"), [("nowhere", "no such folder"), ("", "holds no"), ("file", "as a zip")])
def test_no_class_at_all(tmp_path: Path, name: str, said: str) -> None:
    if name == "file":
        (tmp_path / name).write_text("no zip")
    with pytest.raises(ValueError, match=said) as error:
        intake.read(tmp_path / name)
    assert str(tmp_path / name) in str(error.value)


@pytest.mark.parametrize(
    ("names", "students"),
    [
        ("ann/starter.py bob.py cy/notes __MACOSX/ann/._starter.py", "ann bob cy"),
        ("lab_02/ann/starter.py lab_02/bob.py lab_02/cy/notes __MACOSX/ann/._starter.py", "ann bob cy"),
        ("class/ann/starter.py __MACOSX/class/ann/._starter.py class/.DS_Store", "ann"),
        ("ann/starter.py", "ann"),
    ],
)
def test_a_zip_may_have_one_folder_around_it_and_a_macs_own(tmp_path: Path, names: str, students: str) -> None:
    found = intake.read(zipped(tmp_path / "class.zip", [(name, name.encode()) for name in names.split()]))
    given = {student: next(name for name in names.split() if student in name) for student in students.split()}
    assert texts(found) == {student: None if "notes" in name else name for student, name in given.items()}
    assert {name for name in names.split() if "MACOSX" in name} <= set(found.ignored)


@pytest.mark.parametrize("kind", ["folder", "zip"])
def test_a_folder_and_a_zip_of_it_are_one_class(tmp_path: Path, kind: str) -> None:
    """Another name of the only Python file, an empty folder, a nested one, an alphabet: all is read alike."""
    class_ = tmp_path / "class"
    files = {"ann/starter (1).py": "x = 1", "ann/notes.txt": "", "Zoë_王_7_file_/starter.py": "y = 2"}
    files |= dict.fromkeys(("nested/labs/lab_02/starter.py", "mac/.DS_Store", "mac/._starter.py"), "")
    files |= {"mac/starter.py": "z = 3", "bob.py": "\ufeffb = 4\r\n", "list.csv": ""}
    for name, text in files.items():
        (class_ / name).parent.mkdir(parents=True, exist_ok=True)
        (class_ / name).write_bytes(text.encode())
    (class_ / "empty").mkdir()
    if kind == "zip":
        shutil.make_archive(str(class_), "zip", tmp_path, "class")
    found = intake.read(class_ if kind == "folder" else tmp_path / "class.zip")
    assert {name: text for name, text in texts(found).items() if text} == {
        "Zoë_王_7_file_": "y = 2",
        "ann": "x = 1",
        "bob": "b = 4\r\n",
        "mac": "z = 3",
    }
    assert problems(found) == {"empty": "no starter.py, and nothing else", "nested": "no starter.py, only 'labs'"}
    assert {one.student: one.note for one in found.submissions if one.note} == {
        "ann": "graded: 'starter (1).py', as there is no starter.py"
    }
    assert {"ann/notes.txt", "list.csv"} <= {name.removeprefix("class/") for name in found.ignored}


def test_names_in_utf_8_that_do_not_say_so(tmp_path: Path) -> None:
    """As some systems' archivers write them; a name in another encoding stays as it is read."""
    path = zipped(tmp_path / "class.zip", [("Zoë/starter.py", b"x = 1"), ("Ann/starter.py", b"y = 2")])
    content = path.read_bytes().replace(b"\x00\x08\x08\x00", b"\x00\x00\x08\x00")
    path.write_bytes(content)
    assert zipfile.ZipFile(path).namelist()[0] != "Zoë/starter.py"
    assert texts(intake.read(path)) == {"Zoë": "x = 1", "Ann": "y = 2"}
    path.write_bytes(content.replace("Zoë".encode(), b"Zo\x89\x89"))
    assert texts(intake.read(path)) == {"Zoëë": "x = 1", "Ann": "y = 2"}


def entry(name: str, mode: int = 0, packed: int = zipfile.ZIP_DEFLATED) -> zipfile.ZipInfo:
    made = zipfile.ZipInfo(name)
    made.external_attr, made.compress_type = mode << 16, packed
    return made


OUTSIDE = "names a place outside of the archive"
ODD = {
    "a link": (entry("class/ann/starter.py", stat.S_IFLNK | 0o777), b"/etc/passwd", "is a symbolic link"),
    "above": (entry("class/ann/../../bob.py"), b"", OUTSIDE),
    "to the side": (entry("class/ann/../bob/starter.py"), b"bob = 2", OUTSIDE),
    "backslash": (entry("class/ann/..\\bob.py"), b"", OUTSIDE),
    "backslash in a file": (entry("class/ann\\starter.py"), b"", OUTSIDE),
    "twice": (entry("class/ann/starter.py"), b"x = 2", "the same name twice"),
    "twice, another path": (entry("class/ann/./starter.py"), b"x = 2", "the same name twice"),
    "long": (entry("class/ann/" + "x" * 2000), b"", "has too long a name"),
    "bzip2": (entry("class/ann/starter.py", packed=zipfile.ZIP_BZIP2), b"#" * 9_000_000, "packed in a way"),
    "huge": (entry("class/ann/starter.py"), b"#" * 9_000_000, "starter.py has 9,000,000 bytes"),
}
"""By what is odd about it: an entry that ann submits, its content, and what is said of it."""


@pytest.mark.filterwarnings("ignore:Duplicate name")
@pytest.mark.parametrize("odd", ODD)
def test_what_one_student_submits_costs_that_student_alone(tmp_path: Path, odd: str) -> None:
    info, content, said = ODD[odd]
    others = [("class/bob/starter.py", b"bob = 1"), ("class/cy.py", b"cy = 1")]
    given = [("class/ann/starter.py", b"ann = 1")] if "twice" in odd else []
    found = intake.read(zipped(tmp_path / "class.zip", [*others, *given, (info, content)]))
    assert {name: text for name, text in texts(found).items() if text} == {"bob": "bob = 1", "cy": "cy = 1"}
    (student, problem), *more = problems(found).items()
    assert student.startswith("ann") and said in problem and not more


def test_more_entries_than_are_read_cost_one_student(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(intake, "MOST", 50)
    own = [(f"ann/{number}.txt", b"") for number in range(60)]
    for kind in ("zip", "folder"):
        path = zipped(tmp_path / "class.zip", [*own, ("ann/starter.py", b""), ("bob.py", b"bob = 1")])
        if kind == "folder":
            zipfile.ZipFile(path).extractall(path := tmp_path / "class")
        found = intake.read(path)
        assert texts(found) == {"ann": None, "bob": "bob = 1"}
        assert problems(found)["ann"] == "61 files and folders; at most 50 are read", "no place on this machine"
    with pytest.raises(ValueError, match="60 submissions"):
        intake.read(zipped(tmp_path / "class.zip", [(f"{number}.py", b"") for number in range(60)]))


def test_a_file_that_packs_well_is_no_bomb(tmp_path: Path) -> None:
    """An editor that crashed has left 40,000 zeros; any file is read to its limit and no further."""
    path = zipped(tmp_path / "class.zip", [("ann.py", b"\0" * 40_000), ("bob.py", b"bob = 1")])
    assert texts(intake.read(path)) == {"ann": "\0" * 40_000, "bob": "bob = 1"}


def test_a_size_that_is_a_lie(tmp_path: Path) -> None:
    """The archive claims ten bytes; whatever is unpacked, it is no more than is read of an honest one."""
    path = zipped(tmp_path / "class.zip", [("ann/starter.py", os.urandom(3 * LARGEST).hex().encode())])
    content = bytearray(path.read_bytes())
    for mark, at in ((b"PK\x01\x02", 24), (b"PK\x03\x04", 22)):
        start = content.index(mark)
        content[start + at : start + at + 4] = struct.pack("<I", 10)
    path.write_bytes(bytes(content))
    found = intake.read(path).submissions[0]
    assert found.text is None or len(found.text) <= 10


HELPED = {
    "starter.py": "from .helper import f\n",
    "helper.py": "from . import (\n    more)\n",
    "more.py": "",
    "other.py": "",
}


@pytest.mark.parametrize("kind", ["folder", "zip"])
def test_files_that_the_starter_imports_come_along_and_others_are_listed(tmp_path: Path, kind: str) -> None:
    (tmp_path / "class" / "ann").mkdir(parents=True)
    for name, text in HELPED.items():
        (tmp_path / "class" / "ann" / name).write_text(text)
    if kind == "zip":
        shutil.make_archive(str(tmp_path / "class"), "zip", tmp_path, "class")
    found = intake.read(tmp_path / ("class.zip" if kind == "zip" else "class"), lab=find_lab(2))
    assert [name for name, _ in found.submissions[0].beside] == ["helper.py", "more.py"]
    assert found.ignored == ["ann/other.py"]


def test_what_is_wrong_with_a_file_beside_it_is_said(tmp_path: Path) -> None:
    """Large files together count as one, so that a class can't be made too large by one student."""
    helpers = [f"h{i}" for i in range(9)]
    for student, content in (("ann", b"\0\xff"), ("bob", b"#" * (LARGEST // 4))):
        (tmp_path / student).mkdir()
        (tmp_path / student / "starter.py").write_text("".join(f"from .{name} import f\n" for name in helpers))
        for name in helpers:
            (tmp_path / student / f"{name}.py").write_bytes(content)
    found = {one.student: one.problem for one in intake.read(tmp_path, lab=find_lab(2)).submissions}
    assert "h8.py is not UTF-8" in found["ann"] and "starter.py with the files that it imports has" in found["bob"]


@pytest.mark.parametrize(
    ("files", "place"),
    [
        ("starter.py helper.py", "."),
        ("hand_in/starter.py", "hand_in"),
        ("hand_in/starter.py .DS_Store __MACOSX/x", "hand_in"),
        ("hand_in/starter.py other/starter.py", "."),
        ("starter.py/notes.txt starter.txt", "."),
    ],
)
def test_a_platform_may_give_the_files_or_their_folder(tmp_path: Path, files: str, place: str) -> None:
    for name in files.split():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    assert submitted(tmp_path) == tmp_path / place


def test_names_do_nothing() -> None:
    assert names.shown("\u202eevil\x1b[31m\n") == r"\u202eevil\x1b[31m\n"
    assert [names.cell(text)[0] for text in ("=1", "+1", "-1", "@x", "\t=1", " =1", "\uff1d1")] == list("''''\\''")
    assert len({names.file_name(name) for name in ("Ann", "ann", "ANN", "Änn", "\u0410nn")}) == 5
    assert all(len(names.file_name(name)) < 60 for name in ("../" * 100, "", "\0", "CON", "é" * 9999))
    assert len(names.doubts(["Ann", "ann", "P\u0430ul", "Zoë", "Юрий"])) == 2, "twins, and two alphabets in a word"
