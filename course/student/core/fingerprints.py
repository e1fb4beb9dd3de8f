"""Recognising a misconception: what a TODO's function answers to fixed questions, as a short print.

The prints of the bank's wrong answers are kept in the lab's ``fingerprints.json``, so that a failure can name
the misconception where the bank itself is not handed out.
"""

import contextlib
import hashlib
import importlib
import io
import json
import tempfile
import warnings
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any

from course.student.core.candidate import InProcess
from course.student.core.canonical import canonical
from course.student.core.catalog import Lab
from course.student.core.submission import Loader
from course.student.core.wrong_answers import WrongAnswer, bank

Prints = dict[str, dict[str, list[dict[str, Any]]]]
"""TODO number, print, and the wrong answers that have it: name, story, hint."""


@dataclass(frozen=True)
class Misconception:
    """What a function under test has in common with a wrong answer: its name, its story, the hint that helps."""

    name: str
    story: str
    hint: int


def answers(lab_object: Any, lab: Lab, todo: int) -> Any:
    """What the file under test answers to the lab's probes of one TODO; what it prints or warns of is dropped."""
    probes: dict[int, Callable[[Any], Any]] = importlib.import_module(f"labs.{lab.name}.probes").PROBES
    said = io.StringIO()
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return probes[todo](lab_object)


def fingerprint(lab_object: Any, lab: Lab, todo: int) -> str:
    """The print of a file under test for one TODO: 16 hexadecimal digits.

    >>> from course.student.core.catalog import find_lab
    >>> from labs.lab_02_atom_fsm import solution
    >>> len(fingerprint(solution, find_lab(2), 7))
    16
    """
    return _digest(answers(lab_object, lab, todo))


def _digest(found: Any) -> str:
    return hashlib.sha256(canonical(found).encode("utf-8", "surrogatepass")).hexdigest()[:16]


def recognise(lab_object: Any, lab: Lab, todo: int) -> Misconception | None:
    """The misconception that the file under test shares with the bank, if its answers are the very same.

    Where several wrong answers have one print, the first of them. Nothing that the file raises comes out of
    here, but for what ends the test itself (``TimeLimit``, ``KeyboardInterrupt``).
    """
    known = read(lab).get(str(todo))
    if not known:
        return None
    try:
        found = known.get(fingerprint(lab_object, lab, todo))
    except (Exception, SystemExit):  # the file does not load, or lacks the function
        return None
    return Misconception(**found[0]) if found else None


def generate(lab: Lab) -> Prints:
    """The prints of the lab's bank.

    Left out are prints that say nothing: the reference's own, and those of answers that raise whatever is asked.
    """
    reference = InProcess(lab, Loader({lab.number: lab.solution}))
    prints: Prints = {}
    for answer in bank(lab):
        found = _answers_of(answer)
        if _any_value(found) and _digest(found) != fingerprint(reference, lab, answer.todo):
            entry = asdict(Misconception(answer.name, answer.story, answer.hint))
            prints.setdefault(str(answer.todo), {}).setdefault(_digest(found), []).append(entry)
    return prints


def _answers_of(answer: WrongAnswer) -> Any:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"{answer.name}.py"
        path.write_text(answer.submission(), encoding="utf-8")
        return answers(InProcess(answer.lab, Loader({answer.lab.number: path})), answer.lab, answer.todo)


def _any_value(found: Any) -> bool:
    """Whether any of the attempts among the answers brought a value."""
    return any(kind == "value" for kind in _attempts(found))


def _attempts(found: Any) -> Iterator[str]:
    if type(found) is tuple and found and found[0] in ("value", "error"):
        yield found[0]
    elif type(found) in (list, tuple):
        for each in found:
            yield from _attempts(each)


def as_text(prints: Prints) -> str:
    """What ``fingerprints.json`` holds: sorted, indented, with a newline at its end."""
    return json.dumps(prints, indent=2, sort_keys=True, ensure_ascii=False) + "\n"


def write(lab: Lab) -> Path:
    """Write the lab's ``fingerprints.json`` from the bank; gives its path."""
    path = lab.folder / "fingerprints.json"
    path.write_text(as_text(generate(lab)), encoding="utf-8", newline="\n")
    read.cache_clear()
    return path


@cache
def read(lab: Lab) -> Prints:
    """The lab's prints; none where it has no file of them."""
    path = lab.folder / "fingerprints.json"
    prints: Prints = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    return prints
