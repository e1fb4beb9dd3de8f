"""Raises errors whose text hangs, that lie about their class, or that Python shows by importing and searching."""
# lab: 01, todo: 3

from labkit.errors import InvalidPattern, NoLegalToken


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


def cyclic():
    error = Evil()
    error.args, error.passed = ([error],), error
    return error


def suggesting():
    error = ImportError("attack", name="antigravity")
    error.__dict__ |= {"name_from": "matcher", "obj": attack, "path": "test.autotest"}
    return error


MAKERS = [
    cyclic,
    suggesting,
    lambda: InvalidPattern("no such escape", "a\\q", None),
    lambda: NoLegalToken(b"70", None),
    lambda: SyntaxError(None, (None, "1", [], 0)),
    lambda: UnicodeDecodeError("utf-8", b"", -5, 1 << 30, ""),
]


def attack(*args, **kwargs):
    MAKERS.append(MAKERS.pop(0))
    raise MAKERS[-1]()
