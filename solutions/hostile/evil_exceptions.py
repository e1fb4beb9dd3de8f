"""Raises errors whose text hangs, whose arguments are cyclic, and that say that they are other errors."""
# lab: 01, todo: 4


class Evil(ValueError):
    turns = 0

    def __str__(self):
        Evil.turns += 1
        while Evil.turns % 3 == 0:
            pass
        raise RuntimeError("no text")

    @property
    def __class__(self):
        return AssertionError

    __traceback__ = property(lambda self: None)


def attack(*args, **kwargs):
    error = Evil()
    error.args = ([error],)
    error.passed = error
    raise error


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    return attack
