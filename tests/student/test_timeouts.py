"""Stopping what runs too long. The limits are short here, and no test looks at a clock."""

import os
import signal
import subprocess
import sys
import threading
import time

import pytest

from course.student.core import timeouts
from course.student.core.catalog import ROOT
from course.student.core.timeouts import Stopwatch, TimeLimit, time_limit
from labs.own_files import MARK
from tests.runs import process, use

POSIX = hasattr(signal, "setitimer")
SHORT = 0.05
LONG = 30


def endless(swallows=()):
    """A loop that no exception of these kinds ends; bounded, so that a broken limit cannot hang the tests."""
    end = time.monotonic() + LONG
    while time.monotonic() < end:
        try:
            while time.monotonic() < end:
                pass
        except swallows:
            pass


def here(job):
    """Do a job in this thread; return its value, or the exception with which it ends."""
    try:
        return job()
    except BaseException as error:
        return error


def in_thread(job):
    """Do the same in another thread, where no alarm signal arrives."""
    results = []
    thread = threading.Thread(target=lambda: results.append(here(job)), daemon=True)
    thread.start()
    thread.join(2 * LONG)
    return results[0]


def limited(job, seconds=SHORT):
    """The job under a limit."""

    def run():
        with time_limit(seconds):
            return job()

    return run


BOTH = pytest.mark.parametrize("place", [here, in_thread], ids=["by signal", "by a second thread"])


@BOTH
def test_one_that_swallows_even_that_is_asked_again(place):
    def stubborn():
        with pytest.raises(TimeLimit):
            endless()
        endless()

    assert isinstance(place(limited(stubborn)), TimeLimit)
    assert isinstance(place(limited(lambda: endless(swallows=Exception))), TimeLimit), "it is no Exception"


@BOTH
def test_the_students_function_and_line_are_named(place, tmp_path):
    file = tmp_path / "slow.py"
    file.write_text("def spin(run):\n    x = 1\n    run()\n", encoding="utf-8")
    namespace = {MARK: 2}
    exec(compile(file.read_text(encoding="utf-8"), str(file), "exec"), namespace)
    error = place(limited(lambda: namespace["spin"](endless)))
    assert str(error) == "stopped after 0.05 s of processor time, still running at slow.py:3 in spin: run()"


@BOTH
def test_what_is_done_in_time_is_left_alone_and_zero_means_no_limit(place):
    assert place(limited(lambda: "done", LONG)) == "done"
    assert isinstance(place(limited(lambda: 1 // 0, LONG)), ZeroDivisionError)
    assert place(limited(lambda: (use(2 * SHORT), "done")[1], 0)) == "done"


def lent(share):
    """A clock of processor time as a computer shows it that is busy with others' work."""
    return lambda: share * time.monotonic()


@pytest.mark.skipif(not POSIX, reason="on Windows the limit is by the clock")
@BOTH
def test_a_busy_computer_fails_nobody(place):
    """To wait for the processor is like a sleep: it lasts longer than the limit, and uses none of it."""
    assert place(limited(lambda: (time.sleep(2 * SHORT), "done")[1])) == "done"

    def halting():
        for _ in range(4):
            time.sleep(SHORT / 2)
            use(SHORT / 10)
        return "done"

    assert place(limited(halting)) == "done"


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="only Linux says how long a thread was ready to run")
@BOTH
def test_a_computer_that_is_busier_than_that_fails_nobody(place, monkeypatch):
    """With others on the same processor, by far more passes than is used, and no wait explains it."""
    monkeypatch.setattr(timeouts, "BUSY", 1.0)
    monkeypatch.setattr(timeouts, "WAITS", SHORT)
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(before)})
    others = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(4)]
    try:
        assert place(limited(lambda: (use(4 * SHORT), "done")[1], LONG)) == "done"
        waited = place(limited(naps, LONG))
        assert "waiting: the test itself was waiting" in str(waited)
    finally:
        for other in others:
            other.kill()
            other.wait(LONG)
        os.sched_setaffinity(0, before)


def naps():
    for _ in range(100 * LONG):
        time.sleep(SHORT / 5)


@BOTH
@pytest.mark.parametrize(
    ("job", "used", "passed", "said"),
    [
        (naps, 0.0, timeouts.WAITS - SHORT, "10 s of waiting: the test itself was waiting, not your code"),
        (endless, LONG - SHORT, 0.0, "30 s of processor time: the test itself was busy, not your code"),
    ],
)
def test_what_waits_for_ever_is_stopped_by_the_clock_and_what_is_used_before_counts(place, job, used, passed, said):
    def late():
        with time_limit(LONG, used, passed):
            job()

    assert str(place(late)) == f"stopped after {said}"


def test_a_stopwatch_counts_both_and_gives_back():
    """A test may wait ten seconds, whatever its limit. What runs may take three for each of its own."""
    still = Stopwatch(60.0, lambda: 0.0, passed=timeouts.WAITS + 1)
    assert still.left() == 0.0 and still.stopped() == "stopped after 10 s of waiting"
    assert Stopwatch(60.0, lambda: 0.0, used=20.0, passed=timeouts.WAITS + 59).left() > 0
    assert Stopwatch(60.0, lambda: 0.0, used=20.0, passed=timeouts.WAITS + 61).left() == 0.0
    watch = Stopwatch(1.0, lent(0.001), passed=timeouts.WAITS - 0.5)
    assert 0 < watch.left() <= 0.5 and watch.left(2.0) > watch.left() and not watch.is_busy()
    watch = Stopwatch(1.0, lent(0.001), used=1.0)
    assert watch.left() == 0.0 < watch.left(2.0) and watch.is_busy()
    watch.restart(0.0, 0.0)
    assert watch.left() > 0.9
    assert Stopwatch(1.0, None, passed=1.0).left() == 0.0, "where there is no such clock"


@pytest.mark.skipif(sys.platform != "linux", reason="no clocks of other processes here")
def test_the_processor_time_of_another_process():
    code = "import time\nwhile time.process_time() < 0.3: pass\nprint(flush=True); input()"
    with subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        process.stdout.readline()
        assert 0.3 <= timeouts.processor_time(process.pid) < LONG
    assert timeouts.processor_time(process.pid) == 0.0, "it has ended"


@BOTH
def test_an_inner_limit_is_its_own_and_an_outer_one_holds_after_it(place):
    def inner():
        with time_limit(LONG), pytest.raises(TimeLimit), time_limit(SHORT):
            endless()
        use(3 * SHORT)  # nothing is raised after a block
        return "only the inner block was stopped"

    def outer():
        with time_limit(2 * SHORT):
            with time_limit(LONG):
                pass
            endless()

    assert place(inner) == "only the inner block was stopped"
    error = place(outer)
    assert isinstance(error, TimeLimit) and "stopped after 0.1 s" in str(error)
    with pytest.raises(TimeLimit), time_limit(SHORT), time_limit(0):  # nor does none inside lift it
        endless()


@pytest.mark.skipif(not POSIX, reason="Windows has no alarm")
def test_the_signal_interrupts_a_sleep_and_leaves_handler_and_timer_as_before(monkeypatch):
    monkeypatch.setattr("course.student.core.timeouts.WAITS", 0.5)
    assert isinstance(here(limited(lambda: time.sleep(LONG))), TimeLimit)
    raised = []
    before = signal.signal(signal.SIGALRM, lambda *_: raised.append(True))
    try:
        assert isinstance(here(limited(endless)), TimeLimit)
        assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)
        signal.raise_signal(signal.SIGALRM)
        assert raised == [True]
    finally:
        signal.signal(signal.SIGALRM, before)
    assert isinstance(here(limited(lambda: 1 // 0, LONG)), ZeroDivisionError)
    assert signal.getsignal(signal.SIGALRM) is before
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)


@BOTH
def test_a_debuggers_user_is_not_interrupted(place, monkeypatch):
    monkeypatch.setattr(sys, "gettrace", lambda: print)
    assert place(limited(lambda: (use(3 * SHORT), "unhurried")[1])) == "unhurried"


STUBBORN = """
import sys, threading, time
from course.student.core import timeouts

timeouts._REPEAT, timeouts._ATTEMPTS = 0.02, 2

def stubborn():
    with timeouts.time_limit(0.02):
        end = time.monotonic() + 30
        while time.monotonic() < end:
            try:
                while time.monotonic() < end: pass
            except BaseException: pass

{start}
print("never reached")
"""


@pytest.mark.parametrize(
    "start",
    ["stubborn()", "t = threading.Thread(target=stubborn); t.start(); t.join()"],
    ids=["by signal", "by a second thread"],
)
def test_what_nothing_ends_ends_the_process_with_a_message(start):
    status, said = process(ROOT, "-c", STUBBORN.format(start=start))
    assert status == 70 and "never reached" not in said and "stopped after 0.02 s of processor time" in said
    assert "no exception ends it, so the whole run ends here" in said


BLOCKED = """
import signal, threading, time
from course.student.core.timeouts import TimeLimit, time_limit
threading.Thread(target=time.sleep, args=(0.5,)).start()
try:
    with time_limit(0.05):
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGALRM})
        try:
            until = time.thread_time() + 0.2
            while time.thread_time() < until:
                pass
        except TimeLimit:
            print("raised while the signal was blocked")
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGALRM})
except TimeLimit:
    print("raised after that")
"""


@pytest.mark.skipif(not hasattr(signal, "pthread_sigmask"), reason="no masks of signals here")
def test_a_thread_that_blocks_the_signal_is_not_stopped_through_another():
    """NumPy's library has threads, and the system gives the signal to one that does not block it."""
    assert process(ROOT, "-c", BLOCKED) == (0, "raised after that\n")
