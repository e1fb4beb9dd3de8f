"""Which TODO a failed test waits for: shown by running the test again with the reference's function."""

import time
from inspect import isfunction

import pytest

from course.student.core.candidate import Candidate
from course.student.core.catalog import Lab
from course.student.core.hints import lab_data
from course.student.core.submission import quiet
from course.student.core.timeouts import time_limit
from course.student.core.trace import student_trace

_WAITS = 2.0
"""Seconds that a test may wait when it is run again; one that waits for a function that is wrong would wait long."""


class Leads:
    """Finds the TODO to mend first, if the run has time for it."""

    seconds = 20.0
    """Of processor time that a run may spend on tests that it runs again."""

    def __init__(self) -> None:
        self._used = 0.0

    def mends(self, item: pytest.Item, candidate: Candidate, lab: Lab, todo: int, seconds: float) -> tuple[int, ...]:
        """Return the TODOs whose right functions let a failed test pass; none where that cannot be shown.

        The test's own TODO comes first, then each other function that the test called, then both together. Whether a
        kernel was called isn't noted, since it's no longer Python's, so each is tried.

        Args:
            item: the test, which has just failed, and whose fixtures are still there.
            seconds: of processor time that each attempt may use; 0 for no limit.
        """
        if candidate.repaired(()) is None:  # in another process, or without a reference: ask it nothing more
            return ()
        todos = lab_data(lab).todos
        called = {name for _, number, name in candidate.called_functions() if number == lab.number}
        kernels = {each.function for each in todos.values() if not isfunction(getattr(candidate, each.function, None))}
        others = sorted(n for n, each in todos.items() if n != todo and each.function in called | kernels)
        singles, pairs = [(other,) for other in others], [(todo, other) for other in others]
        for numbers in [(todo,), *singles, *pairs]:
            if self._used > self.seconds:
                break
            if self._pass(item, candidate, lab, numbers, seconds):
                # On a busy computer a test may fail once and pass the next time: less than these must not be enough.
                less = [numbers[:count] for count in range(len(numbers))] if numbers != (todo,) else []
                return next((each for each in less if self._pass(item, candidate, lab, each, seconds)), numbers)
        return ()

    def _pass(
        self, item: pytest.Item, candidate: Candidate, lab: Lab, numbers: tuple[int, ...], seconds: float
    ) -> bool:
        """Return whether the test passes once these TODOs are the reference's, and count the time."""
        begun = time.process_time()
        passed = _passes(item, candidate, [lab_data(lab).todos[number].function for number in numbers], seconds)
        self._used += time.process_time() - begun
        return passed


def _passes(item: pytest.Item, candidate: Candidate, functions: list[str], seconds: float) -> bool:
    """Return whether the test passes once these functions are the reference's."""
    block = candidate.repaired(functions)
    if block is None:
        return False
    try:
        with block, quiet(), time_limit(seconds, waits=_WAITS):
            item.runtest()
    except BaseException as error:
        if isinstance(error, KeyboardInterrupt) and not student_trace(error).frames:
            raise
        return False
    return True


def lead(lab: Lab, todo: int, mends: tuple[int, ...]) -> str:
    """Return the line about another TODO, for the end of a failure message; empty if the test's own is to blame.

    >>> from course.student.core.catalog import find_lab
    >>> print(lead(find_lab(2), 2, (1,)))
    <BLANKLINE>
    This test passes once TODO 1, advance, is right: mend that first.
    >>> print(lead(find_lab(2), 2, (2, 1)))
    <BLANKLINE>
    Two TODOs are wrong here: this test passes once TODO 1, advance, is right as well.
    >>> lead(find_lab(2), 2, (2,))
    ''
    """
    others = [number for number in mends if number != todo]
    if not others:
        return ""
    named = f"TODO {others[0]}, {lab_data(lab).todos[others[0]].function}, is right"
    if todo in mends:
        return f"\nTwo TODOs are wrong here: this test passes once {named} as well."
    return f"\nThis test passes once {named}: mend that first."
