"""Naming the known mistake that a file under test answers like, once for each TODO."""

from course.student.core.candidate import Candidate
from course.student.core.catalog import Lab
from course.student.core.fingerprints import Misconception, recognise
from course.student.core.timeouts import TimeLimit, time_limit
from course.student.core.trace import student_trace

_SECONDS = 2.0
"""How long the search may take."""


class KnownMistakes:
    """Looks each TODO up when its first test fails, and has nothing more to say about it afterwards."""

    def __init__(self) -> None:
        self._asked: set[tuple[int, int]] = set()
        self.found: dict[tuple[int, int], Misconception] = {}
        """The known mistakes by lab and TODO."""

    def say(self, candidate: Candidate, lab: Lab, todo: int) -> str:
        """Two lines about the mistake, to stand behind a failure's story; empty where it is not known, or was said."""
        if (lab.number, todo) in self._asked:
            return ""
        self._asked.add((lab.number, todo))
        found = _recognise(candidate, lab, todo)
        if found is None:
            return ""
        self.found[lab.number, todo] = found
        return (
            f"\nYour function answers like a known mistake: {found.story}\n"
            f"Hint {found.hint} is about it: python -m course hint {lab.number:02}.{todo} --all"
        )


def _recognise(candidate: Candidate, lab: Lab, todo: int) -> Misconception | None:
    candidate.begin_test()
    try:
        with time_limit(_SECONDS):
            return recognise(candidate, lab, todo)
    except BaseException as error:
        if isinstance(error, TimeLimit) or _is_the_students(error):
            return None
        raise
    finally:
        candidate.end_test()


def _is_the_students(error: BaseException) -> bool:
    """Whether the file under test raised it; of a KeyboardInterrupt only the pipe can tell: nobody pressed a key."""
    if hasattr(error, "__student_trace__"):
        return True
    return not isinstance(error, KeyboardInterrupt) and bool(student_trace(error).frames)
