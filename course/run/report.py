"""What a run prints beside pytest's own lines: first and last line, stories told once, TODOs that wait, the table."""

from collections.abc import Generator

import pytest
from _pytest.terminal import TerminalReporter

from course.run import banner
from course.run.outcomes import SEPARATOR, Outcome
from course.run.settings import Settings
from course.run.tally import Tally


class Report:
    """First and last line, the TODOs that wait, the status table."""

    def __init__(self, config: pytest.Config, settings: Settings) -> None:
        self._config = config
        self._settings = settings
        self._tally = Tally()

    @property
    def _terminal(self) -> TerminalReporter:
        terminal = self._config.pluginmanager.get_plugin("terminalreporter")
        assert isinstance(terminal, TerminalReporter)
        return terminal

    def _say(self, line: str, **markup: bool) -> None:
        encoding = getattr(self._terminal._tw._file, "encoding", None) or "utf-8"
        self._terminal.write_line(line.replace("·", "-") if _cannot_print("·", encoding) else line, **markup)

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionstart(self) -> None:
        """The first line."""
        self._say(banner.first_line(self._settings), bold=True)
        for line in banner.warning(self._settings):
            self._say(line, red=True, bold=True)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Count."""
        course = getattr(report, "course", None)
        if course is not None:
            self._tally.outcomes.append(Outcome(**course))

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_terminal_summary(self) -> Generator[None, object, object]:
        """Show a failure that many tests found alike once; then what is not written yet, and where one stands."""
        failed: list[pytest.TestReport] = self._terminal.stats.get("failed", [])
        self._terminal.stats["failed"] = alike_once(failed)
        if self._config.option.reportchars == "fE" and all(hasattr(report, "course") for report in failed):
            self._terminal.reportchars = ""  # the stories have just been told
        result = yield
        self._terminal.stats["failed"] = failed
        self._say_where_one_stands()
        return result

    def _say_where_one_stands(self) -> None:
        lines = banner.not_written(self._settings, self._tally)
        if lines:
            self._terminal.section("not written yet", sep="-", yellow=True)
            for line in lines:
                self._say(line)
        if len(self._settings.labs) > 1:
            self._terminal.section("the labs", sep="-")
            for line in banner.status_table(self._settings, self._tally):
                self._say(line)

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_sessionfinish(self) -> Generator[None, object, object]:
        """The last line, behind pytest's own."""
        result = yield
        counts = self._tally.counts(self._settings.labs)
        good = counts["pass"] > 0 and not counts["wrong"] and not counts["todo"]
        for line in banner.warning(self._settings):
            self._say(line, red=True, bold=True)
        self._say(banner.last_line(self._settings, self._tally), bold=True, green=good)
        return result


def alike_once(reports: list[pytest.TestReport]) -> list[pytest.TestReport]:
    """Of the cases of one test, and of tests that tell the same story, the first, saying how many more there are."""
    shown: dict[str, list[pytest.TestReport]] = {}
    for report in reports:
        name, story = report.nodeid.partition("[")[0], str(report.longrepr).partition(f"\n{SEPARATOR}")[0]
        keys = [name, story] if hasattr(report, "course") else [report.nodeid]
        group = next((shown[key] for key in keys if key in shown), [])
        group.append(report)
        shown |= dict.fromkeys(keys, group)
    firsts = {id(group): group for group in shown.values()}
    for group in firsts.values():
        if len(group) > 1:
            group[0].longrepr = f"{group[0].longrepr}\n({len(group) - 1} more like this.)"
    return [group[0] for group in firsts.values()]


def _cannot_print(text: str, encoding: str) -> bool:
    try:
        text.encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return True
    return False
