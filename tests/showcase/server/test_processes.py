"""Jobs in processes: their limits, their errors, and how they end when nobody waits."""

import os
import pickle
import signal
import subprocess
import sys
import threading
from concurrent.futures import CancelledError
from contextlib import closing, suppress
from pathlib import Path

import pytest

from course.showcase.server import processes as processes_module
from course.showcase.server.processes import Processes
from labkit.errors import InvalidPattern, LimitExceeded
from labs.lab_09_inside_an_engine.solution import CompileCache
from tests.showcase.server.wire import WAIT

pytestmark = pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="this system has no /proc")


@pytest.fixture
def processes():
    with closing(Processes(at_once=2, seconds=0.5, megabytes=64)) as found:
        yield found


@pytest.fixture
def patient(monkeypatch):
    """One thread, whose jobs may take longer than these tests wait."""
    monkeypatch.setattr(processes_module, "WAITED", 2 * WAIT)
    with closing(Processes(at_once=1, seconds=2 * WAIT)) as found:
        yield found


def for_ever():
    while True:
        sum(range(1000))


def for_ever_in_c():
    return sum(range(10**18))


def greedy():
    return len([bytes(1 << 20) for _ in range(10_000)])


def refused():
    raise InvalidPattern("never closed", "(a", 0)


def large():
    return "x" * (5 << 20)


def gone():
    os._exit(3)


def kept():
    """Keep more memory than a process may have left."""
    sys.kept = bytearray(40 << 20)


def number():
    return os.getpid()


def works(processes):
    return processes.submit(lambda: processes.call(pow, 2, 5)).result(WAIT) == 32


MET_A_LIMIT = [(for_ever, "too long"), (for_ever_in_c, "too long"), (greedy, "memory"), (gone, "too long")]


@pytest.mark.parametrize(("function", "said"), [*MET_A_LIMIT, (refused, "never closed"), (large, "bytes")])
def test_what_meets_a_limit_is_refused_by_name(processes, function, said):
    future = processes.submit(lambda: processes.call(function))
    with pytest.raises((LimitExceeded, InvalidPattern), match=said):
        future.result(WAIT)
    assert works(processes)


@pytest.mark.parametrize("light", [refused, large])
def test_a_process_gets_another_job(processes, light):
    first = processes.call(number)
    with pytest.raises((LimitExceeded, InvalidPattern)):
        processes.call(light)
    assert processes.call(number) == first


@pytest.mark.parametrize("heavy", [kept, *(function for function, _ in MET_A_LIMIT)])
def test_no_process_gets_another_job_after_one_that_met_a_limit_or_left_much_behind(processes, heavy):
    first = processes.call(number)
    with suppress(LimitExceeded):
        processes.call(heavy)
    assert processes.call(number) != first


def test_a_process_that_has_ended_meanwhile_is_replaced(processes):
    first = processes.call(number)
    os.kill(first, signal.SIGKILL)
    while Path(f"/proc/{first}").exists():
        pass
    assert processes.call(number) != first


def test_a_limit_that_was_set_from_outside_stays():
    """As an operator's ``ulimit`` does: nobody but root may raise it."""
    code = "from resource import *\nfrom course.showcase.server.processes import Processes\n"
    code += "setrlimit(RLIMIT_AS, (8 << 30,) * 2)\nprocesses = Processes(megabytes=1 << 20)\n"
    code += "print(processes.call(getrlimit, RLIMIT_AS))\nprocesses.close()"
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=WAIT)
    assert said.stdout == f"({8 << 30}, {8 << 30})\n", said.stderr


def test_what_cannot_be_sent_is_an_error_of_its_own(processes):
    with pytest.raises((AttributeError, pickle.PicklingError)):
        processes.call(lambda: 1)
    assert works(processes)


def test_a_job_that_runs_is_ended_when_it_is_cancelled(patient):
    begun = threading.Event()

    def job():
        begun.set()
        return patient.call(for_ever)

    future = patient.submit(job)
    assert begun.wait(WAIT) and future.cancel()
    assert works(patient)  # the one thread is free again, long before the job's time is up
    with pytest.raises(CancelledError):
        future.result(0)


def test_a_compile_that_runs_leaves_the_cache_with_the_last_that_waits(patient):
    """Lab 09's ``give_back`` cancels; where a compile can be ended, it is."""
    cache = CompileCache(patient.submit)
    future = cache.get("heavy", lambda: patient.call(for_ever))
    cache.get("heavy", bool)
    cache.give_back("heavy")
    assert not future.cancelled()
    cache.give_back("heavy")
    assert future.cancelled() and cache.keys() == [] and not cache.num_compiling()
    assert cache.get("light", lambda: patient.call(pow, 2, 5)).result(WAIT) == 32
