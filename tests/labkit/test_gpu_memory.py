"""The memory of the stand-in: which places a kernel may touch, what the order may not decide, and what is counted."""

import numpy as np
import pytest

from labkit.gpu import Bfloat16, OrderMatters, OutOfBounds, Traffic, jit, recorded, tl


@jit
def copy_block(source_ptr, target_ptr, n, BLOCK: tl.constexpr):  # noqa: N803
    places = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(target_ptr + places, tl.load(source_ptr + places, mask=places < n), mask=places < n)


@jit
def put(target_ptr, places_ptr, values_ptr):
    row = tl.program_id(0)
    tl.store(target_ptr + tl.load(places_ptr + row), tl.load(values_ptr + row))


@jit
def load_at(source_ptr, place):
    tl.load(source_ptr + place)


@jit
def read_neighbour(x_ptr, n):
    row = tl.program_id(0)
    tl.store(x_ptr + row, tl.load(x_ptr + (row + 1) % n) + 1)


@jit
def two_lanes(x_ptr):
    tl.store(x_ptr + tl.arange(0, 2) * 0, tl.arange(0, 2))


@pytest.mark.parametrize("place", [-1, 4, 100])
def test_out_of_bounds_names_buffer_index_and_program(place):
    message = rf"program \(0,\) would load source_ptr\[{place}\], which has .* 0 to 3"
    with pytest.raises(OutOfBounds, match=message) as caught:
        load_at[(1,)](np.zeros(4), place)
    assert (caught.value.buffer, caught.value.index, caught.value.program) == ("source_ptr", place, (0,))
    assert caught.value.__notes__ == ["in program (0,) of load_at"]


WIDE = np.zeros((2, 4))
LOCKED = np.zeros(4)
LOCKED.flags.writeable = False
ODD = np.zeros(3, np.dtype([("a", "i1"), ("b", "i4")]))["b"]


@pytest.mark.parametrize(
    ("kernel", "arguments", "error", "message"),
    [
        (put, (np.zeros(4), np.array([9]), np.array([1.0])), OutOfBounds, r"would store to target_ptr\[9\]"),
        (load_at, (np.zeros(0), 0), OutOfBounds, "which is empty"),
        (load_at, (WIDE[:, :3], 3), OutOfBounds, r"source_ptr\[3\], a gap between the rows"),
        (load_at, (np.zeros(4)[::-1], 0), ValueError, "source_ptr has the strides"),
        (load_at, (ODD, 0), ValueError, "whole elements"),
        (put, (LOCKED, np.array([0]), np.array([1.0])), TypeError, "target_ptr, an array that may only be read"),
    ],
)
def test_places_that_are_no_elements_and_arrays_that_may_not_be_written(kernel, arguments, error, message):
    with pytest.raises(error, match=message):
        kernel[(1,)](*arguments)


DIFFERENT = r"programs \(.,\) and \(.,\) store different values at target_ptr\[2\]"


@pytest.mark.parametrize(
    ("kernel", "arguments", "message"),
    [
        (put, (np.zeros(4), np.array([2, 2]), np.array([1.0, 3.0])), DIFFERENT),
        (put, (np.zeros(4), np.array([2, 2]), np.array([7.0, 0.0])), "target_ptr"),
        (put, (np.zeros(4), np.array([2, 2]), np.array([0.0, 7.0])), "target_ptr"),
        (put, (np.ones(4), np.array([2, 2]), np.array([0.0, -0.0])), DIFFERENT),
        (read_neighbour, (np.zeros(4), 4), r"x_ptr\[\d\]: the result depends on the order"),
        (two_lanes, (np.zeros(2, int),), r"two lanes of program \(0,\) store different values at x_ptr\[0\]"),
    ],
    ids=["two values", "what was there, second", "what was there, first", "two zeros", "a load", "two lanes"],
)
def test_the_order_of_programs_and_lanes_must_not_matter(kernel, arguments, message):
    with pytest.raises(OrderMatters, match=message):
        kernel[(4 if kernel is read_neighbour else 1 if kernel is two_lanes else 2,)](*arguments)


@pytest.mark.parametrize("value", [1.0, 0.0, np.nan])
def test_two_programs_may_store_the_same(value):
    target = np.zeros(4)
    put[(2,)](target, np.array([2, 2]), np.array([value, value]))
    assert target.tolist()[2] == value or np.isnan(target[2])


def test_loads_stores_and_bytes_of_each_program():
    """Also where the launch breaks off."""
    source, target = np.zeros(6, np.float32), np.zeros(6, np.float16)
    with recorded() as launches:
        copy_block[(2,)](source, target, 6, BLOCK=4)
        with pytest.raises(OutOfBounds):
            load_at[(1,)](np.zeros(4), 9)
    load_at[(1,)](np.zeros(4), 0)
    launch, broken = launches
    assert (launch.kernel, launch.grid, broken.kernel, broken.total()) == ("copy_block", (2,), "load_at", Traffic())
    assert launch.of_program((0,)) == Traffic(4, 4, 16, 8) and launch.of_program((1,)) == Traffic(2, 2, 8, 4)
    assert launch.of_buffers() == {"source_ptr": Traffic(6, 0, 24, 0), "target_ptr": Traffic(0, 6, 0, 12)}
    assert launch.total().bytes == 36


def test_bfloat16_is_the_upper_half_of_float32_to_the_nearest():
    bits = np.arange(1 << 16).astype(np.uint16)
    values, target = Bfloat16(bits).values(), np.zeros(1 << 16, np.uint16)
    assert np.array_equal(values.view(np.uint32), bits.astype(np.uint32) << 16)
    copy_block[(8,)](values, Bfloat16(target), 1 << 16, BLOCK=1 << 13)
    assert np.array_equal(target, np.where(np.isnan(values), bits | 0x40, bits)), "a NaN becomes quiet"
    values = np.random.default_rng(1).normal(size=2048).astype(np.float32)
    copy_block[(2,)](values, Bfloat16(target[:2048]), 2048, BLOCK=1024)
    got = Bfloat16(target[:2048]).values().astype(np.float64)
    for other in (target[:2048] + np.uint16(1), target[:2048] - np.uint16(1)):
        assert (abs(got - values) <= abs(Bfloat16(other).values().astype(np.float64) - values)).all()
