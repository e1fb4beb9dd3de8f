"""Naming the known mistake whose answers the file under test gives, once for each TODO."""

from course.student.core.candidate import Candidate
from course.student.core.catalog import Lab
from course.student.core.fingerprints import Misconception, recognise
from course.student.core.timeouts import TimeLimit, time_limit
from course.student.core.trace import student_trace

_SECONDS = 2.0
"""How long the search may take."""


class KnownMistakes:
    """Looks each TODO up when its first test fails."""

    def __init__(self) -> None:
        self._asked: set[tuple[int, int]] = set()
        self.found: dict[tuple[int, int], Misconception] = {}
        """The known mistakes by lab and TODO."""

    def say(self, candidate: Candidate, lab: Lab, todo: int) -> str:
        """Return two lines about the mistake, for the end of a failure message; empty if unknown, or said before."""
        if (lab.number, todo) in self._asked:
            return ""
        self._asked.add((lab.number, todo))
        found = _recognise(candidate, lab, todo)
        if found is None:
            return ""
        self.found[lab.number, todo] = found
        return (
            f"\nYour function answers like a known mistake: {found.mistake}\n"
            f"Hint {found.hint} is about it: python -m course hint {lab.number:02}.{todo} --all"
        )


def _recognise(candidate: Candidate, lab: Lab, todo: int) -> Misconception | None:
    candidate.begin_test()
    try:
        with time_limit(_SECONDS):
            return recognise(candidate, lab, todo)
    except BaseException as error:
        # Of a KeyboardInterrupt only a trace from another process can tell: then nobody pressed a key.
        inside = not isinstance(error, KeyboardInterrupt) and student_trace(error).frames
        if inside or hasattr(error, "__student_trace__") or isinstance(error, TimeLimit):
            return None
        raise
    finally:
        candidate.end_test()
