"""The stand-in for Triton's language: its values behave as a device's do, and what it refuses it names."""

import math
import os
import subprocess
import sys
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from labkit.checking.properties import PROPERTY
from labkit.gpu import jit, tl
from labkit.gpu.memory import KernelBuffer
from labkit.gpu.tensors import Pointer, Tensor

LIMIT = -1
SIZE = tl.constexpr(4)
ROWS = [0, 1]


def block(*values, dtype=np.int32):
    return Tensor(np.array(values, dtype))


INT = st.integers(-(2**31), 2**31 - 1) | st.integers(-9, 9)
IN_PYTHON = {
    "a + b": lambda a, b: a + b,
    "a - b": lambda a, b: a - b,
    "a * b": lambda a, b: a * b,
    "a // b": lambda a, b: math.trunc(Fraction(a, b)),
    "a % b": lambda a, b: a - b * math.trunc(Fraction(a, b)),
    "a << (b & 31)": lambda a, b: a << (b & 31),
    "a >> (b & 31)": lambda a, b: a >> (b & 31),
}


@PROPERTY
@given(INT, INT.filter(bool))
def test_int32_wraps_divides_as_c_and_keeps_the_sign_in_shifts(a, b):
    for text, exact in IN_PYTHON.items():
        wrapped = (exact(a, b) + 2**31) % 2**32 - 2**31
        for x, y in ((block(a), block(b)), (a, block(b)), (block(a), b)):
            assert eval(text, {"a": x, "b": y}).data.tolist() == [wrapped], text
    assert (-block(a)).data.tolist() == (0 - block(a)).data.tolist()


DTYPES = {
    "int32": "I16 + I32; I16 + 70000; block(3.9, dtype='f4').to(tl.int32); block(1, 2) & block(1, 2)",
    "int64": "I32 + block(1, dtype='i8')",
    "uint32": "I32 + block(1, dtype='u4'); block(-1).to(tl.uint32)",
    "int16": "I16 + 1",
    "float16": "F16 + I32; F16 * 2.5; tl.zeros((2, 2), tl.float16)",
    "float32": "F16 + F32; F32 + F16; I32 + 0.5; I32 / 2; tl.where(block(1, 2) > 1, 1, 0.5)",
    "bool": "I32 < 2; ~(I32 == 1); (I32 <= 1) | (I32 >= 3); (I32 > 1) & (I32 != 3)",
}
I16, I32, F16, F32 = (block(1, dtype=name) for name in ("i2", "i4", "f2", "f4"))


@pytest.mark.parametrize(
    ("dtype", "text"), [(dtype, text) for dtype, row in DTYPES.items() for text in row.split("; ")]
)
def test_which_dtype_comes_of_it(dtype, text):
    assert eval(text).dtype.name == dtype


def test_comparisons_shapes_and_conversions():
    x = block(1, 2, 3)
    assert ((x > 1) & (x != 3)).data.tolist() == [False, True, False]
    assert ((x <= 1) | ~(x < 3)).data.tolist() == [True, False, True]
    assert bool(block(3).reshape(()) == 3) and list(range(block(2).reshape(()))) == [0, 1]
    y = tl.arange(0, 4)
    assert tl.reshape(y[:, None] + y[None, :], (16,)).data.tolist() == [i + j for i in range(4) for j in range(4)]
    assert block(-1).to(tl.uint32).data.tolist() == [2**32 - 1]
    assert block(3.9, dtype=np.float32).to(tl.int32).data.tolist() == [3]
    assert block(3.1415927, dtype=np.float32).to(tl.bfloat16).data.tolist() == [3.140625]
    with pytest.raises(ValueError, match="neither true nor false"):
        bool(x > 1)
    with pytest.raises(TypeError, match="not one whole number"):
        range(x)


def test_a_lane_that_is_not_loaded_holds_rubbish_unless_other_is_said():
    found = []

    @jit
    def look(x_ptr):
        places = tl.arange(0, 4)
        found.append(tl.load(x_ptr + places, mask=places < 2).data.tolist())
        found.append(tl.load(x_ptr + places, mask=places < 2, other=-1).data.tolist())

    look[(1,)](np.array([5, 6, 7, 8], np.int32))
    assert found[0][:2] == [5, 6] and not set(found[0][2:]) & {0, 7, 8} and found[1] == [5, 6, -1, -1]


def test_a_kernel_is_launched_and_not_called():
    @jit
    def kernel(x_ptr, n):
        tl.store(x_ptr + tl.program_id(1), tl.num_programs(1) + n)

    x = np.zeros(3, np.int32)
    with pytest.raises(TypeError, match=r"kernel\[grid\]"):
        kernel(x, 1)
    kernel[lambda meta: (1, meta["n"])](x, 3, num_warps=4)
    assert x.tolist() == [6, 6, 6]
    for grid in ((), (0,), (1, 1, 1, 1)):
        with pytest.raises(ValueError, match="the grid is"):
            kernel[grid](x, 1)
    with pytest.raises(TypeError, match="x_ptr is a list"):
        kernel[(1, 1)]([0], 1)
    with pytest.raises(TypeError, match="missing a required argument: 'n'"):
        kernel[(1, 1)](x)


# What a kernel may see, and what is no value of it -------------------------------------------------------


def half(n):
    return n // 2


@jit
def reads_a_number(x_ptr):
    tl.store(x_ptr, LIMIT)


@jit
def calls_the_host(x_ptr):
    tl.store(x_ptr, half(4))


@jit
def reads_a_list(x_ptr):
    tl.store(x_ptr, sum(ROWS[i] for i in (0, 1)))


@jit
def calls_a_kernel_that_does(x_ptr):
    reads_a_number(x_ptr)


@jit
def half_of(n):
    return n // 2


@jit
def keeps_the_rules(x_ptr, LIMIT: tl.constexpr):  # noqa: N803
    tl.store(x_ptr + tl.arange(0, SIZE), half_of(max(LIMIT, 8)) + len((1, 2)))


@pytest.mark.parametrize(
    ("kernel", "message"),
    [
        (reads_a_number, "LIMIT is a global of the file: write -1 itself, or make it tl.constexpr"),
        (calls_the_host, "half is a function of the host: mark it @jit, or call it before the launch"),
        (reads_a_list, "ROWS is a global of the file: hand it over as a parameter"),
        (calls_a_kernel_that_does, "reads_a_number: a kernel sees its parameters, tl, other kernels and constexpr"),
    ],
)
def test_what_a_kernel_may_not_see(kernel, message):
    x = np.zeros(4, np.int32)
    with pytest.raises(NameError) as caught:
        kernel[(1,)](x)
    assert message in str(caught.value) and not x.any()


def test_what_a_kernel_may_see():
    """Another kernel among the rest, which gives back a value."""
    x = np.zeros(4, np.int32)
    keeps_the_rules[(1,)](x, LIMIT=20)
    assert x.tolist() == [12] * 4
    with pytest.raises(TypeError, match="constexpr is a whole number"):
        tl.constexpr(0.5)


X_PTR = Pointer(KernelBuffer("x_ptr", np.zeros(8, np.int32)), np.int64(0))


WRONG_VALUES = {
    r"x_ptr is a pointer, .*: tl.load gives what lies there": """
        X_PTR == 0; X_PTR != 0; X_PTR >= 0; block(1) < X_PTR; X_PTR * 2; 2 * X_PTR; X_PTR + X_PTR; X_PTR >> 1;
        range(X_PTR); bool(X_PTR); tl.where(X_PTR, 1, 0); tl.full((2,), X_PTR, tl.int32)
    """,
    "an array of NumPy .*: use tl.arange": """
        np.arange(4) + tl.arange(0, 4); tl.arange(0, 4) & np.arange(4); X_PTR + np.arange(4); np.arange(4) + X_PTR;
        tl.arange(0, 4) < np.arange(4); tl.where(np.arange(4) > 1, 1, 0)
    """,
    r"x_ptr is a pointer: write tl.load\(x_ptr \+ i\), not x_ptr\[i\]": "X_PTR[0]; (X_PTR + tl.arange(0, 4))[0]",
    "only None and :": "tl.arange(0, 4)[0]",
    "constants": "tl.arange(0, block(4))",
    "outcome of a comparison": "tl.load(X_PTR + tl.arange(0, 2), mask=tl.arange(0, 2))",
    "wants a pointer": "tl.load(tl.arange(0, 2))",
}
"""A message, and the expressions that it is about."""


@pytest.mark.parametrize("message", WRONG_VALUES)
def test_what_is_no_value_of_a_kernel(message):
    for wrong in WRONG_VALUES[message].split(";"):
        with pytest.raises(TypeError, match=message):
            eval(wrong.strip())
    with pytest.raises(ValueError, match=r"the value of store has the shape \[4\], and the pointer \[2\]"):
        tl.store(X_PTR + tl.arange(0, 2), tl.arange(0, 4))


def test_triton_is_asked_for_where_it_is_not():
    code = "import sys; sys.modules['triton'] = None; import labkit.gpu"
    environment = {**os.environ, "LAB_GPU": "triton"}
    run = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False)
    assert run.returncode != 0 and "LAB_GPU=triton asks for Triton, which is not installed here" in run.stderr
