"""The hostile submissions, in ``solutions/hostile``: each says in a sentence what it tries."""

import ast
import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from course.student.core.catalog import ROOT, Lab, find_lab

FOLDER = ROOT / "solutions" / "hostile"

_HEAD = re.compile(r"^# lab: (?P<lab>\d\d)(?:, todo: (?P<todo>\d+))?(?:, earns: (?P<earns>\d+))?$", re.MULTILINE)
_PLACE = re.compile(r"@(\w+)@")


@dataclass(frozen=True)
class Submission:
    """One file to be graded, hostile or not.

    Attributes:
        name: what the table calls it.
        tries: one sentence.
        text: the file, in which ``@name@`` stands for what the arena fills in.
        lab: the lab that it is for.
        todo: the one TODO whose tests are run; None for all.
        earns: the TODO whose tests it passes honestly; None for no test that takes more than a constant.
    """

    name: str
    tries: str
    text: str
    lab: Lab
    todo: int | None = None
    earns: int | None = None

    def filled(self, values: dict[str, str]) -> str:
        """The file as the student handed it in, who seems to know everything about the machine.

        Raises:
            KeyError: for a name that the arena has nothing for.
        """
        return _PLACE.sub(lambda match: values[match[1]], self.text)

    @cached_property
    def places(self) -> set[str]:
        """The names that the arena must fill in."""
        return set(_PLACE.findall(self.text))


def read(path: Path) -> Submission:
    """A submission from its file.

    Raises:
        ValueError: if it lacks the sentence, or the comment that names its lab.
    """
    text = path.read_text(encoding="utf-8")
    says, head = ast.get_docstring(ast.parse(text)), _HEAD.search(text)
    if not says or not head:
        raise ValueError(f"{path}: a hostile submission begins with a sentence and a comment, # lab: 01")
    numbers = {name: int(head[name]) if head[name] else None for name in ("todo", "earns")}
    return Submission(path.stem, says, text, find_lab(head["lab"]), **numbers)


def hostile() -> list[Submission]:
    """All of them, in the order of their names.

    >>> len(hostile()) >= 45
    True
    """
    return [read(path) for path in sorted(FOLDER.glob("*.py"))]
