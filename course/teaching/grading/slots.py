"""Slots: each grading process on a machine has a number of its own, and with it, under root, a user of its own."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from course.isolation.sandbox.machine import SLOTS

_FIRST = 32
"""Lower slots are for runs by hand: ``pytest --sandbox-slot``."""


@contextmanager
def leased() -> Iterator[int]:
    """Yield a slot that no other grading process of this user has.

    The process that runs the block holds the lock: it keeps its slot even where the grader that started it is killed.

    Raises:
        RuntimeError: if all are taken.
    """
    import fcntl  # Windows has none, and no grader

    folder = _folder()
    for slot in range(_FIRST, SLOTS):
        file = os.open(folder / str(slot), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            with suppress(BlockingIOError):
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                yield slot
                return
        finally:
            os.close(file)
    raise RuntimeError(f"{SLOTS - _FIRST} graders are at work on this machine already (locks in {folder})")


def _folder() -> Path:
    """Return a folder of this user's alone, the same for all graders.

    Raises:
        RuntimeError: if somebody else made it first.
    """
    folder = Path(tempfile.gettempdir()) / f"course-slots-{os.getuid()}"
    with suppress(FileExistsError):
        folder.mkdir(0o700)
    state = folder.lstat()
    if state.st_uid != os.getuid() or not folder.is_dir() or folder.is_symlink() or state.st_mode & 0o022:
        raise RuntimeError(f"{folder} is not this user's own folder: remove it")
    return folder
