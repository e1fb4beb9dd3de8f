"""Jobs in processes: their limits, their errors, and how they end when nobody waits."""

import os
import pickle
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import CancelledError
from contextlib import suppress
from pathlib import Path

import pytest

from course.showcase.server.processes import Processes
from labkit.engine import Engine, SamplingParams
from labkit.errors import InvalidPattern, LimitExceeded, TooMuchWork
from labkit.small_model import SmallModel
from labkit.vocabulary import Vocabulary
from labs.lab_09_inside_an_engine.solution import CompileCache
from mask_engine import structured_outputs

pytestmark = pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="this system has no /proc")
WAIT = 60


@pytest.fixture
def processes():
    found = Processes(at_once=2, seconds=0.5, megabytes=64)
    yield found
    found.close()


def for_ever():
    while True:
        sum(range(1000))


def greedy():
    return len([bytes(1 << 20) for _ in range(10_000)])


def refused():
    raise InvalidPattern("never closed", "(a", 0)


def large():
    return "x" * (5 << 20)


def gone():
    os._exit(3)


def kept():
    """Return a process's number, and keep more memory than it may have left."""
    sys.kept = bytearray(40 << 20)
    return os.getpid()


def busy():
    end = time.process_time() + 0.3
    while time.process_time() < end:
        pass
    return os.getpid()


@pytest.mark.parametrize(
    ("function", "said"),
    [(for_ever, "too long"), (greedy, "memory"), (refused, "never closed"), (large, "bytes"), (gone, "too long")],
)
def test_what_meets_a_limit_is_refused_by_name(processes, function, said):
    future = processes.submit(lambda: processes.call(function))
    with pytest.raises((LimitExceeded, InvalidPattern), match=said):
        future.result(WAIT)
    assert processes.submit(lambda: processes.call(pow, 2, 5)).result(WAIT) == 32


def test_a_process_gets_another_job_if_the_last_was_light(processes):
    first = processes.call(os.getpid)
    with pytest.raises(InvalidPattern):
        processes.call(refused)
    assert processes.call(os.getpid) == first


@pytest.mark.parametrize("heavy", [kept, busy, for_ever, greedy, gone])
def test_no_process_gets_another_job_after_a_heavy_one_or_one_that_met_a_limit(processes, heavy):
    first = processes.call(os.getpid)
    with suppress(LimitExceeded):
        assert processes.call(heavy) == first
    assert processes.call(os.getpid) != first


def test_a_process_that_has_ended_meanwhile_is_replaced(processes):
    first = processes.call(os.getpid)
    os.kill(first, signal.SIGKILL)
    end = time.monotonic() + WAIT
    while Path(f"/proc/{first}").exists() and time.monotonic() < end:
        time.sleep(0.01)
    assert processes.call(os.getpid) != first


def test_limits_that_were_set_from_outside_stay():
    """As an operator's ``ulimit`` does: nobody but root may raise those."""
    code = "from resource import *\nfrom course.showcase.server.processes import Processes\n"
    code += "setrlimit(RLIMIT_CPU, (1000,) * 2)\n"
    code += "processes = Processes(at_once=1)\nprint(processes.call(getrlimit, RLIMIT_CPU))\nprocesses.close()"
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=WAIT)
    assert said.stdout.endswith(", 1000)\n"), said.stderr


def test_what_cannot_be_sent_is_an_error_of_its_own(processes):
    with pytest.raises((AttributeError, pickle.PicklingError)):
        processes.call(lambda: 1)
    assert processes.call(pow, 2, 5) == 32


def test_jobs_are_done_even_if_getting_ready_fails():
    """As it does if a student's own function raises: then it's the job that says so."""
    processes = Processes(refused, at_once=1)
    assert processes.submit(lambda: processes.call(pow, 2, 5)).result(WAIT) == 32
    with pytest.raises(InvalidPattern, match="never closed"):
        processes.submit(lambda: processes.call(refused)).result(WAIT)
    processes.close()


def test_a_job_that_runs_is_ended_when_it_is_cancelled():
    processes = Processes(at_once=1, seconds=30)
    begun = threading.Event()

    def job():
        begun.set()
        return processes.call(for_ever)

    future = processes.submit(job)
    assert begun.wait(WAIT) and future.cancel()
    # The one thread is free again, long before the thirty seconds are over: the next job is done.
    assert processes.submit(lambda: processes.call(pow, 2, 5)).result(WAIT) == 32
    with pytest.raises(CancelledError):
        future.result(0)
    processes.close()


def test_a_compile_that_runs_leaves_the_cache_with_the_last_that_waits():
    """Lab 09's ``give_back`` cancels; where a compile can be ended, it is."""
    processes = Processes(at_once=1, seconds=30)
    cache = CompileCache(processes.submit)
    future = cache.get("heavy", lambda: processes.call(for_ever))
    cache.get("heavy", bool)
    cache.give_back("heavy")
    assert not future.cancelled()
    cache.give_back("heavy")
    assert future.cancelled() and cache.keys() == [] and not cache.num_compiling()
    assert cache.get("light", lambda: processes.call(pow, 2, 5)).result(WAIT) == 32
    processes.close()


def test_one_request_that_asks_too_much_harms_no_other():
    small = Vocabulary.small()
    engine = Engine(SmallModel.load("early"), small, structured_outputs(small, most_work=7500))
    params = SamplingParams(max_tokens=100, seed=1)
    heavy, light, free = (
        engine.add_request([3, 4], params, response_format=asked and {"type": "regex", "pattern": asked})
        for asked in ("(((a{1,1000}){1,1000}){1,1000}){90}", "[ab]{60}", None)
    )
    engine.generate(heavy, light, free)
    assert isinstance(heavy.error, TooMuchWork) and light.finish_reason == "stop"
    assert free.finish_reason in ("stop", "length") and len(small.decode(light.output_token_ids)) == 60
