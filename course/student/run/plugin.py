"""The pytest plugin: passes the file under test to the tests of a lab, and reports in the course's own words."""

import os
from collections.abc import Generator
from contextlib import ExitStack
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pytest
from _pytest.terminal import TerminalReporter

from course.student.core.candidate import Candidate, InProcess, LabFunctions
from course.student.core.catalog import ROOT, Lab
from course.student.core.fingerprints import KnownMistakes
from course.student.core.submission import Loader
from course.student.core.timeouts import BUSY, TIMEOUT, WAITS, TimeLimit, time_limit
from course.student.run import banner
from course.student.run.batch import BEGUN, ENDED, RECEIPT
from course.student.run.leads import Leads, lead
from course.student.run.marks import lab_of, todo_of
from course.student.run.outcomes import NotRun, failure_message, judge
from course.student.run.report import Report
from course.student.run.settings import SETTINGS, Settings, read_settings
from labs.own_files import RECORD, InPlace

CANDIDATES = pytest.StashKey[dict[int, Candidate]]()
LEADS = pytest.StashKey[Leads]()
KNOWN_MISTAKES = pytest.StashKey[KnownMistakes]()
REPORTED = pytest.StashKey[bool]()
"""Of a test: its report is being made. Hypothesis asks for the message before, and no test is run again for that."""

CAUSE = pytest.StashKey[int]()
"""Of a test that fails because of another TODO: that TODO."""

IN_PLACE = pytest.StashKey[ExitStack]()
"""Holds the student's files in place of the references, as long as the run lasts."""

TIMED_OUT = pytest.StashKey[set[tuple[int, int]]]()
"""Lab and TODO of every test that ran too long: the rest of that TODO's tests need not wait as well."""


def seconds_for(item: pytest.Item) -> float:
    """Return the processor time that a lab's test may use: the run's limit, or its own where that is longer."""
    mark, seconds = item.get_closest_marker("seconds"), item.config.stash[SETTINGS].seconds
    return max(seconds, mark.args[0]) if mark and seconds else seconds


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options and ini settings of the course."""
    group = parser.getgroup("mask the logits")
    group.addoption("--impl", metavar="WHICH", help="what to grade: starter, solution, or a path (before LAB_IMPL)")
    group.addoption("--todo", type=int, metavar="N", help="only the tests of TODO N")
    group.addoption(
        "--lab-timeout", type=float, default=TIMEOUT, help="seconds of processor time of one test (0: none)"
    )
    parser.addini("lab_impl", "what to grade where neither --impl nor LAB_IMPL says", default="")
    parser.addini("lab_chain", "'mine': earlier labs are your own files too", default="")


def pytest_configure(config: pytest.Config) -> None:
    """Note that the run has begun, and read its choices; a typo ends it here."""
    if RECEIPT in os.environ and not hasattr(config, "workerinput"):
        Path(os.environ[RECEIPT]).write_text(BEGUN, encoding="ascii")
    config.stash[SETTINGS] = settings = read_settings(config)
    config.stash[CANDIDATES] = {}
    config.stash[KNOWN_MISTAKES] = KnownMistakes()
    config.stash[LEADS], config.stash[TIMED_OUT] = Leads(), set()
    config.stash[IN_PLACE] = _files_in_place(settings)
    if settings.labs and not hasattr(config, "workerinput"):
        config.pluginmanager.register(Report(config), "course-report")


def _files_in_place(settings: Settings) -> ExitStack:
    """Put the student's files in place of the references if this run wants that, also for what it starts."""
    in_place, environment = ExitStack(), pytest.MonkeyPatch()
    in_place.callback(environment.undo)
    environment.setenv(RECORD, os.environ.get(RECORD, ""))  # this run says itself whose functions ran
    environment.delenv("LAB_CHAIN", raising=False)
    if settings.chain:
        environment.setenv("LAB_CHAIN", "mine")
        if settings.implementation.kind != "notebook":  # whose cells have imported what they stand on
            in_place.enter_context(InPlace(settings.implementation.in_place(settings.labs)))
    return in_place


def pytest_unconfigure(config: pytest.Config) -> None:
    """End the workers, and confirm that the run came to its end."""
    if RECEIPT in os.environ and not hasattr(config, "workerinput"):
        Path(os.environ[RECEIPT]).write_text(ENDED, encoding="ascii")
    for candidate in config.stash.get(CANDIDATES, {}).values():
        candidate.close()
    if IN_PLACE in config.stash:
        config.stash[IN_PLACE].close()


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave the repository's own tests out of a run that grades a student's labs, unless they are named."""
    own = ROOT / "tests"
    if config.stash[SETTINGS].implementation.kind == "solution" or not collection_path.is_relative_to(own):
        return None
    named = [(config.invocation_params.dir / arg.split("::")[0]).resolve() for arg in config.invocation_params.args]
    return None if any(path.is_relative_to(own) for path in named) else True


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Drop what is not wanted: one file grades one lab; a folder of submissions grades the labs that it has."""
    settings, labs = config.stash[SETTINGS], {item: lab for item in items if (lab := lab_of(item.path))}
    implementation, covered = settings.implementation, sorted(set(labs.values()))
    if implementation.kind == "file" and len(covered) > 1:
        raise pytest.UsageError(
            f"{implementation.chosen_by} names one file, {implementation.path}, but this run covers "
            f"{banner.labs_label(covered)}. Name the lab that it belongs to: pytest {covered[0].path}"
        )
    dropped = set[pytest.Item]()
    if implementation.kind == "folder":
        dropped |= {item for item, lab in labs.items() if not implementation.file_of(lab)}
    if settings.todo is not None:
        dropped |= {item for item in items if item not in labs or todo_of(item) != settings.todo}
    if dropped:
        items[:] = [item for item in items if item not in dropped]
        config.hook.pytest_deselected(items=list(dropped))
    if config.option.tbstyle == "auto" and not config.option.fulltrace:
        for item in items:
            if item in labs:
                _replace_traceback(item, labs[item])


def _replace_traceback(item: pytest.Item, lab: Lab) -> None:
    """Show a failure message in place of pytest's traceback, which takes long to make."""
    todo = todo_of(item)

    def message(excinfo: pytest.ExceptionInfo[BaseException], style: object = None) -> str:
        found = judge(lab, todo, excinfo.value)
        was_run = found.loaded and not isinstance(excinfo.value, NotRun)
        if found.verdict != "wrong" or not was_run or not item.stash.get(REPORTED, False):
            return failure_message(lab, todo, excinfo.value, item)
        candidate = candidate_for(item.config, lab)
        mends = item.config.stash[LEADS].mends(item, candidate, lab, todo, seconds_for(item))
        known = None
        if todo in mends or not mends:
            known = item.config.stash[KNOWN_MISTAKES].of(candidate, lab, todo)
        else:
            item.stash[CAUSE] = mends[0]
        return failure_message(lab, todo, excinfo.value, item, known) + lead(lab, todo, mends)

    item.repr_failure = message  # type: ignore[method-assign]


@pytest.fixture
def lab(request: pytest.FixtureRequest) -> Generator[LabFunctions, None, None]:
    """Yield the functions under test."""
    this = lab_of(request.node.path)
    assert this is not None, "the lab fixture belongs to the tests of a lab"
    candidate = candidate_for(request.config, this)
    candidate.begin_test(seconds_for(request.node))
    yield LabFunctions(candidate, request.config.stash[SETTINGS].implementation.file_of(this) or "the submission", this)
    candidate.end_test()


def candidate_for(config: pytest.Config, this: Lab) -> Candidate:
    """Return the lab's file under test, made once a run."""
    candidates, settings = config.stash[CANDIDATES], config.stash[SETTINGS]
    if this.number not in candidates:
        implementation = settings.implementation
        if implementation.module is not None:
            candidates[this.number] = InProcess(this, Loader({}), implementation.module)
        else:
            file = implementation.file_of(this)
            assert file is not None  # labs without a file were deselected
            files = implementation.in_place([this]) if settings.chain else {this.number: file}
            candidates[this.number] = settings.make(this, files, settings.chain, settings.seconds)
    return candidates[this.number]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, object, object]:
    """Stop a lab's test that runs too long, and the waiting for more of the same."""
    this = lab_of(item.path)
    if this is None:
        return (yield)
    settings, timed_out = item.config.stash[SETTINGS], item.config.stash[TIMED_OUT]
    subject = (this.number, todo_of(item))
    if subject in timed_out:
        raise NotRun(f"not run: a test of TODO {subject[1]} ran out of time before")
    seconds = seconds_for(item)
    seconds = seconds and seconds + settings.grace
    # What another process uses looks like waiting here; it keeps a limit of its own.
    waits = WAITS + BUSY * seconds if settings.grace else WAITS
    try:
        with time_limit(seconds, waits=waits):
            return (yield)
    except TimeLimit:
        timed_out.add(subject)
        raise
    except KeyboardInterrupt as error:
        if hasattr(error, "__student_trace__"):  # it comes from another process: nobody pressed a key
            raise pytest.fail.Exception("the file under test raised KeyboardInterrupt") from error
        raise


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Give the report of a lab's test its outcome."""
    item.stash[REPORTED] = call.excinfo is not None
    this = lab_of(item.path)
    reached = item.config.stash[CANDIDATES].get(this.number) if this else None
    ran = reached.called_functions() if reached and item.config.stash[SETTINGS].chain else set()
    try:
        report = yield
    except Exception as error:  # an object of the submission's broke pytest's own: that fails this test, and no other
        failed = pytest.fail.Exception(f"what this test raised cannot be shown: {type(error).__name__}")
        call.excinfo = pytest.ExceptionInfo.from_exception(failed)
        report = pytest.TestReport(item.nodeid, item.location, {}, "failed", str(failed), "call")
    if this is not None and (report.when == "call" or report.failed):
        found = judge(this, todo_of(item), call.excinfo.value if call.excinfo else None)
        cause = item.stash.get(CAUSE, 0)
        report.course = asdict(replace(found, cause=cause, ran=tuple(sorted(ran))))  # type: ignore[attr-defined]
    return report


def pytest_report_teststatus(report: pytest.TestReport) -> tuple[str, str, Any] | None:
    """Give "not written yet" its own letter, word and colour."""
    verdict = getattr(report, "course", {"verdict": "pass"})["verdict"]
    outcomes = {"todo": ("todo", "t", ("TODO", {"yellow": True})), "wrong": ("failed", "W", ("WRONG", {"red": True}))}
    return outcomes.get(verdict)


def pytest_terminal_summary(terminalreporter: TerminalReporter) -> None:
    """Say where tests that need a device were left out."""
    count = sum("device" in report.keywords for report in terminalreporter.stats.get("skipped", []))
    if count:
        tests = "1 test that needs a GPU was" if count == 1 else f"{count} tests that need a GPU were"
        terminalreporter.write_line(f"{tests} left out: torch and Triton find none here", bold=True)
