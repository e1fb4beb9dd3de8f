"""Never returns."""
# lab: 01, todo: 2


def attack(*args, **kwargs):
    while True:
        pass


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    return attack
