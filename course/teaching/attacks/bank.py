"""The hostile submissions, in ``solutions/hostile``: each says in a sentence what it tries."""

import ast
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path

from course.student.core.catalog import ROOT, Lab, find_lab
from course.student.core.hints import lab_data
from course.student.core.starters import generate_starter

FOLDER = ROOT / "solutions" / "hostile"

_HEAD = re.compile(
    r"^# lab: (?P<lab>\d\d)(?:, todo: (?P<todo>\d+))?(?:, earns: (?P<earns>\d+))?(?P<sample>, sample)?$", re.MULTILINE
)
_PLACE = re.compile(r"@(\w+)@")


@dataclass(frozen=True)
class Trial:
    """One file to be graded, hostile or not.

    Attributes:
        tries: one sentence.
        text: the file, in which ``@name@`` stands for what the arena fills in.
        todo: the one TODO whose tests are run; None for all.
        earns: the TODOs whose tests it passes honestly.
        sample: whether every change to the course is tried with it.
    """

    name: str
    tries: str
    text: str
    lab: Lab
    todo: int | None = None
    earns: frozenset[int] = frozenset()
    sample: bool = False

    def filled(self, values: Mapping[str, str]) -> str:
        """Return the file as submitted by a student who seems to know everything about this machine.

        Raises:
            KeyError: for a name that the arena has nothing for.
        """
        return _PLACE.sub(lambda match: values[match[1]], self.text)


def read(path: Path) -> Trial:
    """Return a submission from its file.

    Raises:
        ValueError: if it lacks the sentence, or the comment that names its lab.
    """
    text = path.read_text(encoding="utf-8")
    says, head = ast.get_docstring(ast.parse(text)), _HEAD.search(text)
    if not says or not head:
        raise ValueError(f"{path}: a hostile submission starts with a sentence and a comment, # lab: 01")
    todo, earns = (int(head[name]) if head[name] else None for name in ("todo", "earns"))
    honest = frozenset() if earns is None else frozenset({earns})
    return Trial(path.stem, says, text, find_lab(head["lab"]), todo, honest, sample=bool(head["sample"]))


def hostile() -> list[Trial]:
    """Return all of them, in the order of their names.

    >>> len(hostile()) >= 45, sum(each.sample for each in hostile()) >= 15
    (True, True)
    """
    return [read(path) for path in sorted(FOLDER.glob("*.py"))]


HONEST = 3


def honest(lab: Lab) -> list[Trial]:
    """Return ``HONEST`` submissions that must get what they earn and no less: the reference, the starter, all but one.

    >>> len(honest(find_lab(1))) == HONEST
    True
    """
    *others, last = sorted(lab_data(lab).todos)
    reference = lab.solution.read_text(encoding="utf-8")
    partial = without(lab, [last])
    return [
        Trial("the reference", "Solves every TODO.", reference, lab, earns=frozenset([*others, last])),
        Trial("the pristine starter", "Solves no TODO.", generate_starter(lab), lab),
        Trial("all but the last TODO", f"Solves every TODO but {last}.", partial, lab, earns=frozenset(others)),
    ]


def without(lab: Lab, numbers: Collection[int]) -> str:
    """Return the reference with these TODOs not written yet."""
    names = [todo.function for number, todo in lab_data(lab).todos.items() if number in numbers]
    unwritten = [f"\n\ndef {name}(*args, **kwargs):\n    raise NotImplementedError\n" for name in names]
    return lab.solution.read_text(encoding="utf-8") + "".join(unwritten)
