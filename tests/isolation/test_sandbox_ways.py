"""The two ways of confining, tried with small programs. What a machine lacks, its tests do not have."""

import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from course.isolation.sandbox import Backend, ConfinedProcess, Limits, machine
from course.isolation.sandbox.ways import Bubblewrap, OtherUser
from course.student.core.catalog import ROOT

Run = Callable[..., tuple[str, int]]


class InOpenRepository(OtherUser):
    """Offered also where everybody may read the repository: what's tried here is all the rest."""

    def exposes(self, path: Path) -> str:
        return ""


OFFERED = {way.name: way for way in (Bubblewrap(), InOpenRepository()) if not way.why_not}


@pytest.fixture(params=list(OFFERED))
def backend(request: pytest.FixtureRequest) -> Backend:
    return OFFERED[request.param]


@pytest.fixture
def place() -> Iterator[Path]:
    with TemporaryDirectory(prefix="course-test-") as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)


def start(
    backend: Backend, code: str, *words: object, readable: Sequence[Path] = (), **limits: float
) -> ConfinedProcess:
    most = Limits(**{"wall_s": 60.0, **limits})  # type: ignore[arg-type]
    argv = [*machine.python(), "-c", code, *map(str, words)]
    return backend.start(argv, readable=readable, limits=most)


@pytest.fixture
def run(backend: Backend) -> Run:
    """Runs a program to its end: what it prints, and its status."""

    def run(code: str, *words: object, **options: object) -> tuple[str, int]:
        with closing(start(backend, code, *words, **options)) as process:  # type: ignore[arg-type]
            process.stdin.close()
            said = process.stdout.read().decode()
            return said, process.wait(10)

    return run


TRY = """
import sys
def attempt(name, function, *args):
    try:
        print(name, "done", function(*args))
    except BaseException as error:
        print(name, type(error).__name__)
"""


def test_the_programs_processor_time_is_seen_from_outside(backend: Backend) -> None:
    """And not that of what started it, which only waits."""
    code = "import time\nwhile time.process_time() < 0.5: pass\nprint(flush=True); input()"
    with closing(start(backend, code)) as process:
        process.processor_time()  # perhaps before the program is there
        process.stdout.readline()
        assert 0.5 <= process.processor_time() < 5
    assert 0.5 <= process.processor_time() < 5, "it has ended"


def test_the_environment_is_cleared(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_SECRET", "hidden")
    said, _ = run("import os; print(*sorted(os.environ))")
    assert "MY_SECRET" not in said and {"HOME", "PATH", "PYTHONHASHSEED"} <= set(said.split())


def test_what_is_readable_can_be_read_and_not_written(run: Run, place: Path) -> None:
    place.joinpath("given").mkdir()
    given = place / "given" / "file.txt"
    given.write_text("some text")
    code = TRY + "attempt('r', lambda: open(sys.argv[1]).read()); attempt('w', open, sys.argv[1], 'a')"
    said, _ = run(code, given, readable=[place / "given"])
    assert said.splitlines()[0] == "r done some text" and "done" not in said.splitlines()[1]


def held(backend: Backend, run: Run, attempt: str, words: Sequence[object], *, open_to_all: bool = False) -> None:
    """Each word is tried and refused; what is open to every user is refused by bubblewrap alone."""
    said, _ = run(TRY + f"import os, socket\nfor word in sys.argv[1:]: attempt('-', lambda: {attempt})", *words)
    assert len(said.splitlines()) == len(words)
    assert ("done" in said) == (open_to_all and backend.name == "other-user")


def test_nothing_else_can_be_read(backend: Backend, run: Run, place: Path) -> None:
    place.joinpath("closed").mkdir(0o700)
    secrets = [place / "secret", place / "closed" / "secret"]
    for secret in secrets:
        secret.write_text("hidden")
    secrets[0].chmod(0o600)
    held(backend, run, "open(word).read()", [*secrets, "/proc/1/environ", "/etc/shadow"])
    held(backend, run, "os.listdir(word)", [place / "closed"])
    held(backend, run, "len(open(word).read())", ["/etc/passwd", "/proc/1/cmdline"], open_to_all=True)
    held(backend, run, "os.listdir(word).index('secret')", [place], open_to_all=True)


def test_nothing_can_be_written_outside(backend: Backend, run: Run, place: Path) -> None:
    place.joinpath("open").mkdir()
    place.joinpath("open").chmod(0o777)
    held(backend, run, "open(word, 'w')", [place / "made", "/made", "/dev/made", f"{sys.prefix}/made"])
    held(backend, run, "open(word, 'w')", [place / "open" / "made"], open_to_all=True)
    path = place / "mine"
    path.write_text("text")
    before = path.stat()
    changes = ["chmod(word, 0)", "utime(word, (1, 1))", "truncate(word, 0)", "setxattr(word, 'user.x', b'1')"]
    for change in [*changes, "remove(word)", "rename(word, word + 'x')"]:
        held(backend, run, f"os.{change}", [path])
    assert (path.stat(), path.read_text()) == (before, "text")


def test_inside_it_can_write_to_its_own_folder(run: Run) -> None:
    """Its working directory is its home and its place for temporary files, and gone when it has ended."""
    code = "import os, tempfile as t, pathlib as p; t.mkstemp(); print(os.getcwd(), t.gettempdir(), p.Path.home())"
    said, _ = run(code)
    assert len({*said.split()}) == 1 and not Path(said.split()[0]).exists()


@pytest.mark.parametrize("family", ["AF_INET", "AF_UNIX"])
def test_a_server_of_the_machine_is_out_of_bubblewraps_reach(backend: Backend, run: Run, family: str) -> None:
    with socket.socket(getattr(socket, family)) as server:
        server.bind(("127.0.0.1", 0) if family == "AF_INET" else b"\0course-test-server")
        server.listen()
        address = f"socket.socket(socket.{family}).connect({server.getsockname()!r})"
        held(backend, run, address, [""], open_to_all=True)


CODE_PTRACE = "1 / (1 + __import__('ctypes').CDLL(None).ptrace(16, int(word), 0, 0))"
CODE_LIMIT = "__import__('resource').setrlimit(int(word), (-1, -1))"


def test_no_signal_reaches_others_and_its_own_do(backend: Backend, run: Run) -> None:
    with subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"], start_new_session=True) as other:
        for attempt in ("os.kill(int(word), 9)", CODE_PTRACE, "os.setpriority(0, int(word), 19)"):
            held(backend, run, attempt, [other.pid])
        held(backend, run, "os.killpg(int(word), 9)", [other.pid])
        alive = other.poll() is None
        other.kill()
    assert alive and run("import os; os.kill(os.getpid(), 10)")[1] == -10


def test_no_limit_can_be_lifted_and_nobody_becomes_root(backend: Backend, run: Run) -> None:
    held(backend, run, CODE_LIMIT, [0, 1, 6, 7, 9])
    held(backend, run, "os.setuid(0) or 1 / os.getuid() and 1 / 0", [""])
    said, _ = run("print(*[line.split()[1] for line in open('/proc/self/status') if line[:5] in ('NoNew', 'CapEf')])")
    assert said in ("0000000000000000 1\n", ""), "where there is /proc"


@pytest.mark.parametrize(
    ("code", "limits", "status"),
    [
        ("try: bytes(1 << 30)\nexcept MemoryError: raise SystemExit(3)", {"memory_bytes": 400 << 20}, 3),
        ("while True: pass", {"cpu_s": 1}, -9),
        ("import time; time.sleep(60)", {"wall_s": 1.0}, -9),
        ("kept = [open('/dev/null') for _ in range(100)]", {"files": 32}, 1),
        ("open('large', 'wb').write(bytes(9 << 20))", {"disk_bytes": 4 << 20}, 1),
        ("for i in range(9): open(str(i), 'wb').write(bytes(1 << 20))\nwhile 1: pass", {"disk_bytes": 4 << 20}, -9),
        ("for i in range(2000): open(str(i), 'wb').close()\nwhile 1: pass", {}, -9),
        ("import os\nfor i in range(5000): os.mkdir('d'); os.chdir('d')\nwhile 1: pass", {}, -9),
        ("import os\nos.fork()\nwhile 1: pass", {}, -9),
        ("import os\nif not os.fork() and not os.setsid():\n    os.fork()\nwhile 1: pass", {}, -9),
        ("import ctypes; ctypes.string_at(0)", {}, -11),
    ],
    ids=["memory", "CPU", "time", "files", "large file", "disk", "many files", "deep", "process", "daemon", "crash"],
)
def test_what_is_limited_and_how_a_crash_looks(run: Run, code: str, limits: dict[str, float], status: int) -> None:
    assert run(code, **limits)[1] == status


def test_threads_up_to_the_limit(run: Run) -> None:
    code = "import threading as t, time\nfor i in range(9): "
    code += "attempt(f't{i}', t.Thread(target=time.sleep, args=(1,)).start)"
    said, _ = run(TRY + code, threads=4)
    assert "t1 done" in said and "t4 done" not in said


def test_two_at_a_time_are_two_users_and_none_is_root_where_there_are_spare_ones(backend: Backend) -> None:
    code = "import os; print(os.getuid(), os.getgid(), *os.getgroups(), flush=True); input()"
    with closing(start(backend, code)) as first, closing(start(backend, code)) as second:
        users = [process.stdout.readline().split() for process in (first, second)]
    spare = all(int(uid) == int(gid) in machine.USERS for uid, gid in users) and users[0] != users[1]
    assert spare == ("spare user" in backend.describe())


def test_what_it_writes_to_stderr_never_makes_it_wait(run: Run) -> None:
    code = "import sys\nfor i in range(300): sys.stderr.write('x' * 10_000)\nprint('through')"
    assert run(code) == ("through\n", 0)


@pytest.mark.parametrize("more", ["", "os.fork() or os.setsid()\n"], ids=["alone", "with a daemon"])
def test_closing_ends_it_whatever_it_does(backend: Backend, place: Path, more: str) -> None:
    code = "import os, signal, time\nfor n in (1, 2, 3, 15): signal.signal(n, signal.SIG_IGN)\n" + more
    process = start(backend, code + "print(1, flush=True)\nwhile True: time.sleep(1)", place)
    assert process.stdout.read(1) == b"1"
    process.close()
    process.close()
    until = time.monotonic() + 10
    while _named(str(place)) and time.monotonic() < until:
        time.sleep(0.02)
    assert process.wait(10) == -9 and not _named(str(place))


def test_a_program_that_is_not_there_runs_nothing(backend: Backend) -> None:
    with closing(backend.start(["/no/such"], readable=(), limits=Limits())) as process:
        assert process.stdout.read() == b"" and process.wait(10) == 127


@pytest.mark.parametrize(
    ("folder", "message"),
    [(ROOT, "tests and solutions"), (ROOT.parent, "tests and"), ("gone", "is not there")],
)
def test_what_is_not_shown(backend: Backend, place: Path, folder: str, message: str) -> None:
    """The repository and what holds it, and what is not there."""
    with pytest.raises(ValueError, match=message):
        start(backend, "1", readable=[place / folder])


def _named(mark: str) -> list[str]:
    """Processes with this on their command line, but for this one."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if mark in path.read_text(errors="replace"):
                found.append(path.parent.name)
        except OSError:
            continue
    return found
