"""Raises the errors by which the grader says that time is up, that a process has ended, or that nothing is there."""
# lab: 02, todo: 1, sample

from course.isolation.pipe.wire import WorkerEnded
from course.student.core.timeouts import TimeLimit

CALLS = []


class MissingFunction(AssertionError, AttributeError):
    __module__ = "course.student.core.candidate"


def advance(fsm, state, text):
    """Raise one of them after the other."""
    CALLS.append(text)
    kind = (TimeLimit, WorkerEnded, MissingFunction)[len(CALLS) % 3]
    raise kind("stopped after 10 s of processor time: the grader is too slow")
