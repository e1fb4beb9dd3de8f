"""Returns objects whose repr, bool and len never end."""
# lab: 01, todo: 2


class Slow:
    def wait(self, *args):
        while True:
            pass

    __repr__ = __str__ = __bool__ = __len__ = __iter__ = __getitem__ = wait


def attack(*args, **kwargs):
    return Slow()


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    return attack
