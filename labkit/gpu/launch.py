"""Launches of kernels: one program after the other, in an order that no kernel may rely on."""

import inspect
from collections.abc import Callable, Mapping, Sequence
from functools import update_wrapper
from typing import Any

import numpy as np

from labkit.gpu.arrays import Bfloat16
from labkit.gpu.counts import Launch, Place, announce
from labkit.gpu.elsewhere import Access, Far
from labkit.gpu.language import constexpr
from labkit.gpu.memory import KernelBuffer
from labkit.gpu.order import in_some_order
from labkit.gpu.programs import RunningProgram, is_running, running
from labkit.gpu.scope import globals_of, refuse_globals
from labkit.gpu.tensors import Pointer, Tensor
from labkit.gpu.values import scalar

Grid = tuple[int, ...] | Callable[[dict[str, Any]], tuple[int, ...]]

_OPTIONS = ("num_warps", "num_stages")
"""Launch options for the device, which the stand-in ignores."""


class Kernel:
    """A function marked with ``@jit``: launched as ``kernel[grid](...)``, or called by another kernel.

    >>> from labkit.gpu import language as tl
    >>> @jit
    ... def double(x_ptr, BLOCK: tl.constexpr):
    ...     places = x_ptr + tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    ...     tl.store(places, tl.load(places) * 2)
    >>> x = np.arange(8)
    >>> double[(2,)](x, BLOCK=4)
    >>> x.tolist()
    [0, 2, 4, 6, 8, 10, 12, 14]
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        update_wrapper(self, function)
        self._function = function
        self._signature = inspect.signature(function)
        self._names = tuple(dict.fromkeys(globals_of(function.__code__)))

    def __getitem__(self, grid: Grid) -> Callable[..., None]:
        return lambda *args, **named: self._launch(grid, *args, **named)

    def __call__(self, *args: Any, **named: Any) -> Any:
        """Run the function for another kernel that calls it, and return its result."""
        if not is_running():
            name = self._function.__name__
            raise TypeError(f"{name} is a kernel: launch it as {name}[grid](...), or call it in another kernel")
        refuse_globals(self._function, self._names, (Kernel, constexpr))
        return self._function(*args, **named)

    def _launch(self, grid: Grid, *args: Any, **named: Any) -> None:
        refuse_globals(self._function, self._names, (Kernel, constexpr))
        named = {name: value for name, value in named.items() if name not in _OPTIONS}
        given = self._signature.bind(*args, **named)
        given.apply_defaults()
        shape = _checked(grid(dict(given.arguments)) if callable(grid) else grid)
        given.arguments.update({name: self._argument(name, value) for name, value in given.arguments.items()})
        launch = Launch(self._function.__name__, shape)
        announce(launch)
        for number, place in in_some_order(shape):
            with running(RunningProgram(number, place, launch)):
                self._run(place, given.args, given.kwargs)

    def step(self, place: Place, grid: Place, numbers: Sequence[Any], sizes: Mapping[int, int], access: Access) -> None:
        """Run one program whose memory is kept elsewhere: see ``labkit.gpu.elsewhere``.

        Args:
            place: of the program in the grid.
            numbers: the arguments in their order; None for those in memory.
            sizes: the bytes of an element of each argument in memory, by its place among the arguments.
            access: loads and stores elements.
        """
        refuse_globals(self._function, self._names, (Kernel, constexpr))
        given = self._signature.bind(*numbers)
        for argument, (name, value) in enumerate(list(given.arguments.items())):
            far = Pointer(Far(name, argument, sizes[argument], access), np.int64(0)) if argument in sizes else None
            given.arguments[name] = self._argument(name, value) if far is None else far
        with running(RunningProgram(0, tuple(place), Launch(self._function.__name__, tuple(grid)))):
            self._run(place, given.args, given.kwargs)

    def _run(self, place: Place, args: tuple[Any, ...], named: Mapping[str, Any]) -> None:
        try:
            self._function(*args, **named)
        except Exception as error:
            error.add_note(f"in program {place} of {self._function.__name__}")
            raise

    def _argument(self, name: str, value: Any) -> Any:
        """Return an argument as the kernel gets it: a pointer, a value, or a constant."""
        if "constexpr" in str(self._signature.parameters[name].annotation):
            return constexpr(value) if type(value) is int else value
        if isinstance(value, (np.ndarray, Bfloat16)):
            return Pointer(KernelBuffer(name, value), np.int64(0))
        if isinstance(value, (bool, int, float, np.integer, np.bool_)):
            return Tensor(scalar(value.item() if isinstance(value, np.generic) else value))
        if value is None:
            return None
        raise TypeError(f"{name} is a {type(value).__name__}: a kernel takes arrays of NumPy, and numbers")


def jit(function: Callable[..., Any]) -> Kernel:
    """Mark a function as a kernel.

    >>> from labkit.gpu import language as tl
    >>> x = np.zeros(3, np.int32)
    >>> jit(lambda x_ptr: tl.store(x_ptr + tl.program_id(0), tl.program_id(0) * 10))[(3,)](x)  # three programs
    >>> x.tolist()
    [0, 10, 20]
    """
    return Kernel(function)


def _checked(grid: tuple[int, ...]) -> Place:
    shape = tuple(int(size) for size in grid)
    if not 1 <= len(shape) <= 3 or min(shape) < 1:
        raise ValueError(f"the grid is {shape}: it must have one to three axes, and a program along each")
    return shape
