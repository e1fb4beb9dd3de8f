"""Raises an error of a class that only calls itself the course's own."""
# lab: 01


class MissingFunction(AssertionError, AttributeError):
    __module__ = "course.student.core.candidate"


class WorkerEnded(Exception):
    __module__ = "course.isolation.pipe.wire"


def attack(*args, **kwargs):
    raise (MissingFunction if len(args) == 2 else WorkerEnded)("passed")


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    return attack
