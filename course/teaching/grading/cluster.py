"""Sending jobs to a Dask cluster, whose workers grade them as this machine would: it grades a sample itself.

The results of a worker are held back in batches until one of them, drawn at random, has come out the same here.
"""

import random
import threading
from collections import defaultdict
from collections.abc import Iterator, Sequence
from concurrent.futures import CancelledError
from multiprocessing import current_process
from typing import Any

from course.student.core.catalog import all_labs
from course.teaching.grading.job import Job, Record
from course.teaching.grading.local import Local, fault
from course.teaching.grading.trusted_base import hash_of_tests

_WAIT = "10s"
_BATCH = 10
_HERE = threading.local()


class Cluster:
    """Runs jobs on the workers of a Dask scheduler, which gives the job of a worker that dies to another one.

    A worker whose results differ from this machine's gets faults in their place, which name it and are not kept.

    Raises:
        ValueError: if dask is not installed, or nobody answers at the address.
    """

    def __init__(self, address: str) -> None:
        try:
            from distributed import Client
        except ImportError as error:
            extra = "pip install -r requirements/dask.txt -c constraints.txt"
            raise ValueError(f"--executor dask needs an extra: {extra}") from error
        if not address:
            raise ValueError("--executor dask needs --address, as in --address tcp://127.0.0.1:8786")
        try:
            self._client: Any = Client(address, timeout=_WAIT, set_as_default=False)
        except (OSError, ValueError) as error:
            raise ValueError(f"--address {address}: no Dask scheduler answers: {error}") from error

    def run(self, jobs: Sequence[Job]) -> Iterator[tuple[Job, Record]]:
        """Yield each job with its record, as they are done and a sample of them has been checked.

        Raises:
            ValueError: if the cluster goes away, or holds another course; a later run goes on with what is done.
        """
        from distributed import KilledWorker, as_completed
        from distributed.comm import CommClosedError

        held: dict[str, list[tuple[Job, Record]]] = defaultdict(list)  # by worker
        sent = {self._client.submit(grade_here, job, key=f"grade-{job.key}"): job for job in jobs}
        for future in as_completed(list(sent), loop=self._client.loop):
            try:
                record = future.result()
                worker = " or ".join(self._client.who_has([future])[future.key])  # the scheduler knows, not the worker
            except KilledWorker as error:
                yield sent[future], fault(f"its workers died, one after another: {error}")
                continue
            except (CancelledError, CommClosedError, OSError) as error:
                raise ValueError(f"the Dask cluster is gone: {error}. Run the same command again to go on") from error
            future.release()
            held[worker].append((sent[future], record))
            if len(held[worker]) == _BATCH:
                yield from _checked(worker, held.pop(worker))
        for worker, batch in held.items():
            yield from _checked(worker, batch)

    def close(self) -> None:
        """Disconnect; the cluster stays as it was."""
        self._client.close()


def _checked(worker: str, batch: list[tuple[Job, Record]]) -> list[tuple[Job, Record]]:
    """Return the batch, or faults if a result of it is another one here, twice: a submission may race with itself."""
    job, record = random.choice(batch)
    if any(_verdicts(grade_here(job)) == _verdicts(record) for _ in range(2)):
        return batch
    why = f"the results of the worker at {worker} differ from this machine's: remove records/, and grade without it"
    return [(job, fault(why)) for job, _ in batch]


def _verdicts(record: Record) -> dict[str, str]:
    return {name: test["verdict"] for name, test in record["tests"].items()}


def grade_here(job: Job) -> Record:
    """Grade one job on this machine: a worker, or the grader's own.

    Raises:
        ValueError: if the course on this machine is another one than the job's.
    """
    lab = next((each for each in all_labs() if each.number == job.rules.lab), None)
    if lab is None or hash_of_tests(lab, job.rules.exercise) != job.rules.tests:
        raise ValueError(f"a worker has other files of lab {job.rules.lab:02}, or other packages, than the grader")
    # Dask starts its workers as daemons, and those may have no children of their own. Ours end with their job.
    current_process()._config["daemon"] = False  # type: ignore[attr-defined]
    if not hasattr(_HERE, "executor"):
        _HERE.executor = Local(1)
    return next(_HERE.executor.run([job]))[1]  # type: ignore[no-any-return]
