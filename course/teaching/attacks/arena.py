"""What one hostile submission may harm: secrets, files, a neighbouring process and servers, made for it alone."""

import os
import secrets
import socket
import subprocess
import sys
import tempfile
from contextlib import ExitStack, suppress
from pathlib import Path

from course.student.core.catalog import ROOT

_OPEN_FOLDERS = ("/tmp", "/var/tmp", "/dev/shm", "/run", "/run/lock", "/", "/root", "/home")
_REST = "import os, sys, time\nwhile os.getppid() == int(sys.argv[1]): time.sleep(1)"
"""The neighbour sleeps until its parent ends it, or has ended."""


class Arena:
    """The environment of one submission: made before it is graded, examined afterwards.

    Attributes:
        token: what a submission reports where it got at something; nothing else has it.
        values: what the submission is told about the environment.
    """

    def __init__(self) -> None:
        self._stack = ExitStack()
        self.folder = Path(self._stack.enter_context(tempfile.TemporaryDirectory(prefix="course-selftest-"))).resolve()
        self.folder.chmod(0o755)
        self.token, self.mark, self.secret = (secrets.token_hex(12) for _ in range(3))
        self.key = secrets.randbelow(1 << 30) + 1
        self._other = self._file("other/starter.py", f"SECRET = '{self.secret}'\n")
        self._tests = self._file("repository/test_lab.py", "def test(): assert True\n")
        self._secret = self._file("secret", self.secret, 0o600)
        self.shared = self.folder / "shared"
        self.shared.mkdir()
        self.shared.chmod(0o777)
        self._neighbour = subprocess.Popen([sys.executable, "-c", _REST, str(os.getpid())], start_new_session=True)
        self._before = (os.getpriority(os.PRIO_PROCESS, self._neighbour.pid), os.sched_getaffinity(self._neighbour.pid))
        self._servers = self._listen()
        self._files = self._states()
        self.values = self._values()

    def __enter__(self) -> "Arena":
        return self

    def __exit__(self, *exc_info: object) -> None:
        self._neighbour.kill()
        self._neighbour.wait()
        for server in self._servers.values():
            server.close()
        self._stack.close()

    def _file(self, name: str, text: str, mode: int = 0o644) -> Path:
        path = self.folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
        path.chmod(mode)
        return path

    def _listen(self) -> dict[str, socket.socket]:
        servers = {
            "tcp": socket.create_server(("127.0.0.1", 0)),
            "udp": socket.socket(socket.AF_INET, socket.SOCK_DGRAM),
            "abstract": socket.socket(socket.AF_UNIX),
            "socket": socket.socket(socket.AF_UNIX),
        }
        servers["udp"].bind(("127.0.0.1", 0))
        servers["abstract"].bind(f"\0{self.mark}")
        servers["socket"].bind(str(self.folder / "socket"))
        (self.folder / "socket").chmod(0o777)
        for name, server in servers.items():
            server.setblocking(False)
            if name != "udp":
                server.listen()
        return servers

    def _values(self) -> dict[str, str]:
        return {
            "token": self.token,
            "mark": self.mark,
            "marked": f"{self.shared}/harm-{self.mark}",
            "secret": self.secret,
            "secret_file": str(self._secret),
            "other_submission": str(self._other),
            "tests": str(self._tests),
            "shared_folder": str(self.shared),
            "repository": str(ROOT),
            "home": str(Path.home()),
            "neighbour": str(self._neighbour.pid),
            "tcp": str(self._servers["tcp"].getsockname()[1]),
            "udp": str(self._servers["udp"].getsockname()[1]),
            "abstract": self.mark,
            "socket": str(self.folder / "socket"),
            "key": str(self.key),
        }

    def _states(self) -> dict[Path, object]:
        """Return content and metadata of the files that no submission may touch."""
        found: dict[Path, object] = {}
        for path in (self._other, self._tests, self._secret, self._other.parent, self._tests.parent):
            with suppress(OSError):
                status = path.stat()
                content = path.read_bytes() if path.is_file() else sorted(os.listdir(path))  # noqa: PTH208
                found[path] = (content, status.st_mode, status.st_uid, status.st_mtime_ns, os.listxattr(path))
        return found

    def harm(self) -> list[str]:
        """Return what has come to harm, in words."""
        now = self._states()
        changed = [f"{path.name} changed" for path, state in self._files.items() if now.get(path) != state]
        reached = [f"{name} server reached" for name, server in self._servers.items() if _was_reached(server)]
        return [*self._harmed_process(), *changed, *reached, *self._left_behind()]

    def _harmed_process(self) -> list[str]:
        pid = self._neighbour.pid
        if self._neighbour.poll() is not None:
            return ["neighbour killed"]
        found = [] if "\nState:\tT" not in Path(f"/proc/{pid}/status").read_text() else ["neighbour stopped"]
        now = (os.getpriority(os.PRIO_PROCESS, pid), os.sched_getaffinity(pid))
        return [*found, *(["neighbour slowed"] if now != self._before else [])]

    def _left_behind(self) -> list[str]:
        """Find files by their names, shared memory by its key."""
        found = []
        for folder in {*map(Path, _OPEN_FOLDERS), Path.home(), ROOT, Path.cwd(), self.shared}:
            with suppress(OSError):
                found += [f"{path} written" for path in folder.iterdir() if self.mark in path.name]
        for kind in ("shm", "msg", "sem"):
            with suppress(OSError):
                lines = Path(f"/proc/sysvipc/{kind}").read_text().splitlines()
                found += [f"shared {kind} left" for line in lines if line.split()[:1] == [str(self.key)]]
        return found

    def survivors(self, *marks: str) -> list[str]:
        """Return the processes that still have one of the marks, or this arena's, on their command lines."""
        found = []
        for folder in Path("/proc").glob("[0-9]*"):
            with suppress(OSError):
                words = (folder / "cmdline").read_bytes().decode("utf-8", "replace")
                if any(mark in words for mark in (self.mark, *marks)):
                    found.append(f"{folder.name}: {words.replace(chr(0), ' '):.60}")
        return found


def _was_reached(server: socket.socket) -> bool:
    try:
        if server.type == socket.SOCK_DGRAM:
            server.recv(100)
        else:
            server.accept()[0].close()
    except BlockingIOError:
        return False
    return True
