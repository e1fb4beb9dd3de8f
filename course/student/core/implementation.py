"""Which files are under test: what ``LAB_IMPL`` and its like may say, and what it means."""

import re
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

from course.student.core.catalog import Lab, all_labs
from labs.own_files import is_begun

FORMS = """\
  starter           the file that you edit in each lab's folder
  solution          the reference (also when nothing is chosen)
  PATH/file.py      one submission, for a run of one lab
  PATH/folder       submissions named lab_NN*.py, or folders lab_NN* with a starter.py, one for each lab"""


class UsageError(ValueError):
    """A choice that does not exist; the message names the forms that do."""


@dataclass(frozen=True)
class Implementation:
    """The files under test.

    ``kind`` is ``starter``, ``solution``, ``file`` or ``folder``, or ``notebook``, whose functions are in ``module``
    and in no file; ``chosen_by`` names who said so (``--impl``, ``LAB_IMPL``, ``lab_impl``), empty where nobody did.
    """

    kind: str
    chosen_by: str
    path: Path | None = None
    module: ModuleType | None = None

    def file_of(self, lab: Lab) -> Path | None:
        """Return the file under test for this lab, or None where there is none."""
        if self.kind in ("solution", "starter"):
            return lab.solution if self.kind == "solution" else lab.starter
        return _find_in(self.path, lab) if self.kind == "folder" and self.path else self.path

    def what_is_missing(self, lab: Lab) -> str:
        """Return why this lab has no file under test, and what to do about it; empty where it has one."""
        file = self.file_of(lab)
        if file is None:
            return f"{self.path} holds no file for {lab.label}"
        if self.kind == "solution" and not lab.has_reference:
            own = f"to grade your own file: python3 -m course test {lab.number:02}"
            return f"this copy of the course holds no reference of {lab.label}; {own}"
        missing = f"{lab.path}/{file.name} is missing. To bring it back: python3 -m course reset {lab.number:02}"
        return "" if file.is_file() else missing

    def in_place(self, labs: Collection[Lab]) -> dict[int, Path]:
        """Return the file of each lab that is in place of its reference when these are tested, for ``LAB_CHAIN=mine``.

        That's each file under test and, for the other labs, each starter that somebody has begun.
        """
        if self.kind == "solution":
            return {}
        named = all_labs() if self.kind == "folder" else labs
        files = {lab.number: self.file_of(lab) for lab in named}
        begun = [lab for lab in all_labs() if lab not in named and is_begun(lab.folder)]
        return {lab.number: lab.starter for lab in begun} | {n: file for n, file in files.items() if file}


def resolve(value: str, chosen_by: str, folder: Path) -> Implementation:
    """Return what a chosen value means, relative to ``folder``. A typo is a UsageError: it never falls back."""
    if value in ("starter", "solution"):
        return Implementation(value, chosen_by)
    path = (folder / Path(value).expanduser()).resolve()
    if not value.strip():
        problem = "is empty. It must be one of these"
    elif path.is_dir():
        files = [_find_in(path, lab) for lab in all_labs()]  # of every lab, since any may be there twice
        if any(files):
            return Implementation("folder", chosen_by, path)
        problem = "is a folder without any lab_NN* file. It must be one of these"
    elif path.is_file():
        if path.suffix == ".py":
            return Implementation("file", chosen_by, path)
        problem = "is no Python file"
    else:
        problem = "is not one of these, and no such file or folder exists"
    raise UsageError(f"{chosen_by}={value!r} {problem}:\n{FORMS}")


def _find_in(folder: Path, lab: Lab) -> Path | None:
    """Return the one file of this lab in a folder of submissions; several are a UsageError."""
    named = re.compile(rf"lab_{lab.number:02}(?!\d)")
    entries = [entry for entry in sorted(folder.iterdir()) if named.match(entry.name)]
    files = [entry for entry in entries if entry.is_file() and entry.suffix == ".py"]
    files += [entry / "starter.py" for entry in entries if (entry / "starter.py").is_file()]
    if len(files) > 1:
        raise UsageError(f"{folder} holds several files for {lab.label}: {', '.join(file.name for file in files)}")
    return files[0] if files else None
