"""Lifts its own limits, and those of the process next to it."""
# lab: 01, todo: 1

import resource

for name in ("CPU", "AS", "NPROC", "NOFILE", "FSIZE"):
    kind = getattr(resource, "RLIMIT_" + name)
    before = resource.getrlimit(kind)
    try:
        resource.setrlimit(kind, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    except (OSError, ValueError):
        pass
    if resource.getrlimit(kind)[1] != before[1]:
        raise RuntimeError("@token@ lifted its limit " + name)
try:
    resource.prlimit(int("@neighbour@"), resource.RLIMIT_CPU, (1, 1))
except (OSError, ValueError):
    pass
else:
    raise RuntimeError("@token@ set a limit of its neighbour")
