"""A class as data: the submission of each student, or what is wrong with it."""

from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import replace

from course.isolation.submitted import Submission, with_helpers
from course.student.core.catalog import Lab

MOST = 20_000
"""Submissions, and other entries, of one class."""

_SHOWN = 100


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
