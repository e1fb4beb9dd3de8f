"""Raises exceptions that are no Exception, and those by which generators, programs and runs end."""
# lab: 01


class Odd(BaseException):
    pass


KINDS = [GeneratorExit, StopIteration, StopAsyncIteration, Odd, MemoryError, RecursionError]
KINDS += [SystemExit, KeyboardInterrupt]


def attack(*args, **kwargs):
    KINDS.append(KINDS.pop(0))
    raise KINDS[-1](0)  # some runners take SystemExit(0) for success


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    return attack
