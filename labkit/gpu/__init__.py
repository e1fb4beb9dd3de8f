"""A stand-in for the part of Triton's language that a bitmask kernel needs: a kernel runs in NumPy, on any laptop.

    from labkit.gpu import jit, tl

A kernel written against these two names is Triton source. With ``LAB_GPU=triton`` in the environment they are Triton's
own, and the same file is compiled for a device, or runs in Triton's interpreter (``TRITON_INTERPRET=1``) on torch
tensors. Without it they are the stand-in's.

What the stand-in adds: an out-of-bounds access names the buffer, the index and the program; programs run in a shuffled
order that is the same each time, and it is an error if the order could matter; the loads, stores and bytes of each
program are counted (``recorded``); lanes that a load's mask leaves out hold garbage, unless ``other`` gives a value.
Like Triton's compiler, it refuses a kernel that uses a global of its file other than kernels and constants.

What it does not model: time, warps, caches, and the 32-byte sectors in which a device moves memory; programs that run
in parallel (here each runs to its end before the next); two arguments that share memory; atomics, reductions and
matrix products; arithmetic in bfloat16, which is done in float32. Blocks may have any size. ``LAB_GPU`` is read once,
at the first import.
"""

import os
from typing import TYPE_CHECKING

from labkit.gpu.arrays import Bfloat16, device_logits, element_strides
from labkit.gpu.counts import Launch, Traffic, recorded
from labkit.gpu.errors import OrderMatters, OutOfBounds

ON_TRITON = os.environ.get("LAB_GPU", "") == "triton"
"""Whether kernels are Triton's."""

if TYPE_CHECKING or not ON_TRITON:
    from labkit.gpu import language as tl
    from labkit.gpu.launch import jit
else:
    try:
        import triton.language as tl
        from triton import jit
    except ImportError as error:
        raise ImportError("LAB_GPU=triton asks for Triton, which is not installed here") from error

__all__ = [
    "ON_TRITON",
    "Bfloat16",
    "Launch",
    "OrderMatters",
    "OutOfBounds",
    "Traffic",
    "device_logits",
    "element_strides",
    "jit",
    "recorded",
    "tl",
]
