"""The stand-in's values behave as a device's do: dtypes, C's division, shifts, shapes."""

import os
import subprocess
import sys

import numpy as np
import pytest

from labkit.gpu import jit, tl
from labkit.gpu.memory import KernelBuffer
from labkit.gpu.tensors import Pointer, Tensor

LIMIT = -1
SIZE = tl.constexpr(4)
ROWS = [0, 1]


def block(*values, dtype=np.int32):
    return Tensor(np.array(values, dtype))


INT = [7, -7, 0, 1, -1, 2**31 - 1, -(2**31), 31]


def test_division_is_cs():
    for a in INT[:5]:
        for b in (2, -2, 3):
            quotient = int(a / b)
            assert (block(a) // b).data.tolist() == [quotient] and (block(a) % b).data.tolist() == [a - quotient * b]
    assert (17 // block(5)).data.tolist() == [3] and (17 % block(5)).data.tolist() == [2]
    with pytest.raises(ZeroDivisionError):
        block(1) // 0


def test_int32_wraps_and_its_shifts_keep_the_sign():
    assert (block(2**31 - 1) + 1).data.tolist() == [-(2**31)] and (block(1 << 30) * 4).data.tolist() == [0]
    assert (-block(-(2**31))).data.tolist() == [-(2**31)]
    assert (block(*INT) >> 1).data.tolist() == [value >> 1 for value in INT]
    assert (block(1) << 31).data.tolist() == [-(2**31)] and (1 << block(31)).data.tolist() == [-(2**31)]
    assert (block(2**32 - 1, dtype=np.uint32) >> 31).data.tolist() == [1]
    for wrong in (32, -1):
        with pytest.raises(ValueError, match=f"a shift of int32 by {wrong}"):
            block(1) >> wrong


WIDENED = """
    int16 int32 int32  int32 int64 int64  int32 uint32 uint32  uint8 int32 int32  float16 int32 float16
    float16 float32 float32  bool int32 int32
"""


@pytest.mark.parametrize("names", WIDENED.strip().replace("\n    ", "  ").split("  "))
def test_which_dtype_two_become(names):
    a, b, expected = names.split()
    assert (block(1, dtype=a) + block(1, dtype=b)).dtype.name == expected
    assert (block(1, dtype=b) + block(1, dtype=a)).dtype.name == expected


def test_numbers_take_the_dtype_of_what_they_meet():
    assert (block(1, dtype=np.int16) + 1).dtype == np.int16 and (block(1, dtype=np.int16) + 70000).dtype == np.int32
    assert (block(1) + 0.5).dtype == np.float32 and (block(1.0, dtype=np.float16) * 2.5).dtype == np.float16
    assert (block(1) / 2).dtype == np.float32 and (1 - block(3)).data.tolist() == [-2]


def test_comparisons_and_logic():
    x = block(1, 2, 3)
    assert ((x > 1) & (x != 3)).data.tolist() == [False, True, False]
    assert (~(x == 1)).data.tolist() == [False, True, True]
    assert ((x <= 1) | (x >= 3)).data.tolist() == [True, False, True] and (x < 2).dtype == np.bool_
    with pytest.raises(ValueError, match="neither true nor false"):
        bool(x > 1)
    assert bool(block(3).reshape(()) == 3) and list(range(block(2).reshape(()))) == [0, 1]
    with pytest.raises(TypeError, match="not one whole number"):
        range(x)


def test_shapes_and_conversions():
    x = tl.arange(0, 4)
    assert (x[:, None] + x[None, :]).shape == (4, 4) and tl.reshape(x[:, None] + x[None, :], (16,)).shape == (16,)
    with pytest.raises(ValueError, match="a power of two"):
        tl.arange(0, 12)
    assert block(-1).to(tl.uint32).data.tolist() == [2**32 - 1]
    assert block(3.9, dtype=np.float32).to(tl.int32).data.tolist() == [3]
    assert block(3.1415927, dtype=np.float32).to(tl.bfloat16).data.tolist() == [3.140625]
    assert tl.where(block(1, 2) > 1, 1, 0.5).dtype == np.float32
    assert tl.maximum(block(1, 5), 3).data.tolist() == [3, 5] and tl.minimum(block(1, 5), 3).data.tolist() == [1, 3]
    assert tl.zeros((2, 2), tl.float16).dtype == np.float16 and tl.cdiv(65, 32) == 3


def test_a_lane_that_is_not_loaded_holds_rubbish_unless_other_is_said():
    found = []

    @jit
    def look(x_ptr):
        places = tl.arange(0, 4)
        found.append(tl.load(x_ptr + places, mask=places < 2).data.tolist())
        found.append(tl.load(x_ptr + places, mask=places < 2, other=-1).data.tolist())

    look[(1,)](np.array([5, 6, 7, 8], np.int32))
    assert found[0][:2] == [5, 6] and not set(found[0][2:]) & {0, 7, 8} and found[1] == [5, 6, -1, -1]


@jit
def bad_mask(x_ptr):
    tl.load(x_ptr + tl.arange(0, 2), mask=tl.arange(0, 2))


@jit
def bad_shape(x_ptr):
    tl.store(x_ptr + tl.arange(0, 2), tl.arange(0, 4))


@jit
def no_pointer(x_ptr):
    tl.load(tl.arange(0, 2))


def test_what_a_mask_and_a_pointer_must_be():
    with pytest.raises(TypeError, match="outcome of a comparison"):
        bad_mask[(1,)](np.zeros(4))
    with pytest.raises(ValueError, match=r"the value of store has the shape \[4\], and the pointer \[2\]"):
        bad_shape[(1,)](np.zeros(4))
    with pytest.raises(TypeError, match="wants a pointer"):
        no_pointer[(1,)](np.zeros(4))


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
}
"""A message, and the expressions that it is about."""


@pytest.mark.parametrize("message", WRONG_VALUES)
def test_what_is_no_value_of_a_kernel(message):
    for wrong in WRONG_VALUES[message].split(";"):
        with pytest.raises(TypeError, match=message):
            eval(wrong.strip())


def test_a_pointer_may_come_after_its_offset_and_take_new_axes():
    assert (tl.arange(0, 4) + X_PTR).index.tolist() == (1 + X_PTR + tl.arange(0, 4) - 1).index.tolist() == [0, 1, 2, 3]
    assert (X_PTR + tl.arange(0, 4))[:, None].shape == (4, 1)


def test_triton_is_asked_for_where_it_is_not():
    code = "import sys; sys.modules['triton'] = None; import labkit.gpu"
    environment = {**os.environ, "LAB_GPU": "triton"}
    run = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False)
    assert run.returncode != 0 and "LAB_GPU=triton asks for Triton, which is not installed here" in run.stderr
