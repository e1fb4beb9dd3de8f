"""Raises the errors by which the grader says that time is up or that a process has ended."""
# lab: 02, todo: 1, sample

from course.isolation.pipe.wire import WorkerEnded
from course.student.core.timeouts import TimeLimit

CALLS = []


def advance(fsm, state, text):
    """Raise one of them after the other."""
    CALLS.append(text)
    kind = (TimeLimit, WorkerEnded)[len(CALLS) % 2]
    raise kind("stopped after 10 s of processor time: the grader is too slow")
