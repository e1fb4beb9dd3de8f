"""The running program: its place in the grid, and its loads and stores."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np

from labkit.gpu.counts import Launch, Place, Traffic
from labkit.gpu.tensors import Pointer
from labkit.gpu.values import Values

_RUBBISH = 0xA5
"""Every byte of a lane that a load leaves out: conspicuous as int32 (-1515870811) and as float32 (-2.87e-16)."""


@dataclass(frozen=True)
class RunningProgram:
    """One program of a launch."""

    number: int
    place: Place
    launch: Launch

    def load(self, pointer: Pointer, active: Any) -> Values:
        """Return the values at the active places, and garbage for the others."""
        buffer, index = pointer.buffer, pointer.index[active]
        found = buffer.load(index, self.number, self.place)
        self.launch.note(self.place, buffer.name, Traffic(loads=index.size, bytes_loaded=index.size * buffer.itemsize))
        values = np.frombuffer(bytes([_RUBBISH]) * (found.itemsize * pointer.index.size), found.dtype).copy()
        values = values.reshape(pointer.shape)
        values[active] = found
        return values

    def store(self, pointer: Pointer, values: Values, active: Any) -> None:
        """Write values to the active places."""
        buffer, index = pointer.buffer, pointer.index[active]
        buffer.store(index, values[active], self.number, self.place)
        self.launch.note(self.place, buffer.name, Traffic(stores=index.size, bytes_stored=index.size * buffer.itemsize))


_stack: list[RunningProgram] = []


def is_running() -> bool:
    """Return whether a program is running."""
    return bool(_stack)


def current() -> RunningProgram:
    """Return the running program.

    Raises:
        RuntimeError: outside a kernel.
    """
    if not _stack:
        raise RuntimeError("this is part of a kernel's language, and no kernel runs: launch one as kernel[grid](...)")
    return _stack[-1]


@contextmanager
def running(program: RunningProgram) -> Iterator[None]:
    """Make a program the running one inside the block."""
    _stack.append(program)
    try:
        yield
    finally:
        _stack.pop()
