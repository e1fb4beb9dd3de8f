"""The memory of a kernel's argument: a flat row of elements with bounds, and a record of which program touched each."""

import numpy as np
from numpy.lib.stride_tricks import as_strided
from numpy.typing import NDArray

from labkit.gpu.arrays import Bfloat16, narrowed, widened
from labkit.gpu.counts import Place
from labkit.gpu.errors import OrderMatters, OutOfBounds
from labkit.gpu.values import Values

Index = NDArray[np.int64]

_NOBODY, _SEVERAL = -1, -2
_BITS = {1: np.uint8, 2: np.uint16, 4: np.uint32, 8: np.uint64}


class KernelBuffer:
    """An array as a kernel sees it: element i is i elements after the first, whatever the array's shape.

    Args:
        name: the parameter's name, for messages.
        array: the array, which is written to in place; the gaps of a strided array are not part of it.

    >>> buffer = KernelBuffer("x_ptr", np.arange(6, dtype=np.int32).reshape(2, 3)[:, :2])
    >>> buffer.load(np.array([0, 3]), program=0, place=(0,)).tolist()
    [0, 3]
    >>> buffer.load(np.array([2]), program=0, place=(0,))
    Traceback (most recent call last):
    labkit.gpu.errors.OutOfBounds: program (0,) would load x_ptr[2], a gap between the rows of the array
    """

    def __init__(self, name: str, array: Values | Bfloat16) -> None:
        self.name = name
        self._is_bfloat16 = isinstance(array, Bfloat16)
        memory: Values = array.bits if isinstance(array, Bfloat16) else array
        self._cells = _flat(name, memory)
        self._part = None if self._cells.size == memory.size else _parts(memory, self._cells.size)
        self.itemsize = memory.itemsize
        self._writer = np.full(self._cells.size, _NOBODY, np.int32)
        self._reader = np.full(self._cells.size, _NOBODY, np.int32)
        self._places: dict[int, Place] = {}

    def load(self, index: Index, program: int, place: Place) -> Values:
        """Return the elements at these places, read by one program; bfloat16 is widened to float32.

        Raises:
            OutOfBounds, OrderMatters: see ``labkit.gpu.errors``.
        """
        self._check(index, place, "load")
        self._places[program] = place
        self._note_loads(index, program)
        values = self._cells[index]
        return widened(values) if self._is_bfloat16 else values

    def store(self, index: Index, values: Values, program: int, place: Place) -> None:
        """Write elements, as the buffer's own dtype.

        Raises:
            OutOfBounds, OrderMatters: see ``labkit.gpu.errors``.
            TypeError: if the array is read-only.
        """
        self._check(index, place, "store to")
        if not self._cells.flags.writeable:
            raise TypeError(f"program {place} would store to {self.name}, an array that may only be read")
        self._places[program] = place
        self._note_stores(index, self._as_stored(values), program)

    def _as_stored(self, values: Values) -> Values:
        if self._is_bfloat16:
            return narrowed(values.astype(np.float32))
        with np.errstate(all="ignore"):
            return values.astype(self._cells.dtype)

    def _check(self, index: Index, place: Place, doing: str) -> None:
        size = self._cells.size
        outside = (index < 0) | (index >= size)
        if outside.any():
            raise OutOfBounds(self.name, int(index[outside][0]), size, place, doing)
        if self._part is not None and not (inside := self._part[index]).all():
            gap = "a gap between the rows of the array"
            raise OutOfBounds(self.name, int(index[~inside][0]), size, place, doing, gap)

    def _note_loads(self, index: Index, program: int) -> None:
        self._refuse(index, self._writer[index], program, "program {other} stores what program {me} loads,")
        readers = self._reader[index]
        alone = (readers == _NOBODY) | (readers == program)
        self._reader[index] = np.where(alone, program, _SEVERAL)

    def _note_stores(self, index: Index, values: Values, program: int) -> None:
        self._refuse(index, self._reader[index], program, "program {me} stores what program {other} loads,")
        # Storing what is there already is harmless, whichever program did it first.
        old, new = _bits(self._cells[index]), _bits(values)
        rivals = np.where(old != new, self._writer[index], _NOBODY)
        self._refuse(index, rivals, program, "programs {other} and {me} store different values")
        self._cells[index] = values
        self._writer[index] = program
        # If a value did not arrive, another lane of this program stored a different one at the same place.
        lost = np.where(_bits(self._cells[index]) != new, _SEVERAL, _NOBODY)
        self._refuse(index, lost, program, "two lanes of program {me} store different values")

    def _refuse(self, index: Index, others: NDArray[np.int32], program: int, what: str) -> None:
        wrong = (others != _NOBODY) & (others != program)
        if wrong.any():
            other = int(others[wrong][0])
            names = {"me": self._places[program], "other": self._places.get(other, "another")}
            raise OrderMatters(self.name, int(index[wrong][0]), what.format(**names))


def _flat(name: str, array: Values) -> Values:
    """Return the memory from an array's first element to its last, as a row of elements."""
    steps = [stride // array.itemsize for stride in array.strides]
    if any(stride < 0 or stride % array.itemsize for stride in array.strides):
        raise ValueError(f"{name} has the strides {array.strides} in bytes; a kernel takes whole elements, forwards")
    size = 1 + sum((n - 1) * step for n, step in zip(array.shape, steps, strict=True)) if array.size else 0
    return as_strided(array, (size,), (array.itemsize,), writeable=array.flags.writeable)


def _parts(array: Values, size: int) -> NDArray[np.bool_]:
    """Return which elements of the flat row belong to the array and not to its gaps."""
    own = np.zeros(size, bool)
    if size:
        as_strided(own, array.shape, [stride // array.itemsize for stride in array.strides])[...] = True
    return own


def _bits(values: Values) -> Values:
    """Return the raw bits, for comparisons in which NaN equals itself and 0.0 differs from -0.0."""
    return np.ascontiguousarray(values).view(_BITS[values.itemsize])
