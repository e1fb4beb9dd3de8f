"""``pytest --as-graded``: a student's file under the grader's rules, so that surprises come before the deadline.

It is read as a submission, runs in a sandbox if this computer has one, on the references of earlier labs, and within
the grader's limits. Only points are missing: those take the reference.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from _pytest.terminal import TerminalReporter

from course.isolation import rules, sandbox
from course.isolation.piped import Piped
from course.isolation.sandbox import Sandbox
from course.isolation.sandbox.stage import write_beside
from course.isolation.submitted import FILE, Submission, read_file, with_helpers
from course.student.core.candidate import Candidate
from course.student.core.catalog import Lab, edition
from course.student.run.settings import SETTINGS


class AsGraded(Piped):
    """The plugin of one run: each lab's file is a submission, with a sandbox and a time of its own."""

    def __init__(self) -> None:
        super().__init__()
        self._backend = next(iter(sandbox.available()), None)
        self._submissions: dict[Lab, Submission] = {}
        self._folder = TemporaryDirectory(prefix="course-as-graded-")

    @pytest.hookimpl(trylast=True)
    def pytest_configure(self, config: pytest.Config) -> None:
        """Read the files; one that would get no points ends the run here."""
        settings = config.stash[SETTINGS]
        for lab in settings.labs:
            if file := settings.implementation.file_of(lab):
                self._submissions[lab] = one = submitted(lab, file)
                if one.problem:
                    raise pytest.UsageError(f"as graded, {file} gets 0 points: {one.problem}")
        if not self._submissions:
            raise pytest.UsageError("--as-graded needs a lab, and a file of yours: course test 02 --as-graded")
        how = f"as graded, in {self._backend.name}" if self._backend else "as graded, but without a sandbox"
        chain, seconds = settings.chain and edition() == "closed", rules.TEST_S
        config.stash[SETTINGS] = replace(settings, chain=chain, seconds=seconds)
        self.configure(config, how)

    def _piped(self, lab: Lab, files: Mapping[int, Path], chain: bool, seconds: float) -> Candidate:
        one = self._submissions[lab]
        file = Path(self._folder.name, f"{lab.number:02}", FILE)
        file.parent.mkdir()
        write_beside(file, {FILE: one.text or "", **dict(one.beside)})
        self._sandbox = Sandbox(self._backend, rules.limits(), beside=dict(one.beside)) if self._backend else None
        self._watch = rules.stopwatch(rules.TOTAL_S, self._sandbox)
        return super()._piped(lab, {**files, lab.number: file}, chain, seconds)

    def pytest_terminal_summary(self, terminalreporter: TerminalReporter) -> None:
        """Say what to submit, and what this computer could not try."""
        for line in self._says():
            terminalreporter.write_line(line, bold=True)

    def _says(self) -> Iterator[str]:
        for lab, one in self._submissions.items():
            names = [FILE, *(name for name, _ in one.beside)]
            together = f"submit {', '.join(names)} together, in one folder" if one.beside else f"submit {FILE} alone"
            yield "; ".join(filter(None, (f"{lab.label}: {together}", one.note)))
        if self._backend is None:
            why = "; ".join(f"{backend.name}: {backend.why_not}" for backend in sandbox.backends())
            yield f"No sandbox holds files, imports and processes here as the grader does ({why})."

    @pytest.hookimpl(trylast=True)
    def pytest_unconfigure(self) -> None:
        """Remove the files."""
        super().pytest_unconfigure()
        self._folder.cleanup()


def submitted(lab: Lab, file: Path) -> Submission:
    """Return a student's file as the grader would read it, with the files beside it that it imports."""

    def beside(name: str) -> Submission | None:
        path = file.with_name(name)
        return read_file("", path, name) if path.exists() else None

    return with_helpers(read_file("", file, file.name), lab, beside)
