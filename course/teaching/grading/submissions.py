"""Submissions as data: the one file of each student that is graded, or what is wrong with it."""

from collections import defaultdict
from collections.abc import Callable, Collection
from dataclasses import dataclass, replace

FILE = "starter.py"
LARGEST = 1 << 20
"""Bytes of one submission. The largest reference has a twentieth of it."""

MOST = 20_000
"""Submissions, and other entries, of one class."""

_SHOWN = 100


@dataclass(frozen=True)
class Submission:
    """The submission of one student: ``text``, or None and the ``problem`` with it.

    ``student`` is untrusted too; see ``names``. ``note`` says what is unusual about a text.
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


class Collector:
    """Collects a class from a folder or an archive.

    Attributes:
        file: the name of the file that is graded.
        ignored: paths of other files.
    """

    def __init__(self, file: str) -> None:
        self.file = file
        self.ignored: list[str] = []
        self._found = defaultdict[str, list[Submission]](list)

    def add(self, one: Submission) -> None:
        """Add a submission; a student with several files is graded on none of them."""
        self._found[one.student].append(one)

    def add_folder(self, student: str, names: Collection[str], read: Callable[[str], Submission]) -> None:
        """Add a student's folder, in which files have these names; ``read`` reads one of them."""
        wanted = the_file([name for name in names if "/" not in name], self.file)
        self.ignored += [f"{student}/{name}" for name in names if name != wanted]
        if wanted is None:
            self.add(Submission(student, None, lacks(sorted({name.partition("/")[0] for name in names}), self.file)))
        elif wanted == self.file:
            self.add(read(wanted))
        else:
            note = f"graded: {wanted[:_SHOWN]!r}, as there is no {self.file}"
            self.add(replace(read(wanted), note=note))

    def intake(self) -> Intake:
        """Return the class in the order of names."""
        chosen = []
        for student, found in sorted(self._found.items()):
            several = f"submitted twice: as a file {student}.py and as {student}/{self.file}"
            chosen.append(found[0] if len(found) == 1 else Submission(student, None, several))
        return Intake(tuple(chosen), tuple(self.ignored[:MOST]))


def submission(student: str, content: bytes, file: str = FILE) -> Submission:
    """Return a submission from the bytes of its file.

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
    """Return the problem with a file that is too large."""
    return f"{file} has {size:,} bytes; at most {LARGEST:,} are read"


def the_file(names: Collection[str], file: str = FILE) -> str | None:
    """Return which file of a student's folder is graded: ``file``, or the only Python file, if a browser renamed it.

    >>> the_file(["a.py", "starter.py"]), the_file(["starter (1).py", "notes.txt"]), the_file(["a.py", "b.py"])
    ('starter.py', 'starter (1).py', None)
    """
    python = [name for name in names if name.endswith(".py") and not name.startswith(".")]
    return file if file in names else python[0] if len(python) == 1 else None


def lacks(names: Collection[str], file: str = FILE) -> str:
    """Return the problem with a student's folder that lacks the file.

    >>> lacks([]), lacks(["notes.ipynb"]), lacks(["a.py", "b.py"])
    ('no starter.py, and nothing else', "no starter.py, only 'notes.ipynb'", "no starter.py, only 'a.py', 'b.py'")
    """
    others = ", ".join(repr(name[:_SHOWN]) for name in list(names)[:5])
    return f"no {file}" + (f", only {others}" if others else ", and nothing else")
