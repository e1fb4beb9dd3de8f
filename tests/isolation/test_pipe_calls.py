"""A student's module behind the pipe behaves as it does in the same process, and harms nobody.

Where it makes sense, a test runs twice, on the module itself and on the proxy: the same assertions hold.
"""

import operator
import os
import re
import signal
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from course.isolation.pipe import worker
from course.isolation.pipe.objects import Handle
from course.isolation.pipe.proxy import PipedLab
from course.isolation.pipe.session import trusted_worker
from course.isolation.pipe.wire import PipeError, WorkerEnded
from course.student.core.candidate import InProcess, LabFunctions
from course.student.core.catalog import Lab, find_lab
from course.student.core.submission import Loader
from course.student.core.timeouts import TimeLimit
from course.student.core.trace import student_trace
from labkit.automata import decimal_fsm
from labkit.automata.dfa import Nfa
from labkit.vocabulary import Vocabulary
from tests.runs import use

LAB_07 = find_lab(7)
POSIX = pytest.mark.skipif(os.name != "posix", reason="signals and forks")

MODULE = """
import builtins, functools, gc, os, signal, sys, threading, time
import numpy as np
from course.isolation.pipe.wire import Channel, pack
from labkit.errors import InvalidPattern

LIMIT = 7
NAMES = ["a", "b"]
kept = []

class MyInt(int):
    pass

class Grid:
    version = 2

    def __init__(self, rows):
        self.rows = rows
        self._secret = 1

    def row(self, i, *, twice=False):
        return self.rows[i] * (2 if twice else 1)

    def __call__(self, x): return x + 1
    def __repr__(self): return "Grid('of the student')"
    def __eq__(self, other): raise RuntimeError("== left the test's side")
    def __hash__(self): raise RuntimeError("hash left the test's side")

class Silent:
    def __repr__(self): raise SystemExit

class Oops(InvalidPattern):
    pass

class Unprintable(Exception):
    def __str__(self): raise RuntimeError("no text")

def value(code, **names): return eval(code, globals() | names)
def run(code): exec(code, globals())
def echo(x): return x

def change(xs, d, s, grid):
    xs.append(MyInt(1)); xs[0] = "new"; d["k"] = xs; s.add(2); grid[1:] = 9
    return len(xs)

def change_and_raise(xs):
    xs.clear()
    raise KeyError("gone")

def grow(nfa):
    end = nfa.add_state()
    nfa.moves[0].append((((97, 97),), end))
    nfa.epsilon[end].append(0)
    return end, nfa

def keep(x):
    kept.append(x)
    return x

def call(f, *args, **kwargs): return f(*args, **kwargs)
def call_all(f, xs): return [f(x) for x in xs]
def compose(f): return lambda x: f(x) + 1

def swallow(f):
    try:
        return f()
    except LookupError as error:
        return type(error).__name__, str(error)

def reraise_changed(f):
    try:
        f()
    except Exception as error:
        raise ValueError("wrapped") from error

def late(f):
    def later():
        time.sleep(0.05)
        for i in range(20): f(i)
    threading.Thread(target=later).start()

def fail(kind, *args): raise (getattr(builtins, kind, None) or globals()[kind])(*args)
def todo(): raise NotImplementedError("lab 07, TODO 1")
def todo_in_numpy(): return np.zeros(2).__array_ufunc__(np.add, "nonsense")
def lookup(): return {}["missing"]
def recurse(n=0): return recurse(n + 1)

def recurse_calling(f, n=0):
    if n > 700: f()
    return recurse_calling(f, n + 1)

def loop():
    while True: pass

def loop_sleeping(): time.sleep(60)

def loop_politely(error=Exception):
    while True:
        try:
            while True: sum(range(9))
        except error: pass

def stubborn():
    while True:  # twice, since a signal may strike where the inner loop goes back to its try
        try: loop_politely(BaseException)
        except BaseException: pass

def fork():
    pid = os.fork()
    if pid == 0:
        return "child"
    os.waitpid(pid, 0)
    return "parent"

def write_everywhere(content):
    for fd in range(3, 20):
        try: os.write(fd, content)
        except OSError: pass

def forge(header):
    channel = next(x for x in gc.get_objects() if type(x) is Channel)
    channel.send(pack(header))  # in the worker's place
"""

SECONDS = 3.0


def piped_lab(file: Path, seconds: float = SECONDS) -> PipedLab:
    return PipedLab(Lab(7, file.parent / "lab_07_trial"), {7: file}, seconds=seconds)


def written(folder: Path, text: str) -> Path:
    path = folder / "starter.py"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def student(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return written(tmp_path_factory.mktemp("student"), MODULE)


@pytest.fixture(scope="module")
def shared(student: Path) -> Iterator[PipedLab]:
    with piped_lab(student) as piped:
        yield piped


def hurried(file: Path, seconds: float) -> PipedLab:
    """Load the file at leisure, for the machine may be busy; then each test has so many seconds."""
    piped: Any = piped_lab(file)
    piped.load()
    piped._seconds = piped._session._seconds = seconds
    piped.begin_test()
    return piped  # type: ignore[no-any-return]


@pytest.fixture
def lab(shared: PipedLab) -> Iterator[Any]:
    shared.begin_test()
    yield shared
    shared.set_in_place(False)
    shared.end_test()


@pytest.fixture(params=["module", "pipe"])
def either(request: pytest.FixtureRequest, student: Path) -> Any:
    if request.param == "module":
        return Loader({7: student}).load(Lab(7, student.parent / "lab_07_trial"))
    lab = request.getfixturevalue("lab")
    lab.set_in_place("functions" not in request.fixturenames)
    return lab


@pytest.fixture
def functions(either: Any) -> LabFunctions:
    """What a lab's test gets, on either."""
    candidate = either if isinstance(either, PipedLab) else InProcess(LAB_07, Loader({}), either)
    return LabFunctions(candidate, "submission.py", LAB_07)


@pytest.fixture
def fragile(student: Path) -> Iterator[Any]:
    with piped_lab(student) as piped:
        piped.begin_test()
        yield piped


# --- what a test sees ---


def raised(call: Callable[[], Any]) -> tuple[Any, ...]:
    """The error of a call as a test sees it: its class, its text, and the student's functions that it came through."""
    with pytest.raises(BaseException) as caught:
        call()
    return (
        type(caught.value).__name__,
        str(caught.value),
        [step.function for step in student_trace(caught.value).frames],
    )


def changed(value: Any, call: Callable[[Any], Any]) -> Any:
    """What a call leaves of its argument."""
    call(value)
    return value.tolist() if isinstance(value, np.ndarray) else value


def read_only(array: Any) -> Any:
    array.flags.writeable = False
    return array


class Boom(LookupError):
    pass


def explode() -> None:
    raise Boom("no such thing")


ROW, GRID, VOCABULARY, FSM = [1], np.zeros(2), Vocabulary.toy(), decimal_fsm()
THESE = (ROW, GRID, VOCABULARY, FSM, len)
MISSING = "has no attribute"

SAME: dict[str, tuple[Callable[[Any], Any], Any]] = {
    "constants": (lambda m: (m.LIMIT, m.NAMES, m.Grid.version), (7, ["a", "b"], 2)),
    "a keyword": (lambda m: m.echo(x=[1, (2.5, None)]), [1, (2.5, None)]),
    "a number of NumPy's": (lambda m: m.value("type(x).__name__", x=np.float32(1)), "float32"),
    "a subclass": (lambda m: type(m.value("MyInt(3)")) is int, False),
    "no such name": (lambda m: MISSING in raised(lambda: m.advance("0x"))[1] and not hasattr(m, "mask"), True),
    "methods": (lambda m: [m.Grid([3, 4]).row(0), m.Grid([3, 4]).row(1, twice=True), m.Grid([3])(1)], [3, 8, 2]),
    "attributes": (lambda m: m.Grid([3, 4]).rows, [3, 4]),
    "no such method": (lambda m: MISSING in raised(lambda: m.Grid([]).missing())[1], True),
    "an object twice": (lambda m: (lambda grid: m.value("a is b", a=grid, b=grid))(m.Grid([])), True),
    "an object back": (lambda m: (lambda grid: m.echo(grid) is grid)(m.Grid([])), True),
    "arguments back": (lambda m: list(map(operator.is_, m.echo(THESE), THESE)), [True] * 5),
    "a list changed": (lambda m: changed([1], lambda xs: m.change(xs, {}, set(), GRID))[0], "new"),
    "a dict changed": (
        lambda m: (lambda xs, d: (m.change(xs, d, set(), GRID), d["a"], d["k"] is xs))([1], {"a": 1}),
        (2, 1, True),
    ),
    "a set changed": (lambda m: changed({1}, lambda s: m.change([1], {}, s, GRID)), {1, 2}),
    "an array changed": (lambda m: changed(np.zeros((2, 2)), lambda x: m.change([1], {}, set(), x)), [[0, 0], [9, 9]]),
    "a view changed": (
        lambda m: changed(np.zeros((3, 4)), lambda x: m.change([1], {}, set(), x[::-1, 1:3])),
        [[0, 9, 9, 0], [0, 9, 9, 0], [0, 0, 0, 0]],
    ),
    "an array that may only be read": (
        lambda m: raised(lambda: m.change([1], {}, set(), read_only(np.zeros(2)))),
        ("ValueError", "assignment destination is read-only", ["change"]),
    ),
    "a list within": (
        lambda m: changed(({"a": (0, [1])},), lambda x: m.value("x[0]['a'][1].append(3)", x=x)),
        ({"a": (0, [1, 3])},),
    ),
    "an item replaced": (lambda m: changed([1], lambda x: m.value("x.__setitem__(0, 2)", x=x)), [2]),
    "what an error leaves": (lambda m: changed([1], lambda xs: raised(lambda: m.change_and_raise(xs))), []),
    "a callback": (lambda m: m.call(lambda *a, **k: [a, k], 1, [2], k=3), [(1, [2]), {"k": 3}]),
    "a callback for each": (lambda m: m.call_all(lambda x: x * 2, [1, 2]), [2, 4]),
    "a callback within a function": (lambda m: m.compose(lambda x: x * 2)(5), 11),
    "the student's function as a callback": (lambda m: m.call_all(m.echo, ["a"]), ["a"]),
    "a callback that calls": (
        lambda m: m.call(lambda n: m.call(lambda k: m.value("n + k", n=n, k=k), 3), 4),
        7,
    ),
    "an array of a callback's": (lambda m: [x is GRID for x in m.call_all(lambda x: GRID, [1, 2])], [True, True]),
    "an error swallowed": (lambda m: m.swallow(lambda: dict[str, int]()["missing"]), ("KeyError", "'missing'")),
    "an error through": (lambda m: raised(lambda: m.call(explode)), ("Boom", "no such thing", ["call"])),
    "an error changed": (lambda m: raised(lambda: m.reraise_changed(explode))[:2], ("ValueError", "wrapped")),
    "a failing test": (lambda m: raised(lambda: m.call(lambda: pytest.fail("oft")))[:2], ("Failed", "oft")),
    "an error both ways": (
        lambda m: raised(lambda: m.call(lambda: m.call(m.fail, "Oops", "bad", "ab", 1)))[::2],
        ("Oops", ["call", "call", "fail"]),
    ),
    "the test's error both ways": (
        lambda m: raised(lambda: m.call(lambda: m.call(explode))),
        ("Boom", "no such thing", ["call", "call"]),
    ),
    "a key": (lambda m: raised(m.lookup), ("KeyError", "'missing'", ["lookup"])),
    "an argument too few": (lambda m: "missing 1 required" in raised(m.echo)[1], True),
    "a stop": (lambda m: raised(lambda: m.fail("StopIteration", 3)), ("StopIteration", "3", ["fail"])),
    "recursion": (lambda m: raised(m.recurse)[0], "RecursionError"),
    "recursion through callbacks": (lambda m: raised(lambda: m.recurse_calling(lambda: None))[0], "RecursionError"),
}


@pytest.mark.parametrize("name", SAME)
def test_a_test_sees_the_same_on_both(either: Any, name: str) -> None:
    do, expected = SAME[name]
    got = do(either)
    assert got == expected and type(got) is type(expected)
    assert either.echo(1) == 1


def test_an_error_keeps_its_attributes_and_is_the_very_same_where_it_was_the_tests(either: Any) -> None:
    with pytest.raises(FileNotFoundError) as missing:
        either.value("open('/no/such/file')")
    assert missing.value.filename == "/no/such/file" and "/no/such/file" in str(missing.value)
    boom = Boom("no such thing")

    def explode() -> None:
        raise boom

    with pytest.raises(Boom) as caught:
        either.call(explode)
    assert caught.value is boom


def test_a_file_that_draws_numbers_draws_the_same_in_every_grading(tmp_path: Path) -> None:
    file = written(tmp_path, "import random\nimport numpy as np\nDRAWN = [random.random(), float(np.random.rand())]\n")
    drawn = []
    for _ in range(2):
        with piped_lab(file) as piped:
            piped.begin_test()
            drawn.append(list(piped.DRAWN))
            piped.end_test()
    assert drawn[0] == drawn[1] and len(drawn[0]) == 2


def test_a_failing_test_shows_what_the_object_says_of_itself(fragile: Any) -> None:
    said, silent = fragile.Grid([]), fragile.Silent()
    assert repr(said) == "Grid('of the student')" and repr(silent) == "<the student's Silent object>"
    with pytest.raises(WorkerEnded):
        fragile.run("os._exit(3)")
    assert repr(said) == "<the student's Grid object>"


def test_comparing_handles_asks_nobody_and_private_names_and_changes_are_refused_here(lab: Any) -> None:
    one, other = lab.Grid([1]), lab.Grid([1])
    assert one != other and len({one, other}) == 2
    for target in (lab, one):
        with pytest.raises(AttributeError, match="'_secret' is private"):
            target._secret  # noqa: B018
    with pytest.raises(AttributeError, match="stays as the student wrote it"):
        lab.echo = None


@pytest.mark.parametrize("value", [object(), sys, Path(), {1: [object()]}, iter([1])], ids=lambda v: type(v).__name__)
def test_a_test_cannot_hand_over_just_anything(lab: Any, value: Any) -> None:
    for call in (lambda: lab.echo(value), lambda: lab.call(lambda: value)):
        with pytest.raises(PipeError, match="a test cannot hand a"):
            call()
    assert lab.echo(1) == 1


# --- identity and change ---


def test_an_automaton_grows_in_place(either: Any) -> None:
    nfa = Nfa([[(((98, 98),), 1)], []], [[1], []], accepting=1)
    moves, row = nfa.moves, nfa.moves[0]
    assert [either.grow(nfa)[0], either.grow(nfa)[0]] == [2, 3]
    assert nfa.moves is moves and nfa.moves[0] is row
    assert nfa.moves == [[(((98, 98),), 1), (((97, 97),), 2), (((97, 97),), 3)], [], [], []]
    assert nfa.epsilon == [[1], [], [0], [0]] and (nfa.initial, nfa.accepting) == (0, 1)
    nfa.add_state()
    end, back = either.grow(nfa)
    assert type(back) is Nfa and back == nfa and end == 5 and len(nfa) == 6


def test_a_test_keeps_its_arguments_as_they_were(functions: Any) -> None:
    """Not in place: neither an argument, nor what lies in it, nor what a callback gave, changes under the test."""
    xs, d, s, grid, inner = [1], {"a": 1}, {1}, np.zeros((2, 3))[:, ::2], [0]
    nfa = Nfa([[], []], [[1], []], accepting=1)
    assert functions.change(xs, d, s, grid) == 2 and functions.grow(nfa)[0] == 2
    assert functions.value("rows[0].clear() or rows[1].update(k=2) or rows", rows=(inner, {})) == ([], {"k": 2})
    with pytest.raises(KeyError, match="gone"):
        functions.change_and_raise(inner)
    assert (xs, d, s, grid.tolist(), inner) == ([1], {"a": 1}, {1}, [[0, 0], [0, 0]], [0])
    assert nfa == Nfa([[], []], [[1], []], accepting=1)


def test_what_is_changed_comes_back_as_a_new_object(functions: Any) -> None:
    xs, grid, seen = [1], np.zeros(2), list[Any]()
    got, other = functions.value(
        "xs.append(2) or grid.fill(3) or f((xs, grid)) or (xs, [grid])", xs=xs, grid=grid, f=seen.append
    )
    assert (got, other[0].tolist(), seen[0][0]) == ([1, 2], [3, 3], [1, 2]) and seen[0][1].tolist() == [3, 3]
    assert (xs, grid.tolist()) == ([1], [0, 0])
    with functions.in_place():
        assert functions.value("xs.append(2) or xs", xs=xs) is xs and xs == [1, 2]
    assert functions.value("xs.append(3) or xs", xs=xs) == [1, 2, 3] and xs == [1, 2]


def test_after_a_call_each_end_has_a_copy_of_its_own(lab: Any) -> None:
    xs = lab.keep([1])
    assert lab.value("[x.append(2) for x in kept] and kept") == [[1, 2]] and xs == [1]


def test_a_thread_that_lives_on_waits_for_the_next_call(lab: Any) -> None:
    seen: list[int] = []
    lab.late(seen.append)
    time.sleep(0.1)
    while len(seen) < 20:
        assert lab.echo(1) == 1


# --- errors ---


def test_errors_that_cannot_be_shown_or_sent_and_an_interrupt_of_the_students(lab: Any) -> None:
    with pytest.raises(KeyboardInterrupt):
        lab.fail("KeyboardInterrupt")
    with pytest.raises(Exception, match="Unprintable, whose text cannot be made"):
        lab.fail("Unprintable", 1)
    with pytest.raises(ValueError, match="'text'"):
        lab.run("loop = []; loop.append(loop); raise ValueError('text', loop)")
    with pytest.raises(ValueError, match="of the student"):
        lab.fail("ValueError", lab.Grid([]))


def test_not_written_yet_is_told_from_a_fault(either: Any) -> None:
    for function, todo in ((either.todo, True), (either.lookup, False), (either.todo_in_numpy, False)):
        with pytest.raises(Exception) as caught:
            function()
        trace = student_trace(caught.value)
        assert trace.todo is todo and trace.frames[-1].lab_number == 7 and trace.frames[-1].file.endswith("starter.py")


# --- time ---

NAMED = r"^stopped after {} at starter.py:\d+ in {}"
ENDED = r"^stopped after {} while running run\(\); it did not heed the stop"
CPU, WAITED = "0.3 s of processor time", "0.6 s of waiting"
IGNORED = "signal.signal(signal.SIGALRM, signal.SIG_IGN)"

STOPPED = {
    "loop()": NAMED.format(f"{CPU}, still running", "loop"),
    "loop_politely()": NAMED.format(f"{CPU}, still running", "loop_politely"),
    "loop_sleeping()": NAMED.format(f"{WAITED}, still waiting", "loop_sleeping"),
    "stubborn()": ENDED.format(CPU),
    f"{IGNORED}; loop()": ENDED.format(CPU),
    f"{IGNORED}; time.sleep(60)": ENDED.format(WAITED),
    "threading.Thread(target=loop).start(); time.sleep(60)": ENDED.format(CPU),
    "signal.setitimer(signal.ITIMER_REAL, 0); loop()": ENDED.format(CPU),
}
"""What never ends: the worker names the line where it was, or this end measures, and ends the worker."""


@pytest.mark.skipif(sys.platform != "linux", reason="no clocks of other processes here")
@pytest.mark.parametrize("code", STOPPED)
def test_what_never_ends_is_stopped(student: Path, monkeypatch: pytest.MonkeyPatch, code: str) -> None:
    """A wait has 10 s otherwise, at both ends."""
    waits = 0.6 if WAITED in STOPPED[code] else 1000.0
    monkeypatch.setattr("course.student.core.timeouts.WAITS", waits)
    monkeypatch.setattr("course.isolation.pipe.session.GRACE", 0.2)
    with hurried(student, 0.3) as piped:
        piped.run(f"import course.student.core.timeouts as limits; limits.WAITS = {waits}")
        with pytest.raises(TimeLimit, match=STOPPED[code]):
            piped.run(code)
        if "heed" in STOPPED[code]:
            with pytest.raises(WorkerEnded, match="did not heed"):
                piped.echo(1)
        monkeypatch.undo()
        piped.begin_test()
        assert piped.echo(1) == 1


def test_a_busy_computer_costs_nothing(student: Path) -> None:
    """To wait for the processor is like a sleep: by the clock it lasts longer than the limit."""
    with hurried(student, 0.3) as piped:
        piped.run("time.sleep(0.5)")
        piped.call(lambda: time.sleep(0.5))
        assert piped.echo(1) == 1


def test_a_test_that_was_busy_itself_says_so(student: Path) -> None:
    with hurried(student, 0.3) as piped:
        assert piped.echo(1) == 1
        use(0.3)
        with pytest.raises(TimeLimit, match=r"0.3 s of processor time, the test itself was busy, not your code"):
            piped.echo(1)
        piped.begin_test()
        piped.run("until = time.thread_time() + 0.25\nwhile time.thread_time() < until: pass")
        use(0.1)
        with pytest.raises(
            TimeLimit, match=r"0.3 s of processor time, most of it in your code, before running echo\(\)$"
        ):
            piped.echo(1)


def test_a_callback_within_a_loop_does_not_confuse_the_limit(student: Path) -> None:
    with hurried(student, 0.3) as piped:
        with pytest.raises(TimeLimit, match=r"running at starter|processor time while running call_all\(\)$"):
            piped.call_all(lambda x: piped.echo(x), piped.value("iter(range(10**9))"))
        piped.begin_test()
        assert piped.echo(1) == 1


@pytest.mark.skipif(not hasattr(signal, "pthread_sigmask"), reason="no masks of signals here")
def test_a_pending_limit_strikes_and_leaves_the_mask_as_it_was() -> None:
    """Else the next one strikes in the middle of a message, and the two ends no longer understand each other."""

    def strike(*_: object) -> None:
        raise TimeLimit("struck")

    before = signal.signal(signal.SIGALRM, strike)
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGALRM})
    try:
        signal.raise_signal(signal.SIGALRM)
        with pytest.raises(TimeLimit, match="struck"), worker._alarm(signal.SIG_UNBLOCK):
            pass
        assert signal.SIGALRM in signal.pthread_sigmask(signal.SIG_BLOCK, ())
    finally:
        signal.signal(signal.SIGALRM, signal.SIG_IGN)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGALRM})
        signal.signal(signal.SIGALRM, before)


# --- what a worker may do to itself ---


def serves_the_next_test(piped: Any) -> bool:
    piped.begin_test()
    return bool(piped.echo("next test") == "next test")


def test_an_exit_in_a_call_or_within_a_callback_fails_this_test_alone(fragile: Any) -> None:
    held = fragile.Grid([])
    with pytest.raises(WorkerEnded, match=r"^your program ended: exit status 3 while running run\(\)$"):
        fragile.run("os._exit(3)")
    with pytest.raises(WorkerEnded, match="exit status 3"):
        fragile.echo(1)
    with pytest.raises(WorkerEnded, match="exit status 3"):
        held.row(0)
    fragile.begin_test()
    with pytest.raises(WorkerEnded, match="exit status 3"):
        held.row(0)
    with pytest.raises(PipeError, match="or to a program that has ended"):
        fragile.echo(held)
    assert serves_the_next_test(fragile)
    with pytest.raises(WorkerEnded, match="exit status 4"):
        fragile.call(lambda: fragile.run("os._exit(4)"))


@pytest.mark.parametrize(
    ("code", "message"),
    [
        pytest.param("os.kill(os.getpid(), signal.SIGSEGV)", "killed by SIGSEGV while running run", marks=POSIX),
        ("os.closerange(0, 256)", "while running run"),
    ],
)
def test_a_crash_is_named(fragile: Any, code: str, message: str) -> None:
    with pytest.raises(WorkerEnded, match=message):
        fragile.run(code)
    assert serves_the_next_test(fragile)


@pytest.mark.parametrize(
    "content",
    [b"x" * 100, b"\0" * 12, b"\0\0\0\2\0\0\0\0\0\0\0\0[]", b"\0\0\0\2\0\0\0\0\0\0\0\0{}"],
)
def test_garbage_in_the_pipe(fragile: Any, content: bytes) -> None:
    with pytest.raises(WorkerEnded, match=r"your program answered with .* while running write_everywhere"):
        fragile.write_everywhere(content)
    assert serves_the_next_test(fragile)


def test_half_a_message_in_the_pipe(student: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("course.isolation.pipe.session.GRACE", 0.1)
    monkeypatch.setattr("course.student.core.timeouts.WAITS", 1)  # at this end too
    piped = piped_lab(student, 0.3)
    with piped, pytest.raises(TimeLimit, match="while running write_everywhere"):
        piped.write_everywhere(b"\0" * 10 + b"\xff\xff")


EMPTY: dict[str, Any] = {"nodes": [], "updates": [], "value": None}


@pytest.mark.parametrize(
    "header",
    [
        EMPTY | {"is": "callback", "number": 99},
        EMPTY | {"is": "callback", "number": 2, "value": ["x"]},
        EMPTY | {"is": "callback", "number": []},
        EMPTY | {"is": "nonsense"},
        EMPTY | {"is": "raised"},
        EMPTY | {"is": "returned", "updates": [[99, 1]]},
        EMPTY | {"is": "returned", "updates": [[6, [0]]], "nodes": [["dict", None, []]]},  # this very argument
        EMPTY | {"is": "returned", "updates": 3},
        EMPTY | {"is": "returned", "value": [7]},
        EMPTY | {"is": "returned", "nodes": None},
    ],
    ids=str,
)
def test_forged_answers_fail(fragile: Any, header: dict[str, Any]) -> None:
    with pytest.raises(WorkerEnded, match=r"your program answered with a .*while running forge\(\)"):
        fragile.forge(header)


@pytest.mark.parametrize("index", range(2))
def test_only_what_was_passed_to_it_can_be_called(fragile: Any, index: int) -> None:
    """A worker's callback names a number; an automaton and the worker's own object are no callables of the test's."""
    value = [decimal_fsm(), fragile.Grid][index]
    fragile.echo(value)
    number = fragile._session.peer.table.find(value).number
    nodes = [["tuple", None, []], ["tuple", None, [[0], [0]]]]
    with pytest.raises(WorkerEnded, match="not passed to it"):
        fragile.forge(EMPTY | {"is": "callback", "number": number, "nodes": nodes, "value": [1]})


def test_prints_do_not_reach_the_pipe(fragile: Any, capfd: pytest.CaptureFixture[str]) -> None:
    fragile.begin_test()
    fragile.run("os.write(1, b'garbage on descriptor 1\\n')\nfor _ in range(160): print('x' * 65_535)")
    with pytest.raises(EOFError):
        fragile.value("input()")
    out, err = capfd.readouterr()
    assert out == "" and "garbage on descriptor 1" in err and len(err) > 10_000_000


@POSIX
def test_forks(fragile: Any) -> None:
    fragile.run("if os.fork() == 0: time.sleep(60)")
    assert fragile.fork() == "parent" and fragile.echo(1) == 1


def test_neither_a_closed_stdout_nor_a_thread_holds_the_end_up(fragile: Any) -> None:
    fragile.run("sys.stdout.close(); os.close(1)")
    fragile.run("threading.Thread(target=time.sleep, args=(60,)).start()")
    assert fragile.echo(1) == 1
    fragile.close()
    assert serves_the_next_test(fragile)


# --- loading ---


def fails_to_load(tmp_path: Path, text: str, seconds: float = SECONDS) -> BaseException:
    """The error of a file that does not load; the same one comes again without another attempt."""
    marker = tmp_path / "attempts"
    marker.unlink(missing_ok=True)
    head = f"open({str(marker)!r}, 'a').write('x')\n"
    piped = piped_lab(written(tmp_path, head + text), seconds)
    errors = []
    for _ in range(2):
        piped.begin_test()
        with pytest.raises(BaseException) as caught:
            piped.anything  # noqa: B018
        errors.append(caught.value)
        piped.end_test()
    assert errors[0] is errors[1]
    assert not marker.exists() or marker.read_text() == "x"
    piped.close()
    return errors[0]


def test_a_syntax_error_and_an_import_that_fails(tmp_path: Path) -> None:
    error = fails_to_load(tmp_path, "def f(:\n")
    assert type(error) is SyntaxError and error.lineno == 2 and error.text == "def f(:\n"
    error = fails_to_load(tmp_path, "import no_such_module\n")
    assert type(error) is ModuleNotFoundError and error.name == "no_such_module"
    assert student_trace(error).frames[-1].line == 2


@pytest.mark.parametrize(
    ("text", "kind", "message"),
    [
        ("import os; os._exit(3)", WorkerEnded, "exit status 3 while loading starter.py"),
        ("import sys; sys.exit(3)", SystemExit, "3"),
        (
            "while True: pass",
            TimeLimit,
            "stopped after 0.3 s of processor time, still running at starter.py:2 in <module>",
        ),
        ("raise NotImplementedError('all of it')", NotImplementedError, "all of it"),
    ],
)
def test_a_file_that_does_not_load(tmp_path: Path, text: str, kind: type[BaseException], message: str) -> None:
    error = fails_to_load(tmp_path, text, seconds=0.3)
    assert isinstance(error, kind) and message in str(error)


def test_the_tests_end_gone_the_worker_goes() -> None:
    process = trusted_worker()
    process.stdin.close()
    assert process.wait(20) == 0 and process.stdout.read() == b""


def test_what_is_shared_lives_for_one_call_and_objects_for_one_test(shared: PipedLab) -> None:
    for _ in range(2):
        shared.begin_test()
        for i in range(30):
            assert shared.Grid([i]).row(0) == i
            assert shared.echo(np.zeros(3)).shape == (3,)
        assert shared._session is not None
        assert len(shared._session.peer.table.entries) < 80 + len(shared._functions)
        shared.end_test()
        kept = [entry.value for entry in shared._session.peer.table.entries.values()]
        assert sorted(map(id, kept)) == sorted(map(id, shared._functions.values()))


def test_handles_and_callables_live_as_long_as_their_test(shared: PipedLab) -> None:
    shared.begin_test()
    held = shared.keep(shared.Grid([5]))
    shared.keep(lambda: 1)
    assert isinstance(held, Handle) and shared.echo(1) == 1 and held.row(0) == 5
    shared.end_test()
    shared.begin_test()
    with pytest.raises(PipeError, match="belongs to an earlier test"):
        held.row(0)
    with pytest.raises(RuntimeError, match="after that test has ended"):
        shared.value("kept[-1]()")
    assert shared.echo(1) == 1
    shared.end_test()


def test_nothing_is_pickled_or_evaluated() -> None:
    folder = Path(__file__).parents[2] / "course" / "isolation" / "pipe"
    lines = [line for path in folder.glob("*.py") for line in path.read_text(encoding="utf-8").splitlines()]
    assert len(lines) > 400
    assert not [line for line in lines if re.search(r"pickle|marshal|eval\(|exec\(", line)]
