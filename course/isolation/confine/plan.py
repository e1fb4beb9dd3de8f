"""What is to be done to a process before it becomes the untrusted program."""

import json
from dataclasses import asdict, dataclass


@dataclass(frozen=True)
class Plan:
    """The steps, as data: a plan travels on a command line.

    Attributes:
        argv: the program and its arguments.
        environment: its whole environment.
        readable: paths of files and folders that it may read.
        scratch: its working directory.
        own_root: whether to make namespaces, and a private root file system in them.
        own_user_namespace: whether that takes a user namespace; root may do without.
        writes: whether ``scratch`` becomes a private file system, to which it may write.
        landlock: whether to apply Landlock.
        uid: the user and group to become; None for the present ones.
        info_fd: a descriptor to which the number of the namespace's first process is written; 0 for none.
        processes, files, file_bytes, memory_bytes, cpu_s: limits, as in ``course.isolation.sandbox.limits``.
    """

    argv: tuple[str, ...]
    environment: dict[str, str]
    readable: tuple[str, ...]
    scratch: str
    processes: int
    files: int
    file_bytes: int
    memory_bytes: int
    cpu_s: int
    own_root: bool = False
    own_user_namespace: bool = False
    writes: bool = False
    landlock: bool = True
    uid: int | None = None
    info_fd: int = 0

    def dumps(self) -> str:
        """Return the plan as JSON, which ``steps.main`` reads."""
        return json.dumps(asdict(self))
