"""Honest submissions, which must get what they earn and no less, whatever confines them."""

from collections.abc import Collection

from course.student.core.catalog import Lab
from course.student.core.hints import lab_data
from course.student.core.starters import generate_starter
from course.teaching.attacks.bank import Submission
from course.teaching.grading.thoughtless import thoughtless


def reference(lab: Lab) -> Submission:
    """The reference itself, which passes everything."""
    return Submission("the reference", "Solves every TODO.", lab.solution.read_text(encoding="utf-8"), lab)


def pristine(lab: Lab) -> Submission:
    """The starter as it is handed out, which passes nothing."""
    return Submission("the pristine starter", "Solves no TODO.", generate_starter(lab), lab)


def partial(lab: Lab) -> Submission:
    """The reference without its last TODO."""
    last = max(lab_data(lab).todos)
    return Submission("all but the last TODO", f"Solves every TODO but {last}.", without(lab, [last]), lab)


def without(lab: Lab, numbers: Collection[int]) -> str:
    """The reference, some of whose TODOs are not written yet."""
    names = [todo.function for number, todo in lab_data(lab).todos.items() if number in numbers]
    unwritten = [f"\n\ndef {name}(*args, **kwargs):\n    raise NotImplementedError\n" for name in names]
    return lab.solution.read_text(encoding="utf-8") + "".join(unwritten)


def constants(lab: Lab) -> list[Submission]:
    """Files whose every TODO does one and the same thing. What these pass takes no attack."""
    return [Submission("without an idea", "Does the same in every TODO.", text, lab) for text in thoughtless(lab)]
