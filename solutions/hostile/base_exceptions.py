"""Raises exceptions that are no Exception, and those by which generators end, to upset the grader's own code."""
# lab: 01


class Odd(BaseException):
    pass


KINDS = [GeneratorExit, StopIteration, StopAsyncIteration, Odd, MemoryError, RecursionError]


def attack(*args, **kwargs):
    KINDS.append(KINDS.pop(0))
    raise KINDS[-1]("passed")


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    return attack
