"""The case of lab 02 in ``python3 -m course bench labs``: its method beside lab 01's."""

from collections.abc import Callable, Iterator
from functools import partial

from labkit.bench import Case, Setting, Subject
from labs.lab_01_naive_matching.solution import build_mask, could_match
from labs.lab_02_atom_fsm.solution import token_mask


def cases(setting: Setting) -> Iterator[Callable[[], Case]]:
    """Yield a case for each pattern, still to be made."""
    for subject in setting.subjects:
        yield partial(_walk_against_match, setting, subject)


def _walk_against_match(setting: Setting, subject: Subject) -> Case:
    viable = partial(could_match, subject.pattern)
    return Case(
        "one mask by walking",
        subject.pattern,
        ("partial matches", "automaton"),
        slow=lambda: build_mask(setting.texts, subject.text, viable),
        fast=lambda: token_mask(subject.fsm, subject.state, setting.texts),
    )
