"""Returns lists and dicts that contain themselves."""
# lab: 01


def attack(*args, **kwargs):
    cycle = []
    cycle += [cycle, {"again": cycle}]
    return cycle


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    return attack
