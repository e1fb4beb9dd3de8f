"""The test's end of the pipe: an object with the attributes of a student's module, which runs elsewhere."""

import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from course.isolation.pipe.objects import Handle, refuse_private
from course.isolation.pipe.session import PlainProcess, Session
from course.isolation.pipe.wire import PipeError
from course.student.core.catalog import Lab
from course.student.core.timeouts import TIMEOUT, TimeLimit

if TYPE_CHECKING:
    from course.isolation.sandbox import Process, Sandbox

LAUNCHER = (sys.executable, "-P", "-m", "course.isolation.pipe.worker")
"""How a worker is started that nothing confines."""


class PipedLab:
    """A student's module in a worker process: ``lab.advance(fsm, 0, "0x")`` runs there, and only data comes back.

    Args:
        lab: the lab under test.
        files: the student's file of each lab number that has one.
        chain: whether earlier labs are the student's own files too.
        seconds: how long one test may run; 0 for no limit.
        launcher: the command that starts a worker which nothing confines.
        sandbox: what confines the worker, instead of a launcher.

    A worker serves one test after another. If it ends, or is ended, that test fails, and the next
    ``begin_test`` makes room for a new one. A file that failed to load is not tried again.
    """

    def __init__(
        self,
        lab: Lab,
        files: Mapping[int, Path],
        *,
        chain: bool = False,
        seconds: float = TIMEOUT,
        launcher: Sequence[str] | None = None,
        sandbox: "Sandbox | None" = None,
    ) -> None:
        self._doing = f"loading {Path(files[lab.number]).name}"
        self._lab, self._files, self._chain = lab, dict(files), chain
        self._seconds = seconds
        self._launcher = tuple(launcher or LAUNCHER)
        self._sandbox = sandbox
        self._session: Session | None = None
        self._failure: BaseException | None = None
        self._deadline: float | None = None
        self._functions: dict[str, Handle] = {}

    def load(self) -> None:
        """Start a worker and load the file in it, unless that is done; raise what the file raised."""
        self._loaded()

    def _loaded(self) -> Session:
        if self._failure is not None:
            raise self._failure
        if self._session is None:
            self._session = self._start()
        return self._session

    def _start(self) -> Session:
        begun = time.monotonic()
        process, wanted = self._start_worker()
        session = Session(process, self._seconds)
        try:
            session.load(wanted, self._doing)
        except BaseException as error:
            session.end()
            if hasattr(error, "__student_trace__") or isinstance(error, (PipeError, TimeLimit)):
                self._failure = error
            raise
        if self._deadline is not None:  # loading has a limit of its own
            self._deadline += time.monotonic() - begun
        session.deadline = self._deadline
        return session

    def _start_worker(self) -> tuple["PlainProcess | Process", dict[str, Any]]:
        """Return a process, and what to ask it to load."""
        if self._sandbox is not None:
            return self._sandbox.start(self._lab, self._files, chain=self._chain)
        files = {number: str(path) for number, path in self._files.items()}
        wanted = {"number": self._lab.number, "folder": str(self._lab.folder), "files": files, "chain": self._chain}
        return PlainProcess(self._launcher), wanted

    def begin_test(self) -> None:
        """Start the clock and the count of bytes anew, with a new worker if the last one is gone."""
        self._deadline = time.monotonic() + self._seconds if self._seconds else None
        if self._session is not None and self._session.ended is not None:
            self.close()
        self._renew()

    def end_test(self) -> None:
        """Stop the clock. The worker forgets the objects of the test."""
        self._deadline = None
        self._renew()

    def _renew(self) -> None:
        self._functions.clear()
        if self._session is not None:
            self._session.renew(self._deadline)

    def __getattr__(self, name: str) -> Any:
        refuse_private(name)
        session = self._loaded()
        if name in self._functions:
            return self._functions[name]
        value = session.ask("get", None, name)
        if isinstance(value, Handle):
            self._functions[name] = value
        return value

    def __setattr__(self, name: str, value: object) -> None:
        if not name.startswith("_"):
            raise AttributeError(f"{name} stays as the student wrote it; hand a function over as an argument instead")
        object.__setattr__(self, name, value)

    def close(self) -> None:
        """End the worker."""
        session, self._session = self._session, None
        self._functions.clear()
        if session is not None:
            session.end()

    def __enter__(self) -> "PipedLab":
        return self

    def __exit__(self, *exc_info: object) -> None:
        self.close()
