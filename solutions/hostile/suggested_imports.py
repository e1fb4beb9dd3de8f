"""Raises errors for which Python looks for suggestions: in a module that it imports for that, and in an object."""
# lab: 01

NAMES = ["antigravity", "test.autotest", "labs.lab_01_naive_matching.solution", "idlelib.__main__"]


def attack(*args, **kwargs):
    NAMES.append(NAMES.pop(0))
    error = ImportError("attack", name=NAMES[-1])
    error.__dict__ |= {"name_from": "matcher", "obj": attack, "msg": "attack", "path": NAMES[-1]}
    if len(NAMES[-1]) % 2:
        error = AttributeError("attack", name="appendd", obj=attack)
        error.__dict__ |= {"obj": [attack], "name": "appendd"}
    raise error


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    return attack
