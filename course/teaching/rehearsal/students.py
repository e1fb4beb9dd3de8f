"""A made-up class, from the banks: right, partial, wrong, broken and hostile submissions."""

import random
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import cycle

from course.isolation.submitted import LARGEST
from course.student.core.catalog import Lab
from course.student.core.hints import lab_data
from course.student.core.starters import generate_starter
from course.student.core.wrong_answers import bank
from course.teaching.attacks.bank import hostile, without

KINDS = ("right", "partial", "wrong", "wrong", "broken", "right", "partial", "wrong", "wrong", "hostile")
"""The kinds in turn: of ten students, two are right, two are not finished, four have a misconception."""


@dataclass(frozen=True)
class Student:
    """A made-up student.

    Attributes:
        kind: one of ``KINDS``.
        content: of the submitted file. No two are the same, so that no grading stands for two.
        earns: the points that this file must get, in hundredths; None if only the tests can tell.
    """

    name: str
    kind: str
    content: bytes
    earns: int | None


def made_up_class(lab: Lab, count: int, values: Mapping[str, str]) -> list[Student]:
    """Return students in the order of their names.

    Args:
        values: what hostile submissions know of their environment; see ``Arena.values``.

    >>> from collections import defaultdict
    >>> from course.student.core.catalog import find_lab
    >>> class_ = made_up_class(find_lab(2), 10, defaultdict(str))
    >>> class_[0].name, class_[0].kind, class_[0].earns, len({student.content for student in class_})
    ('001_right', 'right', 2900, 10)
    """
    chance = random.Random(0)
    full = 100 * sum(todo.points for todo in lab_data(lab).todos.values())
    banks = _banks(lab, chance, values)
    files = {kind: cycle(chance.sample(those, len(those))) for kind, those in banks.items()}
    earns = {"right": full, "broken": 0, "hostile": 0}
    return [
        Student(f"{number:03}_{kind}", kind, next(files[kind]) + b"\n# submission %d\n" % number, earns.get(kind))
        for number, kind in zip(range(1, count + 1), cycle(KINDS))
    ]


def _banks(lab: Lab, chance: random.Random, values: Mapping[str, str]) -> dict[str, list[bytes]]:
    """Return the files of each kind; of the hostile ones only those that earn nothing honestly."""
    numbers = list(lab_data(lab).todos)
    left_out = [chance.sample(numbers, chance.randint(1, len(numbers) - 1)) for _ in range(3 * len(numbers))]
    reference = lab.solution.read_bytes()
    broken = [
        b"",
        b"def f(:\n",
        b"\xff\xfe" + reference,
        reference + b"\x00",
        b"import nunpy as np\n" + reference,
        b"raise SystemExit\n" + reference,
        reference + b"#" * LARGEST,
        b"while True: pass\n" + reference,
        generate_starter(lab).encode(),
    ]
    return {
        "right": [reference],
        "partial": [without(lab, some).encode() for some in left_out],
        "wrong": [answer.submission().encode() for answer in bank(lab)],
        "broken": broken,
        "hostile": [each.filled(values).encode() for each in hostile() if not each.earns],
    }
