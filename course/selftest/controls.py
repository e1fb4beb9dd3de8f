"""Honest submissions, which must get what they earn and no less, whatever confines them."""

from course.catalog import Lab
from course.hints import lab_data
from course.selftest.bank import Submission
from course.starters import generate_starter

_CONSTANTS = {
    "None": "return None",
    "True": "return True",
    "False": "return False",
    "0": "return 0",
    "an empty list": "return []",
    "its first argument": "return args[0]",
    "an error": "raise ValueError('refused')",
}

_SAME = """\
def same(*args, **kwargs):
    {body}


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    return same
"""


def reference(lab: Lab) -> Submission:
    """The reference itself, which passes everything."""
    return Submission("the reference", "Solves every TODO.", lab.solution.read_text(encoding="utf-8"), lab)


def pristine(lab: Lab) -> Submission:
    """The starter as it is handed out, which passes nothing."""
    return Submission("the pristine starter", "Solves no TODO.", generate_starter(lab), lab)


def partial(lab: Lab) -> Submission:
    """The reference without its last TODO."""
    last = max(lab_data(lab).todos)
    name = lab_data(lab).todos[last].function
    text = reference(lab).text + f"\n\ndef {name}(*args, **kwargs):\n    raise NotImplementedError\n"
    return Submission("all but the last TODO", f"Solves every TODO but {last}.", text, lab)


def constants(lab: Lab) -> list[Submission]:
    """Files whose every function does one and the same thing. What these pass takes no attack."""
    return [
        Submission(f"always {what}", "Does the same in every function.", _SAME.format(body=body), lab)
        for what, body in _CONSTANTS.items()
    ]
