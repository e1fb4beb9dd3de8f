"""What bounds a submission, and the trusted process that grades it; and the seed of an assignment."""

import io
import os
import time
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from course.student.core.catalog import find_lab
from course.teaching.grading import server
from course.teaching.grading.attempt import _Watcher
from course.teaching.grading.job import UNSAFE, Job, Rules, hash_of_tests
from course.teaching.grading.local import Local
from labkit.checking.properties import PROPERTY

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="the grader forks")

LAB = find_lab(2)


def test_no_test_is_begun_when_the_time_is_used_up() -> None:
    rules = Rules(LAB.number, UNSAFE, 10.0, 0.01, tests=hash_of_tests(LAB))
    executor = Local(1)
    (_, record), *_ = executor.run([Job(rules, LAB.solution.read_text(encoding="utf-8"))])
    executor.close()
    late = [found for found in record["tests"].values() if found["story"].startswith("not run: the tests before took")]
    assert len(late) >= len(record["tests"]) - 1
    assert record["ended"] == ""


def test_a_file_that_never_loads_is_waited_for_twice() -> None:
    rules = Rules(LAB.number, UNSAFE, 1.0, 600.0, tests=hash_of_tests(LAB))
    executor = Local(1)
    (_, record), *_ = executor.run([Job(rules, "while True:\n    pass\n")])
    executor.close()
    stories = [found["story"].partition(",")[0] for found in record["tests"].values() if not found["loaded"]]
    assert stories.count("stopped after 1 s") == len(stories) > len(record["tests"]) - 20
    assert sum(found["loaded"] for found in record["tests"].values()) < 20, "the rest of the first TODO"
    assert record["ended"] == ""


def forked(seconds: float, status: int = 0) -> int:
    pid = os.fork()
    if not pid:
        time.sleep(seconds)
        os._exit(status)
    return pid


def test_a_grading_process_that_hangs_is_ended() -> None:
    assert server._wait(forked(60), 0.2) == "the grader's process was ended after 0.2 s"


def test_how_a_grading_process_ended_is_told() -> None:
    assert server._wait(forked(0), 60) == ""
    assert server._wait(forked(0, 3), 60) == "the grader's process ended with status 3"


def test_lines_of_a_process_that_broke_off_count() -> None:
    """A test passed if every line about it says so; without the last line the tests did not come to their end."""
    lines = [
        b'{"test": "a", "todo": 1, "verdict": "pass", "story": ""}',
        b'{"test": "b", "todo": 1, "verdict": "pass", "story": ""}',
        b'{"test": "b", "todo": 1, "verdict": "wrong", "story": "at its end"}',
        b'{"test": "b", "todo": 1, "verdict": "pass", "story": ""}',
        b'{"test": "c", "to',
    ]
    record = server._folded(io.BytesIO(b"\n".join(lines)), "")
    assert {name: found["verdict"] for name, found in record["tests"].items()} == {"a": "pass", "b": "wrong"}
    assert record["ended"] == "the tests did not come to an end"
    done = server._folded(io.BytesIO(b'{"done": 1, "misconceptions": {"1": "so"}}'), "")
    assert (done["ended"], done["misconceptions"]) == ("", {"1": "so"})
    assert server._folded(io.BytesIO(b'{"done": 3, "misconceptions": {}}'), "")["ended"] == "pytest ended with status 3"


def drawn(seed: int | None) -> list[int]:
    """The examples of a property test, as an assignment with this seed has them."""
    got: list[int] = []

    @settings(PROPERTY, max_examples=20)
    @given(st.integers())
    def test_some(number: int) -> None:
        got.append(number)

    item: Any = SimpleNamespace(obj=test_some, nodeid="labs/test_lab.py::test_some")
    _Watcher(io.StringIO(), Rules(2, UNSAFE, seed=seed), None).pytest_collection_modifyitems([item])
    test_some()
    return got


def test_a_seed_changes_the_examples_and_no_seed_does_not() -> None:
    assert drawn(None) == drawn(None)
    assert drawn(7) == drawn(7)
    assert drawn(None) != drawn(7) != drawn(8)
