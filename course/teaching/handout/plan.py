"""What goes into a handout: which edition, up to which lab, and which files of the course."""

import subprocess
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from course.student.core.catalog import ROOT, Lab, all_labs
from course.student.core.import_closure import closure

_KEPT = (
    "course/teaching/",
    "course/upkeep/",
    "solutions/",
    "bridges/",
    "book/",
    ".ci/",
    ".github/",
    ".pre-commit-config.yaml",
    "CONTRIBUTING.md",
    "CHANGELOG.md",
)
"""What instructors and maintainers keep to themselves."""

_ALSO = "book/pages/install.md"
"""What a student needs of what is kept."""

_OF_THE_REFERENCE = {"solution.py", "bench.py"}
"""Files of a lab that are its reference or run on it. They are handed out with it."""

_BEYOND = {"agent": 11}
"""Folders of ``labs/`` that are no lab, each with the lab that it comes with."""

_LEFT_BEHIND = {".venv", "__pycache__", ".ipynb_checkpoints", ".course", "out", ".hypothesis", "node_modules"}


@dataclass(frozen=True)
class Handout:
    """An edition up to a lab: ``open`` holds the references of the labs before it, ``closed`` holds none.

    >>> plan = Handout("open", 3)
    >>> [(lab.number, plan.shows(lab)) for lab in plan.labs]
    [(1, True), (2, True), (3, False)]
    """

    edition: str
    upto: int

    @property
    def labs(self) -> tuple[Lab, ...]:
        """Return the labs that are handed out."""
        return tuple(lab for lab in all_labs() if lab.number <= self.upto)

    def shows(self, lab: Lab) -> bool:
        """Return whether a lab's reference is handed out."""
        return self.edition == "open" and lab.number < self.upto

    def holds(self, name: str) -> bool:
        """Return whether a file of the repository goes into the handout, by its path from the root.

        A file of ``labs/`` that is no lab's, or of ``mask_engine/``, goes along with the labs that it needs to be
        imported, a test with what it tests.

        >>> plan = Handout("closed", 2)
        >>> [plan.holds(name) for name in ("README.md", "course/cli.py", "course/upkeep/check.py", "solutions/x")]
        [True, True, False, False]
        >>> [plan.holds(f"labs/lab_02_atom_fsm/{file}") for file in ("README.md", "solution.py")]
        [True, False]
        """
        top, _, rest = name.partition("/")
        if top == "labs" and rest.partition("/")[0] in _BEYOND:
            return _BEYOND[rest.partition("/")[0]] <= self.upto
        if top == "labs" and "/" in rest:
            lab = next((lab for lab in self.labs if name.startswith(f"{lab.path}/")), None)
            return lab is not None and (Path(name).name not in _OF_THE_REFERENCE or self.shows(lab))
        if top in ("labs", "mask_engine"):
            missing = [lab.folder for lab in all_labs() if lab not in self.labs]
            code = name if name.endswith(".py") else f"{top}/__init__.py"  # a page goes with the code
            files = closure([ROOT / code], by_functions=False)
            return not any(file.is_relative_to(folder) for file in files for folder in missing)
        if top == "tests":
            imported = closure([ROOT / name]) if name.endswith(".py") else ()
            names = [name, *(file.relative_to(ROOT).as_posix() for file in imported)]
            return all(each == "tests/__init__.py" or each.startswith(("labkit/", "tests/labkit/")) for each in names)
        if top == "upstream_notes":
            return Path(name).stem in {"README", *(lab.name for lab in self.labs)}
        return name == _ALSO or not name.startswith(_KEPT)


def files_of_the_course() -> list[str]:
    """Return the paths of this copy's files: those that git knows, else all but what runs leave behind."""
    if (ROOT / ".git").exists():
        return _known_to_git()
    found = (path.relative_to(ROOT) for path in ROOT.rglob("*"))
    return _there(path.as_posix() for path in found if not _LEFT_BEHIND & {*path.parts})


def unknown_to_git(plan: Handout) -> list[str]:
    """Return the files that would go into a handout if they were committed; none where there is no git."""
    others = _known_to_git("--others", "--exclude-standard") if (ROOT / ".git").exists() else []
    return [name for name in others if plan.holds(name)]


def _known_to_git(*options: str) -> list[str]:
    command = ["git", "ls-files", "-z", *options]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, encoding="utf-8", check=True).stdout
    return _there(listed.split("\0"))


def _there(names: Iterable[str]) -> list[str]:
    return sorted(name for name in names if name and (ROOT / name).is_file() and not name.endswith(".pyc"))
