"""What bounds a submission, and the trusted process that grades it; and the seed of an assignment."""

import os
import re
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from course.isolation import sandbox
from course.isolation.piped import Piped
from course.isolation.rules import stopwatch
from course.student.core.catalog import ROOT, all_labs, find_lab
from course.student.run.outcomes import NotRun
from course.teaching.grading import local
from course.teaching.grading.attempt import NOT_RUN, TIMEOUT, _Watcher
from course.teaching.grading.job import UNSAFE, GradingRules, Job, Record
from course.teaching.grading.local import Local, forks
from labkit.checking.properties import PROPERTY

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="the grader forks")

LAB = find_lab(2)
LOOP = Job(GradingRules(LAB.number, UNSAFE, 1.0, 600.0), "while True:\n    pass\n")
"""Two tests wait for it, a second each."""


def graded(job: Job) -> Record:
    with closing(Local(1)) as executor:
        return next(executor.run([job]))[1]


@pytest.mark.parametrize(
    ("used", "passed", "runs"), [(1.0, 302.0, True), (99.0, 500.0, True), (101.0, 0.0, False), (1.0, 304.0, False)]
)
def test_a_busy_machine_costs_nobody_their_tests(
    monkeypatch: pytest.MonkeyPatch, used: float, passed: float, runs: bool
) -> None:
    """A submission has 100 s of processor time, its workers' included; 3 s may pass for each, and some of waiting."""
    now, watcher = time.monotonic(), Piped(watch=stopwatch(100.0, None))
    before = sum(os.times()[:4])
    monkeypatch.setattr(os, "times", lambda: (before, 0.0, used / 2, used / 2, 0.0))
    monkeypatch.setattr(time, "monotonic", lambda: now + passed)
    call: Any = watcher.pytest_runtest_call(SimpleNamespace(path=LAB.folder / "test_lab.py"))  # type: ignore[arg-type]
    if runs:
        next(call)
    else:
        with pytest.raises(
            NotRun, match="stopped after 100 s of processor time" if passed == 0 else "300 s of waiting"
        ):
            next(call)


@pytest.mark.parametrize("backend", [each.name for each in sandbox.available()])
def test_what_confined_workers_use_counts(backend: str) -> None:
    """Also where the system tells it to no parent; by the clock, the limit would be later."""
    loops = "def loop(*args):\n    while True:\n        pass\n\n\ndef __getattr__(name):\n    return loop\n"
    record = graded(Job(GradingRules(LAB.number, backend, 1.0, 1.5), loops))
    late = [found for found in record["tests"].values() if found.get("reason") == NOT_RUN]
    said = {found["message"].split("\n")[0] for found in late if "all time" in found["message"]}
    assert said == {"not run: all time for this file is used up, stopped after 1.5 s of processor time"}


def test_code_whose_time_is_used_up_is_not_run_to_name_its_mistakes(tmp_path: Path) -> None:
    loops = f"def loop(*args):\n    print(file=open({str(tmp_path / 'calls')!r}, 'a'))\n    while True:\n        pass\n"
    record = graded(
        Job(GradingRules(LAB.number, UNSAFE, 1.0, 0.5), f"{loops}\n\ndef __getattr__(name):\n    return loop\n")
    )
    assert sum(found["reason"] != NOT_RUN for found in record["tests"].values()) == 1
    assert (tmp_path / "calls").stat().st_size == 2, "of the test, and of the look into the known mistakes"


FUTURE = """from concurrent.futures import Future


def find_or_compile(*args):
    return Future()
"""


def test_a_future_that_nobody_resolves_is_waited_for_by_no_test() -> None:
    """Nor by those of later TODOs, which wait for the same one."""
    lab = find_lab(9)
    record = graded(Job(GradingRules(lab.number, UNSAFE), f"{lab.solution.read_text(encoding='utf-8')}\n\n{FUTURE}"))
    told = {name: found for name, found in record["tests"].items() if found["verdict"] != "pass"}
    assert {7, 8} <= {found["todo"] for found in told.values()}
    assert not [name for name, found in told.items() if "of waiting" in found["message"]]


def test_a_file_that_sleeps_costs_little(monkeypatch: pytest.MonkeyPatch) -> None:
    """It may wait for ten seconds in a test, and for sixty in all; what is left of it is not begun."""
    confined: Any = SimpleNamespace(processor_time=lambda: 0.0)
    watch, now = stopwatch(120.0, confined), time.monotonic()
    monkeypatch.setattr(time, "monotonic", lambda: now + 61.0)
    assert watch.left() == 0.0 and "60 s of waiting" in watch.stopped()


def test_a_file_that_never_loads_is_waited_for_twice() -> None:
    record = graded(LOOP)
    unloaded = [found for found in record["tests"].values() if not found["loaded"]]
    assert all(found["reason"] == TIMEOUT and found["message"].startswith("stopped after 1 s") for found in unloaded)
    assert len(unloaded) > len(record["tests"]) - 20
    assert sum(found["loaded"] for found in record["tests"].values()) < 20, "the rest of the first TODO"
    assert record["ended"] == ""


def heard(target: Callable[..., object], *args: object, seconds: float = 60) -> str:
    """What is said of the end of a process that runs this."""
    answers, answer = forks().Pipe(duplex=False)
    child = forks().Process(target=target, args=args)
    child.start()
    answer.close()
    return local.hear(child, answers, seconds)[1]


def test_how_a_grading_process_ended_is_reported() -> None:
    assert heard(time.sleep, 60, seconds=0.2) == "the grader's process was ended after 0.2 s"
    assert heard(time.sleep, 0) == ""
    assert heard(sys.exit, 3) == "the grader's process ended with status 3"
    assert heard(os.abort) == "the grader's process ended with status -6"


GRADER = f"""
import sys
sys.path.insert(0, {str(ROOT)!r})
from course.isolation.sandbox import Limits
from course.teaching.grading.job import Job, GradingRules
from course.teaching.grading.local import Local
next(Local(1).run([{LOOP!r}]))
"""


def test_a_grader_that_is_killed_leaves_nothing(tmp_path: Path) -> None:
    """Its child ends with its job, and removes what the grader shared with it; from any working directory."""
    grader = subprocess.Popen([sys.executable, "-c", GRADER], cwd=tmp_path, env=os.environ | {"TMPDIR": str(tmp_path)})
    until = time.monotonic() + 100
    while not list(tmp_path.glob("course-grading-*/job-*/starter.py")):
        assert time.monotonic() < until
        time.sleep(0.05)
    grader.kill()
    grader.wait(60)
    while list(tmp_path.glob("course-grading-*")):
        assert time.monotonic() < until
        time.sleep(0.1)


def test_a_run_that_is_stopped_ends_its_children() -> None:
    quick = Job(LOOP.rules, "raise ValueError\n")
    with closing(Local(2)) as executor:
        running = executor.run([quick, Job(replace(LOOP.rules, test_s=60.0), LOOP.text)])
        assert next(running)[0] == quick
        running.close()  # type: ignore[attr-defined]
        assert not any(child.is_alive() for child in executor._children)


def test_lines_of_a_process_that_broke_off_count() -> None:
    """A test passed if every line about it says so; without the last line the tests did not come to their end."""
    said = [("a", "pass"), ("b", "pass"), ("b", "wrong"), ("b", "pass")]
    record = local.fold([{"test": test, "todo": 1, "verdict": verdict} for test, verdict in said], "")
    assert {name: found["verdict"] for name, found in record["tests"].items()} == {"a": "pass", "b": "wrong"}
    assert record["ended"].startswith("not all of the tests ran, because the grader broke down")
    done = local.fold([{"done": 1, "misconceptions": {"1": "so"}}], "")
    assert (done["ended"], done["misconceptions"]) == ("", {"1": "so"})
    assert local.fold([{"done": 3, "misconceptions": {}}], "")["ended"].startswith("not all of the tests ran")


SAME = "def advance(*args):\n    {}\n"
FORGED = ROOT / "solutions" / "hostile" / "forged_time_limit.py"


@pytest.mark.parametrize(
    ("text", "starts", "ends"),
    [
        (SAME.format("return 7"), "advance(the automaton of 0x", ": expected 1, yours 7"),
        (SAME.format("import os; os._exit(3)"), "your program ended", ": exit status 3 while running advance()"),
        (
            SAME.format("a = []; a.append(a); return a"),
            "the tests cannot read",
            "returned: a list that contains itself",
        ),
        (SAME.format("from labkit import no"), "ImportError: cannot import", "from 'labkit' (labkit/__init__.py)"),
        (FORGED.read_text(encoding="utf-8"), "WorkerEnded: ", "the grader is too slow"),
    ],
)
def test_a_cause_says_what_the_student_did(text: str, starts: str, ends: str) -> None:
    """In the class table: the call with its result, no words of the grader's, no folder of this machine."""
    record = graded(Job(GradingRules(LAB.number, UNSAFE, 60.0, 600.0, todo=1), text))
    found = [test for test in record["tests"].values() if test["verdict"] != "pass"]
    assert len(found) > 5 and record["ended"] == ""
    causes = [": ".join(filter(None, (test["call"], test["cause"]))) for test in found]
    assert any(cause.startswith(starts) and cause.endswith(ends) for cause in causes), causes
    assert not any(test["reason"] for test in found), "no time ran out"
    assert not re.search(r"/tmp|stage-|course[.]", "".join(causes))


def drawn(seed: int | None) -> list[int]:
    """The examples of a property test, as an assignment with this seed has them."""
    got: list[int] = []

    @settings(PROPERTY, max_examples=20)
    @given(st.integers())
    def test_some(number: int) -> None:
        got.append(number)

    item: Any = SimpleNamespace(obj=test_some, nodeid="labs/test_lab.py::test_some")
    _Watcher(print, GradingRules(2, UNSAFE, seed=seed)).pytest_collection_modifyitems([item])
    test_some()
    return got


def test_a_seed_changes_the_examples_and_no_seed_does_not() -> None:
    assert drawn(None) == drawn(None)
    assert drawn(7) == drawn(7)
    assert drawn(None) != drawn(7) != drawn(8)


def test_no_reference_looks_where_a_sandbox_forbids_it() -> None:
    """As a search for the threads of a library does, in /proc/self/maps: it must wait until the model is used."""
    labs = [f"labs.{lab.name}.solution" for lab in all_labs()]
    script = f"""
import builtins, importlib, io, os
real = io.open
def refuse(file, *args, **kwargs):
    if str(file).startswith("/proc"):
        raise PermissionError(file)
    return real(file, *args, **kwargs)
builtins.open = io.open = refuse
for name in {labs}:
    importlib.import_module(name)
"""
    run = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
