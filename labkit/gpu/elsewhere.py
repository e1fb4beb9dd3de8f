"""Launches whose programs run in one place and whose memory lies in another: a test's, when it does not trust the code.

The keeper of the memory decides which program runs, hands out single elements, and counts them. A program that runs
elsewhere, in another process perhaps, gets numbers and a function ``access``, and no array at all.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from labkit.gpu.arrays import Bfloat16
from labkit.gpu.counts import Launch, Place, Traffic
from labkit.gpu.memory import Index, KernelBuffer
from labkit.gpu.order import in_some_order
from labkit.gpu.values import Values

Access = Callable[..., Any]
"""``access("load", i, index)`` returns elements of argument i; ``access("store", i, index, values)`` writes some."""

MayTouch = Callable[[Place, str, Index], bool]
"""Whether a program may store to these elements of a buffer: by its place in the grid, and the buffer's name."""


class Far:
    """A buffer as its programs see it where the memory is not: every load and store is asked of its keeper.

    >>> far = Far("x_ptr", 0, 4, lambda doing, argument, index: np.arange(8, dtype=np.int32)[index])
    >>> far.load(np.array([2, 5]), program=0, place=(0,)).tolist()
    [2, 5]
    """

    def __init__(self, name: str, argument: int, itemsize: int, access: Access) -> None:
        self.name, self.itemsize = name, itemsize
        self._argument, self._access = argument, access

    def load(self, index: Index, program: int, place: Place) -> Values:
        """Return the elements at these places."""
        return np.asarray(self._access("load", self._argument, index))

    def store(self, index: Index, values: Values, program: int, place: Place) -> None:
        """Write elements."""
        self._access("store", self._argument, index, values)


def launch_elsewhere(
    step: Callable[..., Any], name: str, grid: Place, arguments: dict[str, Any], may_store: MayTouch | None = None
) -> Launch:
    """Launch a kernel's programs elsewhere, one after another; return what each of them moved.

    Args:
        step: runs one program: ``Kernel.step``, or what another process offers under that name.
        name: of the kernel.
        grid: how many programs there are along each axis.
        arguments: by parameter, in their order. Arrays are kept here, and written to in place.
        may_store: which elements belong to a program; an ``AssertionError`` names one that stores elsewhere.

    Raises:
        OutOfBounds, OrderMatters: see ``labkit.gpu.errors``, whatever the program made of them.

    >>> from labkit.gpu import jit, tl
    >>> @jit
    ... def double(x_ptr, n):
    ...     tl.store(x_ptr + tl.program_id(0), tl.load(x_ptr + tl.program_id(0)) * n)
    >>> x = np.arange(3)
    >>> launch_elsewhere(double.step, "double", (3,), {"x_ptr": x, "n": 5}).total().loads, x.tolist()
    (3, [0, 5, 10])
    """
    buffers = {
        i: KernelBuffer(*each) for i, each in enumerate(arguments.items()) if isinstance(each[1], np.ndarray | Bfloat16)
    }
    sizes = {i: buffer.itemsize for i, buffer in buffers.items()}
    numbers = [None if i in buffers else value for i, value in enumerate(arguments.values())]
    launch = Launch(name, grid)
    for number, place in in_some_order(grid):
        turn = _Turn(buffers, launch, number, place, may_store)
        step(place, grid, numbers, sizes, turn.access)
        turn.end()
    return launch


class _Turn:
    """One program's turn: its access to the memory, which ends with it."""

    def __init__(
        self, buffers: dict[int, KernelBuffer], launch: Launch, number: int, place: Place, may_store: MayTouch | None
    ) -> None:
        self._buffers, self._launch, self._number, self._place = buffers, launch, number, place
        self._may_store = may_store
        self._refused: Exception | None = None
        self._over = False

    def access(self, doing: str, argument: int, index: Any, values: Any = None) -> Any:
        """Load or store for the program whose turn it is."""
        if self._over:
            raise RuntimeError(f"program {self._place} has ended, and may load and store no more")
        try:
            return self._access(doing, self._buffers[argument], _elements(index), values)
        except Exception as error:  # the program may catch it, and go on as if nothing had been
            self._refused = self._refused or error
            raise

    def _access(self, doing: str, buffer: KernelBuffer, index: Index, values: Any) -> Any:
        size = index.size
        if doing == "load":
            found = buffer.load(index, self._number, self._place)
            self._launch.note(self._place, buffer.name, Traffic(loads=size, bytes_loaded=size * buffer.itemsize))
            return found
        if self._may_store and not self._may_store(self._place, buffer.name, index):
            raise AssertionError(f"program {self._place} stores to {buffer.name} what belongs to another program")
        buffer.store(index, np.broadcast_to(np.asarray(values), index.shape), self._number, self._place)
        self._launch.note(self._place, buffer.name, Traffic(stores=size, bytes_stored=size * buffer.itemsize))
        return None

    def end(self) -> None:
        """Take the memory away, and raise what was refused."""
        self._over = True
        if self._refused:
            raise self._refused


def _elements(index: Any) -> Index:
    """Return the numbers of elements that a program asks for, which may say anything."""
    found = np.asarray(index)
    if found.dtype.kind not in "iu" or found.ndim > 1:
        raise TypeError(f"a program asks for elements by whole numbers in a row, not by {found.dtype}{found.shape}")
    return found.astype(np.int64)
