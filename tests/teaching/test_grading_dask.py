"""The same jobs on a Dask cluster of two workers or four: one is killed midway, one is slow, and one lies."""

import os
import signal
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from typing import Any

import pytest

from course.isolation import sandbox
from course.student.core.catalog import ROOT, find_lab
from course.teaching.grading import cluster as on_worker
from course.teaching.grading.cluster import Cluster
from course.teaching.grading.job import UNSAFE, GradingRules, Job, Record
from course.teaching.grading.local import Local
from course.teaching.grading.plan import passed
from course.teaching.grading.trusted_base import hash_of_tests

pytestmark = pytest.mark.skipif(find_spec("distributed") is None, reason="needs the extra: requirements/dask.txt")

LAB = find_lab(2)


@pytest.fixture(params=[2])
def cluster(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> Iterator[Any]:
    import dask
    from distributed import LocalCluster

    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    monkeypatch.setattr(on_worker, "_BATCH", 1)
    some = {"n_workers": request.param, "threads_per_worker": 1, "dashboard_address": None, "silence_logs": 50}
    with dask.config.set({"distributed.scheduler.allowed-failures": 10}), LocalCluster(**some, processes=True) as made:
        yield made


def jobs() -> list[Job]:
    """Return short files of which each passes nothing, and the reference among them."""
    backends = sandbox.available()
    rules = GradingRules(LAB.number, backends[0].name if backends else UNSAFE, 60.0, 600.0, tests=hash_of_tests(LAB))
    texts = [f"import file_{number}_that_is_not_there\n" for number in range(7)]
    return [Job(rules, text) for text in [*texts[:4], LAB.solution.read_text(encoding="utf-8"), *texts[4:]]]


def kill(client: Any, spare: Sequence[str] = ()) -> None:
    """Kill a worker that is at work."""
    busy = [address for address, tasks in client.processing().items() if tasks and address not in spare]
    os.kill(int(client.run(os.getpid, workers=busy[:1])[busy[0]]), signal.SIGKILL)


def be_slow() -> None:
    honest = on_worker.grade_here

    def slowly(job: Job) -> Record:
        time.sleep(3)
        return honest(job)

    on_worker.grade_here = slowly


def lie() -> None:
    """Say of everything that it passes a test."""
    passes = {"one": {"todo": 1, "verdict": "pass", "loaded": True}}
    on_worker.grade_here = lambda job: {"tests": passes, "misconceptions": {}, "ended": ""}


@pytest.mark.parametrize("cluster", [4], indirect=True)
def test_a_worker_that_lies_is_named_and_gets_nobody_a_grade(cluster: Any) -> None:
    executor, wanted = Cluster(cluster.scheduler_address), jobs()
    client = executor._client
    liar, slow, *_ = client.scheduler_info()["workers"]
    client.run(lie, workers=[liar])
    client.run(be_slow, workers=[slow])
    found: Counter[str] = Counter()
    faults: list[tuple[Job, Record]] = []
    passes: list[tuple[Job, Record]] = []
    for job, record in executor.run(wanted):
        if not found:
            kill(client, spare=[liar, slow])
        found[job.key] += 1
        (faults if record.get("fault") else passes if passed(record) else []).append((job, record))
    executor.close()
    assert found == Counter({job.key: 1 for job in wanted})
    assert faults and all(liar in record["ended"] for _, record in faults)
    assert [job for job, _ in passes] == [wanted[4]] or wanted[4] in [job for job, _ in faults]


def test_a_worker_killed_midway_costs_nobody_anything(cluster: Any) -> None:
    wanted = jobs()
    executor = Cluster(cluster.scheduler_address)
    found: Counter[str] = Counter()
    records = {}
    for job, record in executor.run(wanted):
        found[job.key] += 1
        records[job.key] = record
        if len(records) == 2:
            kill(executor._client)
    executor.close()
    assert found == Counter({job.key: 1 for job in wanted})
    here = Local(1)
    reference = wanted[4]
    assert records[reference.key]["tests"] == next(here.run([reference]))[1]["tests"]
    here.close()
    assert len(passed(records[reference.key])) == len(records[reference.key]["tests"]) > 0
    assert not any(passed(records[job.key]) for job in wanted if job is not reference)


def test_one_of_a_batch_stands_for_all(monkeypatch: pytest.MonkeyPatch) -> None:
    def record(verdict: str) -> Record:
        return {"tests": {"one": {"verdict": verdict}}, "misconceptions": {}, "ended": ""}

    monkeypatch.setattr(on_worker, "grade_here", lambda job: record("fail"))
    rules = GradingRules(LAB.number, UNSAFE)
    honest, forged = ([(Job(rules, f"{number}"), record(each)) for number in range(9)] for each in ("fail", "pass"))
    assert on_worker._checked("tcp://a:1", honest) == honest
    held = on_worker._checked("tcp://a:1", forged)
    assert [job for job, _ in held] == [job for job, _ in forged]
    assert all(each["fault"] and "worker at tcp://a:1 differ" in each["ended"] for _, each in held)


def test_a_worker_with_other_files_refuses(cluster: Any) -> None:
    executor = Cluster(cluster.scheduler_address)
    job = Job(GradingRules(LAB.number, UNSAFE, tests="of another course"), "x = 1\n")
    with pytest.raises(ValueError, match="has other files of lab 02"):
        list(executor.run([job]))
    executor.close()


def test_nobody_at_the_address(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("course.teaching.grading.cluster._WAIT", "1s")
    with pytest.raises(ValueError, match="no Dask scheduler answers"):
        Cluster("tcp://127.0.0.1:9")
