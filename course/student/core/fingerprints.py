"""Recognising a misconception: what a TODO's function answers to fixed questions, as a fingerprint.

The fingerprints of the bank's wrong answers are kept in the lab's ``fingerprints.json``, one line a mistake, so that a
failure can name the misconception where the bank itself is not handed out.
"""

import contextlib
import dataclasses
import hashlib
import importlib
import json
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np

from course.student.core.candidate import Candidate, InProcess
from course.student.core.catalog import Lab
from course.student.core.hints import lab_data
from course.student.core.submission import Loader, quiet
from course.student.core.timeouts import TimeLimit, time_limit
from course.student.core.trace import student_trace
from course.student.core.wrong_answers import bank


@dataclass(frozen=True)
class Misconception:
    """What a function under test has in common with a wrong answer: the hint that helps, and the mistake in words."""

    hint: int
    mistake: str


def answers(lab_object: Any, lab: Lab, todo: int) -> Any:
    """Return what the file under test answers to the lab's probes of one TODO; drop what it prints or warns of.

    Raises:
        ValueError: if the lab's ``probes.py`` has none.
    """
    name = f"probe_{lab_data(lab).todos[todo].function}"
    if not (lab.folder / "probes.py").is_file():
        raise ValueError(f"{lab.path}/probes.py is missing: wrong answers need {name} in it")
    probe: Callable[[Any], Any] | None = getattr(importlib.import_module(f"labs.{lab.name}.probes"), name, None)
    if probe is None:
        raise ValueError(f"{lab.path}/probes.py has no {name}")
    with quiet():
        return probe(lab_object)


def fingerprint(lab_object: Any, lab: Lab, todo: int) -> str:
    """Return the fingerprint of a file under test for one TODO."""
    return digest(answers(lab_object, lab, todo))


def digest(found: Any) -> str:
    """Return the fingerprint of these answers: 16 hexadecimal digits."""
    return hashlib.sha256(canonical(found).encode("utf-8", "surrogatepass")).hexdigest()[:16]


def canonical(value: Any) -> str:
    """Return a value as text that is the same in every process and on every computer, to be hashed.

    The text holds type and content: sets and dicts sorted, floats in full, arrays by dtype, shape and numbers. Every
    NaN is the same one. An unknown type is represented by its name alone, since its ``repr`` may hold an address.

    >>> canonical([{"b", "a"}, 0.5, None, np.array([True])])
    "list[set['a','b'],float:0x1.0000000000000p-1,None,array:bool(1,)list[True]]"
    >>> canonical(object())
    'object'
    """
    kind = type(value)
    if value is None or kind in (bool, int, str, bytes):
        return ascii(value)
    if kind is float:
        return f"float:{value.hex()}"
    if kind is np.ndarray or isinstance(value, np.generic):
        form = "array" if kind is np.ndarray else "scalar"
        return f"{form}:{value.dtype.name}{value.shape}{canonical(value.tolist())}"
    if kind is dict:
        return f"dict[{','.join(sorted(f'{canonical(key)}:{canonical(entry)}' for key, entry in value.items()))}]"
    if kind in (list, tuple, set, frozenset):
        parts = [canonical(each) for each in value]
        return f"{kind.__name__}[{','.join(parts if kind in (list, tuple) else sorted(parts))}]"
    if dataclasses.is_dataclass(kind) and kind.__module__.startswith("labkit."):
        return f"{kind.__name__}[{','.join(canonical(getattr(value, f.name)) for f in dataclasses.fields(kind))}]"
    return kind.__name__


def recognise(lab_object: Any, lab: Lab, todo: int) -> Misconception | None:
    """Return the misconception whose answers are exactly those of the file under test, if there is one.

    Nothing that the file raises leaves this function, except what ends the test itself (``TimeLimit``,
    ``KeyboardInterrupt``).
    """
    known = {name: entry for name, entry in read(lab).items() if name.startswith(f"{todo} ")}
    if not known:
        return None
    try:
        found = known.get(f"{todo} {fingerprint(lab_object, lab, todo)}")
    except (Exception, SystemExit):  # the file does not load, or lacks the function
        return None
    return Misconception(*found) if found else None


class KnownMistakes:
    """Looks each TODO up when its first test fails: does it answer like a wrong answer of the bank?"""

    seconds = 2.0
    """How long the search may take."""

    def __init__(self) -> None:
        self._looked_up: dict[tuple[int, int], Misconception | None] = {}

    @property
    def found(self) -> dict[tuple[int, int], Misconception]:
        """The known mistakes by lab and TODO."""
        return {subject: found for subject, found in self._looked_up.items() if found}

    def of(self, candidate: Candidate, lab: Lab, todo: int) -> Misconception | None:
        """Return the known mistake of a TODO's function, or None; the search is done once."""
        subject = (lab.number, todo)
        if subject not in self._looked_up:
            self._looked_up[subject] = None
            self._looked_up[subject] = self._search(candidate, lab, todo)
        return self._looked_up[subject]

    def _search(self, candidate: Candidate, lab: Lab, todo: int) -> Misconception | None:
        candidate = candidate.loaded_anew()
        candidate.begin_test()
        candidate.set_in_place(True)
        try:
            others = [entry.function for number, entry in lab_data(lab).todos.items() if number != todo]
            with time_limit(self.seconds), candidate.repaired(others) or contextlib.nullcontext():
                return recognise(candidate, lab, todo)
        except BaseException as error:
            # Of a KeyboardInterrupt only a trace from another process can tell: then nobody pressed a key.
            inside = not isinstance(error, KeyboardInterrupt) and student_trace(error).frames
            if inside or hasattr(error, "__student_trace__") or isinstance(error, TimeLimit):
                return None
            raise
        finally:
            candidate.set_in_place(False)
            candidate.end_test()


def generate(lab: Lab) -> dict[str, tuple[int, str]]:
    """Return hint and mistake of the lab's wrong answers by TODO and fingerprint: ``"5 18f76e4d9d0bba7f"``.

    Of several with one fingerprint the first is kept. Fingerprints that say nothing are left out: the reference's own,
    and those of answers that raise on every probe.
    """
    reference = cache(partial(fingerprint, InProcess(lab, Loader({lab.number: lab.solution})), lab))
    prints: dict[str, tuple[int, str]] = {}
    with tempfile.TemporaryDirectory() as folder:
        for answer in bank(lab):
            path = Path(folder) / f"{answer.name}.py"
            path.write_text(answer.submission(), encoding="utf-8")
            found = answers(InProcess(lab, Loader({lab.number: path})), lab, answer.todo)
            if _holds_a_value(found) and digest(found) != reference(answer.todo):
                prints.setdefault(f"{answer.todo} {digest(found)}", (answer.hint, answer.mistake))
    return prints


def _holds_a_value(found: Any) -> bool:
    """Return whether any of the attempts among the answers returned a value instead of raising."""
    if type(found) is tuple and found and found[0] in ("value", "error"):
        return bool(found[0] == "value")
    return type(found) in (list, tuple) and any(map(_holds_a_value, found))


def as_text(entries: Mapping[str, Any]) -> str:
    """Return the text of ``fingerprints.json``: an entry a line, so that two changes to a bank merge.

    >>> print(as_text({"test_lab.py": "4861e568e484e250", "5 18f76e4d9d0bba7f": (3, "It is wrong.")}), end="")
    {
    "5 18f76e4d9d0bba7f": [3, "It is wrong."],
    "test_lab.py": "4861e568e484e250"
    }
    """
    lines = (f"{json.dumps(name)}: {json.dumps(entry, ensure_ascii=False)}" for name, entry in sorted(entries.items()))
    return "{\n" + ",\n".join(lines) + "\n}\n"


@cache
def read(lab: Lab) -> dict[str, Any]:
    """Return the entries of the lab's ``fingerprints.json``; none where it has no such file."""
    path = lab.folder / "fingerprints.json"
    entries: dict[str, Any] = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    return entries
