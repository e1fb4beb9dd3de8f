"""The same jobs on a Dask cluster of two workers, one of which is killed midway."""

import os
import signal
from collections import Counter
from collections.abc import Iterator
from importlib.util import find_spec
from typing import Any

import pytest

from course.isolation import sandbox
from course.student.core.catalog import ROOT, find_lab
from course.teaching.grading.cluster import Cluster
from course.teaching.grading.job import UNSAFE, Job, Rules
from course.teaching.grading.local import Local
from course.teaching.grading.plan import passed
from course.teaching.grading.trusted_base import hash_of_tests

pytestmark = pytest.mark.skipif(find_spec("distributed") is None, reason="needs the extra: requirements/dask.txt")

LAB = find_lab(2)


@pytest.fixture
def cluster(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    import dask
    from distributed import LocalCluster

    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    two = {"n_workers": 2, "threads_per_worker": 1, "processes": True, "dashboard_address": None, "silence_logs": 50}
    with dask.config.set({"distributed.scheduler.allowed-failures": 10}), LocalCluster(**two) as made:
        yield made


def jobs() -> list[Job]:
    """Return short files of which each passes nothing, and the reference among them."""
    backends = sandbox.available()
    rules = Rules(LAB.number, backends[0].name if backends else UNSAFE, 60.0, 600.0, tests=hash_of_tests(LAB))
    texts = [f"import file_{number}_that_is_not_there\n" for number in range(7)]
    return [Job(rules, text) for text in [*texts[:4], LAB.solution.read_text(encoding="utf-8"), *texts[4:]]]


def test_a_worker_killed_midway_costs_nobody_anything(cluster: Any) -> None:
    wanted = jobs()
    executor = Cluster(cluster.scheduler_address)
    found: Counter[str] = Counter()
    records = {}
    for job, record in executor.run(wanted):
        found[job.key] += 1
        records[job.key] = record
        if len(records) == 2:
            client = executor._client
            busy = [address for address, tasks in client.processing().items() if tasks]
            os.kill(int(client.run(os.getpid, workers=busy[:1])[busy[0]]), signal.SIGKILL)
    executor.close()
    assert found == Counter({job.key: 1 for job in wanted})
    here = Local(1)
    reference = wanted[4]
    assert records[reference.key]["tests"] == next(here.run([reference]))[1]["tests"]
    here.close()
    assert len(passed(records[reference.key])) == len(records[reference.key]["tests"]) > 0
    assert not any(passed(records[job.key]) for job in wanted if job is not reference)


def test_a_worker_with_other_files_refuses(cluster: Any) -> None:
    executor = Cluster(cluster.scheduler_address)
    job = Job(Rules(LAB.number, UNSAFE, tests="of another course"), "x = 1\n")
    with pytest.raises(ValueError, match="has other files of lab 02"):
        list(executor.run([job]))
    executor.close()


def test_nobody_at_the_address(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("course.teaching.grading.cluster._WAIT", "1s")
    with pytest.raises(ValueError, match="no Dask scheduler answers"):
        Cluster("tcp://127.0.0.1:9")
