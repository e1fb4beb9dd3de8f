"""A made-up class, from the banks: right, partial, wrong, broken and hostile submissions."""

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import cycle

from course.student.core.catalog import Lab
from course.student.core.hints import lab_data
from course.student.core.starters import generate_starter
from course.student.core.wrong_answers import bank
from course.teaching.attacks.bank import hostile
from course.teaching.attacks.controls import without
from course.teaching.grading.handed_in import LARGEST

KINDS = ("right", "partial", "wrong", "wrong", "broken", "right", "partial", "wrong", "wrong", "hostile")
"""Who sits beside whom: of ten, two are right, two are not finished, four have a misconception."""


@dataclass(frozen=True)
class Person:
    """A made-up student.

    Attributes:
        kind: one of ``KINDS``.
        content: of the file that is handed in. No two are the same, so that no grading stands for two.
        earns: the points that this file must get, in hundredths; None if that is for the tests to say.
    """

    name: str
    kind: str
    content: bytes
    earns: int | None


def made_up_class(lab: Lab, count: int, seed: int, values: Mapping[str, str]) -> list[Person]:
    """People in the order of their names.

    Args:
        lab: what they hand in.
        count: how many they are.
        seed: for the order in which each bank is gone through.
        values: what hostile submissions know of their surroundings; see ``Arena.values``.

    >>> from course.student.core.catalog import find_lab
    >>> class_ = made_up_class(find_lab(2), 10, 0, {})
    >>> class_[0].name, class_[0].kind, class_[0].earns, len({person.content for person in class_})
    ('001_right', 'right', 2900, 10)
    """
    chance = random.Random(seed)
    full = 100 * sum(todo.points for todo in lab_data(lab).todos.values())
    files = {kind: _for_ever(list(of(lab, chance, values)), chance) for kind, of in _FILES.items()}
    earns = {"right": full, "broken": 0, "hostile": 0}
    return [
        Person(f"{number:03}_{kind}", kind, _signed(next(files[kind]), number), earns.get(kind))
        for number, kind in zip(range(1, count + 1), cycle(KINDS))
    ]


def _for_ever(files: Sequence[bytes], chance: random.Random) -> Iterator[bytes]:
    return cycle(chance.sample(files, len(files)))


def _signed(content: bytes, number: int) -> bytes:
    return content + b"\n# handed in by number %d\n" % number


def _right(lab: Lab, chance: random.Random, values: Mapping[str, str]) -> Iterator[bytes]:
    yield lab.solution.read_bytes()


def _partial(lab: Lab, chance: random.Random, values: Mapping[str, str]) -> Iterator[bytes]:
    """The reference with one TODO or more not written."""
    numbers = list(lab_data(lab).todos)
    for _ in range(3 * len(numbers)):
        yield without(lab, chance.sample(numbers, chance.randint(1, len(numbers) - 1))).encode()


def _wrong(lab: Lab, chance: random.Random, values: Mapping[str, str]) -> Iterator[bytes]:
    yield from (answer.submission().encode() for answer in bank(lab))


def _broken(lab: Lab, chance: random.Random, values: Mapping[str, str]) -> Iterator[bytes]:
    """Files that earn nothing, by accident."""
    reference = lab.solution.read_bytes()
    yield b""
    yield b"def f(:\n"
    yield b"\xff\xfe" + reference
    yield reference + b"\x00"
    yield b"import nunpy as np\n" + reference
    yield b"raise SystemExit\n" + reference
    yield reference + b"#" * LARGEST
    yield b"while True: pass\n" + reference
    yield generate_starter(lab).encode()


def _hostile(lab: Lab, chance: random.Random, values: Mapping[str, str]) -> Iterator[bytes]:
    """The bank's, but for the one that honestly solves something."""
    known = {**dict.fromkeys(_PLACES, "0"), **values}
    yield from (each.filled(known).encode() for each in hostile() if each.earns is None)


_PLACES = frozenset(place for each in hostile() for place in each.places)

_FILES: dict[str, Callable[[Lab, random.Random, Mapping[str, str]], Iterator[bytes]]] = {
    "right": _right,
    "partial": _partial,
    "wrong": _wrong,
    "broken": _broken,
    "hostile": _hostile,
}
