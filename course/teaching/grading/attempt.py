"""Running a lab's tests on one submission: the trusted side, in a process that does nothing else."""

import os
import random
import re
from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any

import pytest

from course.isolation.piped import Piped
from course.isolation.rules import stopwatch
from course.isolation.sandbox import Sandbox
from course.isolation.sandbox.stage import write_beside
from course.student.core.catalog import ROOT, find_lab
from course.student.core.timeouts import TimeLimit
from course.student.core.trace import safe_text, student_trace
from course.student.run.marks import lab_of
from course.student.run.outcomes import NotRun, says_all
from course.student.run.plugin import KNOWN_MISTAKES
from course.teaching.grading.job import PROPERTIES, GradingRules, Job
from course.teaching.grading.judging import grade_properties

LONGEST = 3000
"""Characters that are kept of a failure message."""

_CAUSE, _CALL = 200, 120
"""Characters that are kept of a cause, and of a call."""

_FOLDERS = re.compile(
    rf"{re.escape(str(ROOT))}/"
    r"""|[^\s"'(]{0,200}/(?:(?=starter\.py)|(?:site-packages|stage-[0-9a-f]+|python3\.\d+)/)"""
)
"""What a message leaves out of a path: the folder of the submission, of the course or its copy, and of packages."""

_UNUSED = ("cacheprovider", "logging", "threadexception", "unraisableexception")
"""Plugins of pytest's that look at each test for what does not happen here: the code under test runs elsewhere."""

MEMORY = 6 << 30
"""Bytes of address space of the trusted side, which a submission's answers may fill."""

NOT_RUN, TIMEOUT = "not run", "timeout"
"""Reasons why a test says nothing about the code: it was not begun, or it ran out of time."""

_UNSHOWN = {"reason": "", "cause": "what the test raised cannot be shown", "line": 0}

Say = Callable[..., None]
"""Reports the fields of one result, or that all is done."""


def isolate() -> None:
    """Bound this process, drop what it prints, and forget what the environment says about what is graded."""
    nothing = os.open(os.devnull, os.O_RDWR)
    for fd in range(3):
        os.dup2(nothing, fd)
    os.chdir(ROOT)
    for name in ("PYTEST_ADDOPTS", "PYTEST_PLUGINS", "LAB_IMPL", "LAB_CHAIN", "COURSE_RECEIPT"):
        os.environ.pop(name, None)
    os.environ["LAB_CHAIN"] = "reference"
    import resource  # Windows has none, and no grader

    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


def attempt(job: Job, sandbox: Sandbox | None, folder: Path, say: Say) -> None:
    """Run the tests in ``folder``; report each result, and the end."""
    lab, rules = find_lab(job.rules.lab), job.rules
    if rules.exercise == PROPERTIES:
        return grade_properties(lab, job.text, folder, sandbox, stopwatch(rules.total_s, sandbox), say)
    file = folder / "starter.py"
    write_beside(file, {file.name: job.text, **dict(job.beside)})
    options = [f"--impl={file}", f"--lab-timeout={rules.test_s}", "-q", "-s"]
    options += [word for name in _UNUSED for word in ("-p", f"no:{name}")]
    options += [f"--todo={rules.todo}"] if rules.todo else []
    watcher, watch = _Watcher(say, rules), stopwatch(rules.total_s, sandbox)
    status = pytest.main([*options, str(lab.folder / "test_lab.py")], plugins=[Piped(sandbox, watch), watcher])
    say(done=int(status), misconceptions=watcher.misconceptions)


class _Watcher:
    """A pytest plugin: reports what each test found."""

    def __init__(self, say: Say, rules: GradingRules) -> None:
        self._say, self._rules = say, rules
        self.misconceptions: dict[str, str] = {}
        self._slow_loads: list[dict[str, Any]] = []  # two are waited for, as the machine may be busy

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Keep the known mistakes, which the course's own plugin has found."""
        known = session.config.stash[KNOWN_MISTAKES].found
        self.misconceptions = {str(todo): each.mistake for (_, todo), each in known.items()}

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
        """Begin no test that would only wait for the file once more."""
        if lab_of(item.path) is not None and len(self._slow_loads) > 1:
            raise NotRun("not run: the file does not load in time")
        return (yield)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(
        self, call: pytest.CallInfo[None]
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        """Add to a report the fields that say what was raised."""
        report = yield
        report.raised = raised(call.excinfo.value) if call.excinfo else {}  # type: ignore[attr-defined]
        return report

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Report what a test of the lab found."""
        found = getattr(report, "course", None)
        if found is None:
            return
        name = re.sub(r"\\+", r"\\", report.nodeid.partition("::")[2])  # pytest escapes some names twice
        fields = {part: found[part] for part in ("todo", "verdict", "loaded")}
        if found["verdict"] != "pass":
            fields |= {"message": _lasting(str(report.longrepr)), **getattr(report, "raised", _UNSHOWN)}
        if len(self._slow_loads) > 1:
            fields |= self._slow_loads[0]
        elif not found["loaded"] and fields["reason"] == TIMEOUT:
            self._slow_loads.append({part: value for part, value in fields.items() if part not in ("todo", "verdict")})
        self._say(test=name, **fields)


def raised(error: BaseException) -> dict[str, object]:
    """Return the ``reason`` why a test says nothing, or an empty one; ``call``, ``cause`` and ``line`` of a failure.

    A cause is one line without a place; the call is the one that was answered wrongly, empty where something else
    happened; the line is the submission's outermost that was run, 0 for none.

    >>> raised(AssertionError("f(0)\\n    expected 1\\n    yours    2\\nassert 2 == 1"))
    {'reason': '', 'call': 'f(0)', 'cause': 'expected 1, yours 2', 'line': 0}
    >>> raised(NameError("name 'x' is not defined"))
    {'reason': '', 'call': '', 'cause': "NameError: name 'x' is not defined", 'line': 0}
    >>> raised(SyntaxError("expected ':'", ("starter.py", 62, 1, "if True")))
    {'reason': '', 'call': '', 'cause': "SyntaxError: expected ':'", 'line': 62}
    """
    reason = NOT_RUN if isinstance(error, NotRun) else TIMEOUT if isinstance(error, TimeLimit) else ""
    text = (str(error.msg) if isinstance(error, SyntaxError) else safe_text(error))[:LONGEST]
    # A check says the call in its first line, then what was expected; pytest appends the comparison.
    says, *rest = text.partition("\nassert ")[0].strip().split("\n")
    is_wrong = isinstance(error, AssertionError) and bool(rest)
    call, says = (says, ", ".join(" ".join(line.split()) for line in rest)) if is_wrong else ("", says)
    kind = "" if says and (isinstance(error, AssertionError) or says_all(error)) else type(error).__name__
    frames = student_trace(error).frames
    line = error.lineno if isinstance(error, SyntaxError) else frames[0].line if frames and not reason else 0
    cause = _lasting(": ".join(filter(None, (kind, says))))[:_CAUSE]
    return {"reason": reason, "call": _lasting(call)[:_CALL], "cause": cause, "line": line or 0}


def _lasting(message: str) -> str:
    """Return the message cut, without what differs from run to run or is not the student's: folders, and addresses.

    A submission chooses the text and its length: nothing here takes more than a few steps for each character kept.

    >>> _lasting('File "/a/b/starter.py", line 1: <f at 0x7f00aa11bb22>'), len(_lasting("x" * 10_000_000))
    ('File "starter.py", line 1: <f at 0x...>', 3000)
    """
    kept = _FOLDERS.sub("", message[: 2 * LONGEST])
    return re.sub(r" at 0x[0-9a-f]{8,}", " at 0x...", kept)[:LONGEST]
