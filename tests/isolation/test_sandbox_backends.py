"""Every sandbox that this machine offers, tried with small programs. What a machine lacks, its tests do not have."""

import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from course.isolation import sandbox
from course.isolation.sandbox import Backend, Limits, Process, machine
from course.student.core.catalog import ROOT

OFFERED = {backend.name: backend for backend in sandbox.available()}
Run = Callable[..., tuple[str, int]]


@pytest.fixture(params=list(OFFERED))
def backend(request: pytest.FixtureRequest) -> Backend:
    return OFFERED[request.param]


@pytest.fixture
def place() -> Iterator[Path]:
    with TemporaryDirectory(prefix="course-test-") as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)


def start(backend: Backend, code: str, *words: object, readable: Sequence[Path] = (), **limits: float) -> Process:
    most = Limits(**{"wall_s": 60.0, **limits})  # type: ignore[arg-type]
    argv = [*machine.python(), "-c", code, *map(str, words)]
    return backend.start(argv, readable=readable, limits=most)


@pytest.fixture
def run(backend: Backend) -> Run:
    """Runs a program to its end: what it prints, and its status."""

    def run(code: str, *words: object, **options: object) -> tuple[str, int]:
        with start(backend, code, *words, **options) as process:  # type: ignore[arg-type]
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
    with start(backend, code) as process:
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


def test_nothing_else_can_be_read(run: Run, place: Path) -> None:
    secret = place / "secret"
    secret.write_text("hidden")
    lab = ROOT / "labs" / "lab_01_naive_matching"
    paths = [secret, lab / "test_lab.py", lab / "solution.py", ROOT / "README.md", "/etc/passwd", "/proc/1/cmdline"]
    said, _ = run(TRY + "for path in sys.argv[1:]: attempt('r', lambda: open(path).read())", *paths)
    assert len(said.splitlines()) == len(paths) and "done" not in said


def test_folders_outside_are_not_listed(run: Run, place: Path) -> None:
    (place / "secret").touch()
    code = "import os\nfor path in sys.argv[1:]: attempt('l', os.listdir, path)"
    said, _ = run(TRY + code, place, ROOT, "/tmp", "/proc")
    assert all(name not in said for name in ("secret", "labs", "README", "self"))


def test_nothing_can_be_written_outside(run: Run, place: Path) -> None:
    place.joinpath("open").mkdir()
    place.joinpath("open").chmod(0o777)
    run(TRY + "for path in sys.argv[1:]: attempt('w', open, path + '/made', 'w')", place / "open", place)
    assert not list(place.joinpath("open").iterdir()) and not place.joinpath("made").exists()


@pytest.mark.parametrize("call", ["chmod", "utime", "truncate", "setxattr"])
def test_metadata_of_others_files_stays(run: Run, place: Path, call: str) -> None:
    path = place / "mine"
    path.write_text("text")
    path.chmod(0o666)
    before = path.stat()
    arguments = {"chmod": "0", "utime": "(1, 1)", "truncate": "0", "setxattr": "'user.x', b'1'"}[call]
    said, _ = run(TRY + f"import os; attempt('m', lambda: os.{call}(sys.argv[1], {arguments}))", path)
    assert "done" not in said
    assert (path.stat().st_mode, path.stat().st_mtime, path.read_text()) == (before.st_mode, before.st_mtime, "text")


def test_inside_it_can_write_to_its_own_folder_alone(backend: Backend, run: Run) -> None:
    """Its working directory is its home and its place for temporary files, private, and gone when it has ended."""
    code = "import os, tempfile as t, pathlib as p; t.mkstemp(); print(os.getcwd(), t.gettempdir(), p.Path.home())"
    said, _ = run(code)
    assert len({*said.split()}) == 1 and not Path(said.split()[0]).exists()
    folders = ("/", "/tmp/", "/dev/", "/dev/shm/", "/confine/", f"{Path(said.split()[0]).parent}/")
    code = TRY + "for folder in sys.argv[1:]: attempt('w', lambda: open(folder + 'made', 'w').write('x' * 9000))"
    said, _ = run(code, *folders)
    assert len(said.splitlines()) == len(folders) and "done" not in said


@pytest.mark.parametrize(
    ("attempts", "code"),
    [
        (5, "import socket; [attempt(k, socket.socket, *k) for k in ((1, 1), (1, 2), (2, 1), (2, 2), (10, 1))]"),
        (1, "import os; attempt('fork', os.fork)"),
        (1, "import subprocess; attempt('process', subprocess.Popen, [sys.executable])"),
        (1, "import resource as r; attempt('limit', r.setrlimit, r.RLIMIT_CPU, (r.RLIM_INFINITY, r.RLIM_INFINITY))"),
        (1, "import ctypes as c, os; attempt('ptrace', lambda: 1 / (1 + c.CDLL(None).ptrace(16, os.getppid() or 1)))"),
    ],
    ids=["sockets", "fork", "process", "limits", "ptrace"],
)
def test_what_is_refused(run: Run, attempts: int, code: str) -> None:
    said, _ = run(TRY + code)
    assert len(said.splitlines()) == attempts and "done" not in said


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
        ("import ctypes; ctypes.string_at(0)", {}, -11),
    ],
    ids=["memory", "processor", "time", "files", "a large file", "disk", "many files", "deep", "crash"],
)
def test_what_is_limited_and_how_a_crash_looks(run: Run, code: str, limits: dict[str, float], status: int) -> None:
    assert run(code, **limits)[1] == status


def test_a_server_of_the_machine_is_out_of_reach(run: Run) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.setblocking(False)
        run(f"import socket; socket.create_connection(('127.0.0.1', {server.getsockname()[1]}), 1)")
        with pytest.raises(BlockingIOError):
            server.accept()


def test_threads_up_to_the_limit_and_no_processes(run: Run) -> None:
    code = "import os, threading as t, time\nattempt('f', os.fork)\n"
    code += "for i in range(9): attempt(f't{i}', t.Thread(target=time.sleep, args=(1,)).start)"
    said, _ = run(TRY + code, processes=4)
    assert "t1 done" in said and "t4 done" not in said and "f done" not in said


def test_no_signal_reaches_others_and_its_own_do(run: Run) -> None:
    with subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"], start_new_session=True) as other:
        code = "import os\nfor pid in (int(sys.argv[1]), -int(sys.argv[1]), os.getppid()):\n"
        said, _ = run(TRY + code + "    if pid: attempt('k', os.kill, pid, 9)\n", other.pid)
        alive = other.poll() is None
        other.kill()
    assert alive and "done" not in said
    assert run("import os; os.kill(os.getpid(), 10)")[1] == -10


def test_two_slots_are_two_users_and_none_is_root_where_there_are_spare_ones(backend: Backend) -> None:
    users = []
    for slot in (0, 1):
        argv = [*machine.python(), "-c", "import os; print(os.getuid(), os.getgid(), os.getgroups())"]
        with backend.start(argv, readable=(), limits=Limits(), slot=slot) as process:
            users.append(process.stdout.read())
    assert (users == [b"60600 60600 []\n", b"60601 60601 []\n"]) == ("spare user" in backend.describe())


def test_output_is_kept_up_to_its_limit_and_never_waits(backend: Backend) -> None:
    code = "import sys\nfor i in range(300): sys.stderr.write('x' * 10_000)\nprint('through')"
    with start(backend, code, output_bytes=5000) as process:
        assert process.stdout.read() == b"through\n"
        process.wait(10)
        process.close()
        assert process.said() == "x" * 5000


def test_closing_ends_it_whatever_it_does(backend: Backend, place: Path) -> None:
    code = "import signal, time\nfor n in (1, 2, 3, 15): signal.signal(n, signal.SIG_IGN)\nprint(1, flush=True)\n"
    process = start(backend, code + "while True: time.sleep(1)", place)
    assert process.stdout.read(1) == b"1"
    process.close()
    process.close()
    until = time.monotonic() + 10
    while _named(str(place)) and time.monotonic() < until:
        time.sleep(0.02)
    assert process.poll() == -9 and not _named(str(place))


def test_a_program_that_is_not_there_runs_nothing(backend: Backend) -> None:
    with backend.start(["/no/such"], readable=(), limits=Limits()) as process:
        assert process.stdout.read() == b"" and process.wait(10) == 70
        process.close()
        assert "No such file" in process.said()


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
