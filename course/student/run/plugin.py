"""The pytest plugin: hands the file under test to the tests of a lab, and reports in the course's own words."""

import os
from collections.abc import Generator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from _pytest.terminal import TerminalReporter

from course.student.core.candidate import Candidate, Functions, InProcess
from course.student.core.catalog import ROOT, Lab, all_labs
from course.student.core.submission import Loader
from course.student.core.timeouts import TimeLimit, time_limit
from course.student.run import banner, confinement
from course.student.run.known_mistakes import KnownMistakes
from course.student.run.outcomes import NotRun, judge, tell
from course.student.run.report import Report
from course.student.run.settings import Settings, add_options, read_settings
from course.student.run.testing import RECEIPT

SETTINGS = pytest.StashKey[Settings]()
CANDIDATES = pytest.StashKey[dict[int, Candidate]]()
KNOWN_MISTAKES = pytest.StashKey[KnownMistakes]()
REPORTED = pytest.StashKey[bool]()
"""Of a test: its report is being made. Hypothesis asks for the story before, and a known mistake is named once."""

WRONG = pytest.StashKey[set[tuple[int, int]]]()
"""Lab and TODO of every wrong outcome so far."""

TIMED_OUT = pytest.StashKey[set[tuple[int, int]]]()
"""Lab and TODO of every test that ran too long: the rest of that TODO's tests need not wait as well."""

_PIPE_GRACE = 3.0
"""Seconds that a test behind the pipe has beyond its limit, which the worker keeps itself."""


@cache
def lab_of(path: Path) -> Lab | None:
    """The lab whose test file this is."""
    return next((lab for lab in all_labs() if path == lab.folder / "test_lab.py"), None)


def todo_of(item: pytest.Item) -> int:
    """The number in the test's ``todo`` mark."""
    mark = item.get_closest_marker("todo")
    if mark is None or not mark.args:
        raise pytest.UsageError(f"{item.nodeid} has no mark todo(number)")
    return int(mark.args[0])


def pytest_addoption(parser: pytest.Parser) -> None:
    """Options and ini settings of the course."""
    add_options(parser)
    confinement.add_options(parser)


def pytest_configure(config: pytest.Config) -> None:
    """Read the choices of this run; a typo ends it here."""
    settings = replace(read_settings(config), pipe=confinement.is_piped(config))
    config.stash[SETTINGS] = settings
    if config.getoption("sandbox") is not None:
        confinement.sandbox_of(config)  # now, so that a machine without one ends the run here
    config.stash[CANDIDATES] = {}
    config.stash[KNOWN_MISTAKES] = KnownMistakes()
    config.stash[WRONG] = set()
    config.stash[TIMED_OUT] = set()
    if settings.labs and not hasattr(config, "workerinput"):
        config.pluginmanager.register(Report(config, settings), "course-report")


def pytest_unconfigure(config: pytest.Config) -> None:
    """End the workers, and confirm that the run came to its end."""
    if RECEIPT in os.environ and not hasattr(config, "workerinput"):
        Path(os.environ[RECEIPT]).touch()
    for candidate in config.stash.get(CANDIDATES, {}).values():
        candidate.close()
    confinement.close(config)


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """The house's own tests do not belong to a run that grades somebody's labs, unless they are named."""
    house = ROOT / "tests"
    if config.stash[SETTINGS].names_house_tests or not collection_path.is_relative_to(house):
        return None
    named = [(config.invocation_params.dir / arg.split("::")[0]).resolve() for arg in config.invocation_params.args]
    return None if any(path.is_relative_to(house) for path in named) else True


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """One file grades one lab; a folder of submissions grades the labs that it has."""
    implementation = config.stash[SETTINGS].implementation
    labs = sorted({lab for item in items if (lab := lab_of(item.path))})
    if implementation.kind == "file" and len(labs) > 1:
        raise pytest.UsageError(
            f"{implementation.chosen_by} names one file, {implementation.path}, but this run covers "
            f"{banner.labs_label(labs)}. Name the lab that it belongs to: pytest {labs[0].path}"
        )
    if implementation.kind == "folder":
        _drop(config, items, [item for item in items if (lab := lab_of(item.path)) and not implementation.file_of(lab)])
    if (number := config.stash[SETTINGS].todo) is not None:
        _drop(config, items, [item for item in items if not lab_of(item.path) or todo_of(item) != number])
    if config.option.tbstyle == "auto" and not config.option.fulltrace:
        for item in items:
            _tell_failures_as_stories(item)


def _drop(config: pytest.Config, items: list[pytest.Item], dropped: list[pytest.Item]) -> None:
    """Leave these tests out of the run."""
    items[:] = [item for item in items if item not in dropped]
    config.hook.pytest_deselected(items=dropped)


def _tell_failures_as_stories(item: pytest.Item) -> None:
    """Replace pytest's traceback, which takes long to make, where the test is a lab's."""
    this = lab_of(item.path)
    if this is None:
        return
    todo = todo_of(item)

    def story(excinfo: pytest.ExceptionInfo[BaseException], style: object = None) -> str:
        found = judge(this, todo, excinfo.value)
        told = tell(this, todo, excinfo.value, item)
        if found.verdict == "wrong" and found.loaded and item.stash.get(REPORTED, False):
            told += item.config.stash[KNOWN_MISTAKES].say(candidate_for(item.config, this), this, todo)
            told += _earlier_fault(item.config, this, todo)
        return told

    item.repr_failure = story  # type: ignore[method-assign]


def _earlier_fault(config: pytest.Config, this: Lab, todo: int) -> str:
    """That an earlier TODO is wrong too, which this one may build on."""
    earlier = sorted(
        number for lab_number, number in config.stash[WRONG] if lab_number == this.number and number < todo
    )
    if not earlier:
        return ""
    return f"\nTODO {earlier[0]} is wrong too, and this may come of it: mend that first."


@pytest.fixture
def file_under_test(request: pytest.FixtureRequest) -> Path | None:
    """The file whose functions ``lab`` has; None for a notebook's. For what no call can tell, such as what is given."""
    this = lab_of(request.node.path)
    return request.config.stash[SETTINGS].implementation.file_of(this) if this else None


@pytest.fixture
def lab(request: pytest.FixtureRequest) -> Generator[Functions, None, None]:
    """The functions under test."""
    config, this = request.config, lab_of(request.node.path)
    assert this is not None, "the lab fixture belongs to the tests of a lab"
    candidate = candidate_for(config, this)
    candidate.begin_test()
    yield Functions(candidate, config.stash[SETTINGS].implementation.file_of(this) or "the submission", this)
    candidate.end_test()


def candidate_for(config: pytest.Config, this: Lab) -> Candidate:
    """The lab's file under test, made once a run."""
    candidates = config.stash[CANDIDATES]
    if this.number not in candidates:
        candidates[this.number] = _make_candidate(config, this)
    return candidates[this.number]


def _make_candidate(config: pytest.Config, this: Lab) -> Candidate:
    settings = config.stash[SETTINGS]
    implementation = settings.implementation
    if implementation.module is not None:
        return InProcess(this, Loader({}), implementation.module)
    file = implementation.file_of(this)
    assert file is not None  # labs without a file were deselected
    files = implementation.chain_files(this) if settings.chain else {this.number: file}
    if settings.pipe:
        from course.isolation.pipe.proxy import PipedLab

        sandbox = confinement.sandbox_of(config)
        return PipedLab(this, files, chain=settings.chain, seconds=settings.seconds, sandbox=sandbox)
    return InProcess(this, Loader(files, chain=settings.chain))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, object, object]:
    """Stop a lab's test that runs too long, and the waiting for more of the same."""
    this = lab_of(item.path)
    if this is None:
        return (yield)
    settings, timed_out = item.config.stash[SETTINGS], item.config.stash[TIMED_OUT]
    grace = _PIPE_GRACE if settings.pipe and settings.seconds else 0
    subject = (this.number, todo_of(item))
    if subject in timed_out:
        raise NotRun(f"not run: a test of TODO {subject[1]} ran out of time before")
    try:
        with time_limit(settings.seconds + grace):
            return (yield)
    except TimeLimit:
        timed_out.add(subject)
        raise
    except KeyboardInterrupt as error:
        if hasattr(error, "__student_trace__"):  # it came through the pipe: nobody pressed a key
            raise pytest.fail.Exception("the file under test raised KeyboardInterrupt") from error
        raise


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Give the report of a lab's test its outcome."""
    item.stash[REPORTED] = call.excinfo is not None
    report = yield
    this = lab_of(item.path)
    if this is not None and (report.when == "call" or report.failed):
        outcome = judge(this, todo_of(item), call.excinfo.value if call.excinfo else None)
        report.course = outcome.as_json()  # type: ignore[attr-defined]
        if outcome.verdict == "wrong":
            item.config.stash[WRONG].add((this.number, outcome.todo))
    return report


def pytest_report_teststatus(report: pytest.TestReport) -> tuple[str, str, Any] | None:
    """Not written yet is an outcome of its own: its own letter, word and colour."""
    course = getattr(report, "course", None)
    if course is None or course["verdict"] == "pass":
        return None
    if course["verdict"] == "todo":
        return "todo", "t", ("TODO", {"yellow": True})
    return "failed", "W", ("WRONG", {"red": True})


def pytest_terminal_summary(terminalreporter: TerminalReporter) -> None:
    """Say where tests that need a device were left out."""
    skipped = terminalreporter.stats.get("skipped", [])
    if line := banner.without_device(sum("device" in report.keywords for report in skipped)):
        terminalreporter.write_line(line, bold=True)
