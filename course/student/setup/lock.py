"""One process at a time may change ``.venv``: ``make -j demo test``, or two terminals."""

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

if sys.platform == "win32":
    import msvcrt

    def _take(handle: int) -> None:
        msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)

else:
    import fcntl

    def _take(handle: int) -> None:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)


@contextmanager
def locked(path: Path, on_wait: Callable[[], None], pause: float = 0.2) -> Iterator[int]:
    """Hold the lock on `path` for a block; the system lets go of it when the holder dies, however it dies.

    The handle is given to the processes started in the block, so that an installer that outlives a
    killed parent still keeps others out. `on_wait` is called once, if there is somebody to wait for.
    """
    handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
    try:
        os.set_inheritable(handle, True)
        _wait_for(handle, on_wait, pause)
        yield handle
    finally:
        os.close(handle)


def _wait_for(handle: int, on_wait: Callable[[], None], pause: float) -> None:
    told = False
    while not _taken(handle):
        if not told:
            on_wait()
            told = True
        time.sleep(pause)


def _taken(handle: int) -> bool:
    try:
        _take(handle)
    except (BlockingIOError, PermissionError):
        return False
    except OSError:
        return True  # a file system without locks: better to go on without than not at all
    return True
