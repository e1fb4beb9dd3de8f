"""What one hostile submission may harm: secrets, files, a neighbouring process and servers, made for it alone."""

import os
import secrets
import select
import socket
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack, suppress
from pathlib import Path

from course.student.core.catalog import ROOT

_OPEN_FOLDERS = ("/tmp", "/var/tmp", "/dev/shm", "/run", "/run/lock", "/", "/root", "/home")
_REST = "import os, sys, time\nwhile os.getppid() == int(sys.argv[1]): time.sleep(1)"
"""The neighbour sleeps until its parent ends it, or has ended."""

_LINGER_S = 2.0
"""Seconds that a killed process may take to be gone."""


class Arena(ExitStack):
    """The environment of one submission: made before it is graded, examined afterwards.

    Attributes:
        token: what a submission reports where it got at something; nothing else has it.
        values: what the submission is told about the environment.
    """

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(self.enter_context(tempfile.TemporaryDirectory(prefix="course-selftest-"))).resolve()
        self.folder.chmod(0o755)
        self.token, self.mark, self.secret = (secrets.token_hex(12) for _ in range(3))
        self.shared = self.folder / "shared"
        self.shared.mkdir()
        self.shared.chmod(0o777)
        for name, text, mode in (
            ("other/starter.py", f"SECRET = '{self.secret}'\n", 0o644),
            ("repository/test_lab.py", "def test(): assert True\n", 0o644),
            ("secret", self.secret, 0o600),
        ):
            path = self.folder / name
            path.parent.mkdir(exist_ok=True)
            path.write_text(text)
            path.chmod(mode)
        self._neighbour = subprocess.Popen([sys.executable, "-c", _REST, str(os.getpid())], start_new_session=True)
        self.callback(self._neighbour.wait)
        self.callback(self._neighbour.kill)
        self._servers = self._listen()
        self._key = str(secrets.randbelow(1 << 30) + 1)
        self._before = self._states(), self._priority()
        self.values = self._values()

    def _values(self) -> dict[str, str]:
        return {
            "token": self.token,
            "mark": self.mark,
            "marked": f"{self.shared}/harm-{self.mark}",
            "secret": self.secret,
            "secret_file": f"{self.folder}/secret",
            "other_submission": f"{self.folder}/other/starter.py",
            "tests": f"{self.folder}/repository/test_lab.py",
            "shared_folder": str(self.shared),
            "repository": str(ROOT),
            "home": str(Path.home()),
            "neighbour": str(self._neighbour.pid),
            "tcp": str(self._servers["tcp"].getsockname()[1]),
            "udp": str(self._servers["udp"].getsockname()[1]),
            "abstract": self.mark,
            "socket": f"{self.folder}/socket",
            "key": self._key,
        }

    def _listen(self) -> dict[str, socket.socket]:
        servers = {
            "tcp": socket.create_server(("127.0.0.1", 0)),
            "udp": socket.socket(socket.AF_INET, socket.SOCK_DGRAM),
            "abstract": socket.socket(socket.AF_UNIX),
            "socket": socket.socket(socket.AF_UNIX),
        }
        servers["udp"].bind(("127.0.0.1", 0))
        servers["abstract"].bind(f"\0{self.mark}")
        servers["socket"].bind(f"{self.folder}/socket")
        (self.folder / "socket").chmod(0o777)
        for name, server in servers.items():
            self.enter_context(server)
            if name != "udp":
                server.listen()
        return servers

    def _states(self) -> dict[str, object]:
        """Return content and metadata of the files that no submission may touch."""
        found: dict[str, object] = {}
        for name in ("other", "other/starter.py", "repository", "repository/test_lab.py", "secret"):
            path = self.folder / name
            with suppress(OSError):
                status = path.stat()
                content = path.read_bytes() if path.is_file() else sorted(os.listdir(path))  # noqa: PTH208
                found[path.name] = (content, status.st_mode, status.st_uid, status.st_mtime_ns, os.listxattr(path))
        return found

    def _priority(self) -> tuple[int, set[int]]:
        pid = self._neighbour.pid
        return os.getpriority(os.PRIO_PROCESS, pid), os.sched_getaffinity(pid)

    def harm(self) -> list[str]:
        """Return what has come to harm, in words."""
        (states, priority), now, found = self._before, self._states(), []
        if self._neighbour.poll() is not None:
            found.append("neighbour killed")
        else:
            if "\nState:\tT" in Path(f"/proc/{self._neighbour.pid}/status").read_text():
                found.append("neighbour stopped")
            if self._priority() != priority:
                found.append("neighbour slowed")
        found += [f"{name} changed" for name, state in states.items() if now.get(name) != state]
        reached, _, _ = select.select([*self._servers.values()], [], [], 0)  # a connection waits there, or a message
        found += [f"{name} server reached" for name, server in self._servers.items() if server in reached]
        return found + self._left_behind()

    def _left_behind(self) -> list[str]:
        """Find files by their names, shared memory by its key."""
        found = []
        for folder in {*map(Path, _OPEN_FOLDERS), Path.home(), ROOT, Path.cwd(), self.shared}:
            with suppress(OSError):
                found += [f"{path} written" for path in folder.iterdir() if self.mark in path.name]
        for kind in ("shm", "msg", "sem"):
            with suppress(OSError):
                lines = Path(f"/proc/sysvipc/{kind}").read_text().splitlines()
                found += [f"shared {kind} left" for line in lines if line.split()[:1] == [self._key]]
        return found

    def survivors(self) -> list[str]:
        """Return the processes with this arena on their command lines, when those being killed have had time to go."""
        until = time.monotonic() + _LINGER_S
        while True:
            found = []
            for folder in Path("/proc").glob("[0-9]*"):
                with suppress(OSError):
                    words = (folder / "cmdline").read_bytes().decode("utf-8", "replace")
                    if self.mark in words or str(self.folder) in words:
                        found.append(f"{folder.name}: {words.replace(chr(0), ' '):.60}")
            if not found or time.monotonic() > until:
                return found
            time.sleep(0.05)
