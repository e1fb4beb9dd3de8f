"""One submission in one sandbox: what it gained, and what it harmed."""

import re
import shutil
import time
from dataclasses import dataclass
from functools import cache
from multiprocessing import get_context
from multiprocessing.context import ForkServerContext
from pathlib import Path

from course.teaching.attacks.arena import Arena
from course.teaching.attacks.bank import Submission
from course.teaching.attacks.trusted import Answer, Job, grade, read_answer

SECONDS = 2.0
"""The limit of one test. A loop costs a self-test this much, so it is short."""

_LONGER = 5
"""How many times as much a file gets that did not load in that time, for it may not have had the time to attack."""

PATIENCE = 300.0
"""Seconds after which the trusted side itself is taken to hang."""

MEMORY = 2 << 30
"""Bytes that the trusted side may need. A message's worst costs about half of it."""

_LINGER = 2.0
"""Seconds that a killed process may take to be gone."""

_LOADING = re.compile(r"while loading|in <module>")


@cache
def _forks() -> ForkServerContext:
    """Where trusted processes come from: a process that has imported what they need, and has no threads."""
    context = get_context("forkserver")
    context.set_forkserver_preload(["course.teaching.attacks.trusted"])
    return context


@dataclass(frozen=True)
class Finding:
    """What came of one submission.

    Attributes:
        passed: the tests that passed.
        harm: what came to harm: the grader, neighbours, files, secrets.
        survivors: processes that outlived it.
        seconds: how long it took.
        todo_of: the TODO of every test that was run.
        said: what its failing tests said, cut; for looking closer.
    """

    backend: str
    submission: Submission
    passed: frozenset[str]
    harm: tuple[str, ...]
    survivors: tuple[str, ...]
    seconds: float
    todo_of: dict[str, int]
    said: tuple[str, ...]


def attempt(submission: Submission, backend: str, slot: int, shelf: Path, *, seconds: float = SECONDS) -> Finding:
    """Grade a submission in the sandbox of that name, and look what it has done."""
    found = _attempt(submission, backend, slot, shelf, seconds)
    if any(text.startswith("stopped after") and _LOADING.search(text) for text in found.said):
        return _attempt(submission, backend, slot, shelf, seconds * _LONGER)
    return found


def _attempt(submission: Submission, backend: str, slot: int, shelf: Path, seconds: float) -> Finding:
    begun = time.monotonic()
    with Arena() as arena:
        arena.submission.write_text(submission.filled(arena.values), encoding="utf-8")
        job = _job(submission, backend, slot, shelf, arena, seconds)
        harm = _run(job)
        answer = read_answer(job.answer)
        survivors = _survivors(arena)
        harm += [*_harm_told(answer), *arena.harm()]
    took = time.monotonic() - begun
    answer = answer or Answer((), {}, (), {}, 0)
    said = tuple(sorted(set(answer.failed.values())))
    about = (frozenset(answer.passed), tuple(harm), tuple(survivors), took, answer.todo_of, said)
    return Finding(backend, submission, *about)


def _job(submission: Submission, backend: str, slot: int, shelf: Path, arena: Arena, seconds: float) -> Job:
    own = arena.folder / "shelf"  # of its own, so that what it does to it harms no other, and shows
    shutil.copytree(shelf, own)
    answer = arena.folder / "answer.json"
    about = (submission.todo, arena.secret, arena.token, answer)
    return Job(submission.lab, arena.submission, backend, slot, own, seconds, *about)


def _run(job: Job) -> list[str]:
    """Run the trusted side; what happened to it."""
    process = _forks().Process(target=grade, args=(job,))
    process.start()
    process.join(PATIENCE)
    if process.is_alive():
        process.kill()
        process.join()
        return [f"grader still running after {PATIENCE:g} s"]
    return [] if process.exitcode == 0 else [f"grader ended with status {process.exitcode}"]


def _harm_told(answer: Answer | None) -> list[str]:
    if answer is None:
        return ["grader gave no answer"]
    heavy = [f"grader took {answer.memory >> 20} MiB"] if answer.memory > MEMORY else []
    return [*heavy, *answer.told]


def _survivors(arena: Arena) -> list[str]:
    """Who is still there when what is being killed has had its time to go."""
    until = time.monotonic() + _LINGER
    while (found := arena.survivors(str(arena.folder))) and time.monotonic() < until:
        time.sleep(0.05)
    return found
