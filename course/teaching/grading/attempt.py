"""Running a lab's tests on one submission: the trusted side, in a process that does nothing else."""

import json
import os
import random
import re
import time
from collections.abc import Generator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO, Any

import pytest

from course.isolation.plugin import Piped
from course.isolation.sandbox import Sandbox, choose
from course.student.core.catalog import ROOT, Lab, find_lab
from course.student.run.known_mistakes import KnownMistakes
from course.student.run.plugin import KNOWN_MISTAKES, lab_of
from course.teaching.grading.job import PROPERTIES, UNSAFE, Job, Rules
from course.teaching.grading.properties.judging import grade_properties

STORY = 3000
"""Characters that are kept of what a failing test says."""

MEMORY = 6 << 30
"""Bytes of address space of the trusted side, which a submission's answers may fill."""

_INHERITED = ("PYTEST_ADDOPTS", "PYTEST_PLUGINS", "LAB_IMPL", "LAB_CHAIN", "COURSE_RECEIPT")


def attempt(job: Job, slot: int, shelf: Path, out: int) -> None:
    """Run the tests; write one JSON line for each result to the descriptor ``out``, and a last one when all is done."""
    _quiet(out)
    import resource  # Windows has none, and no grader

    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    lab = find_lab(job.rules.lab)
    sandbox = _sandbox(job.rules, slot, shelf)
    with os.fdopen(out, "w", encoding="utf-8") as lines, TemporaryDirectory(dir=shelf, prefix="job-") as folder:
        watcher = _Watcher(lines, job.rules)
        if job.rules.exercise == PROPERTIES:
            grade_properties(lab, job.text, Path(folder), sandbox, job.rules.total_s, watcher.say)
            return
        file = Path(folder) / "starter.py"
        file.write_text(job.text, encoding="utf-8", errors="surrogatepass", newline="")
        status = pytest.main(_options(lab, file, job.rules), plugins=[Piped(sandbox), watcher])
        found = {str(todo): known.story for (_, todo), known in watcher.mistakes.found.items()}
        watcher.say(done=int(status), misconceptions=found)


def _quiet(out: int) -> None:
    """Nothing that the tests print goes anywhere; the environment has nothing that chooses what is graded."""
    nothing = os.open(os.devnull, os.O_RDWR)
    for fd in range(3):
        assert fd != out
        os.dup2(nothing, fd)
    os.chdir(ROOT)
    for name in _INHERITED:
        os.environ.pop(name, None)
    os.environ["LAB_CHAIN"] = "reference"


def _sandbox(rules: Rules, slot: int, shelf: Path) -> Sandbox | None:
    if rules.sandbox == UNSAFE:
        return None
    return Sandbox(choose(rules.sandbox), rules.limits, slot, shelf)


def _options(lab: Lab, file: Path, rules: Rules) -> list[str]:
    words = [f"--impl={file}", f"--lab-timeout={rules.test_s}", "-p", "no:cacheprovider", "-q"]
    return [*words, str(lab.folder / "test_lab.py")]


class _Watcher:
    """A pytest plugin: keeps the submission's time, and writes down what each test found."""

    def __init__(self, lines: IO[str], rules: Rules) -> None:
        self._lines, self._rules = lines, rules
        self._until = time.monotonic() + rules.total_s
        self._slow_loads: list[str] = []
        self.mistakes = KnownMistakes()

    def say(self, **found: Any) -> None:
        """One line."""
        self._lines.write(json.dumps(found) + "\n")
        self._lines.flush()

    @pytest.hookimpl(trylast=True)
    def pytest_configure(self, config: pytest.Config) -> None:
        """Behind the course's own plugin."""
        config.stash[KNOWN_MISTAKES] = self.mistakes

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Give the property tests an assignment's own seed; Hypothesis reads it from the test."""
        for item in items if self._rules.seed is not None else []:
            function: Any = getattr(item, "obj", None)
            if hasattr(function, "hypothesis"):
                name = item.nodeid.partition("::")[2].partition("[")[0]
                function._hypothesis_internal_use_seed = random.Random(f"{self._rules.seed} {name}").getrandbits(64)

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Generator[None, object, object]:
        """Begin no test when the submission's time is used up, or where it would only wait for the file once more."""
        if lab_of(item.path) is not None and time.monotonic() > self._until:
            raise pytest.fail.Exception(f"not run: the tests before took {self._rules.total_s:g} s")
        if lab_of(item.path) is not None and self._is_given_up():
            raise pytest.fail.Exception("not run: the file does not load in time")
        return (yield)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Write down what a test of the lab found."""
        found = getattr(report, "course", None)
        if found is None:
            return
        name = re.sub(r"\\+", r"\\", report.nodeid.partition("::")[2])  # pytest escapes some names twice
        story = "" if found["verdict"] == "pass" else _lasting(str(report.longrepr))
        kept = {part: found[part] for part in ("todo", "verdict", "loaded")}
        if self._is_given_up():
            kept, story = kept | {"loaded": False}, self._slow_loads[0]
        elif not found["loaded"] and found["error"] == "TimeLimit":
            self._slow_loads.append(story)
        self.say(test=name, story=story, **kept)

    def _is_given_up(self) -> bool:
        """Whether the file has twice taken more than a test's time to load: twice, as the machine may be busy."""
        return len(self._slow_loads) > 1


def _lasting(story: str) -> str:
    """The beginning, without what differs from run to run: the submission's folder, and addresses of objects.

    A submission chooses the text and its length: nothing here takes more than a few steps for each character kept.

    >>> _lasting('File "/a/b/starter.py", line 1: <f at 0x7f00aa11bb22>'), len(_lasting("x" * 10_000_000))
    ('File "starter.py", line 1: <f at 0x...>', 3000)
    """
    kept = re.sub(r'[^\s"]{0,200}/starter\.py', "starter.py", story[: 2 * STORY])
    return re.sub(r" at 0x[0-9a-f]{8,}", " at 0x...", kept)[:STORY]
