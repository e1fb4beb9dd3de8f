"""One slip is one failure: tests that fail for the same reason are shown once, by the smallest counterexample."""

from collections import Counter
from collections.abc import Iterable

import pytest

from course.student.run.outcomes import JudgedTest

_NAMED = 6
"""How many of the other tests are named."""


def slip_of(found: JudgedTest) -> tuple[int, int]:
    """Return what a wrong test has in common with those that fail for the same reason: the lab and TODO to mend.

    The TODO is 0 for a file that can't be loaded, and for a failure inside an earlier lab.

    >>> slip_of(JudgedTest(6, 10, "wrong", at_fault=6, cause=4)), slip_of(JudgedTest(6, 4, "wrong", at_fault=6))
    ((6, 4), (6, 4))
    """
    if not found.loaded or found.at_fault != found.lab:
        return found.at_fault, 0
    return found.lab, found.cause or found.todo


def one_for_each_slip(reports: Iterable[pytest.TestReport]) -> list[pytest.TestReport]:
    """Return a report for each slip, the earlier TODOs first; it names the other tests that fail with it."""
    others: list[pytest.TestReport] = []
    slips: dict[tuple[int, int], list[pytest.TestReport]] = {}
    for report in reports:
        if hasattr(report, "course"):
            slips.setdefault(slip_of(JudgedTest(**report.course)), []).append(report)
        else:
            others.append(report)
    return [*others, *(_shown(slips[slip]) for slip in sorted(slips))]


def _shown(slip: list[pytest.TestReport]) -> pytest.TestReport:
    """Return the report that teaches most, and let it name the others."""
    first, *others = sorted(slip, key=_order)
    if others:
        first.longrepr = f"{first.longrepr}\n{_and_others([report.nodeid for report in others])}"
    return first


def _order(report: pytest.TestReport) -> tuple[bool, bool, int, int]:
    """Sort by how much a failure teaches: the TODO's own tests, as a lab puts them, and the shortest case of each."""
    found, line = JudgedTest(**report.course), report.location[1] or 0
    return found.todo != slip_of(found)[1], found.error == "NotRun", line, len(str(report.longrepr))


def _and_others(tests: list[str]) -> str:
    """Return the line about the other tests.

    >>> _and_others(["l.py::test_a_dead_token[0]", "l.py::test_a_dead_token[1]", "l.py::test_the_end"])
    '3 more tests fail with it: a_dead_token (2), the_end. To see one: -k NAME'
    >>> _and_others(["l.py::test_the_end"])
    '1 more test fails with it: the_end. To see it: -k NAME'
    """
    names = Counter(test.rpartition("::test_")[2].partition("[")[0] for test in tests)
    named = [name if count == 1 else f"{name} ({count})" for name, count in names.items()]
    rest = [f"and {more} other{'s' * (more > 1)}"] if (more := len(named) - _NAMED) > 0 else []
    counted, which = ("1 more test fails", "it") if len(tests) == 1 else (f"{len(tests)} more tests fail", "one")
    return f"{counted} with it: {', '.join([*named[:_NAMED], *rest])}. To see {which}: -k NAME"
