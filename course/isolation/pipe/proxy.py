"""The test's end of the pipe: an object with the attributes of a student's module, which runs elsewhere."""

import time
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from course.isolation.pipe.objects import Handle, refuse_private
from course.isolation.pipe.session import PipeSession, trusted_worker
from course.isolation.pipe.wire import PipeError
from course.isolation.process import Process
from course.student.core.candidate import Candidate
from course.student.core.catalog import ROOT, Lab
from course.student.core.timeouts import TIMEOUT, Stopwatch, TimeLimit

if TYPE_CHECKING:
    from course.isolation.sandbox import Sandbox


class PipedLab(Candidate):
    """A student's module in a worker process: ``lab.advance(fsm, 0, "0x")`` runs there, and only data comes back.

    Args:
        lab: the lab under test.
        files: the student's file of each lab number that has one.
        seconds: of processor time, for one test; 0 for no limit.
        sandbox: what confines the worker; None for nothing.

    A worker serves one test after another. If it ends, or is ended, that test fails, and the next
    ``begin_test`` makes room for a new one. A file that failed to load is not tried again.
    """

    def __init__(
        self,
        lab: Lab,
        files: Mapping[int, Path],
        *,
        seconds: float = TIMEOUT,
        sandbox: "Sandbox | None" = None,
    ) -> None:
        self._lab, self._files = lab, dict(files)
        self._seconds, self._sandbox = seconds, sandbox
        self._session: PipeSession | None = None
        self._failure: BaseException | None = None
        self._watch: Stopwatch | None = None
        self._functions: dict[str, Handle] = {}
        self._in_place = False

    def load(self) -> PipeSession:
        """Return the worker that has loaded the file, started unless it is there; raise what the file raised."""
        if self._failure is not None:
            raise self._failure
        if self._session is not None:
            return self._session
        spent = self._watch.spent() if self._watch else (0.0, 0.0)
        process: Process
        if self._sandbox is not None:
            process, wanted = self._sandbox.start(self._lab, self._files)
        else:
            files = {number: str(path) for number, path in self._files.items()}
            wanted = {"number": self._lab.number, "folder": str(self._lab.folder), "files": files}
            own = self._files[self._lab.number].parent  # a submission's files must not end up in the course
            process = trusted_worker(None if own.is_relative_to(ROOT) else own)
        session = PipeSession(process, self._seconds)
        try:
            session.request("load", wanted, f"loading {Path(self._files[self._lab.number]).name}")
        except BaseException as error:
            session.end()
            if hasattr(error, "__student_trace__") or isinstance(error, (PipeError, TimeLimit)):
                self._failure = error
            raise
        self._session = session
        self.set_in_place(self._in_place)
        if self._watch is not None:  # loading has a limit of its own
            self._watch.restart(*spent)
        session.renew(self._watch)
        return session

    def begin_test(self, seconds: float | None = None) -> None:
        """Start the clock and the count of bytes anew, with a new worker if the last one is gone.

        Args:
            seconds: the limit of this test, where it is not that of the others; 0 for none.
        """
        limit = self._seconds if seconds is None else seconds
        if self._session is not None and self._session.ended is not None:
            self.close()
        watch = None
        if limit:
            watch = Stopwatch(limit, lambda: self._session.processor_time() if self._session else time.thread_time())
        self._renew(watch)

    def set_in_place(self, in_place: bool) -> None:
        """Let the next calls change the test's own arguments, or copies."""
        self._in_place = in_place
        if self._session is not None:
            self._session.in_place = in_place

    def end_test(self) -> None:
        """Stop the clock. The worker forgets the objects of the test, and keeps its functions."""
        self._renew(None)

    def _renew(self, watch: Stopwatch | None) -> None:
        self._watch = watch
        if self._session is not None:
            self._session.renew(watch)

    def __getattr__(self, name: str) -> Any:
        refuse_private(name)
        session = self.load()
        if name in self._functions:
            return self._functions[name]
        value = session.ask("get", None, name)
        if isinstance(value, Handle):
            self._functions[name] = value
            session.peer.table.keep(value)
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
