"""What a run prints beside pytest's own lines: first and last line, stories told once, TODOs that wait, the table."""

from collections.abc import Generator

import pytest
from _pytest.terminal import TerminalReporter

from course.student.run import banner
from course.student.run.chain_report import Suspect, suspects
from course.student.run.outcomes import SEPARATOR, Outcome
from course.student.run.settings import SETTINGS, Settings
from course.student.run.tally import Tally


class Report:
    """First and last line, the TODOs that wait, the status table."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._tally = Tally()
        self._suspects: list[Suspect] = []

    @property
    def _settings(self) -> Settings:
        return self._config.stash[SETTINGS]  # another plugin may have added to them

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
        if failed:  # an empty list would make the summary red
            self._terminal.stats["failed"] = alike_once(failed)
        if self._config.option.reportchars == "fE" and all(hasattr(report, "course") for report in failed):
            self._terminal.reportchars = ""  # the stories have just been told
        self._look_for_suspects()
        result = yield
        if failed:
            self._terminal.stats["failed"] = failed
        self._say_where_one_stands()
        return result

    def _say_where_one_stands(self) -> None:
        if self._suspects:
            self._terminal.section("your earlier labs", sep="-", red=True)
            for suspect in self._suspects:
                self._say(str(suspect))
        lines = banner.not_written(self._settings, self._tally)
        if lines:
            self._terminal.section("not written yet (t)", sep="-", yellow=True)
            for line in lines:
                self._say(line)
        table = banner.status_table(self._settings, self._tally) if len(self._settings.labs) > 1 else []
        if table:
            self._terminal.section("the labs", sep="-")
            for line in table:
                self._say(line)

    def _look_for_suspects(self) -> None:
        """In a chain: a wrong result may come from an earlier lab that raised nothing; its own tests tell."""
        if not self._settings.chain or self._config.option.tbstyle == "no":
            return
        for lab in self._settings.labs:
            if any(outcome.verdict == "wrong" for outcome in self._tally.of(lab)):
                found = suspects(self._settings.implementation, lab)
                self._suspects += found
                if found:
                    self._tally.blamed[lab.number] = found[0].lab.number

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_sessionfinish(self, exitstatus: int) -> Generator[None, object, object]:
        """The last line, behind pytest's own."""
        result = yield
        broken_off = exitstatus in (pytest.ExitCode.INTERRUPTED, pytest.ExitCode.INTERNAL_ERROR)
        counts = self._tally.counts(self._settings.labs)
        good = not broken_off and counts["pass"] > 0 and not counts["wrong"] and not counts["todo"]
        for line in banner.warning(self._settings):
            self._say(line, red=True, bold=True)
        last = banner.last_line(self._settings, self._tally, broken_off=broken_off)
        self._say(last, bold=True, green=good, red=broken_off)
        return result


def alike_once(reports: list[pytest.TestReport]) -> list[pytest.TestReport]:
    """Of failures that are alike, the first, saying how many more there are.

    Alike are tests that tell the same story; the cases of one test that fail by the same kind of error; and,
    where a TODO is wrong already, all failures of a later one, which may come of it.
    """
    wrong = [(report.course["lab"], report.course["todo"]) for report in reports if hasattr(report, "course")]
    shown: dict[object, list[pytest.TestReport]] = {}
    for report in reports:
        keys = _keys(report, wrong)
        group: list[pytest.TestReport] = next((shown[key] for key in keys if key in shown), [])
        group.append(report)
        shown |= dict.fromkeys(keys, group)
    firsts = {id(group): group for group in shown.values()}
    for group in firsts.values():
        if len(group) > 1:
            group[0].longrepr = f"{group[0].longrepr}\n({len(group) - 1} more like this.)"
    return [group[0] for group in firsts.values()]


def _keys(report: pytest.TestReport, wrong: list[tuple[int, int]]) -> list[object]:
    course = getattr(report, "course", None)
    if course is None:
        return [report.nodeid]
    story = str(report.longrepr).partition(f"\n{SEPARATOR}")[0]
    keys: list[object] = [story, (report.nodeid.partition("[")[0], course["error"])]
    if any(lab == course["lab"] and todo < course["todo"] for lab, todo in wrong):
        keys.append((course["lab"], course["todo"]))
    return keys


def _cannot_print(text: str, encoding: str) -> bool:
    try:
        text.encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return True
    return False
