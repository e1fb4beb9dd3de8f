"""What goes into a handout: which edition, up to which lab, and which files of the course."""

import subprocess
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from course.student.core.catalog import ROOT, Lab, all_labs

EDITIONS = ("open", "closed")

_ROOT_FILES = {
    *("README.md", "LICENSE", "Makefile", "conftest.py", "constraints.txt", "pyproject.toml", "requirements.txt"),
    *(".gitignore", ".editorconfig"),
}
_FOLDERS = {"requirements", ".vscode", ".devcontainer", "labkit", "course"}
_HOUSE = {"teaching", "upkeep"}
"""Of ``course/``: what serves the course's own repository and whoever grades."""

_TESTS = {
    *("__init__", "test_differences", "test_doctor", "test_labkit", "test_automata", "test_masks"),
    *("test_pictures", "test_sentencepiece", "test_timeline", "test_timeouts"),
}
"""House tests that need no reference of any lab and hold none."""

_OF_THE_REFERENCE = {"solution.py", "pictures.py", "bench.py"}
"""Files of a lab that are, or run on, its reference, and are handed out together with it."""

_LEFT_BEHIND = {".venv", "__pycache__", ".ipynb_checkpoints", ".course", "out", ".hypothesis", "node_modules"}


@dataclass(frozen=True)
class Plan:
    """An edition up to a lab: ``open`` holds the references of the labs before it, ``closed`` holds none.

    >>> plan = Plan("open", 3)
    >>> [lab.number for lab in plan.labs], [lab.number for lab in plan.withheld]
    ([1, 2, 3], [3])
    """

    edition: str
    upto: int

    @property
    def labs(self) -> tuple[Lab, ...]:
        """The labs that are handed out."""
        return tuple(lab for lab in all_labs() if lab.number <= self.upto)

    @property
    def withheld(self) -> tuple[Lab, ...]:
        """Those of them whose reference is kept back."""
        return tuple(lab for lab in self.labs if not self.shows(lab))

    def shows(self, lab: Lab) -> bool:
        """Whether a lab's reference is handed out."""
        return self.edition == "open" and lab.number < self.upto

    def holds(self, name: str) -> bool:
        """Whether a file of the course goes into the handout, by its path from the root.

        >>> plan = Plan("closed", 2)
        >>> [plan.holds(name) for name in ("README.md", "course/cli.py", "course/upkeep/check.py", "tests/x.py")]
        [True, True, False, False]
        >>> [plan.holds(f"labs/lab_02_atom_fsm/{file}") for file in ("README.md", "solution.py")]
        [True, False]
        """
        path = PurePosixPath(name)
        if len(path.parts) == 1:
            return name in _ROOT_FILES
        top, second = path.parts[:2]
        if top == "labs":
            return self._holds_of_labs(path)
        if top == "tests":
            return path.suffix == ".py" and path.stem in _TESTS
        if top == "upstream_notes":
            return second == "README.md" or path.stem in {lab.name for lab in self.labs}
        return top in _FOLDERS and not (top == "course" and second in _HOUSE)

    def _holds_of_labs(self, path: PurePosixPath) -> bool:
        if str(path) == "labs/assembled.py":
            return self.upto >= 8  # it wires labs 06 to 08
        lab = next((lab for lab in self.labs if lab.name == path.parts[1]), None)
        if lab is None:
            return str(path) in ("labs/__init__.py", "labs/own_files.py")
        return path.name not in _OF_THE_REFERENCE or self.shows(lab)


def files_of_the_course(root: Path = ROOT) -> list[str]:
    """The files of this copy by their paths: those that git knows, else all but what runs leave behind."""
    if (root / ".git").exists():
        command = ["git", "ls-files", "-z"]
        listed = subprocess.run(command, cwd=root, capture_output=True, text=True, encoding="utf-8", check=True).stdout
        return _there(root, listed.split("\0"))
    found = (path.relative_to(root) for path in root.rglob("*"))
    return _there(root, (path.as_posix() for path in found if not _LEFT_BEHIND & {*path.parts}))


def unknown_to_git(plan: Plan, root: Path = ROOT) -> list[str]:
    """Files that would go into a handout if they were committed; none where there is no git."""
    if not (root / ".git").exists():
        return []
    command = ["git", "ls-files", "-z", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=root, capture_output=True, text=True, encoding="utf-8", check=True).stdout
    return [name for name in _there(root, listed.split("\0")) if plan.holds(name)]


def _there(root: Path, names: Iterable[str]) -> list[str]:
    return sorted(name for name in names if name and (root / name).is_file() and not name.endswith(".pyc"))
