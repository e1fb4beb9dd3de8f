"""Submissions as data: the one file of each student that is graded, or what is wrong with it."""

from collections import defaultdict
from collections.abc import Callable, Mapping
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


class Intake:
    """A class, as a folder or an archive is read into it.

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

    def add_folder(self, student: str, files: Mapping[str, Callable[[], Submission]]) -> None:
        """Add a student's folder, which has these files, each with the function that reads it.

        Without ``file`` the only Python file is graded: a browser may have renamed it.
        """
        python = [name for name in files if name.endswith(".py") and not name.startswith(".") and "/" not in name]
        wanted = self.file if self.file in files else python[0] if len(python) == 1 else None
        self.ignored += [f"{student}/{name}" for name in files if name != wanted]
        if wanted is None:
            others = ", ".join(repr(name[:_SHOWN]) for name in sorted({name.partition("/")[0] for name in files})[:5])
            self.add(
                Submission(student, None, f"no {self.file}, " + (f"only {others}" if others else "and nothing else"))
            )
        else:
            note = "" if wanted == self.file else f"graded: {wanted[:_SHOWN]!r}, as there is no {self.file}"
            self.add(replace(files[wanted](), note=note))

    @property
    def submissions(self) -> tuple[Submission, ...]:
        """The submissions in the order of names, in which capitals make no difference, one for each student."""
        chosen = []
        for student, found in sorted(self._found.items(), key=lambda item: (item[0].casefold(), item[0])):
            several = f"submitted twice: as a file {student}.py and as {student}/{self.file}"
            chosen.append(found[0] if len(found) == 1 else Submission(student, None, several))
        return tuple(chosen)
