"""What a run prints beside pytest's own lines: first and last line, a failure message for each slip, TODOs."""

from collections.abc import Generator, Mapping, Sequence
from pathlib import Path

import pytest
from _pytest.terminal import TerminalReporter

from course.student.core.catalog import Lab, find_lab
from course.student.core.hints import lab_data
from course.student.run import banner
from course.student.run.batch import TestResult, grade_many
from course.student.run.marks import todo_of
from course.student.run.outcomes import JudgedTest
from course.student.run.settings import SETTINGS, Settings
from course.student.run.slips import one_for_each_slip
from labs.own_files import YOURS, whose_ran


class Report:
    """The pytest plugin that prints them."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._tally = banner.Tally()

    @property
    def _settings(self) -> Settings:
        return self._config.stash[SETTINGS]  # read late, since another plugin may add to them

    @property
    def _terminal(self) -> TerminalReporter:
        terminal = self._config.pluginmanager.get_plugin("terminalreporter")
        assert isinstance(terminal, TerminalReporter)
        return terminal

    def _say(self, line: str, **markup: bool) -> None:
        encoding = getattr(self._terminal._tw._file, "encoding", None) or "utf-8"
        separator = "·".encode(encoding, "ignore").decode(encoding) or "-"
        self._terminal.write_line(line.replace("·", separator), **markup)

    def _section(self, title: str, lines: Sequence[str], **markup: bool) -> None:
        if lines:
            self._terminal.section(title, sep="-", **markup)
        for line in lines:
            self._say(line)

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionstart(self) -> None:
        """Print the first line."""
        settings = self._settings
        self._say(f"{banner.labs_label(settings.labs)} · grading {banner.what_is_graded(settings)}", bold=True)
        for line in banner.warning(settings):
            self._say(line, red=True, bold=True)

    def pytest_deselected(self, items: Sequence[pytest.Item]) -> None:
        """Count the tests that this run leaves out, of the TODO that it is about."""
        todo = self._settings.todo
        marked = [item for item in items if item.get_closest_marker("todo")]
        self._tally.left_out += sum(todo in (None, todo_of(item)) for item in marked)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Count the outcome of a lab's test."""
        if course := getattr(report, "course", None):
            self._tally.outcomes.append(JudgedTest(**course))

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_terminal_summary(self) -> Generator[None, object, object]:
        """Show each slip once, and let pytest count it once; then what is not written yet."""
        failed: list[pytest.TestReport] = self._terminal.stats.get("failed", [])
        if failed:  # an empty list would make the summary red
            self._terminal.stats["failed"] = one_for_each_slip(failed)
        if self._config.option.reportchars == "fE" and all(hasattr(report, "course") for report in failed):
            self._terminal.reportchars = ""  # the failure messages have just been shown
        # a wrong result in a chain may come from an earlier lab that raised nothing: run their own tests
        looks = self._settings.chain and self._config.option.tbstyle != "no"
        suspicions: list[str] = []
        for lab in self._settings.labs if looks else ():
            ran = {number for owner, number, _ in self._tally.ran([lab]) if owner == YOURS and number < lab.number}
            files = self._settings.implementation.in_place([lab])
            if self._tally.counts([lab])["wrong"] and (found := suspects({n: files[n] for n in sorted(ran)})):
                suspicions += found.values()
                self._tally.blamed[lab.number] = min(found)
        result = yield
        self._section("your earlier labs", suspicions, red=True)
        self._section("not written yet (t)", banner.not_written(self._settings, self._tally), yellow=True)
        return result

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_sessionfinish(self, exitstatus: int) -> Generator[None, object, object]:
        """Print the last line, after pytest's own."""
        result = yield
        broken_off = exitstatus in (pytest.ExitCode.INTERRUPTED, pytest.ExitCode.INTERNAL_ERROR)
        counts = self._tally.counts(self._settings.labs)
        good = not broken_off and counts["pass"] > 0 and not counts["wrong"] and not counts["todo"]
        for line in banner.warning(self._settings):
            self._say(line, red=True, bold=True)
        if self._settings.chain:
            self._say(whose_ran(self._tally.ran(self._settings.labs)))
        last = banner.last_line(self._settings, self._tally, broken_off=broken_off)
        self._say(last, bold=True, green=good, red=broken_off)
        return result


def suspects(files: Mapping[int, Path]) -> dict[int, str]:
    """Return what is wrong with a student's files of some labs, by the labs' numbers: what their own tests say."""
    found = {}
    for number, file in files.items():
        lab = find_lab(number)
        results = grade_many(lab, [file], most_failures=1)[0]
        if first := next((result for result in results if result.verdict != "pass"), None):
            found[number] = _suspicion(lab, first)
    return found


def _suspicion(lab: Lab, found: TestResult) -> str:
    """Say that an earlier lab of the student's does not pass its own tests; `found` is the first that fails."""
    number, todo = f"{lab.number:02}", lab_data(lab).todos[found.todo]
    if not found.loaded:
        return f"Your lab {number} does not load: {found.message}. Begin there: python3 -m course test {number}"
    state = "is not written yet" if found.verdict == "todo" else "fails its own tests"
    return (
        f"Your lab {number}, on which this one stands, is not right itself: TODO {todo.number}, {todo.function}, "
        f"{state}. Begin there: python3 -m course test {number}"
    )
